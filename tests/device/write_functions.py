#!/usr/bin/env python3
"""Writes the functions of expressions that tests/device/examples/expression_functor.h and gpu_expressions.h include, each in a
file of its name.

usage: write_functions.py TILEOPS FOLDER
"""

import pathlib
import subprocess
import sys

EPILOGUE = ["(acc, bias; scale = 0.5) -> cast(gelu(acc + bias) * scale, bf16)", "-d", "bias=bf16"]
FUNCTIONS = {"epilogue": EPILOGUE, "epilogue_exact": [*EPILOGUE, "--reproducible"],
             "range_and_order": ["(a, b) -> maximum(a, b) - minimum(a, b), a > b"]}


def main():
    cli, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, arguments in FUNCTIONS.items():
        done = subprocess.run([cli, "expr", *arguments, "--device-function", name], capture_output=True, text=True)
        if done.returncode:
            return f"write_functions.py: {name}: {done.stderr}"
        (folder / f"{name}.h").write_text(done.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
