"""Bars for each operator: speedup against torch, percent of the copy loop. Needs matplotlib."""


def draw(result, name):
    """Writes <name>-<what>-<size>-<dtype>.png; the list of files, empty without matplotlib."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        return []
    files = []
    charts = (("speedup", result["torch_peer"], "speedup", 1.0, "times as fast as PyTorch"),
              ("copy", result["cpu_bench"], "percent_of_copy", 90.0, "percent of the copy loop"))
    for what, rows, key, target, label in charts:
        parts = {}
        for row in rows:
            if row.get(key) is not None:
                parts.setdefault((row["size"], row["threads"], row["dtype"]), []).append(row)
        for (size, threads, dtype), part in parts.items():
            part.sort(key=lambda r: r[key])
            figure, axes = plt.subplots(figsize=(7, 1.2 + 0.17 * len(part)))
            colors = ["tab:red" if r[key] < target else "tab:blue" for r in part]
            axes.barh([r["op"] for r in part], [r[key] for r in part], color=colors)
            axes.axvline(target, color="black", linewidth=0.8)
            if what == "speedup":
                axes.set_xscale("log")
            axes.set_xlabel(label)
            axes.set_title(f"{dtype}, {size} elements, {threads} threads, "
                           f"{result['machine']['cpu']}", fontsize=9)
            axes.tick_params(axis="y", labelsize=6)
            axes.margins(y=0.005)
            figure.tight_layout()
            file = f"{name}-{what}-{size}-{dtype}.png"
            figure.savefig(file, dpi=110)
            plt.close(figure)
            files.append(file)
    return files
