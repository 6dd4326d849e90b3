"""An optimiser's step and the norm of all gradients over a model's parameters, each by one call, beside torch and a loop of calls:

    python3 -m bench.lists --library build/release/libtileops.so                the CPU, one sixty-fourth of Llama 3 8B
    python3 -m bench.lists --library ... --device cuda --scale 16               a GPU, a sixteenth of it

Needs torch. All take turns on the same tensors; a time is the least of all rounds, with the median behind it. On a GPU `host` is the
time until the call returns. `copy` moves as many bytes as the step does."""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from bench.common import machine as about_machine  # noqa: E402
from bench.common.library import Library  # noqa: E402
from bench.lists.list_plan import ListPlan  # noqa: E402

ADAMW = "(p, g, m, v; lr = 1e-3, t = 1) -> adamw(p, g, m, v, lr = lr, t = t)"
SQUARES = "(g) -> { x = cast(g, f32); sum(x * x, axis = all) }"
ROOT_OF_SUM = "(squares) -> sqrt(sum(squares, axis = all))"


def llama_3_8b(scale):
    """Elements of its 291 parameters, in their order, over `scale`."""
    layer = [4096 * 4096, 1024 * 4096, 1024 * 4096, 4096 * 4096, *[14336 * 4096] * 3, 4096, 4096]
    all_of_them = [128256 * 4096, *layer * 32, 4096, 128256 * 4096]
    return [max(1, n // scale) for n in all_of_them]


def measured(runs, rounds, wait):
    """{name: (least, median)} in us, and what of it is the host's."""
    whole, host = {name: [] for name in runs}, {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            wait()
            begin = time.perf_counter()
            run()
            host[name].append(time.perf_counter() - begin)
            wait()
            whole[name].append(time.perf_counter() - begin)
    of = lambda times: (1e6 * min(times), 1e6 * statistics.median(times))  # noqa: E731
    return {name: {"whole": of(whole[name]), "host": of(host[name])} for name in runs}


def adamw(library, sizes, dtype, options, stream, wait):
    device = options.device
    make = lambda t: [torch.rand(n, device=device).to(t) for n in sizes]  # noqa: E731
    p, g, m, v = make(dtype), make(dtype), make(torch.float32), make(torch.float32)
    items = [((a, b, c, d), (a, c, d)) for a, b, c, d in zip(p, g, m, v, strict=True)]
    listed = ListPlan(library, ADAMW, [True] * 7, items, scalars={"lr": 1e-3, "t": 3}).on(stream)
    single = ListPlan(library, ADAMW, [True] * 7, items, flags=0, scalars={"lr": 1e-3, "t": 3}).on(stream)
    step = [torch.tensor(3.0, device=device) for _ in sizes]
    same = {"lr": 1e-3, "beta1": 0.9, "beta2": 0.999, "weight_decay": 0.01, "eps": 1e-8, "amsgrad": False, "maximize": False}
    runs = {"list": listed.run, "calls": single.run_each}
    if dtype == torch.float32:  # torch's moments are of the parameters' dtype
        runs["torch fused"] = lambda: torch._fused_adamw_(p, g, m, v, [], step, **same)
    moved = sum(n * (3 * p[0].element_size() + 16) for n in sizes)
    source = torch.empty(moved // 2, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    runs["copy"] = lambda: target.copy_(source)
    optimiser = torch.optim.AdamW([torch.nn.Parameter(t) for t in p], foreach=True)
    for parameter, gradient in zip(optimiser.param_groups[0]["params"], g, strict=True):
        parameter.grad = gradient
    runs["torch foreach"] = optimiser.step
    times = measured(runs, options.rounds, wait)
    listed.close(), single.close()
    return times, moved


def norm(library, sizes, dtype, options, stream, wait):
    g = [torch.rand(n, device=options.device).to(dtype) for n in sizes]
    squares, result = torch.empty(len(g), device=options.device), torch.empty(1, device=options.device)
    items = [((t,), (squares[i : i + 1],)) for i, t in enumerate(g)]
    listed = ListPlan(library, SQUARES, [True, False], items).on(stream)
    single = ListPlan(library, SQUARES, [True, False], items, flags=0).on(stream)
    root = ListPlan(library, ROOT_OF_SUM, [True, False], [((squares,), (result,))]).on(stream)
    runs = {
        "list": lambda: (listed.run(), root.run()),
        "calls": lambda: (single.run_each(), root.run()),
        "torch foreach": lambda: torch.linalg.vector_norm(torch.stack(torch._foreach_norm(g))),
    }
    times = measured(runs, options.rounds, wait)
    library.check(listed.run()), library.check(root.run())
    wait()
    want = torch.linalg.vector_norm(torch.stack([t.double().norm() for t in g])).item()
    assert abs(result.item() / want - 1) < 1e-6, f"norm: {result.item()}, and not {want}"
    for plan in (listed, single, root):
        plan.close()
    return times, sum(t.numel() * t.element_size() for t in g)


def main():
    parser = argparse.ArgumentParser(prog="python3 -m bench.lists", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="libtileops.so")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--scale", type=int, default=64, help="parameters have one of so many of their elements")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--output", help="path without ending, of .json and .md")
    options = parser.parse_args()
    is_cuda = options.device == "cuda"
    torch.set_num_threads(options.threads)
    library = Library(options.library, options.threads)
    wait = torch.cuda.synchronize if is_cuda else lambda: None
    stream = torch.cuda.current_stream().cuda_stream if is_cuda else None
    model = llama_3_8b(options.scale)
    small = [1 + 97 * i % 1000 for i in range(2000)]
    rows = []
    for what, run, sizes, dtype in (
        ("adamw, Llama 3 8B's 291", adamw, model, torch.float32),
        ("adamw, Llama 3 8B's 291", adamw, model, torch.bfloat16),
        ("adamw, 2,000 small ones", adamw, small, torch.float32),
        ("norm, Llama 3 8B's 291", norm, model, torch.float32),
        ("norm, Llama 3 8B's 291", norm, model, torch.bfloat16),
        ("norm, 2,000 small ones", norm, small, torch.float32),
    ):
        times, moved = run(library, sizes, dtype, options, stream, wait)
        rows.append({"what": what, "dtype": str(dtype).removeprefix("torch."), "bytes": moved, "times": times})
        print(rows[-1], flush=True)
    about = about_machine.describe(str(ROOT)) | {"gpu": about_machine.gpu() if is_cuda else None, "torch": torch.__version__, "threads": options.threads}
    table = ["| | dtype | MiB | " + " | ".join(n for n in ("list", "calls", "torch fused", "torch foreach", "copy")) + " |", "|---|---|---:|" + "---:|" * 5]
    for row in rows:
        cells = [row["times"].get(n) for n in ("list", "calls", "torch fused", "torch foreach", "copy")]
        text = [f"{t['whole'][0]:.0f} ({t['whole'][1]:.0f})" + (f", host {t['host'][0]:.0f}" if is_cuda else "") if t else "" for t in cells]
        table.append(f"| {row['what']} | {row['dtype']} | {row['bytes'] / 2**20:.1f} | " + " | ".join(text) + " |")
    report = f"us, least of {options.rounds} rounds (and median), parameters of one {options.scale}th:\n\n" + "\n".join(table) + "\n"
    print(report)
    if options.output:
        pathlib.Path(options.output + ".json").write_text(json.dumps({"machine": about, "rows": rows}, indent=1) + "\n")
        pathlib.Path(options.output + ".md").write_text(f"# Lists: {about['cpu'] if not is_cuda else about['gpu']}\n\nCommit {about['commit']}. {report}")


if __name__ == "__main__":
    main()
