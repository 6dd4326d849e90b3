"""The rows of the GPU benchmark: what bench/operators/cases.py has at one size, the same over sizes, and the
workloads of the reference family's own benchmarks. Tensors are made on torch's default device."""

import math

import torch

from bench.operators import cases
from bench.operators.cases import BINARY, NAMES, UNARY, Case, draw

DTYPES = {name: dtype for dtype, name in NAMES.items()}
FP8 = (torch.float8_e4m3fn, torch.float8_e5m2)

# Powers of four from 1 Ki to 256 Mi elements.
SIZES = [1 << k for k in range(10, 29, 2)]
SIZE_OPS = ("exp", "add", "gelu", "softplus")
SIZE_DTYPES = (torch.float32, torch.bfloat16)

HEAVY = ("gelu", "pow", "softplus", "silu_and_mul", "dropout")

# What models call: operator, shapes of its operands (float16 and bfloat16).
WORKLOADS = [
    ("abs", (4096, 4096)), ("exp", (16384, 16384)), ("relu", (2048, 4096)), ("relu", (1, 4096)),
    ("gelu", (2048, 14336)), ("gelu", (1, 14336)), ("silu", (2048, 14336)), ("silu", (1, 14336)),
    ("hardswish", (32, 96, 56, 56)), ("hardswish", (32, 240, 28, 28)), ("hardsigmoid", (32, 240, 1, 1)),
    ("hardsigmoid", (32, 960, 1, 1)), ("mish", (16, 256, 80, 80)), ("mish", (16, 512, 40, 40)),
    ("selu", (2048, 4096)), ("elu", (2048, 8192)), ("softplus", (2048, 8192)),
    ("leaky_relu", (16, 256, 64, 64)), ("hardtanh", (16, 256, 56, 56)), ("prelu", (16, 256, 56, 56)),
    ("add", (2048, 4096)), ("add", (16, 256, 56, 56), (256, 1, 1)), ("mul", (16, 256, 56, 56), (256, 1, 1)),
    ("div", (2048, 4096)), ("pow", (2048, 4096)), ("maximum", (16, 256, 56, 56), (256, 1, 1)),
    ("eq", (16, 256, 56, 56), (256, 1, 1)), ("add", (1024, 10240), (1, 10240)),
    ("silu_and_mul", (2048, 28672)), ("silu_and_mul", (1, 28672)), ("gelu_and_mul", (2048, 28672)),
    ("gelu_tanh_and_mul", (2048, 28672)), ("gelu_and_mul", (1, 28672)),
    ("dropout", (1024, 4096)), ("dropout", (1024, 10240)), ("where", (4096, 4096)),
]


def text_of(shape):
    return "x".join(map(str, shape))


def workload(op, dtype, shape, other=None):
    name = text_of(shape) + (f" with {text_of(other)}" if other else "")
    kind = NAMES[dtype]
    if op in UNARY:
        x = draw(op, dtype, *shape)
        return Case(f"{op}:{name}", kind, [x], UNARY[op](x))
    if op in BINARY:
        a, b = draw(op, dtype, *shape), draw(op, dtype, *(other or shape))
        return Case(f"{op}:{name}", kind, [a, b], BINARY[op](a, b))
    if op in ("silu_and_mul", "gelu_and_mul", "gelu_tanh_and_mul"):
        act = {"silu_and_mul": cases.F.silu, "gelu_and_mul": cases.F.gelu,
               "gelu_tanh_and_mul": lambda a: cases.F.gelu(a, approximate="tanh")}[op]
        x = draw(op, dtype, *shape)
        half = shape[-1] // 2
        a, b = x[:, :half], x[:, half:]
        halves = x.view(-1).split(x.numel() // 2)
        return Case(f"{op}:{name}", kind, [x], [lambda out: act(a) * b],
                    reads=[(h, x.element_size()) for h in halves])
    if op == "dropout":
        x = draw(op, dtype, *shape)
        return Case(f"{op}:{name}", kind, [x], [lambda out: cases.F.dropout(x, 0.5, True)],
                    {"p": 0.5}, exact=False)
    if op == "prelu":
        x, w = draw(op, dtype, *shape), draw(op, dtype, shape[1], lo=0, hi=1)
        return Case(f"{op}:{name}", kind, [x, w], [lambda out: cases.F.prelu(x, w)])
    if op == "where":
        m, a, b = draw(op, torch.bool, *shape), draw(op, dtype, *shape), draw(op, dtype, *shape)
        return Case(f"{op}:{name}", kind, [m, a, b], [lambda out: torch.where(m, a, b, out=out)])
    raise KeyError(op)


def heavy(op, dtype, n):
    """Operators with much arithmetic over layouts: x.T, every second row and column, a row broadcast."""
    side = math.isqrt(n)
    name, size = NAMES[dtype], torch.empty(0, dtype=dtype).element_size()
    x, y = draw(op, dtype, side, side), draw(op, dtype, side, side)
    row = draw(op, dtype, side)
    views = {"transposed": (x.t(), y, [(x, size), (y, size)]), "every second": (x[::2, ::2], y[::2, ::2], [(x, 2 * size), (y, 2 * size)]),
             "row": (row.expand(side, side), y, [(y, size)])}
    for variant, (a, b, reads) in views.items():
        one = reads[:-1] if variant == "row" else reads[:1]
        if op in UNARY:
            yield Case(f"{op}:{variant}", name, [a], UNARY[op](a), reads=one)
        elif op == "pow":
            yield Case(f"{op}:{variant}", name, [b, a], BINARY[op](b, a), reads=reads)
        elif op == "silu_and_mul":
            yield Case(f"{op}:{variant}", name, [b, a], [lambda out, a=a, b=b: torch.mul(cases.nn.silu(b, out=out), a, out=out)],
                       reads=reads)
        elif op == "dropout":
            yield Case(f"{op}:{variant}", name, [a], [lambda out, a=a: cases.F.dropout(a, 0.5, True)], {"p": 0.5},
                       reads=one, exact=False)


def all_rows(options):
    """(group, size, op, dtype, function that makes the cases), in a fixed order."""
    wanted = set(options.ops.split(",")) if options.ops else None

    def keep(op):
        return wanted is None or op in wanted
    parts = options.parts.split(",")
    dtypes = [DTYPES[d] for d in options.dtypes.split(",")]
    n = options.elements
    # What matters most first, for runs that end early: by dtype, not by operator.
    for i, dtype in enumerate(dtypes):
        if "ops" in parts:
            for op, _, make in cases.cases(n, [dtype], keep):
                if make is not None and op != "layouts":
                    yield "ops", n, op, dtype, make
        if "layouts" in parts and dtype not in FP8:
            for op, _, make in cases.cases(n, [dtype], lambda o: o == "layouts"):
                if make is not None:
                    yield "layouts", n, op, dtype, make
        if "heavy" in parts and dtype in (torch.float32, torch.bfloat16, torch.float16):
            for op in HEAVY:
                if keep(op):
                    yield "heavy", n, op, dtype, lambda op=op, dtype=dtype: heavy(op, dtype, n)
        if i == min(1, len(dtypes) - 1):
            yield from others(parts, keep)


def others(parts, keep):
    if "sizes" in parts:
        for op in SIZE_OPS:
            for size in SIZES:
                for dtype in SIZE_DTYPES:
                    if keep(op):
                        yield "sizes", size, op, dtype, (
                            lambda op=op, size=size, dtype=dtype:
                            [(cases.unary if op in UNARY else cases.binary)(op, dtype, size).__next__()])
    if "workloads" in parts:
        for op, *shapes in WORKLOADS:
            for dtype in (torch.bfloat16, torch.float16):
                if keep(op):
                    yield "workloads", 0, op, dtype, (
                        lambda op=op, shapes=shapes, dtype=dtype: [workload(op, dtype, *shapes)])
