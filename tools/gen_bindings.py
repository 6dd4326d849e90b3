#!/usr/bin/env python3
"""Writes the parts of the language bindings that follow from the op table; with --check, fails if
they are not up to date.

Every folder bindings/LANGUAGE with a generate.py takes part. That module has

    def generate(ops, header):
        '''ops: the list that `tileops ops --json` prints; header: the text of tileops.h.
        Returns {path relative to bindings/LANGUAGE: text}.'''

One that documents the expressions that have names has as well

    def generate_named(named):
        '''named: [(name, text, doc, shapes)]; shapes: "x [.., n] -> [.., n]", as documents show them. Returns the same.'''
"""

import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys

import named_shapes
from functions import named_expressions

ROOT = pathlib.Path(__file__).resolve().parent.parent


def load(path):
    spec = importlib.util.spec_from_file_location(f"generate_{path.parent.name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def named_rows(tileops):
    labels = named_shapes.dtypes()
    return [(name, text, doc, named_shapes.of(tileops, name, text, labels))
            for rows in named_expressions().values() for name, text, doc in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileops", default=ROOT / "build/release/src/cli/tileops", help="the command")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    args = parser.parse_args()
    done = subprocess.run([args.tileops, "ops", "--json"], check=True, capture_output=True, text=True)
    ops = json.loads(done.stdout)
    header = (ROOT / "include/tileops/tileops.h").read_text()

    stale = []
    for script in sorted(ROOT.glob("bindings/*/generate.py")):
        module = load(script)
        made = module.generate(ops, header)
        if hasattr(module, "generate_named"):
            made |= module.generate_named(named_rows(args.tileops))
        for name, text in made.items():
            path = script.parent / name
            if path.exists() and path.read_text() == text:
                continue
            stale.append(path.relative_to(ROOT))
            if not args.check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
    for path in stale:
        print(f"{path}: {'not up to date; run ./dev bindings' if args.check else 'written'}")
    return 1 if args.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
