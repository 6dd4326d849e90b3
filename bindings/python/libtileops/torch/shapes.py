"""Shapes of results where some extents are symbols, as they are while torch traces a program for any batch.

The library infers shapes of numbers. So each symbol is given a number, differently in several trials, and an extent of a result is
what it is in all of them: a constant, an operand's extent, a multiple or a part of one, a sum of two.
"""

import itertools

# Numbers that stand for the symbols of a shape, in each of two trials: primes, so that no symbol looks like a multiple of
# another one, times 384, which groups and parts divide.
_TRIALS = ([384 * p for p in (11, 13, 17, 19, 23, 29, 31, 37)], [384 * p for p in (41, 43, 47, 53, 59, 61, 67, 71)])
# A third trial, of numbers that groups do not divide, for texts that take those as well.
_ODD = [384 * p + 5 for p in (11, 13, 17, 19, 23, 29, 31, 37)]


class Unknown(Exception):
    """The extent of a result follows from the operands in another way."""


def _at(extent, values):
    """What an extent is where the symbols have these values."""
    expression = getattr(getattr(extent, "node", None), "expr", None)
    return extent if expression is None else int(expression.subs(values))


def _candidates(extents, outcome, of):
    """What an extent of a result may be, of those of the operands; `of` gives an extent in each trial."""
    for extent in extents:
        values = of(extent)
        if values == outcome:
            yield extent
    for extent in extents:
        values = of(extent)
        ratios = {divmod(out, value) for out, value in zip(outcome, values)}
        parts = {divmod(value, out) for out, value in zip(outcome, values) if out}
        steps = {out - value for out, value in zip(outcome, values)}
        if len(ratios) == 1 and min(ratios)[1] == 0:
            yield extent * min(ratios)[0]
        if len(parts) == 1 and min(parts)[1] == 0:
            part = min(parts)[0]
            yield (extent + part - 1) // part
        if len(steps) == 1:
            yield extent + min(steps)
    for a, b in itertools.combinations_with_replacement(extents, 2):
        if [x + y for x, y in zip(of(a), of(b))] == outcome:
            yield a + b


def symbolic(infer, shapes):
    """Shapes of the results for operands of these shapes. infer(shapes of numbers): those of the results, in numbers."""
    extents = {str(extent): extent for shape in shapes for extent in shape if hasattr(extent, "node")}
    symbols = sorted(set().union(*(extent.node.expr.free_symbols for extent in extents.values())), key=str)
    if len(symbols) > len(_ODD):
        raise Unknown
    trials = [dict(zip(symbols, numbers)) for numbers in _TRIALS]

    def results(values):
        return infer([tuple(_at(extent, values) for extent in shape) for shape in shapes])

    outcomes = [results(values) for values in trials]
    try:
        odd_values = dict(zip(symbols, _ODD))
        odd = results(odd_values)
    except ValueError:  # the text needs even extents, say
        odd = odd_values = None

    def one(i, k):
        outcome = [shapes_of[i][k] for shapes_of in outcomes]
        if outcome[0] == outcome[1] and (odd is None or odd[i][k] == outcome[0]):
            return outcome[0]
        for found in _candidates(extents.values(), outcome, lambda extent: [_at(extent, values) for values in trials]):
            if odd is None or _at(found, odd_values) == odd[i][k]:
                return found
        raise Unknown

    return [tuple(one(i, k) for k in range(len(shape))) for i, shape in enumerate(outcomes[0])]
