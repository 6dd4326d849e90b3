"""A chain of bench/expressions/chains.py at one size, dtype and layout: its operands, what torch does with them, what must come
out, and the traffic of a copy that moves as much."""

import math

import torch

from bench.expressions import operands as expr_operands
from bench.expressions.library import Expression

FP8 = (torch.float8_e4m3fn, torch.float8_e5m2)
DTYPES = {
    "f32": torch.float32,
    "bf16": torch.bfloat16,
    "f16": torch.float16,
    "e4m3fn": torch.float8_e4m3fn,
    "u8": torch.uint8,
}
# Largest difference of a result to the reference, relative to max(1, value): somewhat more than half a unit in the
# last place; a whole one of 8 bits, where the reference is rounded, too; for float32 what composed functions may have.
TOLERANCE = {
    torch.float32: 4e-6,
    torch.bfloat16: 1.1 * 2**-8,
    torch.float16: 1.1 * 2**-11,
    torch.float8_e4m3fn: 1.1 * 2**-3,
    torch.float8_e5m2: 1.1 * 2**-2,
}
PEER_TOLERANCE = 16  # times as much for peers, which round after each operator or have other approximations


def tuple_of(result):
    return result if isinstance(result, (tuple, list)) else (result,)


def side_of(n):
    return math.isqrt(n)


def transposed(n, dtype):
    side = side_of(n)
    found = {name: expr_operands.uniform(dtype, side, side) for name in ("gate", "up", "residual")}
    return {**found, "up": found["up"].t()}


def every_second(n, dtype):
    side = side_of(n)
    return {name: expr_operands.uniform(dtype, side, side)[::2, ::2] for name in ("gate", "up", "residual")}


def column(n, dtype):
    side = side_of(n)
    u = expr_operands.uniform
    return {"a": u(dtype, side, side), "b": u(dtype, side, 1), "c": u(dtype, side, side)}


def outer(n, dtype):
    side = side_of(n)
    u = expr_operands.uniform
    return {"a": u(dtype, side, 1), "b": u(dtype, 1, side), "c": u(dtype, side, side)}


# Broadcast and strided operands, beside those that chains have by themselves: chain, variant, operands.
LAYOUTS = [
    ("swiglu_residual", "transposed", transposed),
    ("swiglu_residual", "every second", every_second),
    ("mul_add", "column", column),
    ("mul_add", "outer", outer),
]


class Instance:
    def __init__(self, chain, dtype, n, variant="", operands=None):
        self.chain, self.dtype, self.n, self.variant = chain, dtype, n, variant
        self.make = operands or chain.operands

    @property
    def name(self):
        return self.chain.name + (f":{self.variant}" if self.variant else "")

    def fill(self):
        """Makes the operands."""
        self.operands = self.make(self.n, DTYPES[self.dtype])
        self.tensors = list(self.operands.values())
        return self

    def expression(self, library):
        expression = Expression(library, self.chain.known_text)
        if expression.operands != list(self.operands):
            raise RuntimeError(f"{self.chain.name}: operands are {expression.operands}, not {list(self.operands)}")
        return expression

    def function(self, results):
        """What torch does, as a function of the tensors; with 8-bit floats, which it has no arithmetic for, in float32."""
        f, dtypes = self.chain.torch, [r.dtype for r in results]
        if DTYPES[self.dtype] not in FP8:
            return f

        def widened(*tensors):
            found = tuple_of(f(*[t.float() for t in tensors]))
            return tuple(r.to(d) for r, d in zip(found, dtypes))

        return widened

    def expected(self, ours):
        """The results in more precision: in float64 of float32 operands, in float32 of narrower ones."""
        wide = torch.float64 if self.dtype == "f32" else torch.float32
        operands = [t.to(wide) if t.is_floating_point() else t for t in self.tensors]
        found = self.chain.reference(operands, ours) if self.chain.reference else self.chain.torch(*operands)
        return [r.to(wide) if r.is_floating_point() else r for r in tuple_of(found)]

    @property
    def comparable(self):
        """Are a peer's results those of ours? Not where they are random."""
        return self.chain.reference is None

    def traffic(self, results):
        """(reads, writes, elements) of a copy: arrays of (tensor, bytes an element). Operands that are broadcast are
        left out; of every second element all are read, since memory comes in sectors."""
        full = [t for t in results]
        elements = max(r.numel() for r in full)
        reads = []
        for t in self.tensors:
            if t.numel() < elements:
                continue
            apart = 2 if t.dim() and t.stride(-1) == 2 and self.variant == "every second" else 1
            reads.append((t, t.numel() // elements * t.element_size() * apart))
        return reads, [(r, r.element_size()) for r in full], elements


def difference(found, expected):
    """Largest difference relative to max(1, value); inf where only one is NaN, or infinities differ."""
    if found.dtype == torch.bool:
        return 0.0 if torch.equal(found, expected) else math.inf
    worst = 0.0
    a, b = found.flatten(), expected.flatten()
    if found.shape != expected.shape:
        return math.inf
    for x, y in zip(a.split(1 << 24), b.split(1 << 24)):
        x = x.to(y.dtype) if x.dtype != torch.float64 else x
        same = (x == y) | (x.isnan() & y.isnan())
        delta = ((x - y).abs() / y.abs().clamp_min(1)).masked_fill(same, 0).nan_to_num(nan=math.inf, posinf=math.inf)
        worst = max(worst, delta.max().item() if delta.numel() else 0.0)
    return worst


def differences(results, expected):
    """(largest difference, the same in units of what is allowed)"""
    found = [difference(r, e) for r, e in zip(results, expected)]
    allowed = [TOLERANCE.get(r.dtype, 0) for r in results]
    share = max((d / a if a else (math.inf if d else 0.0)) for d, a in zip(found, allowed))
    return max(found), share
