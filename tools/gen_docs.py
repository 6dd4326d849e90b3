#!/usr/bin/env python3
"""Writes docs/operators.md and the generated regions of the documents; with --check, fails if they are not up to date.

A region stands between `<!-- begin:NAME -->` and `<!-- end:NAME -->`. README.md:
  rows_example, example, expression   demo/rows.cc, demo/example.c, demo/expression.c
  speed       bench/results: a line for each machine and kind of kernels, with the plots of rows
docs/api.md:
  expression_cxx        demo/expression.cc
docs/engines.md:
  serve       demo/serve.c
  pool        demo/pool.c
docs/expressions.md:
  names       include/tileops/expressions.def, and what the command says of results
docs/performance.md:
  cpu         bench/results/*.json, one row per machine, size, threads and dtype
  gpu         bench/results/gpu/*.json, one row per group, with their plots
  expressions bench/results/*-expressions.json and the rows of expressions in bench/results/gpu/*.json, with their plots
  rows        bench/results/rows/*.json of CPUs
  model       bench/results/model/*.json
  plots       links to the plots of all these, and to the reports of earlier kernels
Results that were measured with other kernels than the tree's are left out: a change of a kernel takes its tables out of the
documents (`./dev docs`), until it is measured anew.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

import functions
import named_shapes
from op_details import markdown_lines

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from bench import speed_region  # noqa: E402
from bench.common import sources  # noqa: E402
from bench.decoder import report as decoder_report  # noqa: E402
from bench.expressions import region as expr_region  # noqa: E402
from bench.gpu import region, tables  # noqa: E402
from bench.rows import gpu_report as rows_gpu_report, report as rows_report  # noqa: E402

RESULTS = ROOT / "bench/results"
HEAD = """# Operators

<!-- Written by `./dev docs` from the operator table; do not edit. -->

`float`: float16, bfloat16, float32, float64, float8_e4m3fn, float8_e5m2. `int`: int8 to int64, uint8 to uint64. `scale`:
float8_e8m0fnu, the scales of block-scaled formats, for `cast` alone. `packed`: float4_e2m1fn, two elements in a byte, for `cast`
and [expressions](expressions.md). `?` marks an optional operand or attribute.

Dtypes of operands are promoted by PyTorch's rules; the output may have any dtype (that of alibi and sinusoidal any float
dtype). Every operator whose result may be float8 takes `fp8_overflow` = saturate (default for e4m3fn) or nonsaturating
(default for e5m2).

"""
DETAILS = """
The rest of this page is what `tileops ops NAME` prints and `tileops_op_describe` gives as `details`. Shapes are in row-major
order. Functions that only expressions have are in [expressions.md](expressions.md#functions)."""


def program(file, language):
    return f"```{language}\n" + (ROOT / "demo" / file).read_text().rstrip() + "\n```"


def rows_example():
    return program("rows.cc", "cpp")


def example():
    return program("example.c", "c")


def expression():
    return program("expression.c", "c")


def expression_cxx():
    return program("expression.cc", "cpp")


def serve():
    return program("serve.c", "c")


def pool():
    return program("pool.c", "c")


def optimiser():
    return program("optimiser.c", "c")


def graph():
    return program("graph.c", "c")


def every_result(folder):
    """(result, name of the file), of a folder's JSON files."""
    return [(json.loads(p.read_text()), p.stem) for p in sorted(folder.glob("*.json"))]


def results(folder):
    """Those that were measured with the kernels of this tree: the documents show no others."""
    return [(result, stem) for result, stem in every_result(folder) if sources.is_current(result)]


def images(folder, files):
    """Those that are there, as seen from docs."""
    found = [f"![{text}](../bench/results/{folder}/{name})" for name, text in files if (RESULTS / folder / name).exists()]
    return "".join(f"\n\n{image}" for image in found)


def speed():
    found = [pair for folder in ("gpu", "rows", ".") for pair in results(RESULTS / folder)]
    plots = images("rows", [(f"{stem}-bf16.png", f"bytes a second over the length of rows, {result['machine']['gpu']}")
                            for result, stem in results(RESULTS / "rows") if "gpu" in result["machine"]])
    return speed_region.short([result for result, _ in found]) + plots.replace("](../", "](")


def cpu():
    found = results(RESULTS)
    return speed_region.every([result for result, _ in found], [stem for _, stem in found])


def gpu():
    found = [region.gpu(result, stem) + images("gpu", [(f"{stem}-sizes.png", "bandwidth over size"),
                                                       (f"{stem}-peers-bf16.png", "times as fast as PyTorch eager, bfloat16")])
             for result, stem in results(RESULTS / "gpu") if tables.measured(result)]
    return "\n\n".join(found) or speed_region.NONE


def expressions():
    parts = [expr_region.gpu(result, stem) for result, stem in results(RESULTS / "gpu")]
    parts.append(expr_region.cpu(results(RESULTS)))
    return "\n\n".join(p.rstrip() for p in parts if p) or speed_region.NONE


def rows():
    return rows_report.region(results(RESULTS / "rows")).rstrip() or speed_region.NONE


def rows_gpu():
    return rows_gpu_report.region(results(RESULTS / "rows")).rstrip() or speed_region.NONE


def model():
    return "\n\n".join(decoder_report.table(result).rstrip() for result, _ in results(RESULTS / "model")) or speed_region.NONE


def plots():
    """A line for each result of these kernels, a link for each of its plots; then the reports of earlier ones."""
    folders = [f for f in (RESULTS, *sorted(RESULTS.iterdir())) if f.is_dir()]
    now, before = [], []
    for folder in folders:
        stems = {stem: sources.is_current(result) for result, stem in every_result(folder)}
        found = {stem: [] for stem in stems}
        for plot in sorted(folder.glob("*.png")):  # a plot belongs to the longest name that its own begins with
            owner = max((stem for stem in stems if plot.name.startswith(f"{stem}-")), key=len)
            found[owner].append((plot.stem[len(owner) + 1:], plot.relative_to(ROOT)))
        for stem, current in stems.items():
            links = ", ".join(f"[{name}](../{path})" for name, path in found[stem])
            if current and links:
                now.append(f"- {stem}: {links}.")
            elif not current:
                before.append(f"[{stem}](../{(folder / stem).relative_to(ROOT)}.md)")
    parts = ["\n".join(now)] if now else []
    if before:
        parts.append("Reports of earlier kernels, each with its commit: " + ", ".join(before) + ".")
    return "\n\n".join(parts)


def tileops_ops(tileops, form):
    return subprocess.run([tileops, "ops", form], check=True, capture_output=True, text=True).stdout


def operators(tileops):
    """docs/operators.md: the table of all operators, and the long documentation of each."""
    table = re.sub(r"^\| `(\w+)` \|", r"| [`\1`](#\1) |", tileops_ops(tileops, "--markdown").strip(), flags=re.M)
    lines = [HEAD + table, DETAILS]
    category = None
    for op in json.loads(tileops_ops(tileops, "--json")):
        if op["category"] != category:
            category = op["category"]
            lines += ["", f"## {category}"]
        ins, outs = ([o["name"] + "?" * o["optional"] for o in op[side]] for side in ("inputs", "outputs"))
        signature = " ".join([*ins, "->", *outs])
        lines += ["", f"### {op['name']}", "", f"`{signature}`", "", *markdown_lines(op["doc"] + "."), ""]
        lines += markdown_lines(op["details"], 100)
    return "\n".join(lines) + "\n"


def names(tileops):
    """A table for each file of named expressions: what each is, and its shapes."""
    lines, labels = [], named_shapes.dtypes()
    for stem, rows in functions.named_expressions().items():
        title = "Pointwise" if stem == "expressions" else stem.capitalize()
        lines += ["", f"### {title}", "", "| name | what it is | operands and results |", "|---|---|---|"]
        for name, text, doc in rows:
            lines.append(f"| `{name}` | {doc} | `{named_shapes.of(tileops, name, text, labels)}` |")
    return "\n".join(lines[1:])


REGIONS = {
    "README.md": (rows_example, example, expression, speed),
    "docs/api.md": (expression_cxx,),
    "docs/engines.md": (serve, pool, optimiser, graph),
    "docs/expressions.md": (names,),
    "docs/performance.md": (cpu, gpu, expressions, rows_gpu, rows, model, plots),
}


def with_regions(name, text, tileops):
    """The document with its regions made anew."""
    for function in REGIONS[name]:
        begin, end = (f"<!-- {side}:{function.__name__} -->" for side in ("begin", "end"))
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
        if not pattern.search(text):
            sys.exit(f"{name} has no region {function.__name__}")
        made = function(tileops) if function is names else function()
        text = pattern.sub(lambda _m: f"{begin}\n{made}\n{end}", text)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if out of date")
    parser.add_argument("--tileops", default=str(ROOT / "build/release/src/cli/tileops"), help="the command")
    args = parser.parse_args()
    stale = False
    for name in (*REGIONS, "docs/operators.md"):
        path = ROOT / name
        before = path.read_text() if path.exists() else ""
        text = with_regions(name, before, args.tileops) if name in REGIONS else operators(args.tileops)
        if before == text:
            print(f"{name} is up to date")
        elif args.check:
            stale = True
            print(f"{name} is out of date: run ./dev docs")
        else:
            path.write_text(text)
            print(f"{name} written")
    if stale:
        sys.exit(1)


if __name__ == "__main__":
    main()
