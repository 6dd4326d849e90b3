"""The cases of the gate: some that people wrote, long rows in 64 bits, and so many random ones of a commit."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from bench.random import fixed, texts  # noqa: E402

NAMES = {"u8": "uint8", "bool": "bool", "i64": "int64", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64"}
COUNT = 40


def seed():
    """TILEOPS_GATE_SEED, or of the commit: each one has cases of its own."""
    given = os.environ.get("TILEOPS_GATE_SEED")
    if given:
        return int(given)
    done = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True)
    return texts.seed_of(done.stdout.strip() or "none")


def long_rows():
    """Numbers of 64 bits have no room for a sum and its low part in a word: they are parted all the same."""
    rows, columns = (3, 3 << 20), (1 << 20, 3)
    made = [(text, dtype, rows) for text in ("sum(x)", "mean(x)", "cumsum(x)", "prod(x)", "amax(x)") for dtype in ("f64", "i64")]
    made += [("var(x)", "f64", rows), ("mean(x, axis = all)", "f64", rows), ("sum(x, axis = -2)", "f64", columns)]
    return [texts.Case(f"long_{k}", f"(x) -> {text}", [texts.Operand("x", dtype, shape)]) for k, (text, dtype, shape) in enumerate(made)]


def cases(seed, count=COUNT):
    return fixed.cases() + long_rows() + list(texts.cases(seed, count))


def line(case):
    """As tileops_gate_kernels reads it."""
    operands = ",".join(" ".join([NAMES[o.dtype], *map(str, o.shape)]) for o in case.operands)
    return f"{case.name}\t{case.text}\t{operands}\n"
