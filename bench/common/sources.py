#!/usr/bin/env python3
"""A hash of what decides which kernels run on a device and how they are launched: results name it, so that the documents show
those alone that were measured with the kernels of the tree. Comments and empty lines do not count. By itself prints
{"commit", "sources"} of a tree, for GPUs, as JSON: sources.py [TREE]."""

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


def kernel_sources(root=ROOT, device="gpu"):
    digest = hashlib.sha256()
    for folder in FOLDERS[device]:
        for path in sorted((root / folder).rglob("*")):
            name = str(path.relative_to(root))
            if path.suffix in (".h", ".cc", ".def") and not (device == "cpu" and name.startswith(OF_GPUS)):
                text = re.sub(r"(?m)^\s*//.*\n|[ \t]+//[^\"\n]*$", "", path.read_text())
                lines = [line for line in text.splitlines() if line.strip()]
                digest.update("\n".join([name, *lines, ""]).encode())
    return digest.hexdigest()[:16]


def device_of(result):
    return "gpu" if "gpu" in result.get("machine", {}) else "cpu"


@functools.lru_cache(maxsize=None)
def tree_sources(device):
    return kernel_sources(device=device)


def is_current(result):
    """Was it measured with the kernels of this tree? Of one that names no sources nobody knows."""
    return result.get("sources") == tree_sources(device_of(result))


if __name__ == "__main__":
    tree = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    done = subprocess.run(["git", "-C", str(tree), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    print(json.dumps({"commit": done.stdout.strip() or "unknown", "sources": kernel_sources(tree)}))
