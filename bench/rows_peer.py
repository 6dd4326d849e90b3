#!/usr/bin/env python3
"""Texts with reductions (rows_cases.py) beside a copy of the same bytes, torch eager and torch.compile, in one process, on the
same data, in turn, on a GPU; calls are recorded in a CUDA graph. (Of the CPU: rows_cpu_peer.py.) Writes JSON, and a table beside it:

    rows_peer.py --library build/release/libtileops.so --compile --output rows"""

import argparse
import json
import os
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import torch  # noqa: E402

import expr_library  # noqa: E402
import peer_library  # noqa: E402
import rows_cases  # noqa: E402

ROUNDS = 7


class Gpu:
    """Calls in a graph, as often as takes a millisecond; the median of the rounds."""

    name = torch.cuda.get_device_name() if torch.cuda.is_available() else ""

    def __init__(self):
        self.stream = torch.cuda.Stream()

    def recorded(self, run):
        with torch.cuda.stream(self.stream):
            run(self.stream.cuda_stream)
            torch.cuda.synchronize()
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            run(self.stream.cuda_stream)
            end.record()
            torch.cuda.synchronize()
            count = max(3, min(100, int(2e-3 / max(1e-6, begin.elapsed_time(end) * 1e-3))))
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=self.stream):
                for _ in range(count):
                    run(self.stream.cuda_stream)
        return graph, count

    def seconds(self, recorded):
        graph, count = recorded
        with torch.cuda.stream(self.stream):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph.replay()
            end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end) * 1e-3 / count


def copy_of(tensors, results):
    """Copies as many bytes as are read and written; of what is read alone, half as many."""
    moved = sum(t.numel() * t.element_size() for t in tensors + results)
    source, target = (torch.zeros(moved // 2 // 4, dtype=torch.float32, device=tensors[0].device) for _ in range(2))
    return moved, lambda _: target.copy_(source)


def difference(results, expected):
    most = 0.0
    for got, want in zip(results, expected if isinstance(expected, tuple) else (expected,)):
        if got.dtype == torch.int64:
            most = max(most, float((got != want).float().mean()))
            continue
        got, want = got.float(), want.float().view(got.shape)
        most = max(most, float(((got - want).abs() / (want.abs() + want.abs().mean() + 1e-30)).max()))
    return most


def measure(case, library, clock, with_compile):
    tensors = case.tensors("cuda")
    expression = expr_library.Expression(library, case.text)
    results = expression.results(tensors)
    plan = expression.plan(tensors, results)
    torch.cuda.synchronize()
    row = {"case": case.name, "dtype": case.dtype, "rows": case.rows, "columns": case.columns, "text": case.text,
           "kernel": plan.text(2), "difference": difference(results, case.torch(*tensors))}
    row["bytes"], copy = copy_of(tensors, results)
    runs = {"ours": plan.run_on, "copy": copy, "eager": lambda _: case.torch(*tensors)}
    if with_compile:
        torch._dynamo.reset()
        compiled = torch.compile(case.torch, dynamic=False)
        compiled(*tensors)
        runs["compile"] = lambda _: compiled(*tensors)
    recorded = {name: clock.recorded(run) for name, run in runs.items()}
    times = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, what in recorded.items():
            times[name].append(clock.seconds(what))
    row["seconds"] = {name: statistics.median(list_) for name, list_ in times.items()}
    plan.close()
    expression.close()
    return row


def table(found):
    lines = [f"Rows on {found['device']}, torch {found['torch']}: microseconds, the median of {ROUNDS} rounds in one process. `copy`",
             "moves as many bytes with torch's copy. Made by bench/rows_peer.py.", "",
             "| case | dtype | shape | ours | copy | eager | compile | copy / ours | best peer / ours |", "|---|---|---|---:|---:|---:|---:|---:|---:|"]
    for r in found["rows"]:
        s = r["seconds"]
        peers = [s[name] for name in ("eager", "compile") if name in s]
        cells = [f"{1e6 * s[name]:.1f}" if name in s else "-" for name in ("ours", "copy", "eager", "compile")]
        lines.append(f"| {r['case']} | {r['dtype']} | {r['rows']}x{r['columns']} | " + " | ".join(cells) +
                     f" | {s['copy'] / s['ours']:.2f} | {min(peers) / s['ours']:.2f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--cases", default="", help="of these names alone, with commas between them")
    parser.add_argument("--compile", action="store_true", help="with torch.compile")
    parser.add_argument("--seconds", type=float, default=400, help="no case begins after so many")
    parser.add_argument("--output", help="path without ending")
    options = parser.parse_args()
    begin = time.monotonic()
    clock = Gpu()
    library = peer_library.Library(options.library, 0)
    found = {"device": clock.name, "torch": torch.__version__,
             "library": library.build_info(), "rows": []}
    wanted = set(filter(None, options.cases.split(",")))
    for case in rows_cases.cases():
        if wanted and case.name not in wanted:
            continue
        if time.monotonic() - begin > options.seconds:
            print(f"rows_peer.py: no time for {case.name} {case.dtype} {case.rows}x{case.columns}", file=sys.stderr)
            continue
        try:
            row = measure(case, library, clock, options.compile)
        except RuntimeError as error:
            print(f"rows_peer.py: {case.name} {case.dtype} {case.rows}x{case.columns}: {error}", file=sys.stderr)
            continue
        found["rows"].append(row)
        print(row["case"], row["dtype"], row["rows"], row["columns"],
              {name: round(1e6 * s, 2) for name, s in row["seconds"].items()}, f"{row['difference']:.1e}", flush=True)
    if options.output:
        with open(options.output + ".json", "w", encoding="utf-8") as f:
            json.dump(found, f, indent=1)
        with open(options.output + ".md", "w", encoding="utf-8") as f:
            f.write(table(found))


if __name__ == "__main__":
    main()
