"""The part of docs/performance.md on expressions, for tools/gen_docs.py: short tables of committed results; all rows are in
the reports that they link to."""

import pathlib

from bench.common import table
from bench.expressions import gpu_tables, gpu_targets, report as expr_report

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZE = "16Mi"  # of the CPU's rows


def plots(folder, files):
    """Links to those that are there."""
    return "".join(f"\n![{text}](../{folder}/{name})\n" for name, text in files if (ROOT / folder / name).exists())


def chain_table(rows, dtypes, cells, heads):
    """A line for each chain, with the cells of each dtype."""
    chains = {}
    for r in rows:
        chains.setdefault(r["op"], {})[r["dtype"]] = r
    lines = [
        [
            f"`{op}`",
            next(iter(found.values()))["steps"],
            *(c for d in dtypes for c in (cells(found[d]) if d in found else ["-"] * len(heads))),
        ]
        for op, found in chains.items()
    ]
    return table.lines_table(
        ["chain", "operators", *(f"{d}: {h}" if not i else h for d in dtypes for i, h in enumerate(heads))], lines
    )


def gpu_cells(r):
    over, _ = gpu_tables.copy_cell(r)
    return [f"{r['tbs']:.2f}", over, *(gpu_tables.times(r, peer) for peer in ("compile", "unfused"))]


def gpu(result, stem):
    """ "" if no row is an expression."""
    rows = [r for r in gpu_tables.measured(result) if r["group"] == "expressions"]
    if not gpu_tables.measured(result):
        return ""
    m, host = result["machine"], result["host"]
    text = (
        f"{m['gpu']}, driver {m['driver']}, PyTorch {result['torch']}, {result['date']}, commit {result['commit']}. "
        f"[All rows, and what they miss](../bench/results/gpu/{stem}.md).\n"
    )
    text += "\n" + gpu_tables.summary(result)
    if rows:
        dtypes = [d for d in ("bf16", "f32") if any(r["dtype"] == d for r in rows)]
        text += (
            f"\n{result['elements'] >> 20} Mi elements. The column of the copy: bytes a second beside a kernel that only copies the same arrays "
            f"(light chains are to reach {100 * gpu_targets.SHARE:.0f} %); times as fast as torch.compile (to reach: 1.0x) and as the chain as "
            "operators of this library, one call each.\n\n"
        )
        text += chain_table(
            [r for r in rows if r["dtype"] in dtypes],
            dtypes,
            gpu_cells,
            ["TB/s", "of the copy", "torch.compile", "unfused"],
        )
    lines = [(label, us, over, target) for label, us, over, target in gpu_tables.host_lines(host)]
    if lines:
        text += "\n" + table.lines_table(
            ["on the host", "us", "over the driver's launch: median (p10 to p90)", "to reach"], lines
        )
    chains = f"{stem}-chains-bf16"
    return text + plots(
        "bench/results/gpu",
        [
            (f"{chains}-time.png", "time of chains: unfused, torch.compile, one expression"),
            (f"{chains}-bytes.png", "bytes that chains move: unfused, torch.compile, one expression"),
        ],
    )


def cpu_cells(r):
    def times(peer):
        ratio = expr_report.ratio(r, peer)
        return f"{ratio:.2f}x" if ratio else "-"

    copied = f"{r['percent_of_copy']:.0f} %" if "percent_of_copy" in r else "-"
    return [f"{r['gb_s']:.1f}", copied, *(times(peer) for peer in ("compile", "numexpr", "unfused"))]


def cpu(results):
    """results: (result, stem), of which some have expressions."""
    found = sorted(
        ((r, stem) for r, stem in results if r.get("expressions")),
        key=lambda p: (p[0]["machine"]["cpu"], p[0]["threads"]),
    )
    if not found:
        return ""
    lines = []
    for result, stem in found:
        for line in expr_report.summary(result):
            cells = [table.cell(line, key, form) for key, _, form in expr_report.SUMMARY]
            lines.append([f"[{result['machine']['cpu']}](../bench/results/{stem}.md)", result["machine"]["date"], *cells])
    text = table.lines_table(["machine", "date", *(title for _, title, _ in expr_report.SUMMARY)], lines)
    for result, _ in found:
        text += f"\n{result['machine']['cpu']}: " + expr_report.first_text(result)
    result, stem = max(found, key=lambda p: p[0]["threads"])
    rows = [
        r
        for r in expr_report.measured(result)
        if r["size"] == SIZE and ":" not in r["op"] and r["dtype"] in ("f32", "bf16")
    ]
    if rows:
        text += (
            f"\n{SIZE[:-2]} Mi elements, {result['threads']} threads of {result['machine']['cpu']}. Times as fast as torch.compile (to reach: "
            f"1.0x), numexpr ({expr_report.NUMEXPR:.0f}x) and the chain as operators of this library; a * b + c is to have "
            f"{expr_report.COPY:.0f} % of the copy's bytes a second.\n\n"
        )
        text += chain_table(
            rows, ["f32", "bf16"], cpu_cells, ["GB/s", "of the copy", "torch.compile", "numexpr", "unfused"]
        )
    return text + plots(
        "bench/results",
        [
            (f"{stem}-f32-time.png", "time of chains on the CPU: unfused, torch.compile, one expression"),
            (f"{stem}-f32-bytes.png", "bytes that chains move on the CPU"),
        ],
    )
