"""What is compared with PyTorch: inputs, the library's call and torch's, for each operator.

Where torch has several ways to say the same (with and without out=, a fused function or an
expression) all are listed; the runner times them shortly and compares with the fastest."""

import math
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F

from bench.common.library import ops_of_table

nn = torch._C._nn
NAMES = {torch.float32: "f32", torch.bfloat16: "bf16", torch.float16: "f16", torch.int32: "i32",
         torch.bool: "bool", torch.float64: "f64", torch.int64: "i64",
         torch.float8_e4m3fn: "e4m3fn", torch.float8_e5m2: "e5m2"}


def is_int(dtype):
    return not dtype.is_floating_point and dtype != torch.bool


@dataclass
class Case:
    name: str                 # operator, with ":variant" where there are several
    dtype: str
    inputs: list              # of the library's call; None for an absent one
    torch: list               # fn(out) -> result
    attrs: dict = field(default_factory=dict)
    out: torch.Tensor = None  # where the result's shape and dtype are not those of torch's
    reads: list = None        # (tensor, bytes per output element); None: every full-size input
    exact: bool = True        # False: the results differ by design (random, other tables)

    @property
    def op(self):
        return self.name.split(":")[0]


PERIOD = 1 << 20  # random numbers before they repeat: drawing 16 Mi takes longer than measuring


def draw(op, dtype, *shape, lo=None, hi=None):
    """Uniform over the row's domain."""
    n = math.prod(shape)
    if n > PERIOD and n % PERIOD == 0:
        return draw(op, dtype, PERIOD, lo=lo, hi=hi).repeat(n // PERIOD).view(shape)
    row = ops_of_table()[op]
    lo, hi = row.lo if lo is None else lo, row.hi if hi is None else hi
    if dtype == torch.bool:
        return torch.rand(shape) < 0.5
    if is_int(dtype):
        return torch.randint(int(lo), int(hi) + 1, shape, dtype=dtype)
    x = torch.empty(shape)
    return x.uniform_(lo, hi).to(dtype)


def out_of(f):
    return lambda *inputs: [lambda out: f(*inputs, out=out)]


def calls(*functions):
    return lambda *inputs: [lambda out, f=f: f(*inputs) for f in functions]


UNARY = {name: out_of(getattr(torch, name)) for name in (
    "exp log sqrt rsqrt reciprocal sin cos erf log1p expm1 abs neg sign floor ceil trunc round "
    "sigmoid tanh nan_to_num logical_not bitwise_not tan asin acos atan sinh cosh asinh acosh atanh exp2 log2 log10 sinc "
    "erfc erfinv lgamma").split()}
UNARY.update(
    relu=lambda x: [lambda out: torch.clamp_min(x, 0, out=out), lambda out: F.relu(x)],
    gelu=lambda x: [lambda out: nn.gelu(x, out=out)],
    silu=lambda x: [lambda out: nn.silu(x, out=out)],
    leaky_relu=lambda x: [lambda out: nn.leaky_relu(x, 0.01, out=out)],
    elu=lambda x: [lambda out: nn.elu(x, 1, 1, 1, out=out)],
    selu=lambda x: [lambda out: nn.elu(x, 1.6732632423543772, 1.0507009873554805, 1, out=out),
                    lambda out: F.selu(x)],
    hardswish=lambda x: [lambda out: nn.hardswish(x, out=out)],
    hardsigmoid=lambda x: [lambda out: nn.hardsigmoid(x, out=out)],
    hardtanh=lambda x: [lambda out: nn.hardtanh(x, -1, 1, out=out)],
    softplus=lambda x: [lambda out: nn.softplus(x, 1, 20, out=out)],
    mish=lambda x: [lambda out: nn.mish(x, out=out)],
    logsigmoid=lambda x: [lambda out: nn.log_sigmoid(x, out=out)],
    softsign=calls(F.softsign),
    celu=calls(F.celu),
    tanhshrink=calls(F.tanhshrink),
    isnan=lambda x: [lambda out: torch.ne(x, x, out=out), lambda out: torch.isnan(x)],
    isinf=calls(torch.isinf),
    isfinite=calls(torch.isfinite),
)
BINARY = {name: out_of(getattr(torch, name)) for name in (
    "add sub mul div remainder floor_divide pow maximum minimum eq ne gt lt ge le bitwise_and "
    "bitwise_or bitwise_xor logical_and logical_or atan2 hypot fmod copysign nextafter logaddexp bitwise_left_shift "
    "bitwise_right_shift").split()}
INT_UNARY = "abs neg sign bitwise_not logical_not".split()
NONZERO = ("div", "remainder", "floor_divide", "fmod")


def unary(op, dtype, n):
    x = draw(op, dtype, n)
    yield Case(op, NAMES[dtype], [x], UNARY[op](x))
    if op == "gelu":
        yield Case("gelu:tanh", NAMES[dtype], [x],
                   [lambda out: nn.gelu(x, approximate="tanh", out=out)], {"approximate": 1})


def binary(op, dtype, n):
    a, b = draw(op, dtype, n), draw(op, dtype, n)
    if op in NONZERO and is_int(dtype):
        b[b == 0] = 7
    yield Case(op, NAMES[dtype], [a, b], BINARY[op](a, b))
    if op == "pow" and dtype.is_floating_point:
        for exponent in (2.0, 0.5, 2.5):
            yield Case(f"pow:{exponent:g}", NAMES[dtype], [a],
                       [lambda out, e=exponent: torch.pow(a, e, out=out)], {"exponent": exponent})


def lerp(op, dtype, n):
    a, b, w = draw(op, dtype, n), draw(op, dtype, n), draw(op, dtype, n, lo=0, hi=1)
    yield Case("lerp", NAMES[dtype], [a, b], [lambda out: torch.lerp(a, b, 0.5, out=out)],
               {"weight": 0.5})
    yield Case("lerp:tensor", NAMES[dtype], [a, b, w], [lambda out: torch.lerp(a, b, w, out=out)])


def where(op, dtype, n):
    m, a, b = draw(op, torch.bool, n), draw(op, dtype, n), draw(op, dtype, n)
    yield Case(op, NAMES[dtype], [m, a, b], [lambda out: torch.where(m, a, b, out=out)])


def clamp(op, dtype, n):
    x = draw(op, dtype, n)
    lo, hi = draw(op, dtype, n, lo=-50, hi=0), draw(op, dtype, n, lo=0, hi=50)
    yield Case(op, NAMES[dtype], [x], [lambda out: torch.clamp(x, -50, 50, out=out)],
               {"min": -50.0, "max": 50.0})
    yield Case("clamp:tensor", NAMES[dtype], [x, lo, hi],
               [lambda out: torch.clamp(x, lo, hi, out=out)])


def masked_fill(op, dtype, n):
    x, m = draw(op, dtype, n), draw(op, torch.bool, n)
    value = torch.tensor(-1).to(dtype)
    yield Case(op, NAMES[dtype], [x, m],
               [lambda out: torch.where(m, value, x, out=out),
                lambda out: torch.masked_fill(x, m, -1)], {"value": -1.0})


def prelu(op, dtype, n):
    x, w = draw(op, dtype, n // 64, 64), draw(op, dtype, 64, lo=0, hi=1)
    yield Case(op, NAMES[dtype], [x, w], [lambda out: F.prelu(x, w)])


def gated(op, dtype, n):
    act = {"silu_and_mul": lambda a, out: nn.silu(a, out=out),
           "gelu_and_mul": lambda a, out: nn.gelu(a, out=out),
           "gelu_tanh_and_mul": lambda a, out: nn.gelu(a, approximate="tanh", out=out)}[op]
    inner = 4096
    x = draw(op, dtype, n // inner, 2 * inner)
    a, b = x[:, :inner], x[:, inner:]
    halves = x.view(-1).split(n)  # the same bytes for the copy loop, as two streams
    size = x.element_size()
    yield Case(op, NAMES[dtype], [x], [lambda out: torch.mul(act(a, out), b, out=out),
                                       lambda out: act(a, None).mul_(b)],
               reads=[(halves[0], size), (halves[1], size)])
    a2, b2 = a.contiguous(), b.contiguous()
    yield Case(op + ":two", NAMES[dtype], [a2, b2],
               [lambda out: torch.mul(act(a2, out), b2, out=out)])


def rope(op, dtype, n):
    heads, head = 16, 128
    seq = n // (heads * head)
    x = draw(op, dtype, 1, seq, heads, head)
    positions = torch.arange(seq, dtype=torch.float64)
    inverse = 10000.0 ** (-torch.arange(0, head, 2, dtype=torch.float64) / head)
    angles = torch.outer(positions, inverse)
    cos_half, sin_half = angles.cos().float(), angles.sin().float()
    if op == "rope_non_neox":
        c, s = (t.to(dtype)[None, :, None, :] for t in (cos_half, sin_half))
        pairs = x.view(1, seq, heads, head // 2, 2)

        def expression(out):
            even, odd = pairs[..., 0], pairs[..., 1]
            return torch.stack((even * c - odd * s, odd * c + even * s), -1).flatten(-2)
    else:  # Llama of Hugging Face: x*cos + rotate_half(x)*sin
        c, s = (torch.cat((t, t), 1).to(dtype)[None, :, None, :] for t in (cos_half, sin_half))

        def expression(out):
            half = torch.cat((-x[..., head // 2:], x[..., :head // 2]), -1)
            return x * c + half * s
    full = [(x, x.element_size())]
    inputs = [x]
    if op == "rope_longrope":
        inputs.append(torch.rand(head // 2) + 1)
    yield Case(op, NAMES[dtype], inputs, [expression], reads=full,
               exact=op in ("rope_neox", "rope_non_neox"))
    if op == "rope_neox":
        yield Case("rope_neox:tables", NAMES[dtype], [x, None, cos_half, sin_half], [expression],
                   reads=full)


def dropout(op, dtype, n):
    x = draw(op, dtype, n)
    yield Case(op, NAMES[dtype], [x], [lambda out: F.dropout(x, 0.5, True)], {"p": 0.5},
               exact=False)


def alibi(op, dtype, n):
    heads = 16
    side = math.isqrt(n // heads)
    slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1, dtype=torch.float32) / heads)
    i, j = torch.arange(side)[:, None], torch.arange(side)[None, :]

    def expression(out):
        distance = (i - j).abs_().neg_().to(dtype)
        return torch.mul(slopes.to(dtype)[:, None, None], distance, out=out)
    yield Case(op, NAMES[dtype], [], [expression], out=torch.empty(heads, side, side, dtype=dtype),
               reads=[], exact=dtype == torch.float32)


def sinusoidal(op, dtype, n):
    d = 512
    s = n // d

    def expression(out):
        position = torch.arange(s, dtype=torch.float32)[:, None]
        angles = position * torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
        out[:, 0::2] = angles.sin()
        out[:, 1::2] = angles.cos()
        return out
    yield Case(op, NAMES[dtype], [], [expression], out=torch.empty(s, d, dtype=dtype), reads=[],
               exact=False)


def cast(op, dtype, n):
    others = [torch.float32, torch.bfloat16, torch.float16, torch.int32]
    for other in others:
        if other == dtype or torch.float32 not in (dtype, other):
            continue
        x = draw(op, dtype, n)
        yield Case(f"cast:{NAMES[other]}", NAMES[dtype], [x], [lambda out: out.copy_(x)],
                   out=torch.empty(n, dtype=other))


def layouts(op, dtype, n):
    """add and mul over the layouts of the coalescing table."""
    side = math.isqrt(n)
    name, size = NAMES[dtype], torch.empty(0, dtype=dtype).element_size()
    x = draw(op, dtype, side, side)

    def two(variant, a, b, reads, f=torch.add, o="add"):
        return Case(f"{o}:{variant}", name, [a, b], [lambda out: f(a, b, out=out)], reads=reads)
    one = [(x, size)]
    yield two("row bias", x, draw(op, dtype, side), one)
    yield two("row scale", x, draw(op, dtype, side, 1), one, torch.mul, "mul")
    yield two("scalar", x, draw(op, dtype, 1, 1), one)
    inner = min(side, 512)
    a = x.view(4, -1, inner, inner // 4)
    yield two("interleaved", a, draw(op, dtype, 4, 1, inner, 1), one)
    yield two("outer", draw(op, dtype, side, 1), draw(op, dtype, 1, side), [])
    y = draw(op, dtype, side, side)
    yield two("transposed", x, y.t(), [(x, size), (y, size)])
    half = x[::2, ::2], y[::2, ::2]
    # Every fetched line of memory holds unread elements: the copy reads them too.
    yield two("every second", *half, [(x, 2 * size), (y, 2 * size)])


def cases(n, dtypes, wanted):
    """All cases of n elements; `wanted` tells by operator name."""
    special = dict(lerp=lerp, where=where, clamp=clamp, masked_fill=masked_fill, prelu=prelu,
                   dropout=dropout, alibi=alibi, sinusoidal=sinusoidal, cast=cast)
    for row in ops_of_table().values():
        op = row.name
        make = special.get(op) or (unary if op in UNARY else binary if op in BINARY else
                                   gated if row.category == "fused_gated" else
                                   rope if row.category == "rope" else None)
        if make is None:
            yield op, None, None
            continue
        for dtype in dtypes:
            if dtype.is_floating_point and "F" not in row.dtypes:
                continue
            if is_int(dtype) and ("I" not in row.dtypes or make is unary and
                                         op not in INT_UNARY):
                continue
            if dtype == torch.bool and not (row.category in ("bitwise", "logical") or
                                            op in ("where", "eq")):
                continue
            if wanted(op):
                yield op, dtype, lambda make=make, op=op, dtype=dtype: make(op, dtype, n)
    if wanted("layouts"):
        for dtype in dtypes:
            if dtype.is_floating_point:
                yield "layouts", dtype, lambda dtype=dtype: layouts("add", dtype, n)
