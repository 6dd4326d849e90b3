"""Operators of expressions within torch.func.vmap: one call for the whole batch, as one more axis in front, where the text gives the same
that way; else a call for each element.
"""

import torch
from torch.autograd import forward_ad

from .._parts import together


def _in_front(operand, dim, rank):
    """An operand with its axis of the batch in front of as many others as the operand of most dimensions has."""
    if dim is None:
        return operand
    operand = operand.movedim(dim, 0)
    return operand.reshape(operand.shape[0], *[1] * (rank - operand.dim() + 1), *operand.shape[1:])


def register(overload, expr, refuse_tangents):
    """Tells torch.func.vmap of an operator."""
    def rule(info, dims, *operands, **scalars):
        if forward_ad._current_level >= 0:  # of a jvp around the vmap
            refuse_tangents(overload.name(), operands)
        size = info.batch_size
        rank = max((operand.dim() - (dim is not None) for operand, dim in zip(operands, dims)), default=0)
        moved = [_in_front(operand, dim, rank) for operand, dim in zip(operands, dims)]
        if size == 0:  # nothing, of the shapes that something would have
            some = [x if dim is None else x.movedim(dim, 0).new_ones(x.movedim(dim, 0).shape[1:]) for x, dim in zip(operands, dims)]
            results = overload(*some, **scalars)
            if not isinstance(results, tuple):
                return results.new_empty(0, *results.shape), 0
            return tuple(y.new_empty(0, *y.shape) for y in results), (0,) * len(results)
        singles = [operand if dim is None else operand.select(dim, 0) for operand, dim in zip(operands, dims)]
        described = [[(x.dtype, tuple(x.shape)) for x in given] for given in (singles, moved)]
        shapes = together(expr, *described, [dim is not None for dim in dims], size)
        if shapes is None:
            calls = [overload(*(x if dim is None else x.select(dim, i) for x, dim in zip(operands, dims)), **scalars) for i in range(size)]
            if not isinstance(calls[0], tuple):
                return torch.stack(calls), 0
            return tuple(map(torch.stack, zip(*calls))), (0,) * len(calls[0])
        results = overload(*moved, **scalars)
        listed = results if isinstance(results, tuple) else (results,)
        listed = tuple(y if shape is None else y.reshape(shape) for y, shape in zip(listed, shapes))
        out = tuple(None if shape is None else 0 for shape in shapes)
        return (listed, out) if isinstance(results, tuple) else (listed[0], out[0])

    torch.library.register_vmap(overload.name(), rule)
