"""Values in float64 with a bound of what may be wrong with them in float32, and the instructions that they take: what results
of a text are compared with, in ulp of their dtype, with a bound that follows from the text.

A function adds `unit` of its value: 2^-22 (2 ulp of float32), of what becomes a result of 16 bits 2^-19 (docs/numerics.md:
few bits). What was wrong before it goes on as far as the function moves when its operand does. A sum adds a rounding of
all magnitudes for each level of a tree over its elements, which torch's and the library's are no worse than."""

import math

import torch

from bench.random import torch_functions as plain

TINY = 1e-37  # of what is below the least normal float32
# Instructions an element in forms that are short and good enough for most (exp2.approx for exp, a product for a division): a
# roofline is to be what can be had. Others: one.
SHORT = {"tanh": 5, "sigmoid": 5, "silu": 6, "gelu": 14, "exp": 4, "log": 6, "sqrt": 4, "rsqrt": 4, "div": 3, "logsumexp": 6,
         "var": 4, "cumsum": 3, "argmax": 3, "argmin": 3}


class Meter:
    """What a text's evaluation came to: instructions of all its elements."""

    def __init__(self):
        self.instructions = 0.0

    def add(self, name, elements):
        self.instructions += SHORT.get(name, 1) * elements


class Bounded:
    def __init__(self, value, error, meter, unit):
        self.value, self.error, self.meter, self.unit = value, error, meter, unit

    def made(self, value, error, name, elements):
        self.meter.add(name, elements)
        return Bounded(value, error + self.unit * value.abs() + TINY, self.meter, self.unit)

    def of(self, other):
        if isinstance(other, Bounded):
            return other
        value = torch.as_tensor(float(other), dtype=torch.float64, device=self.value.device)
        return Bounded(value, torch.zeros_like(value), self.meter, self.unit)

    def both(self, other, function, name, swapped=False):
        a, b = (self.of(other), self) if swapped else (self, self.of(other))
        value = function(a.value, b.value)
        error = torch.zeros_like(value)
        for x, y in ((a.value + a.error, b.value), (a.value - a.error, b.value), (a.value, b.value + b.error), (a.value, b.value - b.error)):
            error = error + (function(x, y) - value).abs()
        return self.made(value, error, name, value.numel())

    def __add__(self, other):
        return self.both(other, torch.add, "add")

    def __sub__(self, other):
        return self.both(other, torch.sub, "sub")

    def __mul__(self, other):
        return self.both(other, torch.mul, "mul")

    def __truediv__(self, other):
        return self.both(other, torch.div, "div")

    def __radd__(self, other):
        return self.both(other, torch.add, "add", True)

    def __rsub__(self, other):
        return self.both(other, torch.sub, "sub", True)

    def __rmul__(self, other):
        return self.both(other, torch.mul, "mul", True)

    def __rtruediv__(self, other):
        return self.both(other, torch.div, "div", True)

    def __neg__(self):
        return Bounded(-self.value, self.error, self.meter, self.unit)

    def __gt__(self, number):
        """Of operands alone, which are what they are."""
        return self.value > number


class Chosen:
    """Which element along an axis is extreme. Of those that may be, any will do."""

    def __init__(self, x, axis, index, largest):
        self.x, self.axis, self.index, self.largest = x, axis, index, largest

    def share_of_wrong(self, got):
        """Of indices that somebody found: how many are of an element that cannot be the extreme one."""
        sign = 1.0 if self.largest else -1.0
        low, high = sign * self.x.value - self.x.error, sign * self.x.value + self.x.error
        return float((torch.gather(high, self.axis, got) < torch.amax(low, self.axis, keepdim=True)).double().mean())


def one(name, function):
    def apply(x, *others):
        value = function(x.value, *others)
        sides = [(function(x.value + s * x.error, *others) - value).abs() for s in (1, -1)]
        return x.made(value, 1.01 * torch.maximum(*sides), name, value.numel())

    return apply


def tree(n):
    return math.log2(max(n, 1)) + 4


def reduction(name, function, error_of):
    """error_of(x, axes, n): what comes of the elements' errors and of the reduction's own roundings."""
    def apply(x, axis=-1, **more):
        axes = plain.dims(x.value, axis)
        value = function(x.value, axes, **more)
        return x.made(value, error_of(x, axes, plain.count(x.value, axis)), name, x.value.numel())

    return apply


def summed(t, axes):
    return torch.sum(t, dim=axes, keepdim=True)


def error_of_sum(x, axes, n):
    return summed(x.error, axes) + x.unit * 0.25 * tree(n) * summed(x.value.abs(), axes)


def error_of_var(x, axes, n):
    d = (x.value - x.value.mean(dim=axes, keepdim=True)).abs() + x.error
    near = x.unit * 0.25 * tree(n) * x.value.abs().amax(dim=axes, keepdim=True)  # of the mean, and of x less it
    part = summed(2 * d * (x.error + near) + (x.error + near) ** 2, axes) / max(n - 1, 1)
    return 2 * part + x.unit * tree(n) * summed(d * d, axes) / max(n - 1, 1)


def error_of_most(x, axes, _n):
    return x.error.amax(dim=axes, keepdim=True)


def error_of_logsumexp(x, axes, n):
    most = x.value.amax(dim=axes, keepdim=True)
    return error_of_most(x, axes, n) * 2 + x.unit * (tree(n) + most.abs())


def variance(x, axes, correction=0):
    return torch.var(x, dim=axes, keepdim=True, correction=correction)


def chosen(largest):
    def apply(x, axis=-1):
        x.meter.add("argmax", x.value.numel())
        find = torch.argmax if largest else torch.argmin
        return Chosen(x, axis, find(x.value, dim=axis, keepdim=True), largest)

    return apply


def gather(x, index, axis=-1):
    if isinstance(index, Chosen):  # of the values that it is the extreme of
        return Bounded(plain.gather(x.value, index.index, axis), 2 * x.error.amax(dim=axis, keepdim=True), x.meter, x.unit)
    index = index.value.long()
    return Bounded(plain.gather(x.value, index, axis), plain.gather(x.error, index, axis), x.meter, x.unit)


def where(condition, a, b):
    if isinstance(condition, Bounded):
        condition, like = condition.value != 0, condition
    else:
        like = a if isinstance(a, Bounded) else b
    a, b = like.of(a), like.of(b)
    value = torch.where(condition, a.value, b.value)
    return like.made(value, torch.where(condition, a.error, b.error), "where", value.numel())


def cumsum(x, axis=-1):
    n = x.value.shape[axis]
    error = torch.cumsum(x.error, axis) + x.unit * 0.5 * tree(n) * torch.cumsum(x.value.abs(), axis)
    return x.made(torch.cumsum(x.value, axis), error, "cumsum", x.value.numel())


ALGEBRA = {
    **{name: one(name, plain.ALGEBRA[name])
       for name in ("tanh", "sigmoid", "silu", "gelu", "exp", "log", "abs", "sqrt", "rsqrt", "maximum")},
    "cast": lambda x, _dtype: x, "where": where, "gather": gather, "cumsum": cumsum, "argmax": chosen(True), "argmin": chosen(False),
    "sum": reduction("sum", summed, error_of_sum),
    "mean": reduction("mean", lambda x, axes: torch.mean(x, dim=axes, keepdim=True), lambda x, axes, n: error_of_sum(x, axes, n) / n),
    "var": reduction("var", variance, error_of_var),
    "amax": reduction("amax", lambda x, axes: torch.amax(x, dim=axes, keepdim=True), error_of_most),
    "amin": reduction("amin", lambda x, axes: torch.amin(x, dim=axes, keepdim=True), error_of_most),
    "logsumexp": reduction("logsumexp", lambda x, axes: torch.logsumexp(x, dim=axes, keepdim=True), error_of_logsumexp),
}
