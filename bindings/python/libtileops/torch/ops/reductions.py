"""torch's reductions and scans along dimensions."""

import torch

from .texts import along, converted, floating, not_empty, reduce

_FLOAT = torch.float32


def all(input, dim=None, keepdim=False):
    """torch.all."""
    return _truth("all", input, dim, keepdim)


def any(input, dim=None, keepdim=False):
    """torch.any."""
    return _truth("any", input, dim, keepdim)


def _truth(name, x, dim, keepdim):
    y = reduce(name, f"(x) -> {name}(x, axis = AXES)", x.detach(), dim, keepdim, grad=())
    return y.to(torch.uint8) if x.dtype == torch.uint8 else y  # as torch has it


def count_nonzero(input, dim=None):
    """torch.count_nonzero."""
    return reduce("count_nonzero", "(x) -> sum(x != 0, axis = AXES)", input.detach(), dim, False, grad=())


def sum(input, dim=None, keepdim=False, *, dtype=None):
    """torch.sum."""
    return reduce("sum", "(x) -> sum(X, axis = AXES)", input, dim, keepdim, converted(input, dtype))


def nansum(input, dim=None, keepdim=False, *, dtype=None):
    """torch.nansum."""
    if not input.is_floating_point():
        return sum(input, dim, keepdim, dtype=dtype)
    return reduce("nansum", "(x) -> sum(where(isnan(x), 0, X), axis = AXES)", input, dim, keepdim, converted(input, dtype))


def mean(input, dim=None, keepdim=False, *, dtype=None):
    """torch.mean."""
    floating("mean", input, dtype)
    return reduce("mean", "(x) -> mean(X, axis = AXES)", input, dim, keepdim, converted(input, dtype))


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """torch.nanmean."""
    floating("nanmean", input)
    text = "(x) -> sum(where(isnan(x), 0, X), axis = AXES) / sum(x == x, axis = AXES)"
    return reduce("nanmean", text, input, dim, keepdim, converted(input, dtype))


def prod(input, dim=None, keepdim=False, *, dtype=None):
    """torch.prod, along several dimensions as well."""
    return reduce("prod", "(x) -> prod(X, axis = AXES)", input, dim, keepdim, converted(input, dtype))


def amax(input, dim=(), keepdim=False):
    """torch.amax."""
    not_empty("amax", input, dim)
    return reduce("amax", "(x) -> amax(x, axis = AXES)", input, dim, keepdim)


def amin(input, dim=(), keepdim=False):
    """torch.amin."""
    not_empty("amin", input, dim)
    return reduce("amin", "(x) -> amin(x, axis = AXES)", input, dim, keepdim)


def aminmax(input, *, dim=None, keepdim=False):
    """torch.aminmax."""
    not_empty("aminmax", input, dim)
    return torch.return_types.aminmax(reduce("aminmax", "(x) -> amin(x, axis = AXES), amax(x, axis = AXES)", input, dim, keepdim))


def argmax(input, dim=None, keepdim=False):
    """torch.argmax."""
    not_empty("argmax", input, dim)
    return reduce("argmax", "(x) -> argmax(x, axis = AXES)", input.detach(), dim, keepdim, grad=())


def argmin(input, dim=None, keepdim=False):
    """torch.argmin."""
    not_empty("argmin", input, dim)
    return reduce("argmin", "(x) -> argmin(x, axis = AXES)", input.detach(), dim, keepdim, grad=())


def max(input, dim, keepdim=False):
    """torch.max along a dimension: the values, and where they stand."""
    return torch.return_types.max(_extreme("argmax", input, dim, keepdim))


def min(input, dim, keepdim=False):
    """torch.min along a dimension: the values, and where they stand."""
    return torch.return_types.min(_extreme("argmin", input, dim, keepdim))


def _extreme(name, x, dim, keepdim):
    not_empty(name[3:], x, dim)
    # Taken by its place, so that the gradient goes there alone, also where others are equal.
    return reduce(f"at_{name}", f"(x) -> {{ i = {name}(x, axis = AXES); gather(x, i, axis = AXES), i }}", x, dim, keepdim)


def logsumexp(input, dim, keepdim=False):
    """torch.logsumexp; integers give float32."""
    return reduce("logsumexp", "(x) -> logsumexp(X, axis = AXES)", input, dim, keepdim, None if input.is_floating_point() else _FLOAT)


def var(input, dim=None, *, correction=1, keepdim=False):
    """torch.var."""
    return _moments("var", "VAR", input, dim, correction, keepdim)


def std(input, dim=None, *, correction=1, keepdim=False):
    """torch.std."""
    return _moments("std", "sqrt(VAR)", input, dim, correction, keepdim)


def var_mean(input, dim=None, *, correction=1, keepdim=False):
    """torch.var_mean."""
    return _moments("var_mean", "VAR, mean(x, axis = AXES)", input, dim, correction, keepdim)


def std_mean(input, dim=None, *, correction=1, keepdim=False):
    """torch.std_mean."""
    return _moments("std_mean", "sqrt(VAR), mean(x, axis = AXES)", input, dim, correction, keepdim)


def _moments(name, results, x, dim, correction, keepdim):
    floating(name, x)
    if correction is None or correction == 1:
        return reduce(f"{name}_by_1", "(x) -> " + results.replace("VAR", "var(x, axis = AXES, correction = 1)"), x, dim, keepdim)
    if correction == 0:
        return reduce(f"{name}_by_0", "(x) -> " + results.replace("VAR", "var(x, axis = AXES)"), x, dim, keepdim)
    deviation = "sum(d * d, axis = AXES) / maximum(extent(x, AXES) - c, 0.0)"
    text = "(x; c = 2.0) -> { d = x - mean(x, axis = AXES); " + results.replace("VAR", deviation) + " }"
    return reduce(name, text, x, dim, keepdim, c=float(correction))


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """torch.linalg.vector_norm."""
    floating("vector_norm", x, dtype)
    if ord < 0:
        not_empty("vector_norm", x, dim)
    name, body = {0.0: ("zero", "sum(v != 0, axis = AXES)"), 1.0: ("one", "sum(abs(v), axis = AXES)"),
                  2.0: ("two", "sqrt(sum(v * v, axis = AXES))"), float("inf"): ("inf", "amax(abs(v), axis = AXES)"),
                  -float("inf"): ("least", "amin(abs(v), axis = AXES)")}.get(float(ord), ("any", None))
    if body is None:
        text = "(x; p = 3.0) -> { v = X; sum(abs(v) ** p, axis = AXES) ** (1 / p) }"
        return reduce("norm", text, x, dim, keepdim, converted(x, dtype), p=float(ord))
    if ord == float("inf"):
        not_empty("vector_norm", x, dim)
    if ord == 0:
        count = reduce("norm_zero", "(x) -> { v = X; sum(v != 0, axis = AXES) }", x, dim, keepdim, converted(x, dtype), grad=())
        return count.to(x.dtype if dtype is None else dtype)
    return reduce(f"norm_{name}", f"(x) -> {{ v = X; {body} }}", x, dim, keepdim, converted(x, dtype))


def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    """torch.norm, not of singular values (p="nuc")."""
    if p == "nuc":
        raise ValueError("p: norms of singular values are not here")
    return vector_norm(input, 2 if p is None or p == "fro" else p, dim, keepdim, dtype=dtype)


_SOFTMAX = "(x) -> { v = X; e = exp(v - detach(amax(v, axis = AXES))); e / sum(e, axis = AXES) }"
_LOG_SOFTMAX = "(x) -> { v = X; d = v - detach(amax(v, axis = AXES)); d - log(sum(exp(d), axis = AXES)) }"


def softmax(input, dim, dtype=None):
    """torch.softmax; integers give float32."""
    return along("softmax", _SOFTMAX, input, dim, _converted_float(input, dtype))


def log_softmax(input, dim, dtype=None):
    """torch.log_softmax; integers give float32."""
    return along("log_softmax", _LOG_SOFTMAX, input, dim, _converted_float(input, dtype))


def softmin(input, dim, dtype=None):
    """torch.nn.functional.softmin; integers give float32."""
    if input.dtype == torch.uint8:
        raise TypeError("input: unsigned integers have no negatives")
    return along("softmin", _SOFTMAX.replace("X;", "-X;"), input, dim, _converted_float(input, dtype))


def _converted_float(x, dtype):
    return converted(x, _FLOAT if dtype is None and not x.is_floating_point() else dtype)


def cumsum(input, dim, *, dtype=None):
    """torch.cumsum."""
    return along("cumsum", "(x) -> cumsum(X, axis = AXES)", input, dim, converted(input, dtype))


def cumprod(input, dim, *, dtype=None):
    """torch.cumprod, without a gradient."""
    return along("cumprod", "(x) -> cumprod(X, axis = AXES)", input, dim, converted(input, dtype), grad=())


def cummax(input, dim):
    """torch.cummax, without a gradient: the values, and where the last of them stands."""
    return torch.return_types.cummax(_running("cummax", input, dim))


def cummin(input, dim):
    """torch.cummin, without a gradient: the values, and where the last of them stands."""
    return torch.return_types.cummin(_running("cummin", input, dim))


def _running(name, x, dim):
    text = f"(x) -> {{ m = {name}(x, axis = AXES); m, cummax(where((x == m) | (x != x), index(x, AXES), 0), axis = AXES) }}"
    return along(name, text, x, dim, grad=())
