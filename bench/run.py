#!/usr/bin/env python3
"""Runs all CPU benchmarks and writes bench/results/<cpu>-<threads>t.{json,md} and plots, and of expressions
<cpu>-<threads>t-expressions.{json,md}, of rows rows/<cpu>-<threads>t.{json,md}, of random texts random/<cpu>-<threads>t.{json,md}.

    ./dev bench                                       builds first
    bench/run.py --library DIR/libtileops.so --bench-binary DIR/bench/cpu_bench
                                                      what was built elsewhere: needs only Python
The comparisons with PyTorch, and expressions, run if a Python with torch is found (--torch-python). Expressions are compared
with numexpr and MLX, too, where that Python has them or --wheels has theirs:

    pip download --no-deps --only-binary=:all: --python-version 3.12 --platform manylinux_2_28_x86_64 -d DIR numexpr"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from bench.common import machine, sources, wheels  # noqa: E402
from bench.expressions import report as expr_report  # noqa: E402
from bench.operators import plots, report  # noqa: E402
from bench.rows import report as rows_report  # noqa: E402


# Held to by these variables, which are read when the library and PyTorch are loaded. (PyTorch gives some operators to
# oneDNN and MKL, which look at the processor themselves. They heed theirs: perf shows log and exp in MKL's kernels L9,
# which are those of AVX2.)
ISAS = {"avx2": {"TILEOPS_CPU_ISA": "avx2", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
                 "MKL_ENABLE_INSTRUCTIONS": "AVX2"}}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     epilog="\n".join(__doc__.splitlines()[2:]),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", help="build folder: where --library and --bench-binary are")
    parser.add_argument("--library", help="libtileops.so")
    parser.add_argument("--bench-binary", help="cpu_bench")
    parser.add_argument("--torch-python", help="Python with torch (default: this one)",
                        default=os.environ.get("TILEOPS_TORCH_PYTHON", sys.executable))
    parser.add_argument("--parts", default="operators,expressions,rows",
                        help="of these, and random (default: all but random, whose cases no two commits share)")
    parser.add_argument("--wheels", help="folder with wheels of numexpr or mlx for the Python with torch, which need not be installed")
    parser.add_argument("--threads", default=str(len(os.sched_getaffinity(0))),
                        help="thread counts of the large size, such as 2,16 (default: all cores)")
    parser.add_argument("--isa", choices=sorted(ISAS),
                        help="as on a machine without better instructions: both sides held to these, "
                             "results named <cpu>-<isa>-<threads>t")
    parser.add_argument("--ops", help="only these operators (`layouts`: the broadcast cases)")
    parser.add_argument("--dtypes", default="f32,bf16,f16,i32,bool")
    parser.add_argument("--quick", action="store_true", help="short times, f32 and bf16 only")
    parser.add_argument("--budget", type=float,
                        help="seconds, for each number of threads, after which the comparison leaves the other rows out, "
                             "and lists them")
    parser.add_argument("--no-cpu-bench", action="store_true", help="only the PyTorch comparison")
    parser.add_argument("--no-torch", action="store_true", help="only cpu_bench")
    parser.add_argument("--output", default=os.path.join(HERE, "results"), help="folder")
    options = parser.parse_args()
    os.environ.update(ISAS.get(options.isa, {}))  # of the processes that measure
    if options.build:
        options.library = options.library or os.path.join(options.build, "libtileops.so")
        options.bench_binary = (options.bench_binary or
                                os.path.join(options.build, "bench", "cpu_bench"))
    if not options.library:
        parser.error("give --build, or --library (and --bench-binary)")
    if not os.path.exists(options.library):
        parser.error(f"no such file: {options.library}")
    options.library, options.output = os.path.abspath(options.library), os.path.abspath(options.output)
    if options.quick:
        options.dtypes = "f32,bf16"
    return options


def regex(options):
    """Of cpu_bench's row names: operator[:variant]/dtype/size/threads."""
    dtypes = options.dtypes.replace(",", "|")
    if not options.ops:
        return f"^host|/({dtypes})/"
    layouts = "add:(row bias|scalar|interleaved|outer|transposed|every second)|mul:row scale"
    names = [layouts if op == "layouts" else op + "(:[^/]*)?" for op in options.ops.split(",")]
    return f"^({'|'.join(names)})/({dtypes})/"


def run_cpu_bench(options, threads, first):
    """Rows of cpu_bench; the small size and the host rows only with the first thread count."""
    if options.no_cpu_bench or not options.bench_binary:
        return [], {}
    if not os.path.exists(options.bench_binary):
        print(f"run.py: no {options.bench_binary}: configure with -DTILEOPS_BUILD_BENCH=ON; "
              "without it there is no cpu_bench table", file=sys.stderr)
        return [], {}
    pattern = regex(options)
    if not first:  # no look-ahead in this regex dialect; the size is the last part but one
        pattern = pattern.replace("^host|", "") + "16Mi/"
    env = dict(os.environ)
    folders = [os.path.dirname(os.path.abspath(options.library)), env.get("LD_LIBRARY_PATH")]
    env["LD_LIBRARY_PATH"] = ":".join(f for f in folders if f)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        command = [options.bench_binary, f"--threads={threads}", f"--filter={pattern}",
                   f"--seconds={0.02 if options.quick else 0.1}",
                   f"--benchmark_out={out}", "--benchmark_out_format=json"]
        shown = None if sys.stdout.isatty() else subprocess.DEVNULL
        done = subprocess.run(command, env=env, stdout=shown)
        if done.returncode != 0 or not os.path.exists(out):
            sys.exit(f"run.py: {options.bench_binary} failed with exit status {done.returncode}")
        with open(out, encoding="utf-8") as f:
            data = json.load(f)
    return [row for row in map(report.cpu_row, data["benchmarks"]) if row], data["context"]


def run_torch(options, threads, first):
    if options.no_torch:
        return [], {}
    configs = [f"16Mi@{threads}"] + (["64Ki@1"] if first else [])
    copy = os.path.join(os.path.dirname(options.bench_binary or ""), "libtileops_copy.so")
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        command = [options.torch_python, os.path.join(HERE, "operators", "peer.py"),
                   "--library", options.library, "--copy-library", copy, "--json", out,
                   "--configs", ",".join(configs), "--dtypes", options.dtypes,
                   "--seconds", "0.06" if options.quick else "0.3"]
        if options.ops:
            command += ["--ops", options.ops]
        if options.budget:
            command += ["--budget", str(options.budget)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"run.py: operators/peer.py failed with exit status {done.returncode}")
        if not os.path.exists(out):
            print(f"run.py: {done.stdout.strip()}")
            return [], {}
        with open(out, encoding="utf-8") as f:
            data = json.load(f)
    return data["rows"], data


def run_expressions(options, threads, first):
    """What bench/expressions/peer.py found, or {}."""
    configs = [f"16Mi@{threads}"] + (["64Ki@1"] if first else [])
    copy = os.path.join(os.path.dirname(options.bench_binary or ""), "libtileops_copy.so")
    dtypes = [d for d in options.dtypes.split(",") if d in ("f32", "bf16") or d == "f16" and options.ops]
    with tempfile.TemporaryDirectory() as folder:
        out, env = os.path.join(folder, "out.json"), dict(os.environ)
        command = [options.torch_python, os.path.join(HERE, "expressions", "peer.py"), "--library", options.library, "--copy-library", copy,
                   "--json", out, "--configs", ",".join(configs), "--dtypes", ",".join(dtypes),
                   "--seconds", "0.06" if options.quick else "0.3"]
        if options.quick:
            command.append("--no-compile")
        if options.ops:
            command += ["--ops", options.ops]
        if options.budget:
            command += ["--budget", str(options.budget)]
        if options.wheels:
            packages = os.path.join(folder, "packages")
            wheels.unpack(options.wheels, options.torch_python, packages)
            env = wheels.with_path(env, packages)
        done = subprocess.run(command, env=env)
        if done.returncode != 0 or not os.path.exists(out):
            print(f"run.py: expressions/peer.py failed with exit status {done.returncode} (is there torch in {options.torch_python}?): "
                  "no expressions", file=sys.stderr)
            return {}
        with open(out, encoding="utf-8") as f:
            return json.load(f)


def measured_on(about, rows=False):
    """The machine, and which kernels: those of this tree."""
    return {"machine": about, "sources": sources.kernel_sources(device="cpu", rows=rows)}


def write_report(result, name, report):
    """The result as JSON, and what the module `report` makes of it: tables and plots."""
    with open(name + ".json", "w", encoding="utf-8") as f:
        json.dump(result, f, indent=1)
        f.write("\n")
    with open(name + ".md", "w", encoding="utf-8") as f:
        f.write(report.markdown(result))
    print(report.summary_text(result))
    print("written: " + " ".join([name + ".json", name + ".md"] + report.draw(result, name)))


def write_expressions(options, about, threads, first):
    found = run_expressions(options, threads, first)
    if not found:
        return
    result = {**measured_on(about), "threads": threads, "quick": options.quick, "library": found.pop("library"), "torch": found.pop("torch"),
              "torch_isa": found.pop("torch_isa"), "expressions": found}
    name = os.path.join(options.output, f"{machine.short_name(about)}-{threads}t-expressions")
    write_report(result, name, expr_report)


def write_rows(options, about, threads, first):
    """Texts with reductions: what bench/rows/cpu_peer.py finds."""
    dtypes = [d for d in options.dtypes.split(",") if d in ("f32", "bf16")]
    copy = os.path.join(os.path.dirname(options.bench_binary or ""), "libtileops_copy.so")
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        command = [options.torch_python, os.path.join(HERE, "rows", "cpu_peer.py"), "--library", options.library, "--copy-library", copy,
                   "--json", out, "--threads", str(threads), "--dtypes", ",".join(dtypes)]
        command += ["--in-cache"] if first else []
        command += ["--seconds", "0.06", "--no-compile"] if options.quick else []
        command += ["--ops", options.ops] if options.ops else []
        command += ["--budget", str(options.budget)] if options.budget else []
        done = subprocess.run(command)
        if done.returncode != 0 or not os.path.exists(out):
            print(f"run.py: rows/cpu_peer.py failed with exit status {done.returncode} (is there torch in {options.torch_python}?): "
                  "no rows", file=sys.stderr)
            return
        with open(out, encoding="utf-8") as f:
            found = json.load(f)
    result = {**measured_on(about, rows=True), "threads": threads, **{k: found.pop(k) for k in ("library", "torch", "torch_isa")}, "rows": found}
    os.makedirs(os.path.join(options.output, "rows"), exist_ok=True)
    name = os.path.join(options.output, "rows", f"{machine.short_name(about)}-{threads}t")
    write_report(result, name, rows_report)


def write_random(options, about, threads):
    """Random texts (bench/random), whose reports are in `random`."""
    folder = os.path.join(options.output, "random")
    os.makedirs(folder, exist_ok=True)
    command = [options.torch_python, "-m", "bench.random", "--library", options.library, "--threads", str(threads),
               "--copy-library", os.path.abspath(os.path.join(os.path.dirname(options.bench_binary or ""), "libtileops_copy.so")),
               "--output", os.path.join(folder, f"{machine.short_name(about)}-{threads}t")]
    command += ["--budget", str(options.budget)] if options.budget else []
    command += ["--seconds", "0.06", "--no-compile", "--count", "40"] if options.quick else []
    done = subprocess.run(command, cwd=os.path.dirname(HERE))
    if done.returncode != 0:
        print(f"run.py: bench.random failed with exit status {done.returncode}", file=sys.stderr)


def main():
    options = arguments()
    os.makedirs(options.output, exist_ok=True)
    about = machine.describe(os.path.dirname(HERE), options.isa)
    for i, threads in enumerate(int(t) for t in options.threads.split(",")):
        if "expressions" in options.parts.split(","):
            write_expressions(options, about, threads, i == 0)
        if "rows" in options.parts.split(","):
            write_rows(options, about, threads, i == 0)
        if "random" in options.parts.split(","):
            write_random(options, about, threads)
    if "operators" not in options.parts.split(","):
        return
    for i, threads in enumerate(int(t) for t in options.threads.split(",")):
        cpu_rows, context = run_cpu_bench(options, threads, i == 0)
        peer_rows, peer = run_torch(options, threads, i == 0)
        result = {**measured_on(about), "threads": threads, "quick": options.quick,
                  "library": context.get("library") or peer.get("library", ""),
                  "torch": peer.get("torch"), "torch_isa": peer.get("torch_isa"), "cpu_bench": cpu_rows, "torch_peer": peer_rows}
        name = os.path.join(options.output, f"{machine.short_name(about)}-{threads}t")
        with open(name + ".json", "w", encoding="utf-8") as f:
            json.dump(result, f, indent=1)
            f.write("\n")
        with open(name + ".md", "w", encoding="utf-8") as f:
            f.write(report.markdown(result))
        drawn = plots.draw(result, name)
        print(report.summary_text(result))
        print("written: " + " ".join([name + ".json", name + ".md"] + drawn))
        if not drawn:
            print("no plots: no matplotlib in this Python")


if __name__ == "__main__":
    main()
