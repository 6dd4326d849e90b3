"""The chains of operators that are compared as expressions: their texts, operands of a size, and the same mathematics
in torch, MLX and numexpr.

Texts come from include/tileops/expressions.def where they stand there. The functions of torch are what a program of
torch would write; torch.compile gets the same ones. `steps` is the chain as operators of this library, a call each."""

from dataclasses import dataclass, field
from typing import Callable

import torch
import torch.nn.functional as F

from bench.expressions import functions as f, operands as o
from bench.expressions.library import named_texts


@dataclass
class Chain:
    name: str
    operands: Callable  # (elements, dtype) -> tensors by name, in the text's order
    torch: Callable  # the same of torch, on the tensors
    steps: list  # for Unfused of bench/expressions/library.py; the last ones are the results
    text: str = ""  # if it has no name in expressions.def
    scalars: dict = field(default_factory=dict)
    light: bool = True  # little arithmetic: has a share of the copy to reach
    reference: Callable = None  # (operands in more precision, our results) -> results, where torch's are random
    dtypes: tuple = ("f32", "bf16", "f16")
    mlx: Callable = None  # (mlx.core, operands) -> results
    numexpr: tuple = ()  # a text for each result
    constants: dict = field(default_factory=dict)  # of those texts
    rotate: bool = False  # measured with sets of buffers in turn, too

    @property
    def known_text(self):
        return self.text or named_texts()[self.name]

    @property
    def num_steps(self):
        return len(self.steps)


CHAINS = [
    Chain(
        "mul_add",
        o.flat("a", "b", "c"),
        lambda a, b, c: a * b + c,
        ["t: (a, b) -> a * b", "y: (t, c) -> t + c"],
        text="(a, b, c) -> a * b + c",
        mlx=lambda mx, a, b, c: a * b + c,
        numexpr=("a * b + c",),
    ),
    Chain(
        "swiglu_residual",
        o.flat("gate", "up", "residual"),
        lambda g, u, r: F.silu(g) * u + r,
        ["s: (gate) -> silu(gate)", "p: (s, up) -> s * up", "y: (p, residual) -> p + residual"],
        mlx=lambda mx, g, u, r: g * mx.sigmoid(g) * u + r,
        numexpr=("gate / (1 + exp(-gate)) * up + residual",),
        dtypes=("f32", "bf16", "f16", "e4m3fn"),
        rotate=True,
    ),
    Chain(
        "swiglu_packed",
        o.packed,
        f.swiglu_packed,
        ["s: (x) -> silu(chunk(x, 0, 2))", "y: (s, x) -> s * chunk(x, 1, 2)"],
        mlx=f.swiglu_packed_mlx,
    ),
    Chain(
        "swiglu_clamped",
        o.packed,
        f.swiglu_clamped,
        [
            "a: (x) -> minimum(every(x, 0, 2), 7.0)",
            "u: (x) -> clamp(every(x, 1, 2), -7.0, 7.0)",
            "m: (a) -> 1.702 * a",
            "s: (m) -> sigmoid(m)",
            "g: (a, s) -> a * s",
            "v: (u) -> u + 1",
            "y: (g, v) -> g * v",
        ],
        mlx=f.swiglu_clamped_mlx,
    ),
    Chain(
        "swiglu_fp8",
        o.flat("gate", "up"),
        lambda g, u: (F.silu(g) * u * 16.0).to(torch.float8_e4m3fn),
        ["s: (gate) -> silu(gate)", "p: (s, up) -> s * up", "q: (p) -> p * 16.0", "y: (q) -> cast(q, e4m3fn)"],
        scalars={"scale": 16.0},
    ),
    Chain(
        "bias_gelu",
        o.with_bias(),
        lambda x, b: F.gelu(x + b),
        ["h: (x, bias) -> x + bias", "y: (h) -> gelu(h)"],
        light=False,
        mlx=lambda mx, x, b: f.erf_gelu_mlx(mx, x + b),
        dtypes=("f32", "bf16", "f16", "e4m3fn"),
        rotate=True,
    ),
    Chain(
        "bias_gelu_tanh",
        o.with_bias(),
        lambda x, b: F.gelu(x + b, approximate="tanh"),
        ["h: (x, bias) -> x + bias", "y: (h) -> gelu(h, approximate = tanh)"],
        light=False,
        numexpr=("half * (x + bias) * (1 + tanh(a * ((x + bias) + b * (x + bias) ** 3)))",),
        constants={"half": 0.5, "a": 0.7978845608028654, "b": 0.044715},
    ),
    Chain(
        "bias_gelu_residual",
        o.with_bias("residual"),
        lambda x, b, r: F.gelu(x + b) + r,
        ["h: (x, bias) -> x + bias", "g: (h) -> gelu(h)", "y: (g, residual) -> g + residual"],
        text="(x, bias, residual) -> gelu(x + bias) + residual",
        light=False,
        mlx=lambda mx, x, b, r: f.erf_gelu_mlx(mx, x + b) + r,
    ),
    Chain(
        "bias_gelu_dropout_residual",
        o.with_bias("residual"),
        f.bias_gelu_dropout_residual,
        [
            "h: (x, bias) -> x + bias",
            "g: (h) -> gelu(h)",
            "keep: (g) -> dropout_mask(g, 0.1, 7, 0)",
            "d: (g) -> g / 0.9",
            "w: (keep, d) -> where(keep, d, 0)",
            "y: (w, residual) -> w + residual",
        ],
        scalars={"p": 0.1, "seed": 7, "offset": 0},
        light=False,
        reference=f.dropped,
    ),
    Chain(
        "scale_shift",
        o.modulated,
        lambda x, scale, shift: x * (1 + scale) + shift,
        ["a: (scale) -> 1 + scale", "b: (x, a) -> x * a", "y: (b, shift) -> b + shift"],
        mlx=lambda mx, x, scale, shift: x * (1 + scale) + shift,
        numexpr=("x * (1 + scale) + shift",),
    ),
    Chain(
        "scaled_masked",
        o.masked,
        lambda x, mask: x * 0.125 + mask,
        ["s: (x) -> x * 0.125", "y: (s, mask) -> s + mask"],
        scalars={"scale": 0.125},
        mlx=lambda mx, x, mask: x * 0.125 + mask,
        numexpr=("x * scale + mask",),
        constants={"scale": 0.125},
    ),
    Chain(
        "causal_masked",
        lambda n, dtype: {"x": o.masked(n, dtype)["x"]},
        f.causal_masked,
        ["s: (x) -> x * 0.125", "m: (x) -> index(x, -1) <= index(x, -2)", "y: (m, s) -> where(m, s, -inf)"],
        scalars={"scale": 0.125},
        mlx=f.causal_masked_mlx,
    ),
    Chain(
        "softcap",
        o.flat("x", lo=-60, hi=60),
        lambda x: 30.0 * torch.tanh(x / 30.0),
        ["d: (x) -> x / 30.0", "t: (d) -> tanh(d)", "y: (t) -> 30.0 * t"],
        scalars={"cap": 30.0},
        light=False,
        mlx=lambda mx, x: 30.0 * mx.tanh(x / 30.0),
        numexpr=("cap * tanh(x / cap)",),
        constants={"cap": 30.0},
        dtypes=("f32", "bf16", "f16", "e4m3fn"),
    ),
    Chain(
        "lerp_ema",
        o.flat("average", "x"),
        lambda average, x: torch.lerp(x, average, 0.999),
        ["y: (average, x) -> lerp(x, average, 0.999)"],
        scalars={"decay": 0.999},
        mlx=lambda mx, average, x: x + 0.999 * (average - x),
        numexpr=("x + decay * (average - x)",),
        constants={"decay": 0.999},
    ),
    Chain(
        "adamw",
        o.moments,
        f.adamw,
        [
            "n: (m, g) -> lerp(m, g, 0.1)",
            "v1: (v) -> v * 0.999",
            "g2: (g) -> g * g",
            f"g3: (g2) -> g2 * {1 - f.B2!r}",
            "q: (v1, g3) -> v1 + g3",
            f"q1: (q) -> q / {1 - f.B2**f.STEP!r}",
            "q2: (q1) -> sqrt(q1)",
            "d: (q2) -> q2 + 1e-8",
            f"n1: (n) -> {f.LR / (1 - f.B1**f.STEP)!r} * n",
            "u: (n1, d) -> n1 / d",
            f"p1: (p) -> p * {1 - f.LR * f.WD!r}",
            "y: (p1, u) -> p1 - u",
        ],
        rotate=True,
        scalars={"lr": f.LR, "b1": f.B1, "b2": f.B2, "eps": f.EPS, "wd": f.WD, "t": f.STEP},
        mlx=f.adamw_mlx,
    ),
    Chain(
        "rope_halves",
        o.heads,
        f.rope_halves,
        [
            "t1: (x, cos) -> chunk(x, 0, 2) * cos",
            "t2: (x, sin) -> chunk(x, 1, 2) * sin",
            "t3: (x, cos) -> chunk(x, 1, 2) * cos",
            "t4: (x, sin) -> chunk(x, 0, 2) * sin",
            "a: (t1, t2) -> t1 - t2",
            "b: (t3, t4) -> t3 + t4",
            "y: (a, b) -> concat(a, b)",
        ],
        mlx=f.rope_halves_mlx,
        rotate=True,
    ),
    Chain(
        "luminance",
        o.flat("r", "g", "b", lo=0, hi=1),
        lambda r, g, b: 0.2126 * r + 0.7152 * g + 0.0722 * b,
        [
            "r1: (r) -> 0.2126 * r",
            "g1: (g) -> 0.7152 * g",
            "s: (r1, g1) -> r1 + g1",
            "b1: (b) -> 0.0722 * b",
            "y: (s, b1) -> s + b1",
        ],
        mlx=lambda mx, r, g, b: 0.2126 * r + 0.7152 * g + 0.0722 * b,
        numexpr=("kr * r + kg * g + kb * b",),
        constants={"kr": 0.2126, "kg": 0.7152, "kb": 0.0722},
    ),
    Chain(
        "srgb_to_linear",
        o.flat("x", lo=0, hi=1),
        lambda x: torch.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4),
        [
            "c: (x) -> x <= 0.04045",
            "l: (x) -> x / 12.92",
            "p: (x) -> x + 0.055",
            "q: (p) -> p / 1.055",
            "w: (q) -> q ** 2.4",
            "y: (c, l, w) -> where(c, l, w)",
        ],
        light=False,
        mlx=lambda mx, x: mx.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4),
        numexpr=("where(x <= edge, x / low, ((x + add) / top) ** power)",),
        constants={"edge": 0.04045, "low": 12.92, "add": 0.055, "top": 1.055, "power": 2.4},
    ),
    Chain(
        "normalise_u8",
        o.image,
        lambda x, mean, deviation: (x.float() / 255 - mean) / deviation,
        [
            "f: (x) -> cast(x, f32)",
            "d: (f) -> f / 255",
            "m: (d, mean) -> d - mean",
            "y: (m, deviation) -> m / deviation",
        ],
        dtypes=("f32",),
        mlx=lambda mx, x, mean, deviation: (x.astype(mx.float32) / 255 - mean) / deviation,
    ),
    Chain(
        "snake",
        o.audio,
        f.snake,
        [
            "m: (alpha, x) -> alpha * x",
            "s: (m) -> sin(m)",
            "q: (s) -> s * s",
            "d: (q, alpha) -> q / alpha",
            "y: (x, d) -> x + d",
        ],
        light=False,
        mlx=f.snake_mlx,
        numexpr=("x + sin(alpha * x) ** 2 / alpha",),
    ),
    Chain(
        "silu_and_mul_backward",
        o.flat("grad", "gate", "value"),
        f.silu_and_mul_backward,
        [
            "g: (grad, value) -> grad * value",
            "s: (gate) -> sigmoid(gate)",
            "o: (s) -> 1 - s",
            "m: (gate, o) -> gate * o",
            "a: (m) -> 1 + m",
            "b: (s, a) -> s * a",
            "y0: (g, b) -> g * b",
            "c: (gate) -> silu(gate)",
            "y1: (grad, c) -> grad * c",
        ],
        light=False,
        mlx=f.silu_and_mul_backward_mlx,
    ),
]


def by_name(name):
    return next(chain for chain in CHAINS if chain.name == name)
