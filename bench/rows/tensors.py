"""Operands of texts with reductions, and how far results may be from torch's, for the CPU and for GPUs."""

import torch

from bench.expressions.instance import tuple_of

DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16}
# Largest difference to torch, relative to the value and the mean of all: what torch rounds on its way, too; of codes of 8
# bits a step; of indices the share that differs, since torch has another of equal ones.
ALLOWED = {torch.float32: 0.01, torch.bfloat16: 0.05, torch.float8_e4m3fn: 0.13, torch.int64: 0.0, torch.uint8: 0.01}
GIVEN_SCALE = 0.0625


def operands(letters, shape, dtype, device="cpu"):
    """A tensor for each letter, of the dtype where none is said: r rows of the shape, h rows twice as wide, p rows of
    probabilities, w a row, m the shape without its first extent, c a number for each of the extents between the first and the
    last; f32: s one scale, d a positive number for each row, t tables of half a row for each of the first extent; i64:
    l a label for each row, i numbers of the first extent's parts."""
    columns = shape[-1]

    def normal(*extents):
        return torch.randn(extents, device=device)

    made = {
        "r": lambda: normal(*shape).to(dtype),
        "h": lambda: normal(*shape[:-1], 2 * columns).to(dtype),
        "p": lambda: torch.softmax(normal(*shape), -1).to(dtype),
        "w": lambda: normal(columns).to(dtype),
        "m": lambda: normal(*shape[1:]).to(dtype),
        "c": lambda: normal(*shape[1:-1], 1).to(dtype),
        "s": lambda: torch.full((1,), GIVEN_SCALE, device=device),
        "d": lambda: 0.5 + torch.rand((*shape[:-1], 1), device=device),
        "t": lambda: normal(shape[0], 1, columns // 2),
        "l": lambda: torch.randint(0, columns, (*shape[:-1], 1), device=device),
        "i": lambda: torch.arange(shape[0], device=device).view(-1, *[1] * (len(shape) - 1)),
    }
    return [made[letter]() for letter in letters]


def results_as(inferred, expected):
    """Results of the dtypes that torch's have, where one is a float as the other: of bf16 rows and f32 tables f32 is inferred."""
    floats = DTYPES.values()
    return [torch.empty_like(r, dtype=e.dtype if r.dtype in floats and e.dtype in floats else r.dtype)
            for r, e in zip(inferred, tuple_of(expected))]


def differences(results, expected):
    """For each result its largest difference, and whether that is allowed. Scales of block formats are compared by their
    bytes, which torch may give as such."""
    for got, want in zip(results, tuple_of(expected)):
        if got.dtype not in ALLOWED:  # float8_e8m0fnu
            got = got.view(torch.uint8)
        want = want.view(torch.uint8) if got.dtype == torch.uint8 and want.dtype != torch.uint8 else want
        if got.dtype == torch.int64:
            most = float((got != want.view(got.shape)).float().mean())
        else:
            a, b = got.double(), want.double().view(got.shape)
            most = float(((a - b).abs() / (b.abs() + b.abs().mean() + 1e-30)).nan_to_num(0).max())
        yield most, most <= ALLOWED[got.dtype]


def nbytes(tensors):
    return sum(t.numel() * t.element_size() for t in tensors)
