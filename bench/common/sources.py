#!/usr/bin/env python3
"""A hash of what decides which kernels run on a device and how they are launched: results name it, so that the documents show
those alone that were measured with the kernels of the tree. Comments and empty lines do not count. Results of operators and of
expressions of elements name a hash without what only rows have. By itself prints {"commit", "sources", "elements"} of a tree, for
GPUs, as JSON: sources.py [TREE]."""

import functools
import hashlib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = {"gpu": ("include/tileops/device", "src/cuda"), "cpu": ("include/tileops/device", "src/cpu")}
OF_GPUS = "include/tileops/device/cuda", "include/tileops/device/tile", "include/tileops/device/transform"
OF_ROWS = ("include/tileops/device/reductions.h", "include/tileops/device/log_sum_exp.h", "include/tileops/device/cuda/forms/log_sum_exp.h",
           "src/cuda/kernels/rows", "src/cuda/kernels/columns.h", "src/cuda/select/rows", "src/cuda/spec/rows",
           "src/cpu/rows", "src/cpu/loops/reductions", "src/cpu/isa/reduce.cc", "src/cpu/isa/scan.cc", "src/cpu/reduce.h")


def kernel_sources(root=ROOT, device="gpu", rows=True):
    """`rows`: with those of rows, too."""
    digest = hashlib.sha256()
    left_out = (OF_GPUS if device == "cpu" else ()) + (() if rows else OF_ROWS)
    for folder in FOLDERS[device]:
        for path in sorted((root / folder).rglob("*")):
            name = str(path.relative_to(root))
            if path.suffix in (".h", ".cc", ".def") and not name.startswith(left_out):
                text = re.sub(r"(?m)^\s*//.*\n|[ \t]+//[^\"\n]*$", "", path.read_text())
                lines = [line for line in text.splitlines() if line.strip()]
                digest.update("\n".join([name, *lines, ""]).encode())
    return digest.hexdigest()[:16]


def device_of(result):
    return "gpu" if "gpu" in result.get("machine", {}) else "cpu"


@functools.lru_cache(maxsize=None)
def tree_sources(device):
    return {kernel_sources(device=device, rows=rows) for rows in (True, False)}


def is_current(result):
    """Was it measured with the kernels of this tree? Of one that names no sources nobody knows."""
    return result.get("sources") in tree_sources(device_of(result))


def of_tree(commit, root=ROOT):
    """What is known of a library that was built of the tree, for GPUs."""
    return {"commit": commit, "sources": kernel_sources(root), "elements": kernel_sources(root, rows=False)}


if __name__ == "__main__":
    tree = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    done = subprocess.run(["git", "-C", str(tree), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    print(json.dumps(of_tree(done.stdout.strip() or "unknown", tree)))
