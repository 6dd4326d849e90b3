#!/usr/bin/env python3
"""The documents speak of the tree that is there: every path in backticks that begins with one of its folders exists.

usage: docs.py ROOT
"""

import pathlib
import re
import sys

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/adding.md", "docs/expressions.md",
             "docs/numerics.md")
PATH = re.compile(r"`((?:src|include|tests|docs|cmake|tools|bench|bindings|demo)/[\w./*-]*)`")


def main():
    root = pathlib.Path(sys.argv[1])
    named = [(document, path) for document in DOCUMENTS for path in PATH.findall((root / document).read_text())]
    missing = [f"{document}: {path} is not there" for document, path in named
               if not any(root.glob(path.rstrip("/"))) ]
    print("\n".join(missing) or f"{len(named)} paths in {len(DOCUMENTS)} documents are there")
    return bool(missing) or len(named) < 20


if __name__ == "__main__":
    sys.exit(main())
