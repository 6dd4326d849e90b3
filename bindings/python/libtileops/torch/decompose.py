"""Expressions as calls of torch, node by node: what torch.compile fuses with the neighbours of an operator, on the CPU.

Operators that have a decomposition carry VERSION in their names, since torch keeps compiled graphs on disk by them: whatever changes
the values that a decomposition gives raises it.
"""

import torch

from . import torch_calls, torch_rows
from .torch_calls import Opaque, is_fp8, is_number

VERSION = 2

_CALLS = {**torch_calls.CALLS, **torch_rows.CALLS}
_NARROW = torch.float16, torch.bfloat16


def _lifted(x):
    """What is computed with in the place of an operand: values inside are not rounded to 16 or 8 bits."""
    if x.dtype in (torch.float8_e4m3fn, torch.float8_e5m2, *_NARROW):
        return x.float()
    if is_fp8(x.dtype):
        raise Opaque
    return x


def dtypes_of(expr, operands):
    """Element types of the results. Extents that are symbols are what they are in the example."""
    def number(extent):
        return extent if isinstance(extent, int) else extent.node.hint or 1
    inferred = expr._infer(*((x.dtype, tuple(map(number, x.shape))) for x in operands))
    return [torch_calls.dtype_named(dtype) for dtype, _ in inferred]


class _Evaluation:
    """The nodes of one expression, with operands of torch's."""

    def __init__(self, expr, operands, scalars):
        self.nodes, self.places = expr._nodes
        self.operands = operands
        self.scalars = [scalars.get(name, default) for name, default in expr.scalars.items()]
        if not all(is_number(scalar) for scalar in self.scalars):
            raise Opaque
        self.values = []
        for node in self.nodes:
            self.values.append(self._value(*node))

    def _value(self, kind, what, attributes=None, numbers=None):
        if kind == "operand":
            return _lifted(self.operands[what])
        if kind == "scalar":
            return self.scalars[what]
        if kind == "constant":
            return what
        call = _CALLS.get(kind)
        if call is None:
            raise Opaque
        arguments = [None if k < 0 else self.values[k] for k in what]
        named = {**attributes, **{name: self.values[k] for name, k in numbers.items() if k >= 0}}
        if kind in torch_calls.COMPARISONS:
            arguments = self._rounded(what, arguments)
        if kind == "cast":
            return torch_calls.cast(arguments, named, self._made_of(what[1]) if len(what) > 1 else None)
        return call(*arguments, **named)

    def _label(self, k):
        """The element type of a node, where it is one of memory; else None."""
        kind, what, *rest = self.nodes[k]
        if kind == "operand":
            return self.operands[what].dtype
        if kind == "cast":
            return torch_calls.dtype_named(rest[0].get("dtype")) if len(what) == 1 else self._made_of(what[1])
        return None

    def _made_of(self, k):
        """The same, also of what is a multiple of such a node, or a sum with numbers."""
        kind, what, *_ = self.nodes[k]
        label = self._label(k)
        if label is None and kind in ("add", "sub", "mul", "div", "neg", "abs"):
            tensors = [each for each in what if not is_number(self.values[each])]
            label = self._made_of(tensors[0]) if len(tensors) == 1 else None
            if label is not None and not label.is_floating_point:
                label = None
        return label

    def _rounded(self, places, arguments):
        """The operands of a comparison: what is compared with 16 bits is rounded to them, so that a number is found again."""
        a, b = arguments
        for mine, other, k in ((0, 1, places[1]), (1, 0, places[0])):
            value, label = arguments[mine], self._label(k)
            if label is not None and is_fp8(label):
                raise Opaque
            if label in _NARROW and (is_number(value) or value.dim() == 0 and arguments[other].dim() > 0):
                value = torch_calls.tensor(value, arguments[other]) if is_number(value) else value
                a, b = (value.to(label).float(), b) if mine == 0 else (a, value.to(label).float())
        return a, b

    def results(self, dtypes):
        made = []
        for k, dtype in zip(self.places, dtypes):
            value = self.values[k]
            if is_number(value):
                raise Opaque
            if value.dtype == torch.float64 and dtype in _NARROW:
                raise Opaque  # torch rounds twice on that way
            if is_fp8(dtype):
                made.append(torch_calls.to_fp8(value, dtype))
            else:
                made.append(value if value.dtype == dtype else value.to(dtype))
        return made


def _unlike(results, operands):
    """Results of their own, as an operator has them: none is an operand, another result or a view."""
    seen = [*operands]
    for k, result in enumerate(results):
        if any(result is other for other in seen) or result._is_view():
            results[k] = result.clone()
        seen.append(results[k])
    return results


def decomposition(expr, on):
    """The function that takes the operator's place while a graph is lowered; `on`: for which devices. Where it gives NotImplemented, the
    operator stays."""
    def decomposed(*operands, **scalars):
        if any(operand.device.type not in on for operand in operands):
            return NotImplemented
        try:
            dtypes = dtypes_of(expr, operands)
            made = _unlike(_Evaluation(expr, operands, scalars).results(dtypes), operands)
        except Opaque:
            return NotImplemented
        return tuple(made) if len(made) > 1 else made[0]

    return decomposed


def is_sayable(expr):
    """Can all nodes be calls of torch?"""
    nodes, _ = expr._nodes
    return all(kind in ("operand", "scalar", "constant") or kind in _CALLS for kind, *_ in nodes)


decompositions = {}  # of the operators that have one, by their overloads
_pending = []  # those that torch's table does not have yet
_withdrawn = []  # those that it had, until a graph had to keep the operator


def offer(overload, expr, on):
    """Hands a decomposition to Inductor, as soon as something is traced."""
    instead = decomposition(expr, on)

    def decomposed(*operands, **scalars):
        results = instead(*operands, **scalars)
        if results is NotImplemented:
            _withdraw(overload)
        return results

    decompositions[overload] = decomposed
    _pending.append(overload)


def hand_over():
    """Called within traces, which come before Inductor reads its table; importing that takes longer than importing torch."""
    if _withdrawn:
        from torch._inductor.lowering import lowerings
        _pending.extend(overload for overload in _withdrawn if overload in lowerings)
        _withdrawn[:] = [overload for overload in _withdrawn if overload not in lowerings]
    if _pending:
        table = _table()
        while _pending:
            overload = _pending.pop()
            table.decompositions[overload] = decompositions[overload]
        table.fast_random_decomps.cache_clear()  # a copy of it, made once


def _withdraw(overload):
    """Inductor refuses to call an operator that its table has, unless it has called it before: until then, the table has it not."""
    if _table().decompositions.pop(overload, None):
        _withdrawn.append(overload)


def _table():
    from torch._inductor import decomposition
    return decomposition
