#!/usr/bin/env python3
"""Compares the library with PyTorch eager on the CPU, in one process and on the same data.

Library, torch and a copy loop of the same traffic run in turn (A/B/C/A/B/C...), so that what else
the machine does hits all of them, until the fastest time of each has been met twice within 2 percent.
Rows near a target, met or not (see near_target), are measured once more at the end, and all rounds count.
The result is the fastest of the repeats; the medians of the times and of their ratios, round by round,
are in the JSON. torch writes into memory that is there already (out=) wherever it can, and where it
cannot malloc keeps its memory, so that no page faults are timed."""

import argparse
import ctypes
import functools
import json
import os
import pathlib
import statistics
import sys
import time

try:
    import torch
except ImportError:
    print("bench/operators/peer.py: skipped, there is no torch in this Python")
    sys.exit(0)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.common import library as peer_library  # noqa: E402
from bench.operators import cases, report  # noqa: E402

START = time.monotonic()
# Seconds; shorter than the time slices of a busy machine, so that some batches run undisturbed.
BATCH = 2e-4
DTYPES = {name: dtype for dtype, name in cases.NAMES.items()}


def keep_heap():
    """malloc takes memory from the heap and never gives it back (glibc)."""
    try:
        libc = ctypes.CDLL(None)
        libc.mallopt(-4, 0)            # M_MMAP_MAX
        libc.mallopt(-1, 2**31 - 1)    # M_TRIM_THRESHOLD
    except (OSError, AttributeError):
        pass


def seconds_of(run, count):
    run()  # wakes the threads, which may have gone to sleep
    begin = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - begin) / count


def batch_size(run, seconds):
    once = min(seconds_of(run, 1) for _ in range(2))
    return max(1, int(seconds / max(once, 1e-7)))


def fastest(candidates, out):
    """Of the candidates that run, the fastest; and the first failure."""
    best, failure = None, None
    for f in candidates:
        try:
            count = batch_size(lambda: f(out), BATCH) if len(candidates) > 1 else 1
            seconds = min(seconds_of(lambda: f(out), count) for _ in range(5))
        except (RuntimeError, TypeError, NotImplementedError) as e:
            failure = str(e).splitlines()[0]
            continue
        if best is None or seconds < best[0]:
            best = seconds, f
    return (best[1] if best else None), failure


def difference(ours, theirs, exact):
    """Largest difference relative to the larger of 1 and the value; None where not comparable."""
    if not exact:
        return None
    a, b = ours.flatten()[:1 << 16].double(), theirs.flatten()[:1 << 16].double()
    same = (a == b) | (a.isnan() & b.isnan())
    delta = ((a - b).abs() / b.abs().clamp_min(1)).masked_fill_(same, 0)
    return float(delta.max()) if delta.numel() else 0.0


def confirmed(values):
    """Has the fastest time been met twice? Until then it may be that of no undisturbed run."""
    best = sorted(values)[:2]
    return not best or (len(best) == 2 and best[1] <= 1.02 * best[0])


class Runner:
    rounds = 7       # at least
    to_confirm = 30  # and as many for times that are not confirmed

    def __init__(self, library, copy, threads, budget):
        self.library, self.copy, self.threads, self.budget = library, copy, threads, budget

    def measure(self, case, before=()):
        """The row of a case, and its times, which begin with those of `before`."""
        out = case.out
        try:
            result = case.torch[-1](out)
        except (RuntimeError, TypeError, NotImplementedError) as e:
            return {"skipped": f"torch: {str(e).splitlines()[0]}"}, None
        if out is None:
            try:  # the candidates before it may give another dtype only with out=
                out = torch.zeros_like(result, memory_format=torch.contiguous_format)
            except RuntimeError as e:
                return {"skipped": str(e)}, None
        if result is out:
            result = result.clone()
        theirs, failure = fastest(case.torch, out)
        out.zero_()
        try:
            plan = self.library.plan(case.op, case.inputs, [out], case.attrs)  # both write the same memory
        except RuntimeError as e:
            return {"skipped": str(e)}, None
        row = {"difference": difference(out, result, case.exact)}
        del result
        times = self.race(case, plan, theirs, out)
        for name in before:
            times[name] = before[name] + times[name]
        row.update(summary(times, plan.bytes_moved()))
        plan.close()
        if failure:
            row["note"] = failure
        return row, times

    def race(self, case, plan, theirs, out):
        """Lists of seconds by runner, taken in turn."""
        reads = case.reads
        if reads is None:
            reads = [(t, t.element_size()) for t in case.inputs
                     if t is not None and t.numel() == out.numel()]
        traffic = self.copy.traffic(reads, out, out.element_size(), out.numel())
        runners = {"ours": self.copy.run(plan), "torch": functools.partial(theirs, out)}
        counts = {name: batch_size(run, BATCH) for name, run in runners.items()}
        variants = []
        for variant in (0, 1):
            once = self.copy.seconds(traffic, self.threads, variant, 1)
            if once:
                variants.append((variant, max(1, int(BATCH / once))))
        times = {"ours": [], "torch": [], "copy": []}
        begin = time.perf_counter()

        def goes_on(done):
            if done < self.rounds or time.perf_counter() - begin < self.budget:
                return True
            return done < self.to_confirm and not all(map(confirmed, times.values()))

        while goes_on(len(times["ours"])):
            for name, run in runners.items():
                times[name].append(seconds_of(run, counts[name]))
                self.rest()
            each = [self.copy.seconds(traffic, self.threads, v, n) for v, n in variants]
            if each:
                times["copy"].append(min(each))
        return times

    def rest(self):
        # Threads of OpenMP and TBB spin for a while after their work; not into the next one's time.
        if self.threads > 1:
            time.sleep(0.003)


def paired(others, ours):
    """Median over the rounds: where a machine's memory changes its speed for a while, both of a round have had it."""
    return statistics.median(other / own for other, own in zip(others, ours))


def summary(times, bytes_moved):
    row = {}
    for name, values in times.items():
        if values:
            row[name + "_us"] = min(values) * 1e6
            row[name + "_median_us"] = statistics.median(values) * 1e6
    row["speedup"] = row["torch_us"] / row["ours_us"]
    row["speedup_median"] = row["torch_median_us"] / row["ours_median_us"]
    row["bytes"] = bytes_moved
    row["gb_s"] = bytes_moved / row["ours_us"] * 1e-3
    row["speedup_paired"] = paired(times["torch"], times["ours"])
    if "copy_us" in row:
        row["percent_of_copy"] = 100 * row["copy_us"] / row["ours_us"]
        row["percent_of_copy_paired"] = 100 * paired(times["copy"], times["ours"])
    row["repeats"] = len(times["ours"])
    return row


def near_target(row, n):
    """The targets are PyTorch's speed and, from 4 Mi elements on, where the memory is the bound, 90 % of the copy's;
    what does not reach 70 % has another bound."""
    return row.get("speedup", 2) < 1.03 or (n >= 1 << 22 and 70 <= row.get("percent_of_copy", 100) < 93)


def spent(options):
    return options.budget and time.monotonic() - START > options.budget


def parse_config(text):
    """"64Ki@1": elements and threads."""
    size, _, threads = text.partition("@")
    units = {"Ki": 1 << 10, "Mi": 1 << 20}
    n = int(size[:-2]) * units[size[-2:]] if size[-2:] in units else int(size)
    return n, size, int(threads or 1)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def run_config(options, n, size, threads, rows):
    """Returns the library's description, and what measures the rows near a target again."""
    torch.set_num_threads(threads)
    library = peer_library.Library(options.library, threads)
    copy = peer_library.CopyLoop(options.copy_library)
    runner = Runner(library, copy, threads, options.seconds)
    names = set(options.ops.split(",")) if options.ops else None
    dtypes = [DTYPES[d] for d in options.dtypes.split(",")]
    todo = list(cases.cases(n, dtypes, lambda op: names is None or op in names))
    measured = []  # what makes the cases, and of each the row and its times
    for done, (op, dtype, make) in enumerate(todo):
        if make is None:
            rows.append({"op": op, "dtype": "", "size": size, "threads": threads,
                         "skipped": "torch has no equivalent"})
            continue
        if spent(options):
            rows.append({"op": op, "dtype": cases.NAMES[dtype], "size": size, "threads": threads,
                         "skipped": f"the budget of {options.budget:g} s was spent"})
            continue
        progress(f"{size} on {threads} threads: {done}/{len(todo)} {op} {cases.NAMES[dtype]}")
        measured.append((make, {}))
        for case in make():
            row = {"op": case.name, "dtype": case.dtype, "size": size, "threads": threads}
            found, times = runner.measure(case)
            row.update(found)
            rows.append(row)
            measured[-1][1][case.name] = row, times
    progress("")

    def again():
        torch.set_num_threads(threads)
        for make, found in measured:
            near = {name: both for name, both in found.items() if near_target(both[0], n)}
            if not near or spent(options):
                continue
            for case in make():
                if case.name not in near:
                    continue
                row, times = near[case.name]
                progress(f"{size} on {threads} threads: {case.name} {case.dtype} again")
                found_again, all_times = runner.measure(case, times)
                if all_times:
                    differences = [r["difference"] for r in (row, found_again) if r["difference"] is not None]
                    row.update(found_again, again=True, difference=max(differences, default=None))
        progress("")

    return library.build_info(), again


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, help="libtileops.so")
    parser.add_argument("--copy-library", help="libtileops_copy.so (built beside the benchmark)")
    parser.add_argument("--configs", default=f"64Ki@1,16Mi@{os.cpu_count()}",
                        help="elements@threads, ... (default %(default)s)")
    parser.add_argument("--dtypes", default="f32,bf16,f16,i32,bool")
    parser.add_argument("--ops", help="names, ...; `layouts` for the broadcast cases")
    parser.add_argument("--seconds", type=float, default=0.3, help="time for each row, if that confirms it")
    parser.add_argument("--budget", type=float, help="seconds after which the other rows are left out, and listed")
    parser.add_argument("--json", help="write the rows to this file")
    parser.add_argument("--table", help="write the table here as well")
    options = parser.parse_args()
    keep_heap()
    torch.manual_seed(1)
    rows, info, later = [], "", []
    with torch.inference_mode():
        for config in options.configs.split(","):
            info, again = run_config(options, *parse_config(config), rows)
            later.append(again)
        for again in later:
            again()
    result = {"torch": torch.__version__, "torch_isa": torch.backends.cpu.get_cpu_capability(), "library": info, "rows": rows}
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump(result, f, indent=1)
    text = report.peer_text(rows)
    if options.table:
        with open(options.table, "w", encoding="utf-8") as f:
            f.write(text)
    print(text, end="")


if __name__ == "__main__":
    main()
