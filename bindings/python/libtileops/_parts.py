"""What the nodes of an expression are along one axis, where some operands are cut along it, or have it alone: whether a part of the operands
gives a part of the results. For tensors on several devices, and for batches of calls.
"""

from ._core import Error, names

# What a node is along the axis that is looked at: of extent 1 or none; whole on each device; cut; or a part of what it will be, which
# is 1 long there, and of which the devices' parts give the whole by this reduction.
ONE, WHOLE, CUT = "one", "whole", "cut"
_PARTS = {"sum": "sum", "amax": "max", "amin": "min", "mean": "avg"}
PARTIAL = set(_PARTS.values())
_SCANS = "cumsum", "cumprod", "cummax", "cummin"
_REDUCTIONS = "sum", "mean", "amax", "amin", "prod", "any", "all", "argmax", "argmin", "var"
_LAST = "chunk", "every", "concat", "interleave"  # functions of the last axis
# Functions of elements: the operators that texts have, and these. What an element of any other function is may depend on where it stands.
_OF_ELEMENTS = {*names()[0], "fma", "spread", "gather", *_LAST}


class Refused(Exception):
    """The text cannot be computed on these parts."""


def _mapped(name, states):
    """A function of elements, of operands that broadcast."""
    found = set(states)
    parts = found & PARTIAL
    if not parts:
        if CUT in found:
            if WHOLE in found:
                raise Refused(name)
            return CUT
        return WHOLE if WHOLE in found else ONE
    # Sums of parts are parts of the sum, and so are multiples of them.
    if parts <= {"sum", "avg"} and CUT not in found and len(parts) == 1 and (
            name in ("add", "sub") and len(found) == 1 or name == "neg"
            or name == "mul" and states.count(*parts) == 1 or name == "div" and states[0] in parts and states[1] not in parts):
        if WHOLE in found:
            raise Refused(name)
        return parts.pop()
    raise Refused(name)


def _along(axis, attributes):
    axes = attributes.get("axis", (-1,))
    return axes is None or axis in axes


def _state(name, axis, states, attributes, even):
    """That of the node of a function."""
    if name == "detach":
        return states[0]
    if name in _REDUCTIONS:
        x, along = states[0], _along(axis, attributes)
        if x in PARTIAL:
            if along or attributes.get("group") or (name, x) not in (("sum", "sum"), ("sum", "avg"), ("mean", "sum"), ("mean", "avg"),
                                                                     ("amax", "max"), ("amin", "min")):
                raise Refused(name)
            return x
        if not along or x == ONE:
            return x
        if attributes.get("group"):
            if x == CUT:
                raise Refused(name)
            return WHOLE
        if x == CUT and (name not in _PARTS or name == "mean" and not even):
            raise Refused(name)
        return _PARTS[name] if x == CUT else ONE
    if name in _SCANS or name == "index":
        along = _along(axis, attributes) if name in _SCANS else attributes.get("axis", -1) == axis
        if along and states[0] == CUT or states[0] in PARTIAL:
            raise Refused(name)
        return states[0]
    if name == "extent":
        if _along(axis, attributes) and states[0] == CUT:
            raise Refused(name)
        return ONE
    if name == "sum_to":
        x, y = states
        if (x, y) == (CUT, ONE):
            return "sum"
        if y == ONE and x in ("sum", "avg"):
            return x
        if x in PARTIAL or (x, y) in ((CUT, WHOLE), (WHOLE, CUT), (ONE, CUT)):
            raise Refused(name)
        return y
    if name == "spread" and attributes.get("group") and _along(axis, attributes) and CUT in states:
        raise Refused(name)
    if name == "gather" and _along(axis, attributes):
        if states[0] == CUT or states[0] in PARTIAL:
            raise Refused(name)
        return _mapped(name, states[1:])
    if CUT in states and (name in _LAST and axis == -1 or name not in _OF_ELEMENTS):
        raise Refused(name)
    return _mapped(name, states)


def states_of(expr, axis, operands, even):
    """For each result what it is, where the operands are this, along an axis from the end. even: all parts are equally long."""
    nodes, places = expr._nodes
    states = []
    for name, what, *rest in nodes:
        if name == "operand":
            states.append(operands[what])
        elif name in ("scalar", "constant"):
            states.append(ONE)
        else:
            attributes, numbers = rest
            arguments = [states[k] for k in (*what, *numbers.values()) if k >= 0]
            states.append(_state(name, axis, arguments, attributes, even))
    return [states[k] for k in places]


def together(expr, singles, moved, batched, size):
    """A batch of calls as one, whose operands have the axis of the batch in front of as many others as the operand of most dimensions has. For each
    result its shape with that axis in front, or None where it is the same for all; None: one call would be something else.

    singles, moved: dtype and shape of each operand, of one call and of the batch; batched: has it the axis?
    """
    rank = max((len(shape) for _, shape in singles), default=0)
    if len({str(dtype) for dtype, _ in singles}) > 1 and any(each and not shape for each, (_, shape) in zip(batched, singles)):
        return None  # what has no dimensions counts less in promotion
    try:
        states = states_of(expr, -1 - rank, [CUT if each else ONE for each in batched], False)
        one, whole = expr._infer(*singles), expr._infer(*moved)
    except (Refused, Error):
        return None
    shapes = []
    for state, (dtype, shape), made in zip(states, one, whole):
        if state not in (ONE, CUT) or tuple(made) != (dtype, shape if state == ONE else (size, *[1] * (rank - len(shape)), *shape)):
            return None
        shapes.append(None if state == ONE else (size, *shape))
    return shapes
