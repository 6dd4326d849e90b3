"""Operands of the chains of bench/expressions/chains.py: for so many elements of the result and a dtype, tensors by name in the
text's order, on torch's default device."""

import math

import torch

PERIOD = 1 << 20  # random numbers before they repeat


def uniform(dtype, *shape, lo=-2.0, hi=2.0):
    n = math.prod(shape)
    if n > PERIOD and n % PERIOD == 0:
        return uniform(dtype, PERIOD, lo=lo, hi=hi).repeat(n // PERIOD).view(shape)
    if not dtype.is_floating_point:
        return torch.randint(int(lo), int(hi) + 1, shape, dtype=dtype)
    return torch.empty(shape).uniform_(lo, hi).to(dtype)


def rows_of(n, width=4096):
    return max(n // width, 1), min(n, width)


def flat(*names, lo=-2.0, hi=2.0):
    return lambda n, dtype: {name: uniform(dtype, *rows_of(n), lo=lo, hi=hi) for name in names}


def with_bias(*names):
    """x of rows, a bias for each column, further operands like x."""

    def make(n, dtype):
        rows, width = rows_of(n)
        found = {"x": uniform(dtype, rows, width), "bias": uniform(dtype, width)}
        return {**found, **{name: uniform(dtype, rows, width) for name in names}}

    return make


def packed(n, dtype):
    rows, width = rows_of(n)
    return {"x": uniform(dtype, rows, 2 * width)}


def logits(n):
    """64 heads of squares."""
    side = 1 << ((n.bit_length() - 1 - 6) // 2)
    return n // (side * side), side


def masked(n, dtype):
    heads, side = logits(n)
    return {"x": uniform(dtype, heads, side, side), "mask": uniform(dtype, side, side, lo=-4, hi=0)}


def modulated(n, dtype):
    """Tokens of 16 images, channels that are scaled and shifted for each image."""
    width = min(1024, n // 64)
    shape = 16, n // (16 * width), width
    return {"x": uniform(dtype, *shape), "scale": uniform(dtype, 16, 1, width), "shift": uniform(dtype, 16, 1, width)}


def heads(n, dtype):
    """32 heads of 128 for each token, and tables of the tokens."""
    tokens = max(n // (32 * 128), 1)
    angles = torch.outer(
        torch.arange(tokens, dtype=torch.float32), 10000.0 ** (-torch.arange(0, 128, 2, dtype=torch.float32) / 128)
    )
    return {
        "x": uniform(dtype, tokens, n // (tokens * 128), 128),
        "cos": angles.cos()[:, None].to(dtype),
        "sin": angles.sin()[:, None].to(dtype),
    }


def audio(n, dtype):
    return {"x": uniform(dtype, 16, 64, n // 1024), "alpha": uniform(dtype, 64, 1, lo=0.5, hi=2)}


def image(n, _dtype):
    rows = max(n // (3 * 4096), 1)
    return {
        "x": uniform(torch.uint8, 3, rows, 4096, lo=0, hi=255),
        "mean": uniform(torch.float32, 3, 1, 1, lo=0.4, hi=0.5),
        "deviation": uniform(torch.float32, 3, 1, 1, lo=0.2, hi=0.3),
    }


def moments(n, dtype):
    found = flat("p", "g", "m")(n, dtype)
    return {**found, "v": uniform(dtype, *rows_of(n), lo=0.1, hi=1)}
