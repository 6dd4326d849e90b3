"""The cases of the gate: some that people wrote, and so many random ones of a commit."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from bench.random import fixed, texts  # noqa: E402

NAMES = {"u8": "uint8", "bool": "bool", "i64": "int64", "bf16": "bfloat16", "f16": "float16", "f32": "float32"}
COUNT = 40


def seed():
    """TILEOPS_GATE_SEED, or of the commit: each one has cases of its own."""
    given = os.environ.get("TILEOPS_GATE_SEED")
    if given:
        return int(given)
    done = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True)
    return texts.seed_of(done.stdout.strip() or "none")


def cases(seed, count=COUNT):
    return fixed.cases() + list(texts.cases(seed, count))


def line(case):
    """As tileops_gate_kernels reads it."""
    operands = ",".join(" ".join([NAMES[o.dtype], *map(str, o.shape)]) for o in case.operands)
    return f"{case.name}\t{case.text}\t{operands}\n"
