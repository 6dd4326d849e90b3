"""The functions of random texts as torch has them, in float32 inside, as the library's."""

import torch

from bench.random import reading

DTYPES = {"u8": torch.uint8, "bool": torch.bool, "i64": torch.int64, "bf16": torch.bfloat16, "f16": torch.float16,
          "f32": torch.float32}


def dims(x, axis):
    return tuple(range(x.dim())) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)


def floats(x):
    return x if x.is_floating_point() else x.float()


def count(x, axis):
    n = 1
    for d in dims(x, axis):
        n *= x.shape[d]
    return n


def total(x, axis=-1):
    return torch.sum(x, dim=dims(x, axis), keepdim=True)


def mean(x, axis=-1):
    """Of integers their exact sum, divided once."""
    if x.is_floating_point():
        return torch.mean(x, dim=dims(x, axis), keepdim=True)
    return total(x, axis).double().div(count(x, axis)).float()


def var(x, axis=-1, correction=0):
    return torch.var(floats(x), dim=dims(x, axis), keepdim=True, correction=correction)


def along(function):
    """A function of one axis, of whatever value."""
    return lambda x, axis=-1: function(x, dim=axis, keepdim=True)


ALGEBRA = {
    "tanh": torch.tanh, "sigmoid": torch.sigmoid, "silu": torch.nn.functional.silu, "gelu": torch.nn.functional.gelu,
    "exp": torch.exp, "log": torch.log, "abs": torch.abs, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt,
    "maximum": lambda x, least: torch.clamp_min(x, least), "where": torch.where, "cast": lambda x, dtype: x.to(DTYPES[dtype]),
    "sum": total, "mean": mean, "var": var,
    "amax": lambda x, axis=-1: torch.amax(x, dim=dims(x, axis), keepdim=True),
    "amin": lambda x, axis=-1: torch.amin(x, dim=dims(x, axis), keepdim=True),
    "logsumexp": lambda x, axis=-1: torch.logsumexp(floats(x), dim=dims(x, axis), keepdim=True),
    "argmax": along(torch.argmax), "argmin": along(torch.argmin),
    "cumsum": lambda x, axis=-1: torch.cumsum(x, dim=axis),
}


def gather(x, index, axis=-1):
    """Indices of extent 1 along other axes are for all along them."""
    axis = axis % x.dim()
    index = index.expand([n if d == axis else x.shape[d] for d, n in enumerate(index.shape)])
    return torch.gather(x, axis, index)


ALGEBRA["gather"] = gather


def function(case, dtypes):
    """The case as a function of torch tensors, whose results have these dtypes; torch.compile takes it whole."""
    text = reading.evaluated(case.text, ALGEBRA, None)

    def run(*tensors):
        inside = [t.float() if t.is_floating_point() else t for t in tensors]
        return tuple(r.to(d) for r, d in zip(text(*inside), dtypes))

    return run


def tensors(case, seed, device="cpu"):
    """Operands of a case: normal floats, small integers, indices below what they index."""
    made = []
    for k, o in enumerate(case.operands):
        generator = torch.Generator(device).manual_seed(seed + k)

        def integers(lo, hi, dtype, o=o, generator=generator):
            return torch.randint(lo, hi, o.shape, generator=generator, device=device, dtype=dtype)

        if o.below:
            made.append(integers(0, o.below, torch.int64))
        elif o.dtype == "bool":
            made.append(integers(0, 2, torch.uint8).bool())
        elif o.dtype == "u8":
            made.append(integers(0, 256, torch.uint8))
        elif o.dtype == "i64":
            made.append(integers(-40, 41, torch.int64))
        else:
            made.append(torch.randn(o.shape, generator=generator, device=device).to(DTYPES[o.dtype]))
    return made
