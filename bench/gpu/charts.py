"""Bandwidth over size with the copy's drawn, bars for each operator against torch, and for each chain (bench/expressions/plots.py).
Needs matplotlib."""

import pathlib

SIZE_COLOURS = {"ours_us": "tab:blue", "copy_us": "black", "torch_us": "tab:orange", "compile_us": "tab:green"}
LABELS = {"ours_us": "libtileops", "copy_us": "copy kernel, the same bytes", "torch_us": "torch eager",
          "compile_us": "torch.compile"}


def over_size(plt, result, folder, name):
    rows = [r for r in result["rows"] if r["group"] == "sizes" and "ours_us" in r and r.get("data") != "rotated"]
    if not rows:
        return []
    ops = list(dict.fromkeys(r["op"] for r in rows))
    dtypes = list(dict.fromkeys(r["dtype"] for r in rows))
    figure, axes = plt.subplots(len(dtypes), len(ops), figsize=(3.2 * len(ops), 2.7 * len(dtypes)), sharex=True, sharey=True,
                                squeeze=False)
    for i, dtype in enumerate(dtypes):
        for j, op in enumerate(ops):
            part = sorted((r for r in rows if r["op"] == op and r["dtype"] == dtype), key=lambda r: r["size"])
            for key, colour in SIZE_COLOURS.items():
                points = [(r["size"], r["bytes"] / r[key] * 1e-6) for r in part if key in r]
                if points:
                    axes[i][j].plot(*zip(*points), color=colour, marker="." if key != "copy_us" else None,
                                    linestyle="--" if key == "copy_us" else "-", linewidth=1.3, label=LABELS[key])
            axes[i][j].set_xscale("log", base=2)
            axes[i][j].set_title(f"{op}, {dtype}", fontsize=9)
            axes[i][j].grid(alpha=0.3)
            if j == 0:
                axes[i][j].set_ylabel("TB/s")
            if i == len(dtypes) - 1:
                axes[i][j].set_xlabel("elements")
    axes[0][0].legend(fontsize=7)
    figure.suptitle(f"{result['machine']['gpu']}, kernel time in CUDA graphs; what fits the L2 comes from there", fontsize=9)
    figure.tight_layout()
    file = folder / f"{name}-sizes.png"
    figure.savefig(file, dpi=110)
    plt.close(figure)
    return [file]


def bars(plt, result, folder, name, dtype):
    rows = [r for r in result["rows"] if r["group"] in ("ops", "layouts") and r["dtype"] == dtype and "torch_us" in r]
    if not rows:
        return []
    rows.sort(key=lambda r: r["torch_us"] / r["ours_us"])
    height = 0.2
    figure, axes = plt.subplots(figsize=(7.5, 1.2 + 0.17 * len(rows)))
    places = range(len(rows))
    axes.barh([p + height for p in places], [r["torch_us"] / r["ours_us"] for r in rows], height=0.4, color="tab:orange",
              label="against torch eager")
    with_compile = [(p, r["compile_us"] / r["ours_us"]) for p, r in zip(places, rows) if "compile_us" in r]
    if with_compile:
        axes.barh([p - height for p, _ in with_compile], [v for _, v in with_compile], height=0.4, color="tab:green",
                  label="against torch.compile")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(list(places), [r["op"] for r in rows])
    axes.tick_params(axis="y", labelsize=6)
    axes.margins(y=0.005)
    axes.legend(fontsize=8, loc="lower right")
    axes.set_xlabel("times as fast")
    axes.set_title(f"{dtype}, {result['elements'] >> 20} Mi elements, {result['machine']['gpu']}", fontsize=9)
    figure.tight_layout()
    file = folder / f"{name}-peers-{dtype}.png"
    figure.savefig(file, dpi=110)
    plt.close(figure)
    return [file]


def draw(result, folder, name):
    """The files written; none without matplotlib."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        return []
    files = over_size(plt, result, folder, name)
    for dtype in ("f32", "bf16"):
        files += bars(plt, result, folder, name, dtype)
    from bench.expressions import plots
    return files + [pathlib.Path(f) for f in plots.gpu(result, folder, name)]
