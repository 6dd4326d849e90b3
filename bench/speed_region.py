"""The documents' tables of speed beside peers, for tools/gen_docs.py, of results that were measured with the tree's own kernels:
a short one for the README, and for docs/performance.md the one of operators on CPUs. All rows are in the reports."""

from bench.common import table
from bench.expressions import gpu_tables as expression_tables, report as expr_report
from bench.gpu import tables
from bench.rows import gpu_report as rows_gpu_report, report as rows_report

NONE = "No results of these kernels yet. Those of earlier ones are in `bench/results`, each with its commit."
DTYPES = "bf16", "f32"
SIZE = "16Mi"  # of the CPU's rows of operators and expressions in the short table
PEERS = (("torch", "torch eager"), ("compile", "torch.compile"), ("quack", "QuACK"), ("liger", "Liger"), ("flashinfer", "FlashInfer"))


def cell(ratios):
    if not ratios:
        return "-"
    return f"{table.geomean(ratios):.2f}x, {sum(r < 1 for r in ratios)} of {len(ratios)} below 1.0x"


def speedups(row):
    """{peer: how many times as long it takes}."""
    if "speedup" in row:  # of bench/operators/peer.py, which has one peer
        return {"torch": row["speedup"]} if row["speedup"] else {}
    return {peer: row[peer + "_us"] / row["ours_us"] for peer, _ in PEERS if peer + "_us" in row}


def kinds(result):
    """(name, rows) of what was measured; of a CPU's operators and expressions those of the large size."""
    if "rows" in result and isinstance(result["rows"], dict):
        yield "rows", (rows_gpu_report if "gpu" in result["machine"] else rows_report).measured(result)
    elif "rows" in result:
        yield "operators", [r for r in tables.measured(result) if r["group"] == "ops"]
        yield "expressions", [r for r in expression_tables.measured(result) if r["group"] == "expressions"]
    elif "expressions" in result:
        yield "expressions", [r for r in expr_report.measured(result) if r["size"] == SIZE]
    else:
        yield "operators", [r for r in result["torch_peer"] if r["size"] == SIZE]


def lines_of(result):
    about = result["machine"]
    name = about["gpu"] if "gpu" in about else f"{about['cpu']}, {result['threads']} threads"
    for kind, rows in kinds(result):
        for dtype in DTYPES:
            found = [speedups(r) for r in rows if r["dtype"] == dtype]
            cells = [cell([f[peer] for f in found if peer in f]) for peer, _ in PEERS]
            if any(c != "-" for c in cells):
                yield [name, about.get("date") or result["date"], f"{kind}, {dtype}", *cells]


def short(results):
    """A line for each machine, kind of kernels and dtype; peers that no line has are left out."""
    lines = sorted((line for result in results for line in lines_of(result)), key=lambda line: line[0])
    if not lines:
        return NONE
    there = [i for i in range(3, 3 + len(PEERS)) if any(line[i] != "-" for line in lines)]
    head = ["machine", "date", "kernels", *(label for _, label in PEERS)]
    columns = [0, 1, 2, *there]
    return ("Times as fast as a peer, on the same data in the same process: geometric means over shapes, and how many are slower. "
            "All with the kernels of this tree.\n\n"
            + table.lines_table([head[i] for i in columns], [[line[i] for i in columns] for line in lines], len(columns)).rstrip())


def every(results, reports):
    """results: of CPUs. reports: names of the Markdown files with all rows of each."""
    lines, listed = [], set()  # a machine's rows on one thread: of its run with the fewest threads
    for result in sorted(results, key=lambda r: (r["machine"]["cpu"], r["threads"])):
        rows = [r for r in result.get("torch_peer", []) if r.get("speedup")]
        for (size, threads, dtype), group in sorted(table.groups(rows, "size", "threads", "dtype").items()):
            key = result["machine"]["cpu"], size, threads, dtype
            if key in listed:
                continue
            listed.add(key)
            low, high = (f(group, key=lambda r: r["speedup"]) for f in (min, max))
            lines.append([result["machine"]["cpu"], result["machine"]["date"], size, threads, dtype, len(group),
                          f"{table.geomean(r['speedup'] for r in group):.2f}x", sum(r["speedup"] < 1 for r in group),
                          f"{low['speedup']:.2f}x {low['op']}", f"{high['speedup']:.0f}x {high['op']}"])
    if not lines:
        return NONE
    head = ["machine", "date", "elements", "threads", "dtype", "rows", "geomean", "below 1.0x", "slowest", "fastest"]
    links = ", ".join(f"[{name}](../bench/results/{name}.md)" for name in reports if not name.endswith("-expressions"))
    return table.lines_table(head, lines, 2) + f"\nEvery row, the slowest first: {links}."
