#!/usr/bin/env python3
"""Texts with reductions on the CPU (bench/rows/cpu_cases.py) beside torch eager, torch.compile and the copy loop, in one process,
on the same data, in turn, until the fastest time of each has been met twice (bench/expressions/peer.py). The copy moves as many bytes, of
which half are written."""

import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import torch  # noqa: E402

from bench.common import library as peer_library  # noqa: E402
from bench.expressions import library as expr_library  # noqa: E402
from bench.expressions.peer import TimedCopy, compiled, race  # noqa: E402
from bench.operators import peer as torch_peer  # noqa: E402
from bench.rows import cpu_cases  # noqa: E402
from bench.rows.tensors import DTYPES, differences, nbytes  # noqa: E402

START = time.monotonic()


class Copy(TimedCopy):
    """Of so many bytes, as float32, of which half are written."""

    def __init__(self, copy, moved, threads):
        n = max(64, moved // 8)
        source, target = torch.zeros(n), torch.zeros(n)
        self.keep, self.bytes = (source, target), 8 * n
        super().__init__(copy, copy.traffic([(source, 4)], target, 4, n), threads)


def measure(case, rows, columns, dtype, library, copy_library, threads, options):
    tensors = case.tensors(rows, columns, DTYPES[dtype])
    function = case.function(tensors)
    expression = expr_library.Expression(library, case.text)
    results = expression.results(tensors)
    plan = expression.plan(tensors, results)
    found = list(differences(results, function(*tensors)))
    row = {"difference": max(d for d, _ in found), "text": case.text, "kernel": plan.text(2),
           "bytes": nbytes(tensors + results)}
    if not all(allowed for _, allowed in found):
        return {"skipped": f"differs from torch by {row['difference']:.3g}"}
    runners = {"ours": plan.run, "torch": lambda: function(*tensors)}
    if options.compile and options.budget and time.monotonic() - START > options.budget / 2:
        row["compile_note"] = "half of the budget was spent"
    elif options.compile:
        try:
            run = compiled(function, tensors)
            run()
            runners["compile"] = run
        except Exception as e:  # whatever a compiler throws is a row that the peer does not have
            row["compile_note"] = (str(e).strip().splitlines() or [type(e).__name__])[0][:160]
    copy = Copy(copy_library, row["bytes"], threads)
    times = race(runners, copy, threads, options.seconds)
    for name, values in times.items():
        row[name + "_us"], row[name + "_median_us"] = min(values) * 1e6, statistics.median(values) * 1e6
        if name != "ours":
            row[name + "_paired"] = torch_peer.paired(values, times["ours"])
    row["gb_s"], row["rounds"] = row["bytes"] / row["ours_us"] * 1e-3, len(times["ours"])
    if "copy_us" in row:
        row["percent_of_copy"] = 100 * row["copy_us"] / row["ours_us"] * row["bytes"] / copy.bytes
    plan.close()
    expression.close()
    return row


def first_uses(library):
    """Of each text, one row of 4096 and one thread: parsing, planning without the plan cache, the first execute."""
    found = []
    for case in cpu_cases.CASES:
        for dtype in DTYPES:
            rows = 4 if case.shape is not cpu_cases.of_rows else 1
            tensors = case.tensors(rows, 4096, DTYPES[dtype])
            expression = expr_library.Expression(library, case.text)
            results = expression.results(tensors)
            expression.close()
            times = [expr_library.first_use(library, case.text, tensors, results) for _ in range(40)]
            parts = {f"{name}_us": statistics.median(t[i] for t in times) * 1e6
                     for i, name in enumerate(("parse", "plan", "execute"))}
            found.append({"op": case.name, "dtype": dtype, **parts})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="libtileops.so")
    parser.add_argument("--copy-library", help="libtileops_copy.so (built beside the benchmark)")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--in-cache", action="store_true", help="small rows on one thread, and first uses, as well")
    parser.add_argument("--dtypes", default="f32,bf16")
    parser.add_argument("--ops", help="only these cases")
    parser.add_argument("--shapes", help="only these, such as 16x4096,4096x4096")
    parser.add_argument("--seconds", type=float, default=0.2, help="time for each row, if that confirms it")
    parser.add_argument("--budget", type=float, help="seconds after which the other rows are left out, and listed; after half of it, torch.compile")
    parser.add_argument("--no-compile", dest="compile", action="store_false", help="no torch.compile")
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    torch_peer.keep_heap()
    torch.manual_seed(1)
    wanted = set(options.ops.split(",")) if options.ops else None
    shapes = set(options.shapes.split(",")) if options.shapes else None
    copy = peer_library.CopyLoop(options.copy_library)
    libraries, rows = {}, []
    with tempfile.TemporaryDirectory() as folder, torch.inference_mode():
        # Compilers' caches, that only this run has seen.
        os.environ.update(TORCHINDUCTOR_CACHE_DIR=os.path.join(folder, "inductor"), TORCHINDUCTOR_COMPILE_THREADS="1")
        for case, n, columns, threads in cpu_cases.plan_of(options.threads, options.in_cache):
            shape = f"{n}x{columns}"
            if (wanted and case.name not in wanted) or (shapes and shape not in shapes):
                continue
            if threads not in libraries:
                libraries[threads] = peer_library.Library(options.library, threads)
            library = libraries[threads]
            torch.set_num_threads(threads)
            for dtype in options.dtypes.split(","):
                row = {"op": case.name, "dtype": dtype, "shape": shape, "rows": n, "columns": columns, "threads": threads}
                if options.budget and time.monotonic() - START > options.budget:
                    rows.append({**row, "skipped": f"the budget of {options.budget:g} s was spent"})
                    continue
                try:
                    row.update(measure(case, n, columns, dtype, library, copy, threads, options))
                except Exception as e:  # a row loses itself alone
                    row["skipped"] = (str(e).strip().splitlines() or [type(e).__name__])[0][:200]
                rows.append(row)
                shown = [f"{name} {row[name + '_us']:.1f}" for name in ("ours", "copy", "torch", "compile") if name + "_us" in row]
                print(case.name, dtype, shape, f"@{threads}", *shown, row.get("skipped", ""), file=sys.stderr, flush=True)
        first = first_uses(peer_library.Library(options.library, 1, keep_workspace=True)) if options.in_cache else []
    result = {"torch": torch.__version__, "torch_isa": torch.backends.cpu.get_cpu_capability(),
              "library": next(iter(libraries.values())).build_info(), "first_use": first, "rows": rows}
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump(result, f, indent=1)


if __name__ == "__main__":
    main()
