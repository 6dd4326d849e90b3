"""The functions of elements of expressions as calls of torch: what they give for tensors, and for numbers alone."""

import math
import operator

import torch
from torch.nn import functional


class Opaque(Exception):
    """torch has no such function, or one that is another at its edges: the operator stays one."""


def is_number(value):
    return isinstance(value, (int, float, torch.SymInt))


def dtype_named(name):
    dtype = getattr(torch, name or "", None)
    if not isinstance(dtype, torch.dtype):
        raise Opaque
    return dtype


def tensor(number, like):
    """A number as a tensor without dimensions, of the type that it has beside `like`."""
    dtype = like.dtype
    if isinstance(number, float) and not dtype.is_floating_point:
        dtype = torch.float32
    elif dtype == torch.bool and not isinstance(number, bool):
        dtype = torch.int64
    if not dtype.is_floating_point and dtype not in (torch.bool, torch.int64):
        info = torch.iinfo(dtype)
        if not info.min <= number <= info.max:
            raise Opaque
    return torch.full((), number, dtype=dtype, device=like.device)


def _tensors(*values):
    """The same with tensors in the place of numbers; at least one is a tensor."""
    like = next(value for value in values if not is_number(value))
    return [tensor(value, like) if is_number(value) else value for value in values]


def _numeric(*values):
    """bool as int64, where torch does not compute with it."""
    return [value if is_number(value) or value.dtype != torch.bool else value.long() for value in values]


def _map(call, host=None):
    """A function of elements. host: that of numbers, which are computed in float64 or int64."""
    def mapped(*values, **attributes):
        if any(value is None for value in values):
            raise Opaque
        if all(is_number(value) for value in values):
            if host is None or attributes:
                raise Opaque
            try:
                return host(*values)
            except (ArithmeticError, ValueError):
                raise Opaque from None
        return call(*_tensors(*values), **attributes)
    return mapped


def _plain(call, host=None):
    """A function of elements that has no attribute but at its default."""
    def plain(*values):
        return call(*values)
    return _map(plain, host)


def _float(call, host=None):
    """A function of floats, which integers become."""
    def floating(x):
        return call(x if x.is_floating_point() else x.float())
    return _map(floating, host)


def _sub(a, b):
    a, b = (x.to((b if x is a else a).dtype) if x.dtype == torch.bool else x for x in (a, b))
    if a.dtype == torch.bool:
        a, b = a.long(), b.long()
    return a - b


def _div(a, b, rounding=None):
    return torch.div(a, b, rounding_mode=None if rounding == "none" else rounding)


def _pow(x, y=None, exponent=None):
    y = exponent if y is None else y
    if is_number(x) and is_number(y):
        try:
            return float(x) ** y if isinstance(x, float) or isinstance(y, float) or y < 0 else x ** y
        except (ArithmeticError, ValueError):
            raise Opaque from None
    if y is None or is_number(y) and not isinstance(y, float) and y < 0 and not x.is_floating_point():
        raise Opaque
    return torch.pow(*_numeric(x, y))


def _lerp(a, b, end=None, weight=0.5):
    weight = weight if end is None else end
    a, b = _tensors(a, b)
    a, b = torch.broadcast_tensors(a, b)
    return torch.lerp(a, b, weight if is_number(weight) else weight.to(a.dtype).expand(torch.broadcast_shapes(a.shape, weight.shape)))


def _clamp(x, least=None, most=None, min=None, max=None):
    low, high = (min if least is None else least), (max if most is None else most)
    if is_number(x):
        raise Opaque
    for bound, call in ((low, torch.maximum), (high, torch.minimum)):
        if bound is not None:
            bound = torch.full((), bound, dtype=x.dtype, device=x.device) if is_number(bound) else bound.to(x.dtype)
            x = call(x, bound)
    return x


def _masked_fill(x, mask, value=None, **attributes):
    value = attributes.get("value") if value is None else value
    return where(mask, value if is_number(value) else value.to(x.dtype), x)


def _round(x, decimals=0):
    if decimals or is_number(x):
        raise Opaque
    return torch.round(x) if x.is_floating_point() else x


def _kept(call):
    """A rounding to integers, which those do not need."""
    def kept(x):
        return call(x) if x.is_floating_point() else x
    return _map(kept)


def where(mask, x, y):
    if is_number(mask):
        return x if mask else y
    if is_number(x) and is_number(y):
        dtype = torch.float32 if isinstance(x, float) or isinstance(y, float) else torch.int64
        return torch.where(mask, torch.full((), x, dtype=dtype, device=mask.device), torch.full((), y, dtype=dtype, device=mask.device))
    return torch.where(mask != 0 if mask.dtype != torch.bool else mask, *_tensors(x, y))


def is_fp8(dtype):
    return dtype.is_floating_point and dtype.itemsize == 1


def to_fp8(x, dtype, overflow=None):
    """A tensor of float32 in one of torch's types of 8 bits."""
    if x.dtype != torch.float32 or dtype not in (torch.float8_e4m3fn, torch.float8_e5m2):
        raise Opaque  # torch rounds twice, or another way
    if overflow is None:
        overflow = "saturate" if dtype == torch.float8_e4m3fn else "nonsaturating"
    most = torch.finfo(dtype).max
    if overflow == "saturate":
        x = x.clamp(-most, most)
    elif dtype == torch.float8_e4m3fn:  # which versions of torch saturate
        x = torch.where(x.abs() <= 464, x, math.nan)  # half a step more than the largest number
    return x.to(dtype)


def _nearest(x, dtype):
    """Floats as integers, the nearest of them for what is beyond, 0 for NaN: torch gives anything there."""
    info = torch.iinfo(dtype)
    if dtype.itemsize <= 2:  # which floats have exactly
        return torch.where(x == x, x, 0).clamp(info.min, info.max).to(dtype)
    if dtype not in (torch.int32, torch.int64):
        raise Opaque
    over, under = x >= -float(info.min), x <= float(info.min)
    return torch.where(over, info.max, torch.where(under, info.min, torch.where((x == x) & ~over & ~under, x, 0).to(dtype)))


def cast(arguments, attributes, like):
    """x, rounded to a dtype, and lifted again where that has 16 or 8 bits."""
    x = arguments[0]
    dtype = like or dtype_named(attributes.get("dtype"))
    if is_number(x) or attributes.get("rounding", "none") != "none":
        raise Opaque
    if is_fp8(dtype):
        return to_fp8(x, dtype, attributes.get("fp8_overflow")).float()
    if dtype == torch.bool:
        return x != 0
    if x.is_floating_point() and not dtype.is_floating_point:
        return _nearest(x, dtype)
    if dtype in (torch.float16, torch.bfloat16):
        if x.dtype == torch.float64 or not x.is_floating_point() and x.dtype.itemsize > 2:
            raise Opaque  # torch rounds twice
        return x.to(dtype).float()
    return x.to(dtype)


def _fma(a, b, c):
    """a * b + c, rounded once: a product of two float32 is exact in float64, and the sum is rounded to far more bits than those of the result."""
    if all(map(is_number, (a, b, c))):
        raise Opaque
    a, b, c = _tensors(a, b, c)
    if any(x.dtype != torch.float32 for x in (a, b, c)):
        raise Opaque
    return (a.double() * b.double() + c.double()).float()


COMPARISONS = {"lt": torch.lt, "le": torch.le, "gt": torch.gt, "ge": torch.ge, "eq": torch.eq, "ne": torch.ne}


def _truths(call):
    return lambda *values: call(*(value != 0 for value in _tensors(*values)))


CALLS = {
    **{name: _plain(call, getattr(operator, name)) for name, call in COMPARISONS.items()},
    **{name: _float(getattr(torch, name), getattr(math, name, None)) for name in (
        "exp", "log", "sqrt", "rsqrt", "reciprocal", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh",
        "atanh", "erf", "erfc", "erfinv", "exp2", "log2", "log10", "log1p", "expm1", "lgamma", "sigmoid", "sinc")},
    **{name: _map(getattr(functional, name)) for name in ("silu", "hardswish", "hardsigmoid", "mish", "softsign", "tanhshrink", "selu", "relu",
                                                          "leaky_relu", "elu", "celu", "hardtanh", "gelu", "softplus")},
    **{name: _plain(getattr(torch, name), getattr(math, name, None)) for name in ("atan2", "hypot", "copysign", "fmod", "remainder", "logaddexp")},
    **{name: _kept(getattr(torch, name)) for name in ("floor", "ceil", "trunc")},
    **{name: _map(getattr(torch, name)) for name in ("isnan", "isinf", "isfinite", "sign", "bitwise_and", "bitwise_or", "bitwise_xor",
                                                     "bitwise_not", "logical_and", "logical_or", "logical_not")},
    "logsigmoid": _float(functional.logsigmoid),
    "abs": _plain(torch.abs, abs), "neg": _map(lambda x: torch.neg(*_numeric(x)), operator.neg),
    "add": _plain(torch.add, operator.add), "sub": _plain(_sub, operator.sub), "mul": _plain(torch.mul, operator.mul),
    "div": _map(_div, operator.truediv), "floor_divide": _plain(torch.floor_divide), "pow": _pow, "lerp": _lerp,
    "maximum": _plain(torch.maximum, max), "minimum": _plain(torch.minimum, min), "clamp": _clamp, "masked_fill": _masked_fill,
    "round": _round, "where": where, "cast": cast, "fma": _fma, "detach": lambda x: x,
}
