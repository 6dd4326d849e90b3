"""How operators of expressions are computed on tensors that are cut over several devices (torch's DTensor): along which axes operands may
be cut, and what the results are then. Rules follow from the nodes of an expression.

Operators that are made after torch.distributed.tensor was imported have their rules; importing this module brings those of the others.
"""

import itertools

from torch.distributed.tensor import Partial, Replicate, Shard
from torch.distributed.tensor.experimental import register_sharding

from .._core import Error
from .._parts import CUT, ONE, PARTIAL, WHOLE, Refused, states_of
from .operators import tell_dtensor


def _placement(state, axis, rank):
    return Shard(rank + axis) if state == CUT else Partial(state) if state in PARTIAL else Replicate()


def _choices(shapes, axis):
    """Which operands may be cut along an axis: all that are equally long there, or some of them."""
    long = [i for i, shape in enumerate(shapes) if len(shape) >= -axis and shape[axis] > 1]
    if len(long) > 5:
        return [[i for i in long if shapes[i][axis] == n] for n in sorted({shapes[i][axis] for i in long})]
    return [some for count in range(len(long), 0, -1) for some in map(list, itertools.combinations(long, count))
            if len({shapes[i][axis] for i in some}) == 1]


def _check_parts(expr, specs, cut, axis, results, states):
    """Do the operands' parts have shapes that the text takes, as it may say what they are, and give parts of the results?"""
    def part(shape):
        place = len(shape) + axis
        return (*shape[:place], (shape[place] + 1) // 2, *shape[place + 1:])
    shapes = [part(tuple(spec.shape)) if i in cut else tuple(spec.shape) for i, spec in enumerate(specs)]
    try:
        made = expr._infer(*((spec.tensor_meta.dtype, shape) for spec, shape in zip(specs, shapes)))
    except Error:
        raise Refused("the text") from None
    if [shape for _, shape in made] != [part(shape) if state == CUT else shape for (_, shape), state in zip(results, states)]:
        raise Refused("the text")


def shardings(expr, specs):
    """What torch asks for: pairs of the results' placements and the operands'; and for each operand and dimension that it cannot be cut
    along the function that is in the way."""
    shapes = [tuple(spec.shape) for spec in specs]
    results = expr._infer(*((spec.tensor_meta.dtype, shape) for spec, shape in zip(specs, shapes)))
    ranks = [len(shape) for _, shape in results]
    known = [([Replicate()] * len(results), [Replicate()] * len(specs))]
    taken, refused = set(), {}
    for axis in range(-1, -1 - max(map(len, shapes), default=0), -1):
        for cut in _choices(shapes, axis):
            even = all(shapes[i][axis] % specs[i].mesh.size() == 0 for i in cut)
            operands = [CUT if i in cut else WHOLE if len(shape) >= -axis and shape[axis] > 1 else ONE for i, shape in enumerate(shapes)]
            try:
                made = states_of(expr, axis, operands, even)
                _check_parts(expr, specs, cut, axis, results, made)
            except Refused as why:
                for i in cut:
                    refused.setdefault((i, len(shapes[i]) + axis), str(why))
                continue
            known.append(([_placement(state, axis, rank) for state, rank in zip(made, ranks)],
                          [_placement(state, axis, len(shape)) for state, shape in zip(operands, shapes)]))
            taken.update((i, len(shapes[i]) + axis) for i in cut)
    return known, {place: why for place, why in refused.items() if place not in taken}


def register(overload, expr):
    """Tells torch how the operator is computed on parts."""
    @register_sharding(overload)
    def rule(*specs, **scalars):
        known, refused = shardings(expr, specs)
        for i, spec in enumerate(specs):
            for placement in spec.placements:
                if placement.is_shard() and (i, placement.dim) in refused:
                    raise ValueError(f"{overload}: {expr.operands[i]} is sharded along dimension {placement.dim}, where "
                                     f"{refused[i, placement.dim]} needs it whole: redistribute it")
        return known


tell_dtensor()
