"""Texts with reductions that are timed, and what torch calls the same."""

import dataclasses

import torch
import torch.nn.functional as F

from expr_library import named_texts

NAMED = named_texts()
ADD_RMS_NORM_FP8 = ("(x, r, w; eps = 1e-6) -> { h = x + r;  n = h * rsqrt(mean(h * h) + eps) * w;  "
                    "s = cast(maximum(amax(abs(n)), 1e-10) / 448, f32);  cast(n / s, e4m3fn), s, h }")
GELU_BIAS_BACKWARD = ("(g, x, b) -> { h = x + b;  s = sigmoid(1.702 * h);  d = g * (s + 1.702 * h * s * (1 - s));  "
                      "d, sum_to(d, b) }")


def rms(x):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)


def add_rms_norm(x, r, w):
    h = x.float() + r.float()
    return (rms(h) * w).to(x.dtype), h.to(x.dtype)


def quantised(n, shape):
    n = n.float()
    s = n.abs().view(shape).amax(-1, keepdim=True).clamp(min=1e-10) / 448
    return (n.view(shape) / s).clamp(-448, 448).to(torch.float8_e4m3fn).view(n.shape), s.view(*n.shape[:-1], -1)


def add_rms_norm_fp8(x, r, w):
    h = x.float() + r.float()
    return *quantised(rms(h) * w, h.shape), h.to(x.dtype)


def rms_norm_backward(g, x, w):
    g, x, w = g.float(), x.float(), w.float()
    r = torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)
    n, u = x * r, g * w
    return (r * (u - n * (u * n).mean(-1, keepdim=True))).to(torch.bfloat16), (g * n).sum(0)


def layer_norm_backward(g, x, w):
    g, x, w = g.float(), x.float(), w.float()
    d = x - x.mean(-1, keepdim=True)
    r = torch.rsqrt((d * d).mean(-1, keepdim=True) + 1e-5)
    n, u = d * r, g * w
    dx = r * (u - u.mean(-1, keepdim=True) - n * (u * n).mean(-1, keepdim=True))
    return dx.to(torch.bfloat16), (g * n).sum(0), g.sum(0)


def gelu_bias_backward(g, x, b):
    h = x.float() + b.float()
    s = torch.sigmoid(1.702 * h)
    d = g.float() * (s + 1.702 * h * s * (1 - s))
    return d.to(torch.bfloat16), d.sum(0)


def softmax_backward(g, y):
    g, y = g.float(), y.float()
    return (y * (g - (g * y).sum(-1, keepdim=True))).to(torch.bfloat16)


@dataclasses.dataclass
class Case:
    name: str
    text: str
    torch: object
    operands: str  # a letter each: r of rows, w of one row
    dtype: str
    rows: int
    columns: int
    axis: str = "last"

    def tensors(self, device):
        dtype = {"bf16": torch.bfloat16, "f32": torch.float32}[self.dtype]
        shape = {"r": (self.rows, self.columns), "w": (self.columns,)}
        return [torch.randn(shape[o], device=device, dtype=torch.float32).to(dtype) for o in self.operands]


def cases():
    wide = [(16384, 4096), (8192, 8192), (131072, 128), (65536, 1024), (4096, 16384), (1024, 65536), (256, 262144)]
    few = [(1, 4096), (32, 4096), (128, 8192)]

    def norm(x, w):
        return F.rms_norm(x, (x.shape[-1],), w, 1e-6)

    def layer(x, w, b):
        return F.layer_norm(x, (x.shape[-1],), w, b, 1e-5)

    found = []
    for dtype in ("bf16", "f32"):
        for rows, columns in wide + few if dtype == "bf16" else wide[:2]:
            found += [Case("rms_norm", NAMED["rms_norm"], norm, "rw", dtype, rows, columns),
                      Case("layer_norm", NAMED["layer_norm"], layer, "rww", dtype, rows, columns),
                      Case("softmax", NAMED["softmax"], lambda x: torch.softmax(x, -1), "r", dtype, rows, columns)]
    rows, columns = 16384, 4096
    for name, text, function, operands in [
            ("log_softmax", NAMED["log_softmax"], lambda x: torch.log_softmax(x, -1), "r"),
            ("add_rms_norm", NAMED["add_rms_norm"], add_rms_norm, "rrw"),
            ("add_rms_norm_fp8_token", ADD_RMS_NORM_FP8, add_rms_norm_fp8, "rrw"),
            ("token_fp8", NAMED["fp8_token"], lambda x: quantised(x, x.shape), "r"),
            ("group128_fp8", NAMED["fp8_group"], lambda x: quantised(x, (*x.shape[:-1], -1, 128)), "r"),
            ("softmax_backward", NAMED["softmax_backward"], softmax_backward, "rr"),
            ("rms_norm_backward", NAMED["rms_norm_backward"], rms_norm_backward, "rrw"),
            ("layer_norm_backward", NAMED["layer_norm_backward"], layer_norm_backward, "rrw"),
            ("gelu_bias_backward", GELU_BIAS_BACKWARD, gelu_bias_backward, "rrw"),
            ("sum_last", "(x) -> sum(x)", lambda x: x.sum(-1, keepdim=True), "r"),
            ("sum_first", "(x) -> sum(x, axis = -2)", lambda x: x.sum(0, keepdim=True), "r"),
            ("sum_all", "(x) -> sum(x, axis = all)", lambda x: x.sum().view(1, 1), "r"),
            ("amax_last", "(x) -> amax(x)", lambda x: x.amax(-1, keepdim=True), "r"),
            ("argmax_last", "(x) -> argmax(x)", lambda x: x.argmax(-1, keepdim=True), "r")]:
        found.append(Case(name, text, function, operands, "bf16", rows, columns))
    for rows, columns in [(131072, 128), (65536, 1024), (8192, 8192), (4096, 4096), (2048, 4096)]:
        for name, text, function in [("rms_norm_backward", NAMED["rms_norm_backward"], rms_norm_backward),
                                     ("layer_norm_backward", NAMED["layer_norm_backward"], layer_norm_backward)]:
            found.append(Case(name, text, function, "rrw", "bf16", rows, columns))
    return found
