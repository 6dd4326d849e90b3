"""Operators of torch's functions: each is a text, made when it is first asked for, in the midst of a trace as well."""

import torch

from ..operators import define

LABELS = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64", torch.bool: "bool",
          torch.int8: "i8", torch.int16: "i16", torch.int32: "i32", torch.int64: "i64", torch.uint8: "u8"}


class _Known:
    """Operators as attributes, which a trace looks up one by one: it finds those that it has just asked for."""


_known = _Known()


def _make(key, text, grad, axes, dtype):
    if hasattr(_known, key):
        return
    text = text.replace("AXES", str(axes[0]) if len(axes) == 1 else str(axes))
    if dtype is None:
        text = text.replace("X", "x")
    else:
        operands, body = text.replace("X", f"cast(x, {LABELS[dtype]})").split(" -> ")
        # A sum of integers is int64, another dtype what it is converted to.
        text = f"{operands} -> {body}" if dtype.is_floating_point else f"{operands} -> cast({body}, {LABELS[dtype]})"
    setattr(_known, key, define(text, grad=grad, prefix=key))


# As torch.compiler.assume_constant_result marks it, which would import the compiler with this module: two seconds.
_make._dynamo_marked_constant = True


def operator(key, text, grad=None, axes=(), dtype=None):
    """The operator of a text, in which AXES are the axes, counted from the end, and X is x, converted to dtype if there is one.

    key: an identifier of the text and of grad, without axes and dtype.
    """
    for axis in axes:
        key = f"{key}_{-axis}"
    if dtype is not None:
        key = f"{key}_{LABELS[dtype]}"
    _make(key, text, grad, axes, dtype)
    return getattr(_known, key)


def dimension(dim, rank):
    """A dimension, counted from the front. A tensor without dimensions has one, as in torch."""
    extent = rank if rank else 1
    if not -extent <= dim < extent:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-extent}, {extent - 1}], but got {dim})")
    return tuple(range(extent))[dim]  # by a look-up, which makes a symbol of a trace a number


def dimensions(dim, rank):
    """Several in ascending order; all, where there is none."""
    if dim is None or isinstance(dim, (tuple, list)) and len(dim) == 0:
        return tuple(range(rank if rank else 1))
    dims = tuple(sorted(dimension(d, rank) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))))
    for a, b in zip(dims, dims[1:]):
        if a == b:
            raise RuntimeError(f"dim {a} appears multiple times in the list of dims")
    return dims


def reduce(key, text, x, dim, keepdim, dtype=None, grad=None, **scalars):
    """Results of a text that reduces along dimensions."""
    dims, rank = dimensions(dim, x.dim()), x.dim()
    axes = tuple(d - (rank if rank else 1) for d in dims)
    y = operator(key, text, grad, axes, dtype)(x if rank else x.reshape(1), **scalars)
    results = y if isinstance(y, tuple) else (y,)
    if not rank or not keepdim:
        results = tuple(result.squeeze(dims) for result in results)
    return results if isinstance(y, tuple) else results[0]


def along(key, text, x, dim, dtype=None, grad=None):
    """Results of a text that goes along one dimension, of the shape of x."""
    rank, dim = x.dim(), dimension(dim, x.dim())
    if rank:
        return operator(key, text, grad, (dim - rank,), dtype)(x)
    y = operator(key, text, grad, (-1,), dtype)(x.reshape(1))
    return tuple(result.reshape(()) for result in y) if isinstance(y, tuple) else y.reshape(())


def converted(x, dtype):
    """The dtype that a text has to convert x to; None where it has that, and sums of it have it as well."""
    if dtype is None or x.dtype == dtype and dtype.is_floating_point:
        return None
    if dtype not in LABELS:
        raise TypeError(f"dtype: there is no {dtype} here")
    return dtype


def floating(name, x, dtype=None):
    """Refuses what has no mean."""
    dtype = x.dtype if dtype is None else dtype
    if not dtype.is_floating_point:
        raise RuntimeError(f"{name}(): {dtype} is no floating point type")


def not_empty(name, x, dim):
    """Refuses dimensions of which there is no extreme."""
    for d in dimensions(dim, x.dim()):
        if x.dim() and x.shape[d] == 0:
            raise IndexError(f"{name}(): dim {d} has no elements, and an extreme of none is nothing")
