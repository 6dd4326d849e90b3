#!/usr/bin/env python3
"""One sentence says what the library is, CMake's description of the project, and whoever meets the library elsewhere first reads
it too: in the README, the header, the manual page, and each binding's package and documents.

usage: description.py ROOT"""

import pathlib
import re
import sys

LINES = 14  # at the top of a file, where it stands
FILES = ("README.md", "include/tileops/tileops.h", "docs/tileops.1", "bindings/go/README.md", "bindings/go/doc.go", "bindings/rust/README.md",
         "bindings/rust/tileops/Cargo.toml", "bindings/rust/tileops/src/lib.rs", "bindings/rust/tileops-sys/Cargo.toml",
         "bindings/rust/tileops-sys/README.md", "bindings/julia/TileOps/README.md", "bindings/julia/TileOps/src/TileOps.jl",
         "pyproject.toml", "docs/python.md", "bindings/python/libtileops/__init__.py")


def words(text):
    """Without marks of comments, and in one line."""
    return " ".join(re.sub(r"(?m)^\s*(//[/!]?|\*|#)", " ", text).split()).lower()


def main():
    root = pathlib.Path(sys.argv[1])
    said = re.search(r'DESCRIPTION "(.*?), behind a C API"', (root / "CMakeLists.txt").read_text())
    if not said or "reductions" not in said[1]:
        print("CMakeLists.txt: DESCRIPTION does not end with ', behind a C API', or has no reductions in it")
        return 1
    missing = [name for name in FILES if said[1].lower() not in words("\n".join((root / name).read_text().split("\n")[:LINES]))]
    if f'"{said[1]}"' not in (root / "src/cli/main.cc").read_text():
        missing.append("src/cli/main.cc")
    for name in missing:
        print(f"{name}: does not say '{said[1]}', as CMakeLists.txt does")
    if "@PROJECT_DESCRIPTION@" not in (root / "tileops.pc.in").read_text():
        missing.append("tileops.pc.in")
        print("tileops.pc.in: has a description of its own")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
