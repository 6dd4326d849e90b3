#!/usr/bin/env python3
"""A hash of what decides which kernels run on a GPU and how they are launched: results name it, so that it shows when the
tree has other kernels by now. Comments and empty lines do not count. By itself prints {"commit", "sources"} of a tree
as JSON: sources.py [TREE]."""

import hashlib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def kernel_sources(root=ROOT):
    digest = hashlib.sha256()
    for folder in ("include/tileops/device", "src/cuda"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc", ".def"):
                text = re.sub(r"(?m)^\s*//.*\n|[ \t]+//[^\"\n]*$", "", path.read_text())
                lines = [line for line in text.splitlines() if line.strip()]
                digest.update("\n".join([str(path.relative_to(root)), *lines, ""]).encode())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    tree = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    done = subprocess.run(["git", "-C", str(tree), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    print(json.dumps({"commit": done.stdout.strip() or "unknown", "sources": kernel_sources(tree)}))
