"""Bars for each chain: time and bytes moved, as one expression, as operators one after the other, and by
torch.compile. For results of the CPU and of GPUs. Needs matplotlib."""

COLOURS = {"ours": "tab:blue", "unfused": "tab:orange", "torch": "tab:red", "compile": "tab:green",
           "quack": "tab:purple", "copy": "black"}
LABELS = {
    "ours": "one expression",
    "unfused": "operators, one call each",
    "torch": "torch eager",
    "compile": "torch.compile",
    "quack": "QuACK",
    "copy": "copy of the same bytes",
}


def pyplot():
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        return plt
    except ImportError:
        return None


def bars(plt, rows, series, value, title, label, file, marks=None):
    """A bar for each row and series where `value(row, name)` is not None."""
    height = 0.8 / len(series)
    figure, axes = plt.subplots(figsize=(7.5, 1.3 + 0.13 * len(series) * len(rows)))
    for k, name in enumerate(series):
        points = [(p, value(r, name)) for p, r in enumerate(rows)]
        points = [(p + 0.4 - (k + 0.5) * height, v) for p, v in points if v is not None]
        if points:
            axes.barh(
                [p for p, _ in points], [v for _, v in points], height=height, color=COLOURS[name], label=LABELS[name]
            )
    if marks:
        for p, r in enumerate(rows):
            at = marks(r)
            if at is not None:
                axes.plot(
                    [at, at], [p - 0.4, p + 0.4], color="black", linewidth=1.2, label=LABELS["copy"] if p == 0 else None
                )
    axes.set_yticks(range(len(rows)), [r["op"] for r in rows])
    axes.tick_params(axis="y", labelsize=7)
    axes.margins(y=0.01)
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel(label)
    axes.set_title(title, fontsize=9)
    figure.legend(fontsize=7, loc="lower center", ncol=4)
    figure.tight_layout(rect=(0, 0.35 / figure.get_figheight(), 1, 1))
    figure.savefig(file, dpi=110)
    plt.close(figure)
    return file


def time_bars(plt, rows, title, file):
    """Times as a chain's share of the unfused chain's, since chains differ in size."""
    rows = sorted((r for r in rows if "unfused_us" in r), key=lambda r: r["unfused_us"] / r["ours_us"])

    def value(r, name):
        return r[name + "_us"] / r["unfused_us"] if name + "_us" in r else None

    return bars(
        plt,
        rows,
        [n for n in ("unfused", "compile", "ours") if any(n + "_us" in r for r in rows)],
        value,
        title,
        "time, of the unfused chain's",
        file,
        lambda r: (
            r["copy_us"] * r["bytes"] / r["copy_bytes"] / r["unfused_us"]
            if "copy_us" in r and "copy_bytes" in r
            else None
        ),
    )


def compile_bytes(r):
    """Where torch.compile makes one kernel of the chain it moves what one expression does; else it is not known."""
    kernels = r.get("compile_kernels") or (r.get("nodes") or {}).get("compile", {}).get("kernel")
    return r["bytes"] if kernels == 1 else None


def bytes_bars(plt, rows, title, file):
    rows = sorted((r for r in rows if "unfused_bytes" in r), key=lambda r: r["unfused_bytes"] / r["bytes"])

    def value(r, name):
        moved = {"ours": r["bytes"], "unfused": r["unfused_bytes"], "compile": compile_bytes(r)}[name]
        return moved and moved / r["elements"]

    series = [n for n in ("unfused", "compile", "ours") if any(value(r, n) for r in rows)]
    return bars(plt, rows, series, value, title, "bytes read and written for an element of the result", file)


def both(rows, title, name):
    """The two files, from rows that have `elements`."""
    plt = pyplot()
    if plt is None or not any("unfused_us" in r for r in rows):
        return []
    return [
        time_bars(plt, rows, f"time, {title}", f"{name}-time.png"),
        bytes_bars(plt, rows, f"memory traffic, {title}", f"{name}-bytes.png"),
    ]


def gpu(result, folder, name):
    """Of the group of all chains, float32 and bfloat16."""
    files = []
    for dtype in ("f32", "bf16"):
        rows = [
            {**r, "elements": r["size"]}
            for r in result["rows"]
            if r["group"] == "expressions" and r["dtype"] == dtype and "ours_us" in r and r["data"] != "rotated"
        ]
        if rows:
            files += both(
                rows,
                f"{dtype}, {rows[0]['size'] >> 20} Mi elements, {result['machine']['gpu']}",
                f"{folder / name}-chains-{dtype}",
            )
    return files


def cpu(result, name):
    """Of the large size, float32 and bfloat16."""
    files = []
    for dtype in ("f32", "bf16"):
        rows = [
            {**r, "elements": int(r["size"][:-2]) << 20}
            for r in result["expressions"]["rows"]
            if r["dtype"] == dtype and "ours_us" in r and r["size"].endswith("Mi") and ":" not in r["op"]
        ]
        if rows:
            title = f"{dtype}, {rows[0]['size']} elements, {result['threads']} threads, {result['machine']['cpu']}"
            files += both(rows, title, f"{name}-{dtype}")
    return files
