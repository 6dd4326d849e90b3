"""Texts with reductions that are timed on GPUs, what torch calls the same, and in which shapes."""

import dataclasses

import torch

from bench.expressions.library import named_texts
from bench.rows import functions as f
from bench.rows.tensors import DTYPES, operands

NAMED = named_texts()
GELU_BIAS_BACKWARD = ("(g, x, b) -> { h = x + b;  s = sigmoid(1.702 * h);  d = g * (s + 1.702 * h * s * (1 - s));  "
                      "d, sum_to(d, b) }")
BACKWARD_GIVEN_RSTD = "(g, x, w, r) -> { n = x * r;  u = g * w;  r * (u - n * mean(u * n)), sum_to(g * n, w) }"
BATCH_STATISTICS = ("(x) -> cast(var(x, axis = (-3, -1), correction = 1), f32), cast(mean(x, axis = (-3, -1)), f32)")


@dataclasses.dataclass
class Case:
    """A text in one shape and dtype. `most`: with torch.compile's max-autotune where that is asked for."""

    name: str
    text: str
    torch: object
    operands: str  # a letter each: bench/rows/tensors.py
    dtype: str
    shape: tuple
    most: bool = False

    @property
    def columns(self):
        return self.shape[-1]

    @property
    def rows(self):
        """How many, of the last extent each."""
        return torch.Size(self.shape[:-1]).numel()

    @property
    def label(self):
        return f"{self.name} {self.dtype} {self.shape_text}"

    @property
    def shape_text(self):
        return "x".join(map(str, self.shape))

    def tensors(self, device):
        return operands(self.operands, self.shape, DTYPES[self.dtype], device)

    def small(self):
        """The same, of a few rows and at most 4096 columns."""
        return dataclasses.replace(self, shape=(*(min(n, 6) for n in self.shape[:-1]), min(self.columns, 4096)))


WIDE = (16384, 4096)
ELEMENTS = 1 << 26  # of the rows over row length
LENGTHS = tuple((ELEMENTS // n, n) for n in (128, 512, 1024, 4096, 8192, 16384, 65536, 131072, 262144))
SUMS = (WIDE, (1024, 65536), (1 << 20, 64))
BACKWARD = (WIDE, (131072, 128), (65536, 1024), (8192, 8192), (4096, 4096), (2048, 4096))

# name, text, torch's function, operands, shapes; the first of the shapes in float32, too, or as many as `F32` says.
TABLE = [
    ("rms_norm", NAMED["rms_norm"], f.rms_norm, "rw",
     (WIDE, *LENGTHS, (131072, 128), (1, 4096), (8, 4096), (32, 4096), (1, 8192), (128, 8192))),
    ("layer_norm", NAMED["layer_norm"], f.layer_norm, "rww",
     (WIDE, *LENGTHS, (131072, 128), (1024, 12288), (1, 4096), (32, 4096), (128, 8192))),
    ("softmax", NAMED["softmax"], lambda x: torch.softmax(x, -1), "r",
     (WIDE, *LENGTHS, (131072, 128), (4096, 32768), (1024, 131072), (1, 4096), (32, 4096), (128, 8192))),
    ("add_rms_norm", NAMED["add_rms_norm"], f.add_rms_norm, "rrw", (WIDE, (8192, 8192), (32, 4096))),
    ("add_rms_norm_fp8", NAMED["add_rms_norm_fp8_static"], f.add_rms_norm_fp8, "rrws", (WIDE, (8192, 8192), (32, 4096))),
    ("add_rms_norm_fp8_token", NAMED["add_rms_norm_fp8_token"], f.add_rms_norm_fp8_token, "rrw", (WIDE, (8192, 8192), (32, 4096))),
    ("log_softmax", NAMED["log_softmax"], lambda x: torch.log_softmax(x, -1), "r", ((4096, 32768), WIDE)),
    ("cross_entropy", NAMED["cross_entropy"], f.cross_entropy, "rl", ((4096, 128256), (8192, 32768))),
    ("token_fp8", NAMED["fp8_token"], f.token_fp8, "r", (WIDE, (32, 4096))),
    ("group128_fp8", NAMED["fp8_group"], f.group_fp8, "r", (WIDE, (32, 4096))),
    ("mxfp8", NAMED["mxfp8"], f.mxfp8, "r", (WIDE, (32, 4096))),
    ("silu_mul_group128_fp8", NAMED["swiglu_fp8_group"], f.swiglu_group_fp8, "h", (WIDE, (32, 4096))),
    ("rms_norm_backward", NAMED["rms_norm_backward"], f.rms_norm_backward, "rrw", BACKWARD),
    ("rms_norm_backward_given_rstd", BACKWARD_GIVEN_RSTD, f.rms_norm_backward_given_rstd, "rrwd", (WIDE,)),
    ("layer_norm_backward", NAMED["layer_norm_backward"], f.layer_norm_backward, "rrw", BACKWARD),
    ("softmax_backward", NAMED["softmax_backward"], f.softmax_backward, "rp", (WIDE,)),
    ("gelu_bias_backward", GELU_BIAS_BACKWARD, f.gelu_bias_backward, "rrw", (WIDE,)),
    ("sum_last", "(x) -> sum(x)", lambda x: x.sum(-1, keepdim=True), "r", SUMS),
    ("sum_first", "(x) -> sum(x, axis = -2)", lambda x: x.sum(0, keepdim=True), "r", SUMS),
    ("sum_all", "(x) -> sum(x, axis = all)", lambda x: x.sum().view(1, 1), "r", SUMS),
    ("amax_last", "(x) -> amax(x)", lambda x: x.amax(-1, keepdim=True), "r", (WIDE,)),
    ("argmax_last", "(x) -> argmax(x)", lambda x: x.argmax(-1, keepdim=True), "r", ((4096, 128256), WIDE)),
    ("cumsum_last", NAMED["cumsum"], f.cumsum, "r", ((4096, 32768),)),
    ("sum_of_squares_all", "(x) -> sum(x * x, axis = all)", f.sum_of_squares, "r", ((ELEMENTS,),)),
    ("qk_norm_rope", NAMED["qk_norm_rope"], f.qk_norm_rope, "rwtti", ((8192, 32, 128),)),
    ("group_norm", NAMED["group_norm"], f.group_norm, "rcc", ((16, 32, 16, 4096),)),
    ("batch_stats", BATCH_STATISTICS, f.batch_statistics, "r", ((64, 256, 3136),)),
]
F32 = {"rms_norm": 1 + len(LENGTHS), "layer_norm": 1 + len(LENGTHS), "softmax": 1 + len(LENGTHS), "sum_last": 3, "sum_first": 3, "sum_all": 3}
MOST = ("rms_norm", "softmax", "add_rms_norm_fp8_token", "cross_entropy", "rms_norm_backward", "layer_norm_backward", "argmax_last",
        "group_norm", "batch_stats")


def cases():
    found = []
    for name, text, function, letters, shapes in TABLE:
        for dtype in ("bf16", "f32"):
            wanted = dict.fromkeys(shapes if dtype == "bf16" else shapes[:F32.get(name, 1)])
            found += [Case(name, text, function, letters, dtype, shape, dtype == "bf16" and name in MOST and shape == shapes[0])
                      for shape in wanted]
    return found
