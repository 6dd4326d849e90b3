"""The table of what bench/decoder/peer.py measures, for its report and docs/performance.md."""

ROUNDS = 9
# A model of 8 billion parameters.
MODEL = {"width": 4096, "heads": 32, "cache_heads": 8, "head_dim": 128, "hidden": 14336}
LABELS = ("ours", "ours, texts", "ours, products", "compile", "compile, sdpa", "eager", "eager, sdpa")


def table(found):
    lines = [f"The decoder block of demo/model ({', '.join(f'{k} {v}' for k, v in MODEL.items())}) on {found['machine']['gpu']}, torch",
             f"{found['torch']}, {found['date']}, commit {found['commit']}: microseconds in a CUDA graph, the median of {ROUNDS} rounds in one",
             "process. Ours has fp8 in all six products;",
             "torch in the four of weights, since it has no batches of fp8 products. `sdpa` never writes the scores to memory.",
             "`difference`: of the results of ours and torch, against what the block adds. Made by bench/decoder/peer.py.", "",
             "| case | tokens | cache | kernels beside products | MB moved by them | " + " | ".join(LABELS) + " | difference |",
             "|---|---:|---:|---:|---:|" + "---:|" * (len(LABELS) + 1)]
    for r in found["rows"]:
        cells = [f"{r['us'][name]:.1f}" if name in r["us"] else "-" for name in LABELS]
        lines.append(f"| {r['case']} | {r['tokens']} | {r['capacity']} | {r['kernels']} | {r['bytes'] * 1e-6:.1f} | " + " | ".join(cells) +
                     f" | {r['difference']:.3f} |")
    notes = [f"{r['case']}, {label}: {why}." for r in found["rows"] for label, why in r["notes"].items()]
    return "\n".join(lines + [""] * bool(notes) + notes) + "\n"
