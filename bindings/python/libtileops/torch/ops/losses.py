"""torch's losses: a value of each element or row, and its sum or mean, in one text."""

from .texts import operator


def _reduced(key, operands, one, reduction, tensors, grad=None, count=None, **scalars):
    """A loss. `one`: the text of that of an element; count: of what the mean divides by, else the number of elements."""
    head, before, body = operands, *(("", one) if "; " not in one else one.rsplit("; ", 1))
    before = f"{before}; " if before else ""
    ends = {"none": body, "sum": f"sum({body}, axis = all)",
            "mean": f"mean({body}, axis = all)" if count is None else f"sum({body}, axis = all) / sum({count}, axis = all)"}
    if reduction not in ends:
        raise ValueError(f"reduction: is 'none', 'sum' or 'mean' (got {reduction!r})")
    y = operator(f"{key}_{reduction}", f"({head}) -> {{ {before}{ends[reduction]} }}", grad)(*tensors, **scalars)
    return y if reduction == "none" else y.reshape(())


def mse_loss(input, target, reduction="mean"):
    """torch.nn.functional.mse_loss."""
    return _reduced("mse_loss", "x, y", "d = x - y; d * d", reduction, (input, target))


def l1_loss(input, target, reduction="mean"):
    """torch.nn.functional.l1_loss."""
    return _reduced("l1_loss", "x, y", "abs(x - y)", reduction, (input, target))


def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    """torch.nn.functional.smooth_l1_loss."""
    if beta == 0:
        return l1_loss(input, target, reduction)
    one = "d = abs(x - y); where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta)"
    return _reduced("smooth_l1_loss", "x, y; beta = 1.0", one, reduction, (input, target), beta=beta)


def huber_loss(input, target, reduction="mean", delta=1.0):
    """torch.nn.functional.huber_loss."""
    one = "d = abs(x - y); where(d <= delta, 0.5 * d * d, delta * (d - 0.5 * delta))"
    return _reduced("huber_loss", "x, y; delta = 1.0", one, reduction, (input, target), delta=delta)


def soft_margin_loss(input, target, reduction="mean"):
    """torch.nn.functional.soft_margin_loss; where exp is too large, what it tends to."""
    return _reduced("soft_margin_loss", "x, y", "-logsigmoid(y * x)", reduction, (input, target))


def kl_div(input, target, reduction="mean", log_target=False):
    """torch.nn.functional.kl_div."""
    one = "exp(y) * (y - x)" if log_target else "p = y > 0; where(p, y * (log(where(p, y, 1)) - x), -(y * x) * 0)"
    scale = 1
    if reduction == "batchmean":
        reduction, scale = "sum", input.shape[0] if input.dim() else 1
    y = _reduced(f"kl_div_{'log' if log_target else 'plain'}", "x, y", one, reduction, (input, target))
    return y if scale == 1 else y / scale


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """torch.nn.functional.binary_cross_entropy; what is not between 0 and 1 gives NaN, and no error."""
    one = "-(y * maximum(log(x), -100.0) + (1 - y) * maximum(log1p(-x), -100.0))"
    if weight is None:
        return _reduced("binary_cross_entropy", "x, y", one, reduction, (input, target), ("x", "y"))
    return _reduced("binary_cross_entropy_w", "x, y, w", f"w * {one}", reduction, (input, target, weight), ("x", "y"))


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    """torch.nn.functional.binary_cross_entropy_with_logits."""
    names, tensors, one, key = "x, y", (input, target), "(1 - y) * x - logsigmoid(x)", "logits"
    if pos_weight is not None:
        names, tensors, one, key = names + ", p", (*tensors, pos_weight), "(1 - y) * x - (1 + (p - 1) * y) * logsigmoid(x)", "logits_p"
    if weight is not None:
        names, tensors, one, key = names + ", w", (*tensors, weight), f"({one}) * w", key + "_w"
    return _reduced(key, names, one, reduction, tensors, ("x", "y"))


def _classes(input, target, weight):
    """Where the classes are: their axis, and operands with it."""
    if input.dim() == 0:
        raise RuntimeError("input: has no dimension of classes")
    axis = -1 if input.dim() == 1 else 1 - input.dim()
    if weight is not None:
        weight = weight.reshape(-1, *[1] * (-axis - 1))
    wanted = input.shape[:axis] + (input.shape[axis + 1:] if axis != -1 else ())
    if tuple(target.shape) != tuple(wanted):
        raise RuntimeError(f"target: has the shape {tuple(target.shape)}, and {tuple(wanted)} is needed")
    return axis, (input, target.unsqueeze(axis)) if weight is None else (input, target.unsqueeze(axis), weight)


def _labelled(key, one, input, target, weight, ignore_index, reduction, **scalars):
    """A loss by labels. `one`: that of a row, before its weight k, 0 where the label is to be ignored."""
    axis, tensors = _classes(input, target, weight)
    operands, taken = ("x, t", "1.0") if weight is None else ("x, t, w", f"gather(w, t, axis = {axis})")
    rank = -axis
    text = f"u = t != ignore; k = cast(where(u, {taken}, 0.0), x); " + one.replace("AXIS", str(axis))
    names = "".join(f", {name} = 0.5" for name in scalars)
    y = _reduced(f"{key}{'' if weight is None else '_w'}_{rank}", f"{operands}; ignore = -100{names}", text, reduction, tensors, ("x",),
                 count="k", ignore=ignore_index, **scalars)
    return y.squeeze(axis) if reduction == "none" else y


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """torch.nn.functional.nll_loss; a label that is no class gives NaN, and no error."""
    one = "where(u, -gather(x, t, axis = AXIS) * k, 0)"
    return _labelled("nll_loss", one, input, target, weight, ignore_index, reduction)


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """torch.nn.functional.cross_entropy; a label that is no class gives NaN, and no error."""
    if target.is_floating_point():
        return _by_probabilities(input, target, weight, reduction, label_smoothing)
    # Both are taken from the largest score first, so that no digits are lost beside large scores.
    rows = "m = detach(amax(x, axis = AXIS)); n = log(sum(exp(x - m), axis = AXIS)); "
    hard = "where(u, (n - (gather(x, t, axis = AXIS) - m)) * k, 0)"
    if not label_smoothing:
        return _labelled("cross_entropy", rows + hard, input, target, weight, ignore_index, reduction)
    soft = "n - (mean(x, axis = AXIS) - m)" if weight is None else "sum((n - (x - m)) * w, axis = AXIS) / extent(x, AXIS)"
    one = f"{rows}(1 - smooth) * {hard} + smooth * where(u, {soft}, 0)"
    return _labelled("cross_entropy_smooth", one, input, target, weight, ignore_index, reduction, smooth=float(label_smoothing))


def _by_probabilities(input, target, weight, reduction, smooth):
    if input.shape != target.shape:
        raise RuntimeError(f"target: has the shape {tuple(target.shape)}, and {tuple(input.shape)} is needed")
    axis = -1 if input.dim() == 1 else 1 - input.dim()
    names, tensors, factor, key = "x, t", (input, target), "", f"soft_{-axis}"
    if weight is not None:
        names, tensors, factor, key = names + ", w", (*tensors, weight.reshape(-1, *[1] * (-axis - 1))), " * w", f"soft_w_{-axis}"
    one = (f"m = detach(amax(x, axis = {axis})); n = log(sum(exp(x - m), axis = {axis})); p = t * (1 - smooth) + smooth / extent(x, {axis}); "
           f"sum(p * (n - (x - m)){factor}, axis = {axis})")
    y = _reduced(f"cross_entropy_{key}", f"{names}; smooth = 0.0", one, reduction, tensors, ("x", "t"), smooth=float(smooth))
    return y.squeeze(axis) if reduction == "none" else y
