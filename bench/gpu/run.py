#!/usr/bin/env python3
"""Runs the GPU benchmarks and writes bench/results/gpu/NAME.{json,md} and plots.

    bench/gpu/run.py --build build/release          on a machine with a GPU and a Python with torch
    bench/gpu/run.py --build DIR --quick            fewer dtypes, no torch.compile
    bench/gpu/run.py --list --parts heavy           the rows, without a GPU
    bench/gpu/run.py --merge A.json B.json          two runs with other --parts, one result

What was built is named by --commit, or by built.json in the build folder (what bench/common/sources.py prints).

Programs and libraries are looked for below the build folder, or in that folder itself, so that they can
be carried to a machine with a GPU. Without torch only the host's times are measured, without nvcc the
comparison with CUB is left out; both say so."""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from bench.common import machine, sources  # noqa: E402
from bench.gpu import charts, loop, programs, report  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     epilog="\n".join(__doc__.splitlines()[2:]),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "bench/results/gpu")
    parser.add_argument("--name", help="of the files (default: the GPU's)")
    parser.add_argument("--commit", help="what was built (default: of this checkout)")
    parser.add_argument("--parts", default="host,ops,layouts,heavy,sizes,workloads,expressions")
    parser.add_argument("--dtypes", default="f32,bf16,f16,e4m3fn,e5m2,f64,i32,i64,bool")
    parser.add_argument("--compile-dtypes", default="f32,bf16,f16", help="that torch.compile is tried on")
    parser.add_argument("--ops", help="only these operators")
    parser.add_argument("--elements", type=int, default=1 << 26)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--jobs", type=int, default=min(12, os.cpu_count()),
                        help="processes that compile everybody's kernels beforehand")
    parser.add_argument("--budget", type=float, default=1e9, help="seconds for the whole run; rows that are left out are listed")
    parser.add_argument("--max-ops", default="relu,gelu,silu,exp,softplus,mish,add,pow,where,silu_and_mul,gelu_and_mul,rope_neox,"
                        "dropout,prelu,layouts,swiglu_residual,bias_gelu,adamw,rope_halves,snake,causal_masked", help="tried with max-autotune as well, in float32 and bfloat16")
    parser.add_argument("--wheels", help="folder with wheels of MLX for CUDA, for the rows of expressions, where this Python has none")
    parser.add_argument("--mlx-budget", type=float, default=60, help="seconds for MLX")
    parser.add_argument("--max-budget", type=float, default=150, help="seconds for max-autotune")
    parser.add_argument("--list", action="store_true", help="print the rows and stop; needs no GPU")
    parser.add_argument("--merge", nargs="+", type=pathlib.Path, metavar="JSON", help="results of one machine, into --output")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--worker", help=argparse.SUPPRESS)  # "3/12": compile a share of the rows
    parser.add_argument("--cub", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not (options.build or options.list or options.merge):
        parser.error("--build is needed")
    if options.quick:
        options.dtypes, options.compile_dtypes, options.parts = "f32,bf16", "", "ops,layouts"
    return options


def merge(paths):
    """One result of several runs: of a row the first that was measured. They must be of one kind of GPU and one source."""
    parts = [json.loads(path.read_text()) for path in paths]
    for part in parts[1:]:
        for key in ("commit", "sources", "elements"):
            if part.get(key) != parts[0].get(key):
                sys.exit(f"run.py: --merge: {key} differs (got {part.get(key)}, need {parts[0].get(key)})")
        if part["machine"]["gpu"] != parts[0]["machine"]["gpu"]:
            sys.exit("run.py: --merge: results of different GPUs")
    result, rows, order = dict(parts[0]), {}, []
    for part in parts:
        result["host"] = {**part["host"], **result["host"]}
        for row in part["rows"]:
            key = row["group"], row["op"], row["dtype"], row["size"], row.get("data") == "rotated"
            if key not in rows or "skipped" in rows[key] and "skipped" not in row:
                rows[key] = row
                order.append(key)
    result["rows"] = [rows[key] for key in dict.fromkeys(order)]
    result["seconds"] = sum(part["seconds"] for part in parts)
    result["arguments"] = "; ".join(part["arguments"] for part in parts if part["arguments"])
    return result


def what_was_asked():
    """The arguments that decide which rows there are."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--quick", action="store_true")
    names = ("parts", "dtypes", "compile-dtypes", "ops", "elements")
    for name in names:
        parser.add_argument(f"--{name}")
    known, _ = parser.parse_known_args()
    given = [f"--{n} {getattr(known, n.replace('-', '_'))}" for n in names if getattr(known, n.replace("-", "_"))]
    return " ".join(["--quick"] * known.quick + given)


def write(options, result, name):
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n")
    (options.output / f"{name}.md").write_text(report.markdown(result))
    drawn = charts.draw(result, options.output, name)
    print(report.summary(result))
    print(f"written: {options.output / name}.json, .md" + "".join(f", {p.name}" for p in drawn))
    if not drawn:
        print("no plots: no matplotlib in this Python, or no rows to draw")
    return 0


def only_expressions(parts):
    """The end of the name of a result that has no other rows: it is measured at other times than those of operators."""
    return "-expressions" if set(parts.split(",")) - {"host"} == {"expressions"} else ""


def main():
    options = arguments()
    if options.list:
        from bench.operators.cases import NAMES
        for group, size, op, dtype, _ in loop.rows_of(options):
            print(group, op, NAMES[dtype], size)
        for group, size, name, dtype, _ in loop.expression_rows(options):
            print(group, name, dtype, size)
        return 0
    if options.merge:
        result = merge(options.merge)
        groups = {"expressions" if r["group"].startswith("expression") else "others" for r in result["rows"]}
        return write(options, result, options.name or result["machine"]["gpu"].lower().replace(" ", "-") + only_expressions(",".join(groups)))
    if options.worker:
        return loop.worker(options)
    about = machine.gpu()
    if not about:
        sys.exit("run.py: no NVIDIA GPU here (nvidia-smi lists none)")
    start = time.monotonic()
    checkout, note = machine.describe(str(ROOT)), options.build / "built.json"
    of = json.loads(note.read_text()) if note.exists() else sources.of_tree(checkout["commit"])
    name = options.name or about[0].lower().replace(" ", "-") + only_expressions(options.parts)
    host, cub_note, mlx = {}, None, None

    def made(rows, library="", torch_version=None):
        return {"machine": {"gpu": about[0], "driver": about[1], "memory": about[2], "cpu": checkout["cpu"],
                            "cores": checkout["cores"]},
                "date": datetime.date.today().isoformat(), "commit": options.commit or of["commit"], "sources": of["elements"],
                "arguments": what_was_asked(), "library": library, "torch": torch_version, "cub_note": cub_note, "mlx": mlx,
                "elements": options.elements, "seconds": round(time.monotonic() - start), "host": host, "rows": rows}

    def save(rows):  # what there is, should the run be cut off
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / f"{name}.json").write_text(json.dumps(made(rows), indent=1) + "\n")
    with tempfile.TemporaryDirectory() as folder:
        # Everybody's compiled kernels, found by the processes that measure.
        env = dict(os.environ, TILEOPS_CACHE_DIR=os.path.join(folder, "tileops"), TILEOPS_CACHE="rw",
                   TORCHINDUCTOR_CACHE_DIR=os.path.join(folder, "inductor"), TRITON_CACHE_DIR=os.path.join(folder, "triton"))
        os.environ.update({k: env[k] for k in ("TILEOPS_CACHE_DIR", "TILEOPS_CACHE", "TORCHINDUCTOR_CACHE_DIR",
                                               "TRITON_CACHE_DIR")})
        results, library, version, cub_note = [], "", None, None
        try:
            import torch
            version = torch.__version__ if torch.cuda.is_available() else None
        except ImportError:
            pass
        if version is None:
            print("run.py: no torch with CUDA in this Python: no rows", file=sys.stderr)
            host = programs.host_times(options, dict(env, TILEOPS_CACHE_DIR=os.path.join(folder, "host")), folder)
        else:
            needed = set(options.parts.split(",")) - {"host", "expressions"}
            nvcc, cub_file = programs.build_cub(folder) if needed else (None, "none of its rows was asked for")
            share = dict(env, TORCHINDUCTOR_COMPILE_THREADS="1", OMP_NUM_THREADS="1")
            arguments_ = [a for a in sys.argv[1:]]
            workers = [subprocess.Popen([sys.executable, __file__, *arguments_, "--worker", f"{i}/{options.jobs}"], env=share,
                                        stdout=subprocess.DEVNULL) for i in range(options.jobs)]
            for w in workers:
                w.wait()
            if nvcc is not None:
                text, _ = nvcc.communicate()
                if nvcc.returncode:
                    cub_note, cub_file = "nvcc failed: " + text.strip().splitlines()[-1], None
            else:
                cub_note, cub_file = cub_file, None
            if cub_note:
                print(f"run.py: CUB is left out: {cub_note}", file=sys.stderr)
            print(f"kernels compiled in {time.monotonic() - start:.0f} s", file=sys.stderr)
            host = programs.host_times(options, dict(env, TILEOPS_CACHE_DIR=os.path.join(folder, "host")), folder)
            try:
                results, library, version = loop.measure_rows(options, cub_file, start, save)
                if any(r["group"] == "expressions" for r in results):
                    mlx = loop.add_mlx(options, results, env, folder)
                    print(f"MLX: {mlx}", file=sys.stderr)
            except (Exception, SystemExit) as e:  # the host's times are there all the same
                results = [{"group": "ops", "size": 0, "dtype": "", "op": "all", "skipped": f"no rows: {str(e)[:200]}"}]
    library, version = library or "", version or None
    return write(options, made(results, library, version), name)


if __name__ == "__main__":
    sys.exit(main())
