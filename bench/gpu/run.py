#!/usr/bin/env python3
"""Runs the GPU benchmarks and writes bench/results/gpu/NAME.{json,md} and plots.

    bench/gpu/run.py --build build/release          on a machine with a GPU and a Python with torch
    bench/gpu/run.py --build DIR --quick            fewer dtypes, no torch.compile
    bench/gpu/run.py --list --parts heavy           the rows, without a GPU
    bench/gpu/run.py --merge A.json B.json          two runs with other --parts, one result

What was built is named by --commit, or by built.json in the build folder (what bench/gpu/sources.py prints).

Programs and libraries are looked for below the build folder, or in that folder itself, so that they can
be carried to a machine with a GPU. Without torch only the host's times are measured, without nvcc the
comparison with CUB is left out; both say so."""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import machine  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     epilog="\n".join(__doc__.splitlines()[2:]),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, default=HERE.parent / "results" / "gpu")
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


def built(options, *names):
    for name in names:
        if (options.build / name).exists():
            return str((options.build / name).resolve())
    sys.exit(f"run.py: no {names[0]} below {options.build}")


def progress(done, total, text):
    if sys.stderr.isatty():
        width = 30
        full = width * done // max(total, 1)
        print(f"\r\033[K[{'#' * full}{'.' * (width - full)}] {done}/{total} {text}", end="", file=sys.stderr, flush=True)
    elif done % 50 == 0 or done == total:
        print(f"{done}/{total} {text}", file=sys.stderr, flush=True)


def build_cub(folder):
    """Starts nvcc; (process, file) or (None, why not)."""
    nvcc = shutil.which("nvcc") or ("/usr/local/cuda/bin/nvcc" if os.path.exists("/usr/local/cuda/bin/nvcc") else None)
    if not nvcc:
        return None, "no nvcc on this machine"
    out = os.path.join(folder, "libcub_peer.so")
    command = [nvcc, "-O3", "-std=c++17", "-arch=native", "-shared", "-Xcompiler", "-fPIC", str(HERE / "cub_peer.cu"), "-o", out]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True), out


def rows_of(options):
    import torch
    import rows
    if not options.list:
        torch.set_default_device("cuda")
    return list(rows.all_rows(options))


def expression_rows(options):
    import torch
    import expressions
    if not options.list:
        torch.set_default_device("cuda")
    return list(expressions.rows(options))


def wants_compile(options, group, dtype):
    from peer_cases import NAMES
    if group.startswith("expression"):  # of 8-bit floats, too
        return bool(options.compile_dtypes)
    return NAMES[dtype] in options.compile_dtypes.split(",") and not (group == "workloads" and NAMES[dtype] == "f16")


def wants_max(options, group, op, dtype):
    from peer_cases import NAMES
    return group in ("ops", "layouts", "heavy") and op in options.max_ops.split(",") and NAMES[dtype] in ("f32", "bf16")


def worker(options):
    """Compiles every n-th row, for the caches on disk; results are not looked at."""
    import torch
    import measure
    import peer_library
    start = time.monotonic()
    number, of = map(int, options.worker.split("/"))
    library = peer_library.Library(built(options, "libtileops.so", "libtileops.so.0.1"), 0)
    todo = rows_of(options)
    table = peer_library.ops_of_table()
    with torch.no_grad():
        warm_expressions(options, library, number, of, start)
        for i, (group, _, op, dtype, make) in enumerate(todo):
            if i % of != number:
                continue
            if time.monotonic() - start > options.budget / 2:
                return
            try:
                for case in make():
                    mine = case.out
                    if mine is None:
                        row = table.get(case.op)
                        mine = measure.result_like(case, row)
                    library.plan(case.op, case.inputs, [torch.empty_like(mine)], case.attrs).close()
                    if wants_compile(options, group, dtype):
                        try:
                            case.torch[-1](mine)
                            measure.compiled(case.torch[-1], mine)
                            if wants_max(options, group, op, dtype):
                                measure.compiled(case.torch[-1], mine, measure.MAX_AUTOTUNE)
                        except Exception:
                            measure.compiled(case.torch[-1], None)
            except Exception as e:  # the row itself says so later
                print(f"worker: {op}: {measure.short(e)}", file=sys.stderr)
            torch.cuda.empty_cache()


def warm_expressions(options, library, number, of, start):
    import torch
    import expressions
    import measure
    for i, (group, _, name, dtype, make) in enumerate(expression_rows(options)):
        if i % of != number:
            continue
        if time.monotonic() - start > options.budget / 2:
            return
        try:
            expressions.warm(make(), library, wants_compile(options, group, dtype), expressions.wants_max(options, group, name, dtype))
        except Exception as e:  # the row itself says so later
            print(f"worker: {name} {dtype}: {measure.short(e)}", file=sys.stderr)
        torch.cuda.empty_cache()


def measure_expressions(options, library, copy, clock, start, save):
    """The rows of the part `expressions`; a row that fails says why and the others go on."""
    import torch
    import expressions
    import measure
    todo, results, saved, max_seconds = expression_rows(options), [], start, 0.0
    for done, (group, size, name, dtype, make) in enumerate(todo):
        row = {"group": group, "size": size, "dtype": dtype, "op": name}
        if time.monotonic() - start > options.budget:
            results.append({**row, "skipped": "out of time (--budget)"})
            continue
        progress(done, len(todo), f"{group} {name} {dtype} {size}")
        with_max, note = expressions.wants_max(options, group, name, dtype), {}
        if with_max and max_seconds > options.max_budget:
            with_max, note = False, {"max_note": "out of time (--max-budget)"}
        try:
            one, begin = make(), time.monotonic()
            found = expressions.measure_row(one, library, copy, clock, wants_compile(options, group, dtype), with_max)
            seconds = time.monotonic() - begin
            max_seconds += with_max * seconds
            shapes = [list(t.shape) for t in one.tensors]
            results += [{**row, **note, "shapes": shapes, "seconds": round(seconds, 2), **f} for f in found]
            for key in ("skipped", "unfused_note", "torch_note", "compile_note", "max_note"):
                if key in results[-len(found)]:
                    print(f"{name} {dtype} {size}: {key.replace('_note', '')}: {results[-len(found)][key]}", file=sys.stderr)
            one.operands = one.tensors = None
        except Exception as e:  # a row loses itself alone
            results.append({**row, "skipped": measure.short(e)})
            print(f"{name} {dtype} {size}: {measure.short(e)}", file=sys.stderr)
            try:
                torch.cuda.synchronize()
            except Exception:  # nothing runs in this process any more
                return results + [{"group": g, "size": n, "dtype": d, "op": o, "skipped": f"the GPU failed in {name}"}
                                  for g, n, o, d, _ in todo[done + 1:]]
        if done % 8 == 0 or size > 1 << 26:
            torch.cuda.empty_cache()
        if time.monotonic() - saved > 20:
            save(results)
            saved = time.monotonic()
    return results


def add_mlx(options, results, env, folder):
    """Adds MLX's times to the rows of all chains; what it is, or why there are none."""
    rows = {f"{r['op']} {r['dtype']} {r['size']}": r for r in results if r["group"] == "expressions" and "ours_us" in r
            and r.get("data") != "rotated"}
    out = os.path.join(folder, "mlx.json")
    try:
        if options.wheels:
            import wheels
            packages = os.path.join(folder, "packages")
            wheels.unpack(options.wheels, sys.executable, packages)
            env = wheels.with_path(env, packages)
        done = subprocess.run([sys.executable, str(HERE / "mlx_peer.py"), out, str(options.mlx_budget)], input="\n".join(rows), text=True,
                              env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=options.mlx_budget + 60)
        note = done.stderr.strip().splitlines()[-1][:200] if done.returncode and done.stderr.strip() else None
    except (OSError, subprocess.SubprocessError) as e:
        note = str(e)[:200]
    if not os.path.exists(out):
        return f"not measured: {note or 'no rows'}"
    found = json.loads(pathlib.Path(out).read_text())
    for key, values in found["rows"].items():
        rows[key].update(values)
    return found["version"] + (f" ({note})" if note else "")


def measure_rows(options, cub_file, start, save):
    import torch
    import measure
    import peer_library
    from peer_cases import NAMES
    library = peer_library.Library(built(options, "libtileops.so", "libtileops.so.0.1"), 0)
    copy = measure.Copy(built(options, "bench/gpu/libtileops_gpu_copy.so", "libtileops_gpu_copy.so"))
    cub = measure.Cub(cub_file)
    clock = measure.Clock(options.rounds)
    table = peer_library.ops_of_table()
    todo, results = rows_of(options), []
    torch.manual_seed(1)
    saved, max_seconds = start, 0.0
    with torch.no_grad():
        if "expressions" in options.parts.split(","):
            results = measure_expressions(options, library, copy, clock, start, save)
        for done, (group, size, op, dtype, make) in enumerate(todo):
            row = {"group": group, "size": size, "dtype": NAMES[dtype]}
            if time.monotonic() - start > options.budget:
                results.append({**row, "op": op, "skipped": "out of time (--budget)"})
                continue
            progress(done, len(todo), f"{group} {op} {NAMES[dtype]} {size or ''}")
            try:
                for case in make():
                    shapes = [list(t.shape) for t in case.inputs if t is not None]
                    with_max = wants_max(options, group, op, dtype)
                    if with_max and max_seconds > options.max_budget:
                        with_max, note = False, {"max_note": "out of time (--max-budget)"}
                    else:
                        note = {}
                    begin = time.monotonic()
                    found = measure.measure([case], table[case.op], library, copy, cub, clock,
                                            wants_compile(options, group, dtype), with_max)
                    max_seconds += with_max * (time.monotonic() - begin)
                    about = {**row, "op": case.name, "shapes": shapes}
                    results.append({**about, **note, **found})
                    sets = -(-2 * clock.l2 // max(found.get("bytes", 1), 1))
                    if group in ("sizes", "workloads") and found.get("data") == "L2" and sets <= measure.MOST_SETS:
                        found = measure.measure([make()[0] for _ in range(sets)], table[case.op], library, copy, cub, clock,
                                                False, False)
                        results.append({**about, "data": "rotated", **found})
            except Exception as e:  # a row loses itself alone
                results.append({**row, "op": op, "skipped": measure.short(e)})
                try:
                    torch.cuda.synchronize()
                except Exception:  # nothing runs in this process any more
                    results += [{"group": g, "size": n, "dtype": NAMES[d], "op": o, "skipped": f"the GPU failed in {op}"}
                                for g, n, o, d, _ in todo[done + 1:]]
                    break
            if done % 16 == 0:
                torch.cuda.empty_cache()
            if time.monotonic() - saved > 20:
                save(results)
                saved = time.monotonic()
    progress(len(todo), len(todo), "rows")
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return results, library.build_info(), torch.__version__


def packed_runs(options, env, folder, program, parts, failed):
    """Runs of the program beside a pack of the sample, which is looked for there."""
    try:
        packer = built(options, "tileops_pack")
        beside = os.path.join(folder, "packed")
        os.makedirs(os.path.join(beside, "tileops"))
        arch = machine.output("nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader").splitlines()[0].replace(".", "")
        done = subprocess.run([packer, "--sample", "--keep-going", arch, os.path.join(beside, "tileops", f"kernels-sm_{arch}.pack")],
                              capture_output=True, text=True, env=env, timeout=150)
        if done.returncode:
            failed.append(f"tileops_pack: {done.stderr.strip()[-200:]}")
            return []
        packed, without = shutil.copy(program, beside), dict(env, TILEOPS_CACHE="off")
        wanted = ("--plans",) * ("host" in parts) + ("--expressions",) * ("expressions" in parts)
        return [(packed, argument, without) for argument in wanted]
    except (OSError, SystemExit, subprocess.TimeoutExpired) as e:
        failed.append(f"the pack: {str(e)[:200]}")
        return []


def host_times(options, env, folder):
    """Times of calls on the host; what failed says so under "failed"."""
    parts = set(options.parts.split(","))
    if not parts & {"host", "expressions"}:
        return {}
    found, failed = {}, []
    # What gather.sh made brings the libraries along.
    env = dict(env, LD_LIBRARY_PATH=":".join(f for f in (str(options.build.resolve()), env.get("LD_LIBRARY_PATH")) if f))
    try:
        program = built(options, "bench/gpu/tileops_gpu_bench", "tileops_gpu_bench")
        runs = [(program, "--host", env)]
        for argument in ("--plans",) * ("host" in parts) + ("--expressions",) * ("expressions" in parts):
            runs += [(program, argument, env)] * 2  # the second time from disk
        runs += packed_runs(options, env, folder, program, parts, failed)
        for path, argument, environment in runs:
            done = subprocess.run([path, argument], capture_output=True, text=True, env=environment, timeout=120)
            if done.returncode:
                failed.append(f"{argument}: {done.stderr.strip()[-200:]}")
            for line in done.stdout.splitlines():
                if line.startswith("{"):
                    new = json.loads(line)
                    # Named expressions (first_use.cc) are to come from the pack; the others' names are their texts.
                    absent = [name for name in new.get("expr_compiled", ()) if path != program and "->" not in name]
                    if absent:
                        failed.append(f"not in the pack: {', '.join(absent)}")
                    found.update({k: v for k, v in new.items() if not (k.startswith("expr_") and k in found)})
    except (OSError, SystemExit, ValueError, subprocess.TimeoutExpired) as e:
        failed.append(str(e)[:200])
    found.pop("host", None)
    return {**found, "failed": failed} if failed else found


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
    import charts
    import tables
    (options.output / f"{name}.md").write_text(tables.markdown(result))
    drawn = charts.draw(result, options.output, name)
    print(tables.summary(result))
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
        from peer_cases import NAMES
        for group, size, op, dtype, _ in rows_of(options):
            print(group, op, NAMES[dtype], size)
        for group, size, name, dtype, _ in expression_rows(options):
            print(group, name, dtype, size)
        return 0
    if options.merge:
        result = merge(options.merge)
        groups = {"expressions" if r["group"].startswith("expression") else "others" for r in result["rows"]}
        return write(options, result, options.name or result["machine"]["gpu"].lower().replace(" ", "-") + only_expressions(",".join(groups)))
    if options.worker:
        return worker(options)
    about = machine.gpu()
    if not about:
        sys.exit("run.py: no NVIDIA GPU here (nvidia-smi lists none)")
    start = time.monotonic()
    import sources
    checkout, note = machine.describe(str(HERE.parent.parent)), options.build / "built.json"
    of = json.loads(note.read_text()) if note.exists() else {"commit": checkout["commit"], "sources": sources.kernel_sources()}
    name = options.name or about[0].lower().replace(" ", "-") + only_expressions(options.parts)
    host, cub_note, mlx = {}, None, None

    def made(rows, library="", torch_version=None):
        return {"machine": {"gpu": about[0], "driver": about[1], "memory": about[2], "cpu": checkout["cpu"],
                            "cores": checkout["cores"]},
                "date": datetime.date.today().isoformat(), "commit": options.commit or of["commit"], "sources": of["sources"],
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
            host = host_times(options, dict(env, TILEOPS_CACHE_DIR=os.path.join(folder, "host")), folder)
        else:
            needed = set(options.parts.split(",")) - {"host", "expressions"}
            nvcc, cub_file = build_cub(folder) if needed else (None, "none of its rows was asked for")
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
            host = host_times(options, dict(env, TILEOPS_CACHE_DIR=os.path.join(folder, "host")), folder)
            try:
                results, library, version = measure_rows(options, cub_file, start, save)
                if any(r["group"] == "expressions" for r in results):
                    mlx = add_mlx(options, results, env, folder)
                    print(f"MLX: {mlx}", file=sys.stderr)
            except (Exception, SystemExit) as e:  # the host's times are there all the same
                results = [{"group": "ops", "size": 0, "dtype": "", "op": "all", "skipped": f"no rows: {str(e)[:200]}"}]
    library, version = library or "", version or None
    return write(options, made(results, library, version), name)


if __name__ == "__main__":
    sys.exit(main())
