"""Results of a text beside its values in float64, in ulp of their dtype, with the bound that the text gives (bounds.py)."""

import dataclasses

import torch

from bench.random import bounds, reading

FRACTION = {torch.float32: (23, -126), torch.float16: (10, -14), torch.bfloat16: (7, -126)}
UNIT = {torch.float32: 2.0 ** -22, torch.float16: 2.0 ** -19, torch.bfloat16: 2.0 ** -19}
EXACT = 2.0 ** -22  # of integers, which are made of floats if of anything


@dataclasses.dataclass
class Compared:
    ulp: float  # the largest difference, in ulp of the result; of indices the share that is wrong
    bound: float  # what is allowed where the difference is the largest part of it
    share: float  # that part: above 1 the result is wrong


def ulp_of(value, dtype):
    fraction, least = FRACTION[dtype]
    exponent = torch.frexp(value.abs())[1].sub(1).clamp_min(least)
    return torch.ldexp(torch.ones_like(value), exponent - fraction)


def compared(got, want):
    """got: a tensor of the result's dtype; want: Bounded or Chosen."""
    if isinstance(want, bounds.Chosen):
        wrong = want.share_of_wrong(got)
        return Compared(wrong, 0.0, 0.0 if wrong == 0 else float("inf"))
    # An error that is no number is one without a bound: of a quotient whose divisor may be zero.
    value, error = want.value.expand(got.shape), want.error.expand(got.shape).nan_to_num(nan=float("inf"))
    if got.dtype not in FRACTION:
        away = (got.double() - value).abs()
        most = float(away.max()) if away.numel() else 0.0
        return Compared(most, 0.0, most / 0.5)
    ulp = ulp_of(value, got.dtype)
    away, allowed = (got.double() - value).abs() / ulp, 0.5001 + error / ulp
    largest = torch.finfo(got.dtype).max
    beyond = got.isinf() & (value.abs() + error + ulp >= largest) & (torch.sign(got.double()) == torch.sign(value))
    share = torch.where(beyond, torch.zeros_like(away), away / allowed)
    share = torch.where(got.isnan() & value.isnan(), torch.zeros_like(share), share).nan_to_num(nan=float("inf"))
    if not share.numel():
        return Compared(0.0, 0.5, 0.0)
    at = int(share.argmax())
    return Compared(float(away.flatten()[at]), float(allowed.flatten()[at]), float(share.flatten()[at]))


class Expected:
    """A case's values, once for each precision that its results need; and the instructions that it takes."""

    def __init__(self, case, tensors, dtypes):
        self.instructions, self.values = 0.0, []
        made = {}
        for k, dtype in enumerate(dtypes):
            unit = UNIT.get(dtype, EXACT)
            if unit not in made:
                meter = bounds.Meter()
                operands = [bounds.Bounded(t.double(), torch.zeros_like(t, dtype=torch.float64), meter, unit) for t in tensors]
                made[unit] = reading.evaluated(case.text, bounds.ALGEBRA, operands)
                self.instructions = meter.instructions
            self.values.append(made[unit][k])

    def compare(self, results):
        """The worst of all results."""
        return max((compared(got, want) for got, want in zip(results, self.values)), key=lambda c: c.share)
