"""torch's own functions along dimensions, by their names and arguments, as operators of expressions: `libtileops.torch.ops`.

Each is one text along the last axes. Dimensions are brought there by a view, which costs nothing: operands are read with the
strides that they have. So there is a text for each number of dimensions, whichever they are, and all are made when this module
is imported: a graph that is traced finds them.
"""

import torch

from .torch import op

__all__ = ["all", "amax", "amin", "any", "cumprod", "cumsum", "layer_norm", "log_softmax", "logsumexp", "mean", "rms_norm",
           "softmax", "sum", "var"]

_MOST = 4  # dimensions that graphs may reduce at once; outside of graphs as many as there are


def _axes(count):
    return "-1" if count == 1 else f"({', '.join(str(-k) for k in range(count, 0, -1))})"


_REDUCTIONS = {
    "all": "(x) -> all(x, axis = AXES)", "any": "(x) -> any(x, axis = AXES)", "sum": "(x) -> sum(x, axis = AXES)",
    "mean": "(x) -> mean(x, axis = AXES)", "amax": "(x) -> amax(x, axis = AXES)", "amin": "(x) -> amin(x, axis = AXES)",
    "logsumexp": "(x) -> logsumexp(x, axis = AXES)",
    "var_0": "(x) -> var(x, axis = AXES, correction = 0)", "var_1": "(x) -> var(x, axis = AXES, correction = 1)",
    "layer_norm": "(x; eps = 1e-5) -> { d = x - mean(x, axis = AXES); cast(d * rsqrt(mean(d * d, axis = AXES) + eps), x) }",
    "layer_norm_weight": "(x, w; eps = 1e-5) -> { d = x - mean(x, axis = AXES); cast(d * rsqrt(mean(d * d, axis = AXES) + eps) * w, x) }",
    "layer_norm_weight_bias":
        "(x, w, b; eps = 1e-5) -> { d = x - mean(x, axis = AXES); cast(d * rsqrt(mean(d * d, axis = AXES) + eps) * w + b, x) }",
    "rms_norm": "(x; eps = 1e-6) -> cast(x * rsqrt(mean(x * x, axis = AXES) + eps), x)",
    "rms_norm_weight": "(x, w; eps = 1e-6) -> cast(x * rsqrt(mean(x * x, axis = AXES) + eps) * w, x)",
}
_NO_GRADIENT = ("all", "any", "cumprod")


def _define(name, count):
    grad = () if name in _NO_GRADIENT else None
    return op(_REDUCTIONS[name].replace("AXES", _axes(count)), grad=grad)


_reductions = {(name, count): _define(name, count) for name in _REDUCTIONS for count in range(1, _MOST + 1)}
_scans = {name: op(f"(x[.., n]) -> {name}(x)", grad=() if name in _NO_GRADIENT else None)
          for name in ("cumprod", "cumsum", "log_softmax", "softmax")}


def _operator(name, count):
    if (name, count) not in _reductions:
        _reductions[name, count] = _define(name, count)
    return _reductions[name, count]


def _dimension(dim, rank):
    """A dimension, counted from the front. A tensor without dimensions has one, as in torch."""
    extent = rank if rank else 1
    if not -extent <= dim < extent:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-extent}, {extent - 1}], but got {dim})")
    return dim % extent


def _dimensions(dim, rank):
    if dim is None or isinstance(dim, (tuple, list)) and len(dim) == 0:
        return tuple(range(rank if rank else 1))
    dims = tuple(sorted(_dimension(d, rank) for d in ((dim,) if isinstance(dim, int) else dim)))
    for a, b in zip(dims, dims[1:]):
        if a == b:
            raise RuntimeError(f"dim {a} appears multiple times in the list of dims")
    return dims


def _reduce(name, x, dim, keepdim):
    rank, dims = x.dim(), _dimensions(dim, x.dim())
    if rank == 0:
        return _operator(name, 1)(x.reshape(1)).reshape(())
    count = len(dims)
    last = tuple(range(rank - count, rank))
    kept = [extent for d, extent in enumerate(x.shape) if d not in dims]
    y = _operator(name, count)(x if dims == last else x.movedim(dims, last))
    return y.reshape([1 if d in dims else extent for d, extent in enumerate(x.shape)] if keepdim else kept)


def _along(name, x, dim):
    rank, dim = x.dim(), _dimension(dim, x.dim())
    if rank == 0:
        return _scans[name](x.reshape(1)).reshape(())
    if dim == rank - 1:
        return _scans[name](x)
    return _scans[name](x.movedim(dim, -1)).movedim(-1, dim)


def _converted(x, dtype):
    return x if dtype is None or x.dtype == dtype else x.to(dtype)


def _float(x):
    return x if x.is_floating_point() else x.float()


def _truth(name, x, dim, keepdim):
    y = _reduce(name, x, dim, keepdim)
    return y.to(torch.uint8) if x.dtype == torch.uint8 else y  # as torch has it


def softmax(input, dim, dtype=None):
    """torch.softmax; integers give float32."""
    return _along("softmax", _float(_converted(input, dtype)), dim)


def log_softmax(input, dim, dtype=None):
    """torch.log_softmax; integers give float32."""
    return _along("log_softmax", _float(_converted(input, dtype)), dim)


def cumsum(input, dim, *, dtype=None):
    """torch.cumsum."""
    return _converted(_along("cumsum", _converted(input, dtype), dim), dtype)  # integers are summed up in int64


def cumprod(input, dim, *, dtype=None):
    """torch.cumprod, without a gradient."""
    return _converted(_along("cumprod", _converted(input, dtype), dim), dtype)  # integers are multiplied in int64


def sum(input, dim=None, keepdim=False, *, dtype=None):
    """torch.sum."""
    return _converted(_reduce("sum", _converted(input, dtype), dim, keepdim), dtype)


def mean(input, dim=None, keepdim=False, *, dtype=None):
    """torch.mean."""
    x = _converted(input, dtype)
    if not x.is_floating_point():
        raise RuntimeError(f"mean(): the input is {x.dtype}, and dtype= says no floating point one")
    return _reduce("mean", x, dim, keepdim)


def _not_empty(name, x, dim):
    for d in _dimensions(dim, x.dim()):
        if x.dim() and x.shape[d] == 0:
            raise IndexError(f"{name}(): dim {d} has no elements, and an extreme of none is nothing")


def amax(input, dim=(), keepdim=False):
    """torch.amax."""
    _not_empty("amax", input, dim)
    return _reduce("amax", input, dim, keepdim)


def amin(input, dim=(), keepdim=False):
    """torch.amin."""
    _not_empty("amin", input, dim)
    return _reduce("amin", input, dim, keepdim)


def any(input, dim=None, keepdim=False):
    """torch.any."""
    return _truth("any", input, dim, keepdim)


def all(input, dim=None, keepdim=False):
    """torch.all."""
    return _truth("all", input, dim, keepdim)


def logsumexp(input, dim, keepdim=False):
    """torch.logsumexp."""
    return _reduce("logsumexp", _float(input), dim, keepdim)


def var(input, dim=None, *, correction=1, keepdim=False):
    """torch.var, for a correction of 0 or 1."""
    if correction not in (0, 1):
        raise ValueError(f"correction: is 0 or 1 (got {correction!r})")
    if not input.is_floating_point():
        raise RuntimeError(f"var(): the input is {input.dtype}, which is no floating point one")
    return _reduce(f"var_{int(correction)}", input, dim, keepdim)


def _norm(name, input, normalized_shape, operands, eps):
    count = len(normalized_shape)
    if count == 0 or tuple(input.shape[-count:]) != tuple(normalized_shape):
        raise RuntimeError(f"normalized_shape: {tuple(normalized_shape)} are not the last extents of {tuple(input.shape)}")
    for operand in operands:
        if tuple(operand.shape) != tuple(normalized_shape):
            raise RuntimeError(f"a weight or bias has the shape {tuple(operand.shape)}, and {tuple(normalized_shape)} is needed")
    return _operator(name, count)(input, *operands, eps=eps)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """torch.nn.functional.layer_norm; a bias comes with a weight."""
    if weight is None and bias is not None:
        weight = torch.ones_like(bias)
    operands = [operand for operand in (weight, bias) if operand is not None]
    return _norm("layer_norm" + ("", "_weight", "_weight_bias")[len(operands)], input, normalized_shape, operands, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """torch.nn.functional.rms_norm."""
    operands = [] if weight is None else [weight]
    eps = torch.finfo(input.dtype).eps if eps is None else eps
    return _norm("rms_norm_weight" if operands else "rms_norm", input, normalized_shape, operands, eps)
