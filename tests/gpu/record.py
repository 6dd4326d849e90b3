#!/usr/bin/env python3
"""Records what the accuracy programs of this folder printed in tests/accuracy/results/gpu.json, from
which `./dev accuracy --report-only` makes the GPU part of docs/accuracy.md.

usage: record.py --machine TEXT --date YYYY-MM-DD --commit HASH [--note TEXT]... FILE...

FILE: output of tileops_gpu_exhaustive, f32_errors, f64_errors and form_errors, in any order. Of programs that are not
among them the earlier figures stay, and a note has to say of which commit they are.
"""

import argparse
import json
import pathlib
import re

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "accuracy" / "results" / "gpu.json"
FORM = re.compile(r"^(.+?) +(bf16|f16) +bound +(\d+) +error +(\S+) at (\w+) +needed +(\d+) at (\w+) +"
                  r"wrongly rounded +(\d+) +rare +(\d+)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    for option in ("machine", "date", "commit"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--note", action="append", default=[])
    args = parser.parse_args()
    found = {"f32_errors": [], "inner_errors": [], "f64_errors": [], "differences": [], "forms": []}
    for file in args.files:
        for line in file.read_text().splitlines():
            if line.startswith("{"):
                row = json.loads(line)
                errors = "f64_errors" if row["dtype"] == "float64" else "f32_errors"
                found["inner_errors" if "worst_2^-20" in row else errors if "worst_ulp" in row else "differences"].append(row)
            elif form := FORM.match(line):
                name, dtype, bound, error, at, needed, _, wrong, rare = form.groups()
                found["forms"].append({"form": name, "dtype": dtype, "bound": int(bound),
                                       "error_ulp": None if error == "inf" else float(error), "at": at,
                                       "needed": int(needed), "wrongly_rounded": int(wrong), "rare": int(rare)})
    earlier = json.loads(RESULTS.read_text())
    found = {key: rows or earlier.get(key, []) for key, rows in found.items()}
    about = {"machine": args.machine, "date": args.date, "commit": args.commit, "notes": args.note}
    lines = [f' "about": {json.dumps(about)}']
    for key, rows in found.items():
        lines.append(f' "{key}": [\n' + ",\n".join("  " + json.dumps(row) for row in rows) + "\n ]")
    RESULTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
