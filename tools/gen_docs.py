#!/usr/bin/env python3
"""Writes docs/operators.md and the generated regions of README.md; with --check, fails if they are
not up to date.

A region stands between `<!-- begin:NAME -->` and `<!-- end:NAME -->`:
  example, expression, expression_cxx   demo/example.c, demo/expression.c, demo/expression.cc
  ops       `tileops ops --markdown`
  accuracy  tests/accuracy/results/cpu.json, one row per dtype and category
  gpu       bench/results/gpu/*.json, one row per group; not due for a new run when kernels have changed:
            it says so, and --check tells of it without failing
  expressions  bench/results/*-expressions.json and the rows of expressions in bench/results/gpu/*.json, with their plots
  speed     bench/results/*.json, one row per machine, size, threads and dtype
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys

from op_details import markdown_lines

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "bench"), str(ROOT / "bench/gpu")]
import expr_region  # noqa: E402
import region  # noqa: E402
import tables  # noqa: E402


def program(file, language):
    return f"```{language}\n" + (ROOT / "demo" / file).read_text().rstrip() + "\n```"


def example(_args):
    return program("example.c", "c")


def expression(_args):
    return program("expression.c", "c")


def expression_cxx(_args):
    return program("expression.cc", "cpp")


def ops(args):
    done = subprocess.run([args.tileops, "ops", "--markdown"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def operators(args):
    """docs/operators.md: the long documentation of every operator."""
    done = subprocess.run([args.tileops, "ops", "--json"], check=True, capture_output=True, text=True)
    lines = ["# Operators", "", "<!-- Written by `./dev docs` from the operator table; do not edit. -->", "",
             "What `tileops ops NAME` prints and `tileops_op_describe` gives as `details`. Shapes are in row-major",
             "order; `?` marks an optional operand."]
    category = None
    for op in json.loads(done.stdout):
        if op["category"] != category:
            category = op["category"]
            lines += ["", f"## {category}"]
        ins, outs = ([o["name"] + "?" * o["optional"] for o in op[side]] for side in ("inputs", "outputs"))
        signature = " ".join([*ins, "->", *outs])
        lines += ["", f"### {op['name']}", "", f"`{signature}`", "", *markdown_lines(op["doc"] + "."), ""]
        lines += markdown_lines(op["details"], 100)
    return "\n".join(lines) + "\n"


def categories():
    """Category of each operator, from the op table."""
    found = {}
    for path in sorted((ROOT / "include/tileops/ops").glob("*.def")):
        for match in re.finditer(r"TILEOPS_OP\(\d+, \w+, (\w+), (\w+),", path.read_text()):
            found[match[1]] = match[2]
    return found


def accuracy(_args):
    path = ROOT / "tests/accuracy/results/cpu.json"
    if not path.exists():
        return "(not measured yet)"
    category = categories()
    groups = {}
    for row in json.loads(path.read_text())["rows"]:
        kind = category.get(row["op"].split("(")[0], "other")
        groups.setdefault((row["dtype"], kind), []).append(row)
    lines = ["| dtype | operators | results | not correctly rounded | worst error, ulp |",
             "|---|---|---:|---:|---|"]
    for dtype in ("e4m3fn", "e5m2", "f16", "bf16", "f32", "f64"):
        for kind in ("unary_math", "activation", "binary_arith", "fused_gated"):
            rows = groups.get((dtype, kind), [])
            if not rows:
                continue
            worst = max(rows, key=lambda r: float(r["max_ulp"]))
            lines.append(f"| {dtype} | {kind} | {sum(r['inputs'] for r in rows):,} | "
                         f"{sum(r['differing'] for r in rows):,} | "
                         f"{float(worst['max_ulp']):.3g} ({worst['op']}) |")
    return "\n".join(lines)


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def speed(_args):
    lines = ["| machine | elements | threads | dtype | rows | geomean | below 1.0x | slowest | fastest |",
             "|---|---:|---:|---|---:|---:|---:|---|---|"]
    results = [json.loads(path.read_text()) for path in (ROOT / "bench/results").glob("*.json")]
    listed = set()  # a machine's rows on one thread: of its run with the fewest threads
    for data in sorted(results, key=lambda d: (d["machine"]["cpu"], d["threads"])):
        groups = {}
        for row in data.get("torch_peer", []):
            if row.get("speedup"):
                groups.setdefault((row["size"], row["threads"], row["dtype"]), []).append(row)
        for (size, threads, dtype), group in sorted(groups.items()):
            key = data["machine"]["cpu"], size, threads, dtype
            if key in listed:
                continue
            listed.add(key)
            low, high = (f(group, key=lambda r: r["speedup"]) for f in (min, max))
            slower = sum(r["speedup"] < 1 for r in group)
            lines.append(f"| {data['machine']['cpu']} | {size} | {threads} | {dtype} | {len(group)} | "
                         f"{geomean([r['speedup'] for r in group]):.2f}x | {slower} | "
                         f"{low['speedup']:.2f}x {low['op']} | {high['speedup']:.0f}x {high['op']} |")
    if len(lines) == 2:
        return "(not measured yet)"
    names = ", ".join(f"[{p.stem}](bench/results/{p.name})"
                      for p in sorted((ROOT / "bench/results").glob("*.md")) if not p.stem.endswith("-expressions"))
    return "\n".join(lines) + f"\n\nEvery row, the slowest first: {names}."


def gpu(_args):
    return "\n\n".join(region.readme(r, stem) for r, stem in results("bench/results/gpu") if tables.measured(r)) or "(not measured yet)"


def results(folder):
    """(result, name of the file), of a folder's JSON files."""
    return [(json.loads(p.read_text()), p.stem) for p in sorted((ROOT / folder).glob("*.json"))]


def expressions(_args):
    parts = [expr_region.gpu(result, stem) for result, stem in results("bench/results/gpu")]
    parts.append(expr_region.cpu(results("bench/results")))
    return "\n\n".join(p.rstrip() for p in parts if p) or "(not measured yet)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if out of date")
    parser.add_argument("--tileops", default=str(ROOT / "build/release/src/cli/tileops"), help="the command")
    args = parser.parse_args()
    readme = ROOT / "README.md"
    old = readme.read_text()
    new = old
    for name in ("example", "expression", "expression_cxx", "gpu", "expressions", "ops", "accuracy", "speed"):
        begin, end = f"<!-- begin:{name} -->", f"<!-- end:{name} -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
        if not pattern.search(new):
            sys.exit(f"README.md has no region {name}")
        text = globals()[name](args)
        new = pattern.sub(lambda _m, t=text: f"{begin}\n{t}\n{end}", new)
    stale = False
    listing = ROOT / "docs/operators.md"
    for path, before, text in ((readme, old, new),
                               (listing, listing.read_text() if listing.exists() else "", operators(args))):
        name = path.relative_to(ROOT)
        if before == text:
            print(f"{name} is up to date")
        elif args.check and region.drop_stale(before) == region.drop_stale(text):
            print(f"{name} is up to date, but for whether the GPU results are of these kernels")
        elif args.check:
            stale = True
            print(f"{name} is out of date: run ./dev docs")
        else:
            path.write_text(text)
            print(f"{name} written")
    if region.STALE in new:
        print("note: the results in bench/results/gpu are of other kernels than this tree's (bench/gpu/run.py)")
    if stale:
        sys.exit(1)


if __name__ == "__main__":
    main()
