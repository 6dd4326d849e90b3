"""Rows of the GPU benchmark one after the other: a row that fails says why and the others go on."""

import json
import os
import pathlib
import subprocess
import sys
import time

from bench.gpu.programs import built

HERE = pathlib.Path(__file__).resolve().parent


def progress(done, total, text):
    if sys.stderr.isatty():
        width = 30
        full = width * done // max(total, 1)
        print(f"\r\033[K[{'#' * full}{'.' * (width - full)}] {done}/{total} {text}", end="", file=sys.stderr, flush=True)
    elif done % 50 == 0 or done == total:
        print(f"{done}/{total} {text}", file=sys.stderr, flush=True)


def rows_of(options):
    import torch
    from bench.operators import gpu_rows
    if not options.list:
        torch.set_default_device("cuda")
    return list(gpu_rows.all_rows(options))


def expression_rows(options):
    import torch
    from bench.expressions import gpu as expressions
    if not options.list:
        torch.set_default_device("cuda")
    return list(expressions.rows(options))


def wants_compile(options, group, dtype):
    from bench.operators.cases import NAMES
    if group.startswith("expression"):  # of 8-bit floats, too
        return bool(options.compile_dtypes)
    return NAMES[dtype] in options.compile_dtypes.split(",") and not (group == "workloads" and NAMES[dtype] == "f16")


def wants_max(options, group, op, dtype):
    from bench.operators.cases import NAMES
    return group in ("ops", "layouts", "heavy") and op in options.max_ops.split(",") and NAMES[dtype] in ("f32", "bf16")


def worker(options):
    """Compiles every n-th row, for the caches on disk; results are not looked at."""
    import torch
    from bench.common import library as peer_library
    from bench.gpu import measure
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
    from bench.expressions import gpu as expressions
    from bench.gpu import measure
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
    from bench.expressions import gpu as expressions
    from bench.gpu import measure
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


def measure_rows(options, cub_file, start, save):
    import torch
    from bench.common import library as peer_library
    from bench.gpu import measure
    from bench.operators.cases import NAMES
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


def add_mlx(options, results, env, folder):
    """Adds MLX's times to the rows of all chains; what it is, or why there are none."""
    rows = {f"{r['op']} {r['dtype']} {r['size']}": r for r in results if r["group"] == "expressions" and "ours_us" in r
            and r.get("data") != "rotated"}
    out = os.path.join(folder, "mlx.json")
    try:
        if options.wheels:
            from bench.common import wheels
            packages = os.path.join(folder, "packages")
            wheels.unpack(options.wheels, sys.executable, packages)
            env = wheels.with_path(env, packages)
        done = subprocess.run([sys.executable, str(HERE.parent / "expressions" / "mlx_peer.py"), out, str(options.mlx_budget)], input="\n".join(rows), text=True,
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
