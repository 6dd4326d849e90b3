"""The documents' tables of speed beside PyTorch, for tools/gen_docs.py, of committed results: a short one for the README,
and for docs/performance.md the one of all machines, sizes, threads and dtypes. All rows are in the reports."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "gpu")]
import expr_report  # noqa: E402
import expression_tables  # noqa: E402
import region  # noqa: E402
import report  # noqa: E402
import sources  # noqa: E402
import tables  # noqa: E402

NONE = "(not measured yet)"
DTYPES = "bf16", "f32"
SIZE = "16Mi"  # of the CPU's rows in the short table
HELD = ", AVX2 alone"  # ends the name of a machine whose better instructions were left out


def cell(ratios):
    ratios = list(ratios)
    if not ratios:
        return "-"
    return f"{report.geomean(ratios):.2f}x, {sum(r < 1 for r in ratios)} of {len(ratios)} below 1.0x"


def cpu_line(cpu, result, expressions):
    """A line of the short table; `expressions` is None where they were not measured on that machine."""
    ours = [r for r in result["torch_peer"] if r.get("speedup") and r["size"] == SIZE]
    fused = [r for r in expr_report.measured(expressions) if r["size"] == SIZE] if expressions else []
    cells = [cell(r["speedup"] for r in ours if r["dtype"] == d) for d in DTYPES]
    for d in DTYPES:
        cells.append(cell(expr_report.ratio(r, "compile") for r in fused if r["dtype"] == d and "compile_us" in r))
    dates = {r["machine"]["date"] for r in (result, expressions) if r}
    return [f"{cpu}, {result['threads']} threads", ", ".join(sorted(dates)), *cells]


def gpu_lines(results):
    """A line for each GPU: its rows of operators and of expressions may be results of their own."""
    found = {}
    for result in results:
        line = found.setdefault(result["machine"]["gpu"], {"dates": set(), "ops": [], "expressions": []})
        line["dates"].add(result["date"])
        line["ops"] += [r for r in tables.measured(result) if r["group"] == "ops" and "torch_us" in r]
        line["expressions"] += [r for r in expression_tables.measured(result) if r["group"] == "expressions" and "compile_us" in r]
    return [[gpu, ", ".join(sorted(line["dates"])),
             *(cell(r["torch_us"] / r["ours_us"] for r in line["ops"] if r["dtype"] == d) for d in DTYPES),
             *(cell(r["compile_us"] / r["ours_us"] for r in line["expressions"] if r["dtype"] == d) for d in DTYPES)]
            for gpu, line in found.items()]


def short(cpu, gpu):
    """cpu, gpu: results. Of each machine the run with the most threads, by all its instructions where they were measured."""
    machines, expressions = {}, {}
    for result in sorted(cpu, key=lambda r: (r["machine"]["cpu"], r["threads"])):
        if "expressions" in result:
            expressions[result["machine"]["cpu"], result["threads"]] = result
        else:
            machines[result["machine"]["cpu"]] = result
    lines = gpu_lines(gpu)
    for name, result in machines.items():
        if not (name.endswith(HELD) and name[:-len(HELD)] in machines):
            lines.append(cpu_line(name, result, expressions.get((name, result["threads"]))))
    if not lines:
        return NONE
    on_gpus = f", {gpu[0]['elements'] >> 20}Mi on GPUs" if gpu else ""
    text = ("Times as fast as a peer, on the same data in the same process: operators beside PyTorch eager, expressions beside\n"
            f"torch.compile. Geometric means, of {SIZE} elements on CPUs{on_gpus}.\n")
    if any(result.get("sources") != sources.kernel_sources() for result in gpu):
        text += region.STALE + "\n"
    head = ["machine", "date", *(f"operators, {d}" for d in DTYPES), *(f"expressions, {d}" for d in DTYPES)]
    return text + "\n" + tables.table(head, lines, len(head)).rstrip()


def every(results, reports):
    """results: of CPUs. reports: names of the Markdown files with all rows of each."""
    lines, listed = [], set()  # a machine's rows on one thread: of its run with the fewest threads
    for result in sorted(results, key=lambda r: (r["machine"]["cpu"], r["threads"])):
        rows = [r for r in result.get("torch_peer", []) if r.get("speedup")]
        for (size, threads, dtype), group in sorted(report.groups(rows, "size", "threads", "dtype").items()):
            key = result["machine"]["cpu"], size, threads, dtype
            if key in listed:
                continue
            listed.add(key)
            low, high = (f(group, key=lambda r: r["speedup"]) for f in (min, max))
            lines.append([result["machine"]["cpu"], result["machine"]["date"], size, threads, dtype, len(group),
                          f"{report.geomean(r['speedup'] for r in group):.2f}x", sum(r["speedup"] < 1 for r in group),
                          f"{low['speedup']:.2f}x {low['op']}", f"{high['speedup']:.0f}x {high['op']}"])
    if not lines:
        return NONE
    head = ["machine", "date", "elements", "threads", "dtype", "rows", "geomean", "below 1.0x", "slowest", "fastest"]
    links = ", ".join(f"[{name}](../bench/results/{name}.md)" for name in reports if not name.endswith("-expressions"))
    return tables.table(head, lines, 2) + f"\nEvery row, the slowest first: {links}."
