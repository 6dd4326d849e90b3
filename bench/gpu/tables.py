"""Tables of the GPU results of operators; those of expressions are in bench/expressions/gpu_tables.py, and report.py puts them together."""

from bench.common.table import geomean, lines_table
from bench.gpu.cells import nodes_text, over_launch, size_text

# Least share of the copy kernel's speed.
TARGETS = {"ops": 0.97, "layouts": 0.95}
PEERS = (("torch_us", "torch eager"), ("compile_us", "torch.compile"), ("max_us", "torch.compile, max-autotune"), ("cub_us", "CUB DeviceTransform"))


def target_of(row):
    if row["group"] in ("layouts", "heavy"):
        return 0.93 if "transposed" in row["op"] else TARGETS["layouts"]
    if row["group"] != "ops":
        return None
    special = any(row["op"].startswith(p) for p in ("rope", "silu_and", "gelu_and", "gelu_tanh_and"))
    return 0.95 if special or row["dtype"] in ("e4m3fn", "e5m2", "bool") else TARGETS["ops"]


def measured(result):
    """Rows of operators; those of expressions have tables of their own (bench/expressions/gpu_tables.py)."""
    return [r for r in result["rows"] if "ours_us" in r and not r["group"].startswith("expression")]


def misses(result):
    """(row, what was missed, compared with whom, least ratio), the slowest first."""
    found = []
    for r in measured(result):
        target = target_of(r)
        if target and r.get("share") is not None and r["share"] < target:
            found.append((r["share"] / target, r, f"{100 * r['share']:.0f} % of the copy, target {100 * target:.0f} %{spread(r, 'copy')}", "copy", target))
        for key, label in PEERS[:3]:
            if key in r and r[key] < r["ours_us"]:
                found.append((r[key] / r["ours_us"], r, f"{r[key] / r['ours_us']:.3f}x {label}{spread(r, key[:-3])}", key[:-3], 1.0))
    return [f[1:] for f in sorted(found, key=lambda f: f[0])]


def row_name(r):
    return r["op"] + (f" of {size_text(r['size'])}" if r["group"] == "sizes" else "") + (", rotated" if r.get("data") == "rotated" else "")


def spread(r, key):
    """Of the peer's time over ours in the same round: rounds in which we were slower, p10 and p90."""
    p = r.get("pairs", {}).get(key)
    return f", slower in {p['slower']} of {p['rounds']} rounds, p10 to p90 {p['p10']:.3f} to {p['p90']:.3f}" if p else ""


def copy_spread(result):
    """(rows, p10 to p90 over the median) of the mix of sizes that most rows of one size copy; None if unknown."""
    groups = {}
    for r in measured(result):
        if "traffic" in r and "copy_us" in r and r["group"] == "ops":
            groups.setdefault((*r["traffic"], r["bytes"]), []).append(r["copy_us"])
    times = sorted(max(groups.values(), key=len, default=[]))
    if len(times) < 5:
        return None
    return len(times), (times[int(0.9 * (len(times) - 1) + 0.5)] - times[int(0.1 * (len(times) - 1) + 0.5)]) / times[len(times) // 2]


def groups(result):
    """(name, rows) of every group that was measured; rows whose buffers are taken in turn apart."""
    found = []
    for group in ("ops", "layouts", "heavy", "sizes", "workloads"):
        for data in ("", "rotated"):
            rows = [r for r in measured(result) if r["group"] == group and (r.get("data") == "rotated") == bool(data)]
            if rows:
                found.append((f"{group} {data}".strip(), rows))
    return found


def peer_lines(result):
    lines = []
    for name, rows in groups(result):
        for key, label in PEERS:
            part = [r[key] / r["ours_us"] for r in rows if key in r]
            if part:
                lines.append((name, label, len(part), geomean(part), sum(v < 1 for v in part), min(part)))
    return lines


def nodes(result):
    """A table of the rows where somebody's call is not one kernel; "" where nodes were not counted."""
    names = (("ours", "ours"), *((key[:-3], label) for key, label in PEERS))
    counted = [r for r in measured(result) if r.get("nodes")]
    if not counted:
        return ""
    cells = {}
    for r in counted:
        texts = tuple(nodes_text(r, name) for name, _ in names)
        if any(text not in ("1", "-") for text in texts):
            cells.setdefault((r["group"], row_name(r), texts), []).append(r["dtype"])
    text = (f"\n## Kernels of a call\n\nNodes that a call adds to a CUDA graph, kernels unless said; `-`: not measured or not captured. "
            f"Of {len(counted)} rows that were counted everybody's call is one kernel but in these:\n\n")
    return text + lines_table(["rows", "row", "dtypes", *(label for _, label in names)],
                              [[group, op, " ".join(dict.fromkeys(dtypes)), *texts] for (group, op, texts), dtypes in cells.items()], 3)


def host_lines(host):
    names = (("plain_raw_launch_us", "thread without a context: cuLaunchKernelEx, context made current for it", "us"), ("plain_execute_ptrs_us", "thread without a context: execute_ptrs", "us"), ("plain_execute_us", "thread without a context: execute", "us"), ("raw_launch_us", "cuLaunchKernelEx of a like kernel", "us"), ("execute_ptrs_us", "execute_ptrs", "us"),
             ("execute_us", "execute", "us"), ("plan_create_cached_us", "plan_create, plan known", "us"),
             ("plan_memory_us", "plan_create, kernel known", "us"), ("plan_pack_us", "plan_create, kernel in the pack", "us"),
             ("plan_disk_us", "plan_create, kernel on disk", "us"), ("plan_compiled_us", "plan_create, compiled by NVRTC", "us"),
             ("first_pack_us", "first execute and wait, kernel in the pack", "us"), ("first_memory_us", "first execute and wait, kernel known", "us"), ("nvrtc_empty_us", "NVRTC alone, of an empty kernel", "us"))
    return [(label, host[key], over_launch(host, key)) for key, label, _ in names if key in host]


def by_dtype(result, group):
    rows = [r for r in measured(result) if r["group"] == group]
    dtypes = list(dict.fromkeys(r["dtype"] for r in rows))
    cells = {}
    for r in rows:
        text = f"{r['tbs']:.2f}"
        if r.get("share") is not None:
            text += f" ({100 * r['share']:.0f} %)"
        peers = [f"{r[k] / r['ours_us']:.2f}" if k in r else "-" for k in ("torch_us", "compile_us")]
        peers += [f"{r['max_us'] / r['ours_us']:.2f}"] if "max_us" in r else []
        if peers != ["-", "-"]:
            text += " " + "/".join(peers)
        cells.setdefault(row_name(r), {})[r["dtype"]] = text
    return lines_table(["op", *dtypes], [[op, *(c.get(d, "") for d in dtypes)] for op, c in cells.items()])


def sizes(result):
    text = ""
    rows = [r for r in measured(result) if r["group"] == "sizes"]
    for op in dict.fromkeys(r["op"] for r in rows):
        for dtype, rotated in ((d, b) for d in dict.fromkeys(r["dtype"] for r in rows) for b in (False, True)):
            part = sorted((r for r in rows if r["op"] == op and r["dtype"] == dtype and (r.get("data") == "rotated") == rotated), key=lambda r: r["size"])
            if not part:
                continue
            label = [size_text(r["size"]) for r in part]
            lines = [[title, *(f"{r[key]:.2f}" if key in r else "-" for r in part)]
                     for key, title in (("ours_us", "ours"), ("copy_us", "copy"), *PEERS)]
            text += f"\n{op}, {dtype}{', buffers in turn that exceed the L2' if rotated else ''}, us:\n\n" + lines_table(["", *label], lines)
    return text
