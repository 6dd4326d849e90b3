"""Tables of the rows that are expressions, for the report (bench/gpu/report.py) and docs/performance.md (bench/expressions/region.py)."""

from bench.common.table import geomean, lines_table
from bench.expressions import gpu_targets as targets
from bench.gpu.cells import nodes_text, over_launch, size_text

HEAD = [
    "chain",
    "dtype",
    "elements",
    "data",
    "us",
    "TB/s",
    "of the copy",
    "target",
    "torch.compile",
    "max-autotune",
    "MLX",
    "unfused",
    "eager",
    "kernels",
    "misses",
]
TITLES = {
    "expressions": "Chains",
    "expression_layouts": "Broadcast and strided operands",
    "expression_decode": "Decoding: 1 to 32 rows",
    "expression_sizes": "Over sizes",
}


def measured(result):
    return [r for r in result["rows"] if r["group"].startswith("expression") and "ours_us" in r]


def times(row, key):
    """A peer's time over ours."""
    if key + "_us" in row:
        return f"{row[key + '_us'] / row['ours_us']:.2f}x"
    return "-"


def copy_cell(row):
    if "copy_us" not in row:
        return "-", "-"
    if row["group"] == "expression_decode":
        return f"{row['over_copy_us']:+.2f} us", f"<= +{targets.DECODE_US:.1f} us"
    least = targets.share(row)
    return f"{100 * row['share']:.0f} %", f"{100 * least:.0f} %" if least else "-"


def line(row):
    over, target = copy_cell(row)
    return [
        row["op"],
        row["dtype"],
        size_text(row["size"]),
        row["data"],
        f"{row['ours_us']:.2f}",
        f"{row['tbs']:.2f}",
        over,
        target,
        times(row, "compile"),
        times(row, "max"),
        times(row, "mlx"),
        times(row, "unfused"),
        times(row, "torch"),
        nodes_text(row, "ours"),
        "; ".join(text for text, _ in targets.misses(row)) or "",
    ]


def host_lines(host):
    names = (
        ("expr_execute_ptrs_us", "execute_ptrs of an expression"),
        ("expr_execute_us", "execute of an expression"),
        ("expr_execute_with_us", "execute_with, a scalar"),
        ("expr_parse_us", "parse"),
        ("expr_plan_memory_us", "plan_create, kernel known"),
        ("expr_plan_pack_us", "plan_create, kernel in the pack"),
        ("expr_plan_disk_us", "plan_create, kernel on disk"),
        ("expr_plan_compiled_us", "plan_create, compiled by NVRTC"),
        ("expr_plan_compiled_most_us", "plan_create, compiled by NVRTC, the longest"),
        ("expr_first_compiled_us", "first execute and wait"),
    )
    found = []
    for key, label in names:
        for prefix, where in (("plain_", ", thread without a context"), ("", "")):
            if prefix + key in host:
                target = targets.HOST.get(key)
                found.append(
                    (label + where, f"{host[prefix + key]:.2f}", over_launch(host, prefix + key), target or "")
                )
    return found


def summary(result):
    """One line for each group."""
    lines = []
    for group, title in TITLES.items():
        rows = [r for r in measured(result) if r["group"] == group and r["data"] != "rotated"]
        if not rows:
            continue
        cells = [title, len(rows)]
        for key in ("unfused", "torch", "compile", "max"):
            ratios = [r[key + "_us"] / r["ours_us"] for r in rows if key + "_us" in r]
            cells.append(
                f"{geomean(ratios):.2f}x"
                + (f", {sum(v < 1 for v in ratios)} of {len(ratios)} below 1.0x" if key in ("compile", "max") else "")
                if ratios
                else "-"
            )
        if group == "expression_decode":
            over = [r["over_copy_us"] for r in rows if "over_copy_us" in r]
            cells.append(
                f"{sum(v > targets.DECODE_US for v in over)} of {len(over)} more than {targets.DECODE_US:.1f} us over it"
                if over
                else "-"
            )
        else:
            shares = [r["share"] < targets.share(r) for r in rows if "share" in r and targets.share(r)]
            cells.append(
                f"{sum(shares)} of {len(shares)} light ones below {100 * targets.SHARE:.0f} %" if shares else "-"
            )
        lines.append(cells)
    return (
        lines_table(
            [
                "",
                "rows",
                "over the unfused chain",
                "over torch eager",
                "over torch.compile",
                "over max-autotune",
                "beside the copy",
            ],
            lines,
        )
        if lines
        else ""
    )


def markdown(result):
    """ "" if no row is an expression."""
    rows = measured(result)
    host = host_lines(result["host"])
    skipped = [r for r in result["rows"] if r["group"].startswith("expression") and "skipped" in r]
    if not rows and not host and not skipped:
        return ""
    text = (
        "\n## Expressions\n\nChains of operators in one kernel. TB/s counts each operand and result once. `of the copy`: bytes a second "
        "beside a kernel that only copies the same full-size arrays, in the same run; of decoding, the time over it. Peers: how many times "
        "as long they take; `unfused` is the chain as operators of this library, one call each, in one CUDA graph. Results were "
        "compared with float64 or float32 before. MLX, in a process of its own, by the wall's time of "
        f"calls that are waited for together: {result.get('mlx') or 'not asked for'}.\n\n" + summary(result)
    )
    if host:
        text += "\n" + lines_table(["host", "us", "over the launch, by rounds: median (p10 to p90)", "target"], host)
    for group, title in TITLES.items():
        part = [r for r in rows if r["group"] == group]
        if part:
            text += f"\n### {title}\n\n" + lines_table(HEAD, [line(r) for r in part], 4)
    notes = [
        (r["op"], r["dtype"], size_text(r["size"]), key[:-5], r[key])
        for r in rows
        for key in ("unfused_note", "torch_note", "compile_note", "max_note", "mlx_note")
        if key in r
    ]
    if notes:
        text += "\n### Peers that were not measured\n\n" + lines_table(
            ["chain", "dtype", "elements", "peer", "why"], notes, 5
        )
    if skipped:
        text += "\n### Not measured\n\n" + lines_table(
            ["chain", "dtype", "elements", "why"],
            [(r["op"], r["dtype"], size_text(r["size"]), r["skipped"]) for r in skipped],
            4,
        )
    texts = {r["op"].split(":")[0]: (r["steps"], r["text"]) for r in rows}
    return (
        text
        + "\n### Texts\n\n"
        + lines_table(["chain", "operators", "text"], [(n, s, f"`{t}`") for n, (s, t) in texts.items()], 1)
    )
