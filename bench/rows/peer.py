#!/usr/bin/env python3
"""Texts with reductions (bench/rows/cases.py) beside a copy of the same bytes, torch eager, torch.compile and, where they are there,
QuACK, Liger and FlashInfer (bench/rows/peers.py), in one process, on the same data, in turn, on a GPU; calls are captured into CUDA graphs,
and what would stay in the L2 takes some sets of operands in turn. (Of the CPU: bench/rows/cpu_peer.py.) Writes OUTPUT.json, .md and plots:

    bench/rows/peer.py --library build/release/libtileops.so --compile --part 1/3 --output rows1
    bench/rows/peer.py --merge rows1.json rows2.json rows3.json                   of one kind of GPU and one source, to bench/results/rows
    bench/rows/peer.py --check --library build/check/libtileops.so                on the CPU: each text of a few rows beside torch"""

import argparse
import datetime
import json
import os
import pathlib
import site
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from bench.common import machine, wheels  # noqa: E402
from bench.rows import gpu_report  # noqa: E402

START = time.monotonic()
ROUNDS = 9
SETS = 6  # of operands in turn, at most: small ones stay in the L2, as between kernels of a model


def chosen(options):
    """(number, case) of those that this run measures."""
    from bench.rows import cases

    part, of = map(int, options.part.split("/"))
    names, shapes = (set(filter(None, text.split(","))) for text in (options.cases, options.shapes))
    wanted = [(i, case) for i, case in enumerate(cases.cases())
              if (not names or case.name in names) and (not shapes or case.shape_text in shapes)]
    return wanted[part - 1::of]


def short(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def warm(options):
    """A worker: compiles its share of the cases, for the caches on disk; results are not looked at."""
    import torch

    from bench.common import library as peer_library
    from bench.expressions import library as expr_library
    from bench.gpu import measure

    number, of = map(int, options.warm.split("/"))
    library = peer_library.Library(options.library, 0)
    torch.set_grad_enabled(False)  # as where it is measured
    for _, case in chosen(options)[number::of]:
        if time.monotonic() - START > options.seconds / 3:
            return
        try:
            tensors = case.tensors("cuda")
            expression = expr_library.Expression(library, case.text)
            expression.plan(tensors, expression.results(tensors)).close()
            for mode in [None] * options.compile + [measure.MAX_AUTOTUNE] * (options.max_autotune and case.most):
                measure.compiled_function(case.torch, *tensors, mode=mode)
        except Exception as e:  # the row itself says so later
            print(f"bench/rows/peer.py: warming {case.label}: {short(e)}", file=sys.stderr)
        torch.cuda.empty_cache()


def warm_all(options):
    jobs = min(options.jobs, len(chosen(options)))
    command = [sys.executable, os.path.abspath(__file__), *sys.argv[1:]]
    workers = [subprocess.Popen([*command, "--warm", f"{i}/{jobs}"], stdout=subprocess.DEVNULL) for i in range(jobs)]
    for worker in workers:
        try:
            worker.wait(timeout=max(1, options.seconds / 2 - (time.monotonic() - START)))
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()


def built(library):
    """{"commit", "sources"} of the tree that the library is of (tests/gpu/gather.sh), or of this one."""
    from bench.common import sources

    folder = os.path.dirname(os.path.abspath(library))
    notes = (os.path.join(folder, "built.json"), os.path.join(folder, "..", "built.json"))
    note = next(filter(os.path.exists, notes), None)
    if note:
        with open(note, encoding="utf-8") as f:
            of = json.load(f)
    else:
        of = sources.of_tree(machine.describe(str(ROOT))["commit"])
    return {"commit": of["commit"], "sources": of["sources"]}


def write(result, output, drawn=True):
    with open(output + ".json", "w", encoding="utf-8") as f:
        json.dump(result, f, indent=1)
        f.write("\n")
    with open(output + ".md", "w", encoding="utf-8") as f:
        f.write(gpu_report.markdown(result))
    if drawn:
        print("written: " + " ".join([output + ".json", output + ".md"] + gpu_report.draw(result, output)))


def run(options):
    about = machine.gpu()
    if not about:
        sys.exit("bench/rows/peer.py: no NVIDIA GPU here (nvidia-smi lists none)")
    import torch

    from bench.common import library as peer_library
    from bench.gpu import measure
    from bench.rows import copies, measure as rows_measure, peers as rows_peers

    rows, saved = [], time.monotonic()
    copy_file = options.copy_library or os.path.join(os.path.dirname(os.path.abspath(options.library)), "libtileops_gpu_copy.so")
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        if options.wheels:
            wheels.unpack(options.wheels, sys.executable, os.path.join(folder, "packages"))
            site.addsitedir(os.path.join(folder, "packages"))  # with what *.pth files in it add
        building = rows_peers.start_flashinfer(options.wheels, folder)
        if options.jobs > 1:
            warm_all(options)
        torch.manual_seed(1)
        clock, library, peers = measure.Clock(ROUNDS), peer_library.Library(options.library, 0), rows_peers.Peers(building)
        tools = rows_measure.Tools(library, copies.Copy(copy_file), clock, peers, SETS)
        result = {"machine": {"gpu": about[0], "driver": about[1], "memory": about[2], "l2": clock.l2}, "date": datetime.date.today().isoformat(),
                  **built(options.library), "library": library.build_info(), "torch": torch.__version__, "peers": peers.notes, "rounds": ROUNDS,
                  "parts": [options.part], "rows": {"rows": rows}}
        for name, why in peers.notes.items():
            print(f"bench/rows/peer.py: {rows_peers.NAMES[name]} is left out: {why}", file=sys.stderr)
        failed = None  # in what the GPU did
        for number, case in chosen(options):
            row = {"number": number, "op": case.name, "dtype": case.dtype, "shape": case.shape_text, "rows": case.rows, "columns": case.columns}
            rows.append(row)
            begin = time.monotonic()
            if failed or begin - START > options.seconds:
                row["skipped"] = f"the GPU failed in {failed}" if failed else f"{options.seconds:g} s were over (--seconds)"
                continue
            try:
                row.update(rows_measure.measure(case, tools, options))
            except Exception as e:  # a row loses itself alone
                row["skipped"] = short(e)
            try:
                torch.cuda.synchronize()
                torch.cuda.empty_cache()
            except Exception:  # nothing runs in this process any more
                failed = case.label
            row["took_s"] = round(time.monotonic() - begin, 2)
            print(case.label, {k[:-3]: round(v, 2) for k, v in row.items() if k.endswith("_us")}, row.get("skipped", ""), flush=True)
            if options.output and time.monotonic() - saved > 20:
                result["seconds"], saved = round(time.monotonic() - START), time.monotonic()
                write(result, options.output, drawn=False)
    result["seconds"] = round(time.monotonic() - START)
    if options.output:
        write(result, options.output)
    print(gpu_report.summary_text(result))
    return any("skipped" not in row for row in rows)


def check(options):
    """On the CPU, without a GPU: every text parses, has the results that torch has, and agrees with them."""
    import torch

    from bench.common import library as peer_library
    from bench.rows import measure as rows_measure

    torch.manual_seed(1)
    library, failed, small = peer_library.Library(options.library, 1), 0, {}
    for _, case in chosen(options):
        small.setdefault(case.small().label, case.small())
    for case in small.values():
        try:
            *_, worst = rows_measure.prepared(case, [case.tensors("cpu")], library)
        except RuntimeError as e:
            worst, failed = short(e), failed + 1
        print(case.label, worst)
    print(f"{len(small)} cases, {failed} failed")
    return failed == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", help="libtileops.so")
    parser.add_argument("--copy-library", help="libtileops_gpu_copy.so (beside the library, if this is not given)")
    parser.add_argument("--cases", default="", help="of these names alone, with commas between them")
    parser.add_argument("--shapes", default="", help="in these shapes alone, such as 16384x4096,32x4096")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="every N-th case, from the K-th on")
    parser.add_argument("--compile", action="store_true", help="with torch.compile")
    parser.add_argument("--max-autotune", action="store_true", help="some cases with torch.compile's max-autotune, too")
    parser.add_argument("--wheels", help="folder with what peers need, where they are not installed (bench/README.md)")
    parser.add_argument("--jobs", type=int, default=max(1, min(10, (os.cpu_count() or 1) - 2)), help="processes that compile before")
    parser.add_argument("--seconds", type=float, default=400, help="no case begins after so many")
    parser.add_argument("--output", help="path without ending")
    parser.add_argument("--merge", nargs="+", help="results of parts (JSON)")
    parser.add_argument("--check", action="store_true", help="on the CPU, nothing is timed")
    parser.add_argument("--warm", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.merge:
        merged = gpu_report.merge(options.merge)
        return write(merged, options.output or str(ROOT / "bench/results/rows" / gpu_report.stem(merged)))
    if not options.library:
        parser.error("--library is missing")
    if options.warm:
        return warm(options)
    if not (check(options) if options.check else run(options)):
        sys.exit(1)


if __name__ == "__main__":
    main()
