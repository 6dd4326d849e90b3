"""torch's norms: of features, of groups of channels, by kept statistics."""

import torch

from .texts import dimension, floating, operator, reduce


def _rows(name, text, input, normalized_shape, operands, eps):
    """A norm along the last dimensions. Operands are a weight and a bias."""
    count = len(normalized_shape)
    if count == 0 or tuple(input.shape[-count:]) != tuple(normalized_shape):
        raise RuntimeError(f"normalized_shape: {tuple(normalized_shape)} are not the last extents of {tuple(input.shape)}")
    for operand in operands:
        if tuple(operand.shape) != tuple(normalized_shape):
            raise RuntimeError(f"a weight or bias has the shape {tuple(operand.shape)}, and {tuple(normalized_shape)} is needed")
    return operator(name, text, axes=tuple(range(-count, 0)))(input, *operands, eps=eps)


def _affine(weight, bias):
    """What follows a norm: the names of the operands, their tensors, the text behind the norm, and a name for it."""
    if weight is None:
        return ("", (), "", "") if bias is None else (", b", (bias,), " + b", "_b")
    return (", w", (weight,), " * w", "_w") if bias is None else (", w, b", (weight, bias), " * w + b", "_wb")


_CENTRED = "{ d = x - mean(x, axis = AXES); cast(d * rsqrt(mean(d * d, axis = AXES) + eps)AFFINE, x) }"


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """torch.nn.functional.layer_norm."""
    names, operands, affine, key = _affine(weight, bias)
    text = f"(x{names}; eps = 1e-5) -> {_CENTRED.replace('AFFINE', affine)}"
    return _rows(f"layer_norm{key}", text, input, normalized_shape, operands, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """torch.nn.functional.rms_norm."""
    names, operands, affine, key = _affine(weight, None)
    text = f"(x{names}; eps = 1e-6) -> cast(x * rsqrt(mean(x * x, axis = AXES) + eps){affine}, x)"
    return _rows(f"rms_norm{key}", text, input, normalized_shape, operands, torch.finfo(input.dtype).eps if eps is None else eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """torch.nn.functional.group_norm."""
    if input.dim() < 2 or input.shape[1] % num_groups:
        raise RuntimeError(f"num_groups: {num_groups} do not divide the channels of {tuple(input.shape)}")
    names, operands, affine, key = _affine(weight, bias)
    x = input.unflatten(1, (num_groups, -1))
    behind = input.dim() - 2
    operands = tuple(t.reshape(num_groups, -1, *[1] * behind) for t in operands)
    text = f"(x{names}; eps = 1e-5) -> {_CENTRED.replace('AFFINE', affine)}"
    return operator(f"layer_norm{key}", text, axes=tuple(range(-behind - 1, 0)))(x, *operands, eps=eps).flatten(1, 2)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5):
    """torch.nn.functional.instance_norm, without statistics to keep."""
    if running_mean is not None or running_var is not None or not use_input_stats:
        raise ValueError("running_mean, running_var: instance_norm keeps no statistics here")
    return group_norm(input, input.shape[1], weight, bias, eps)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """torch.nn.functional.batch_norm of inference, by statistics that are kept."""
    if training:
        raise ValueError("training: batch_norm is by kept statistics here")
    if running_mean is None or running_var is None:
        raise ValueError("running_mean, running_var: are needed where statistics are not the input's")
    names, operands, affine, key = _affine(weight, bias)
    behind = [1] * (input.dim() - 2)
    operands = tuple(t.reshape(-1, *behind) for t in (running_mean, running_var, *operands))
    text = f"(x, m, v{names}; eps = 1e-5) -> cast((x - m) * rsqrt(v + eps){affine}, x)"
    return operator(f"batch_norm{key}", text, grad=("x", *(name for name in ("w", "b") if name in key)))(input, *operands, eps=eps)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    """torch.nn.functional.normalize, of norms of an order above 0."""
    floating("normalize", input)
    if not p > 0:
        raise ValueError(f"p: is above 0 (got {p!r})")
    bodies = {1.0: ("one", "sum(abs(x), axis = AXES)"), 2.0: ("two", "sqrt(sum(x * x, axis = AXES))"),
              float("inf"): ("inf", "amax(abs(x), axis = AXES)")}
    name, body = bodies.get(float(p), ("any", "sum(abs(x) ** p, axis = AXES) ** (1 / p)"))
    scalars = {"eps": eps, **({"p": float(p)} if name == "any" else {})}
    text = f"(x; eps = 1e-12{', p = 3.0' if name == 'any' else ''}) -> x / maximum({body}, eps)"
    return reduce(f"normalize_{name}", text, input, dimension(dim, input.dim()), True, **scalars)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """torch.nn.functional.cosine_similarity, of operands that broadcast."""
    x1, x2 = torch.broadcast_tensors(x1, x2)
    if x1.dim() == 0:
        x1, x2 = x1.reshape(1), x2.reshape(1)
    rank, dim = x1.dim(), dimension(dim, x1.dim())
    a, b = (f"maximum(sqrt(sum({x} * {x}, axis = AXES)), eps)" for x in ("x", "y"))
    text = f"(x, y; eps = 1e-8) -> sum(x / {a} * (y / {b}), axis = AXES)"
    return operator("cosine_similarity", text, axes=(dim - rank,))(x1, x2, eps=eps).squeeze(dim)
