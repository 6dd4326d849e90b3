"""The part of docs/performance.md on operators on a GPU, for tools/gen_docs.py: short tables of one result; all rows are in the
report."""

from bench.common.table import geomean, lines_table
from bench.gpu import tables
from bench.gpu.cells import over_launch


def least(rows):
    """The row that is slowest beside torch, whichever of its ways."""
    pairs = [(r[key] / r["ours_us"], r, key[:-3], label) for r in rows for key, label in tables.PEERS[:3] if key in r]
    if not pairs:
        return ""
    ratio, r, peer, label = min(pairs, key=lambda p: p[0])
    return f"{ratio:.2f}x {label}: {tables.row_name(r)}, {r['dtype']}{tables.spread(r, peer)}"


def group_table(result):
    lines = []
    for name, rows in tables.groups(result):
        cells = [name, len(rows)]
        eager = [r["torch_us"] / r["ours_us"] for r in rows if "torch_us" in r]
        cells.append(f"{geomean(eager):.2f}x" if eager else "-")
        for key, _ in tables.PEERS[:3]:
            part = [r[key] < r["ours_us"] for r in rows if key in r]
            cells.append(f"{sum(part)} of {len(part)}" if part else "-")
        shares = [r["share"] < tables.target_of(r) for r in rows if tables.target_of(r) and r.get("share") is not None]
        lines.append([*cells, f"{sum(shares)} of {len(shares)}" if shares else "-", least(rows)])
    head = ["rows", "number", "geomean over eager", "below 1.0x of eager", "of torch.compile", "of max-autotune", "below their share of the copy"]
    return lines_table([*head, "least"], lines)


def host_table(host):
    lines = []
    for name, label in (("raw_launch", "the driver's launch of a like kernel"), ("execute_ptrs", "`tileops_execute_ptrs`"),
                        ("execute", "`tileops_execute`")):
        cells = [label]
        for prefix in ("plain_", ""):
            key = f"{prefix}{name}_us"
            cells.append(f"{host[key]:.2f} {over_launch(host, key)}".strip() if key in host else "-")
        if cells[1:] != ["-", "-"]:
            lines.append(cells)
    if not lines:
        return ""
    return ("Time of a call on the host, us: medians, and what the call takes more than the launch in the same round, median (p10 to p90).\n\n"
            + lines_table(["", "thread without a CUDA context", "context current"], lines))


def plan_text(host):
    def time(us):
        return f"{us:.2g} us" if us < 10 else f"{us:.0f} us" if us < 1000 else f"{us / 1000:.2g} ms" if us < 10000 else f"{us / 1000:.0f} ms"
    kinds = (("plan_create_cached", "a plan that is known"), ("plan_memory", "a kernel in memory"), ("plan_pack", "one in the pack"),
             ("plan_disk", "one on disk"), ("plan_compiled", "one that NVRTC compiles"), ("nvrtc_empty", "of which an empty kernel takes it"))
    found = [f"{label} {time(host[name + '_us'])}" for name, label in kinds if name + "_us" in host]
    return "`tileops_plan_create`: " + ", ".join(found) + ".\n" if found else ""


def gpu(result, stem):
    m = result["machine"]
    text = (f"{m['gpu']}, driver {m['driver']}, PyTorch {result['torch'] or 'not present'}, {result['date']}, commit {result['commit']}, "
            f"kernel sources {result.get('sources', 'of a hash that was not recorded')}. "
            f"[All figures and the rows that miss their targets](../bench/results/gpu/{stem}.md).\n")
    if tables.measured(result):
        text += "\n" + group_table(result)
    for part in (host_table(result["host"]), plan_text(result["host"])):
        text += "\n" + part if part else ""
    return text.rstrip()
