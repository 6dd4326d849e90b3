#!/usr/bin/env python3
"""Chains of operators on the CPU: as an expression of the library, as its operators one call after the other, with
torch eager, torch.compile, numexpr and MLX, and a copy loop of the same traffic; in one process, on the same data,
in turn.

What torch and MLX return is memory of their own; malloc keeps its memory, so that no page faults are timed. Results
are compared with torch's in more precision before anything is timed (bench/expressions/instance.py). Peers that are not installed
are left out, and the result says so."""

import argparse
import functools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import torch  # noqa: E402

from bench.common import library as peer_library  # noqa: E402
from bench.expressions import chains, library as expr_library, peers  # noqa: E402
from bench.expressions.instance import DTYPES, LAYOUTS, PEER_TOLERANCE, Instance, differences, tuple_of  # noqa: E402
from bench.operators import peer as torch_peer  # noqa: E402
from bench.operators.peer import confirmed, parse_config, seconds_of  # noqa: E402

START = time.monotonic()
ROUNDS, TO_CONFIRM = 5, 20  # at least; and as many for times that have not been met twice


def instances(options, n):
    wanted = set(options.ops.split(",")) if options.ops else None
    for dtype in options.dtypes.split(","):
        for chain in chains.CHAINS:
            if dtype in chain.dtypes and (wanted is None or chain.name in wanted):
                yield Instance(chain, dtype, n)
        for name, variant, operands in LAYOUTS:
            if dtype in ("f32", "bf16") and (wanted is None or name in wanted):
                yield Instance(chains.by_name(name), dtype, n, variant, operands)


def compiled(function, tensors, row=None):
    from torch._inductor import metrics

    torch._dynamo.reset()
    metrics.reset()
    f = torch.compile(function, dynamic=False)
    f(*tensors)
    if row is not None:
        row["compile_kernels"] = metrics.generated_kernel_count
    return functools.partial(f, *tensors)


class TimedCopy:
    """The copy loop on a traffic, in both ways to store; the faster counts. Without a traffic there is nothing to time."""

    def __init__(self, copy, traffic, threads):
        self.copy, self.traffic, self.threads, self.variants = copy, traffic, threads, []
        for variant in (0, 1) if traffic else ():
            once = copy.seconds(traffic, threads, variant, 1)
            if once:
                self.variants.append((variant, max(1, int(torch_peer.BATCH / once))))

    def seconds(self):
        return min(self.copy.seconds(self.traffic, self.threads, v, n) for v, n in self.variants)


class Copy(TimedCopy):
    """The copy loop of one row."""

    def __init__(self, copy, one, results, threads):
        into = [torch.empty_like(r) for r in results]
        reads, writes, self.elements = one.traffic(into)
        self.bytes = self.elements * sum(size for _, size in reads + writes)
        self.keep = into
        traffic = None
        if len(reads) <= 4 and len(writes) <= 3:
            traffic = copy.traffic(reads, writes[0][0], writes[0][1], self.elements, writes[1:])
        super().__init__(copy, traffic, threads)


def race(runners, copy, threads, seconds):
    """Lists of seconds by runner, taken in turn."""
    counts = {name: torch_peer.batch_size(run, torch_peer.BATCH) for name, run in runners.items()}
    times = {name: [] for name in (*runners, *(["copy"] if copy.variants else []))}
    begin = time.perf_counter()

    def goes_on(done):
        if done < ROUNDS or time.perf_counter() - begin < seconds:
            return True
        return (
            done < TO_CONFIRM and time.perf_counter() - begin < 8 * seconds and not all(map(confirmed, times.values()))
        )

    while goes_on(len(times["ours"])):
        for name, run in runners.items():
            times[name].append(seconds_of(run, counts[name]))
            if threads > 1:  # threads of OpenMP and TBB spin for a while after their work; not into the next one's time
                time.sleep(0.003)
        if copy.variants:
            times["copy"].append(copy.seconds())
    return times


def measure(one, library, copy_library, threads, seconds, with_compile):
    one.fill()
    expression = one.expression(library)
    results = expression.results(one.tensors)
    plan = expression.plan(one.tensors, results, one.chain.scalars)
    expected = one.expected(results)
    largest, share = differences(results, expected)
    if not share <= 1:
        return {"skipped": f"the result is wrong: differs by {largest:.3g}, {share:.3g} times what is allowed"}
    row = {
        "difference": largest,
        "light": one.chain.light,
        "text": one.chain.known_text,
        "operators": expression.num_nodes,
        "steps": one.chain.num_steps,
        "bytes": plan.bytes_moved(),
        "kernel": plan.text(2),
        "strategy": plan.text(3),
    }
    runners, notes = {"ours": plan.run}, {}
    unfused = None
    try:
        unfused = expr_library.Unfused(library, one.chain.steps, one.operands)
        runners["unfused"], row["unfused_bytes"] = unfused.run, unfused.bytes_moved()
    except RuntimeError as e:
        notes["unfused"] = str(e).splitlines()[0]
    function = one.function(results)
    makers = {
        "torch": lambda: functools.partial(function, *one.tensors),
        "compile": (lambda: compiled(function, one.tensors, row)) if with_compile else None,
        "numexpr": lambda: peers.numexpr_runner(one, results, threads),
        "mlx": lambda: peers.mlx_runner(one),
    }
    for name, make in makers.items():
        if make is None:
            continue
        try:
            made = make()
            if made is None:  # the peer is not there, or has no such chain
                continue
            run, read = made if isinstance(made, tuple) else (made, tuple_of)
            found = read(run())
            if name in ("torch", "compile") and [f.dtype for f in found] != [r.dtype for r in results]:
                notes[name] = f"its results are of {', '.join(str(f.dtype) for f in found)}"
                continue
            if one.comparable:
                _, share = differences(
                    [f.to(r.dtype) if f.dtype != r.dtype else f for f, r in zip(found, results)], expected
                )
                if not share <= PEER_TOLERANCE:
                    notes[name] = f"its results differ by {share:.3g} times the rounding"
                    continue
            runners[name] = run
        except Exception as e:  # whatever a compiler throws is a row that the peer does not have
            notes[name] = (str(e).strip().splitlines() or [type(e).__name__])[0][:160]
    del expected
    copy = Copy(copy_library, one, results, threads)
    times = race(runners, copy, threads, seconds)
    for name, values in times.items():
        row[name + "_us"], row[name + "_median_us"] = min(values) * 1e6, statistics.median(values) * 1e6
        if name != "ours":
            row[name + "_paired"] = torch_peer.paired(values, times["ours"])
    row["gb_s"], row["rounds"] = row["bytes"] / row["ours_us"] * 1e-3, len(times["ours"])
    if "copy_us" in row:
        row["copy_bytes"] = copy.bytes
        rate = row["bytes"] / copy.bytes  # operands that are broadcast are in ours alone
        row["percent_of_copy"] = 100 * rate * row["copy_us"] / row["ours_us"]
        row["percent_of_copy_paired"] = 100 * rate * row["copy_paired"]
    row.update({f"{name}_note": text for name, text in notes.items()})
    plan.close()
    if unfused:
        unfused.close()
    expression.close()
    return row


def warm(options):
    """torch.compile of every n-th row, for its cache on disk."""
    number, of = map(int, options.warm.split("/"))
    library = peer_library.Library(options.library, 1)
    at = 0
    for config in options.configs.split(","):
        n, _, threads = parse_config(config)
        torch.set_num_threads(threads)
        for one in instances(options, n):
            at += 1
            if at % of != number or options.budget and time.monotonic() - START > options.budget / 2:
                continue
            try:
                one.fill()
                compiled(one.function(one.expression(library).results(one.tensors)), one.tensors)
            except Exception:  # the row itself says so later
                pass


def run_config(options, config, rows):
    n, size, threads = parse_config(config)
    torch.set_num_threads(threads)
    library = peer_library.Library(options.library, threads)
    copy = peer_library.CopyLoop(options.copy_library)
    for one in instances(options, n):
        row = {"op": one.name, "dtype": one.dtype, "size": size, "threads": threads}
        if options.budget and time.monotonic() - START > options.budget:
            rows.append({**row, "skipped": f"the budget of {options.budget:g} s was spent"})
            continue
        torch_peer.progress(f"{config}: {one.name} {one.dtype}")
        try:
            rows.append({**row, **measure(one, library, copy, threads, options.seconds, not options.no_compile)})
        except Exception as e:  # a row loses itself alone
            rows.append({**row, "skipped": (str(e).strip().splitlines() or [type(e).__name__])[0][:200]})
        one.operands = one.tensors = None
        for key in ("skipped", "compile_note", "torch_note"):
            if key in rows[-1]:
                print(f"{one.name} {one.dtype} {size}: {key.replace('_note', '')}: {rows[-1][key]}", file=sys.stderr)
    torch_peer.progress("")
    return library.build_info()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, help="libtileops.so")
    parser.add_argument("--copy-library", help="libtileops_copy.so (built beside the benchmark)")
    parser.add_argument(
        "--configs", default=f"64Ki@1,16Mi@{os.cpu_count()}", help="elements@threads, ... (default %(default)s)"
    )
    parser.add_argument("--dtypes", default="f32,bf16", help=f"of {', '.join(d for d in DTYPES if d != 'u8')}")
    parser.add_argument("--ops", help="only these chains")
    parser.add_argument("--seconds", type=float, default=0.3, help="time for each row, if that confirms it")
    parser.add_argument("--budget", type=float, help="seconds after which the other rows are left out, and listed")
    parser.add_argument(
        "--jobs",
        type=int,
        default=max(1, (os.cpu_count() or 2) // 2),
        help="processes that compile for torch.compile beforehand",
    )
    parser.add_argument("--no-compile", action="store_true", help="no torch.compile")
    parser.add_argument("--json", help="write the result to this file")
    parser.add_argument("--warm", help=argparse.SUPPRESS)  # "3/8": compile a share of the rows
    options = parser.parse_args()
    torch_peer.keep_heap()
    torch.manual_seed(1)
    rows, info = [], ""
    with tempfile.TemporaryDirectory() as folder, torch.inference_mode():
        if options.warm:
            return warm(options)
        # Compilers' caches, that only this run has seen.
        os.environ.update(
            TORCHINDUCTOR_CACHE_DIR=os.path.join(folder, "inductor"), TMPDIR=folder, TORCHINDUCTOR_COMPILE_THREADS="1"
        )
        tempfile.tempdir = None
        first = peers.first_uses(peer_library.Library(options.library, 1), not options.no_compile)
        if not options.no_compile:
            command = [sys.executable, os.path.abspath(__file__), *sys.argv[1:]]
            for w in [subprocess.Popen([*command, "--warm", f"{i}/{options.jobs}"]) for i in range(options.jobs)]:
                w.wait()
        for config in options.configs.split(","):
            info = run_config(options, config, rows)
    result = {
        "torch": torch.__version__,
        "torch_isa": torch.backends.cpu.get_cpu_capability(),
        "library": info,
        "peers": peers.versions(),
        "first_use": first,
        "rows": rows,
    }
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump(result, f, indent=1)


if __name__ == "__main__":
    main()
