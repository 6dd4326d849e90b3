"""Random texts with reductions, on random shapes and dtypes (texts.py) and some that people wrote (fixed.py), beside a copy of the same
bytes, torch, torch.compile and the roofline. What is measured differs with each commit, so that nothing can be tuned for it:

    python3 -m bench.random --library build/release/libtileops.so            the CPU, or a GPU with --device cuda
    python3 -m bench.random --library ... --seed 123 --only r007             one case again
    python3 -m bench.random --list --count 40                                the cases alone

Needs torch. The roofline is the slower of that copy and of the text's instructions, in short forms (bounds.py), at full issue. Results
are compared with float64 before anything is timed; a case whose results are wrong is a failure."""

import argparse
import datetime
import json
import os
import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from bench.common import machine as about_machine  # noqa: E402
from bench.random import fixed, report, texts  # noqa: E402

START = time.monotonic()
SCHEDULERS, LANES = 4, 32  # of a multiprocessor of NVIDIA's, and of a warp


def arguments():
    parser = argparse.ArgumentParser(prog="python3 -m bench.random", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", help="libtileops.so")
    parser.add_argument("--copy-library", help="the copy loop (CPU: libtileops_copy.so, GPU: libtileops_gpu_copy.so; beside the library, if not given)")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--seed", type=int, help="of the cases (default: from the commit)")
    parser.add_argument("--count", type=int, default=300, help="random cases, besides those that people wrote")
    parser.add_argument("--only", default="", help="cases of these names alone, with commas between them")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="every N-th case, from the K-th on")
    parser.add_argument("--least", type=float, help="MiB of the largest operand, at least (default: 8, on the CPU 1)")
    parser.add_argument("--most", type=float, help="and at most (default: 256, on the CPU 16)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of the CPU")
    parser.add_argument("--seconds", type=float, default=0.2, help="of a case on the CPU, if its fastest times are met twice")
    parser.add_argument("--budget", type=float, default=3600, help="seconds after which no case begins")
    parser.add_argument("--no-compile", dest="compile", action="store_false", help="without torch.compile")
    parser.add_argument("--output", help="path without ending, of .json and .md")
    parser.add_argument("--list", action="store_true", help="the cases alone")
    options = parser.parse_args()
    if options.seed is None:
        commit = about_machine.output("git", "-C", str(ROOT), "rev-parse", "HEAD")
        options.seed = texts.seed_of(os.environ.get("TILEOPS_BENCH_COMMIT") or commit or "none")
    options.least = options.least or (8 if options.device == "cuda" else 1)
    options.most = options.most or (256 if options.device == "cuda" else 16)
    if not options.list and not options.library:
        parser.error("--library is missing")
    return options


def cases_of(options):
    some = fixed.cases(1 if options.device == "cuda" else 16)
    some += texts.cases(options.seed, options.count, int(options.least * texts.MiB), int(options.most * texts.MiB))
    part, of = map(int, options.part.split("/"))
    names = set(filter(None, options.only.split(",")))
    return [case for case in some if not names or case.name in names][part - 1::of]


def cpu_lanes_a_second(threads):
    """Two vector instructions a cycle, of the widest registers."""
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        text = f.read()
    mhz = [float(line.split(":")[1]) for line in text.splitlines() if line.startswith("cpu MHz")]
    width = 16 if " avx512f " in text else 8 if " avx2 " in text else 4
    return 2 * width * threads * max(mhz) * 1e6 if mhz else 0.0


def beside(options, name):
    folder = pathlib.Path(options.library).resolve().parent
    return options.copy_library or next((str(p) for p in (folder / name, folder / "bench" / name) if p.exists()), str(folder / name))


def machine_of(options):
    import torch

    from bench.common import library as peer_library
    from bench.random import measure

    if options.device == "cpu":
        from bench.operators import peer as torch_peer

        torch_peer.keep_heap()
        torch.set_num_threads(options.threads)
        return measure.Machine("cpu", peer_library.Library(options.library, options.threads), options.threads,
                               cpu_lanes_a_second(options.threads), options.seconds,
                               peer_library.CopyLoop(beside(options, "libtileops_copy.so")))
    from bench.gpu.measure import Clock
    from bench.rows.copies import Copy

    facts = torch.cuda.get_device_properties(0)
    mhz = about_machine.output("nvidia-smi", "--query-gpu=clocks.max.sm", "--format=csv,noheader,nounits").splitlines()
    lanes_a_second = facts.multi_processor_count * SCHEDULERS * LANES * float(mhz[0]) * 1e6
    return measure.Machine("cuda", peer_library.Library(options.library, 0), 0, lanes_a_second, options.seconds,
                           Copy(beside(options, "libtileops_gpu_copy.so")), Clock(measure.ROUNDS))


def write(result, output):
    with open(output + ".json", "w", encoding="utf-8") as f:
        json.dump(result, f, indent=1)
        f.write("\n")
    with open(output + ".md", "w", encoding="utf-8") as f:
        f.write(report.markdown(result))


def run(options):
    import torch

    from bench.random import measure

    about, saved = about_machine.describe(str(ROOT)), time.monotonic()
    machine, rows = machine_of(options), []
    name = (about_machine.gpu() or ["no GPU"])[0] if options.device == "cuda" else f"{about['cpu']}, {options.threads} threads"
    result = {"seed": options.seed, "of": f"{options.least:g} to {options.most:g} MiB, part {options.part}", "machine": name,
              "date": datetime.date.today().isoformat(), "commit": about["commit"], "library": machine.library.build_info(),
              "torch": torch.__version__, "rows": rows}
    print(f"seed {options.seed}", flush=True)
    for number, case in enumerate(cases_of(options)):
        row = {"name": case.name, "text": case.text, "operands": case.operand_text}
        rows.append(row)
        if time.monotonic() - START > options.budget:
            row["skipped"] = f"{options.budget:g} s were over (--budget)"
            continue
        try:
            row.update(measure.measure(machine, case, number, options.compile))
        except Exception as e:  # a case loses itself alone
            row["skipped"] = measure.short(e)
        if options.device == "cuda":
            torch.cuda.empty_cache()
        shown = [f"{k[:-3]} {row[k]:.1f}" for k in ("ours_us", "copy_us", "floor_us", "torch_us", "compile_us") if k in row]
        print(case.name, *shown, row.get("skipped", ""), flush=True)
        if options.output and time.monotonic() - saved > 20:
            saved = time.monotonic()
            write(result, options.output)
    print(report.summary_text(result))
    if options.output:
        write(result, options.output)
    return all("the result is wrong" not in r.get("skipped", "") for r in rows)


def main():
    options = arguments()
    if options.list:
        print(f"seed {options.seed}")
        print("\n".join(map(str, cases_of(options))))
        return
    import torch

    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        # Compilers' caches, that only this run has seen.
        os.environ.update(TORCHINDUCTOR_CACHE_DIR=os.path.join(folder, "inductor"))
        if not run(options):
            sys.exit(1)


if __name__ == "__main__":
    main()
