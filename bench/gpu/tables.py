"""Tables of the GPU results. By itself: tables.py RESULT.json writes RESULT.md and the plots anew."""

import json
import math
import pathlib
import sys

from reasons import reason

# Least share of the copy kernel's speed.
TARGETS = {"ops": 0.97, "layouts": 0.95}
PEERS = (("torch_us", "torch eager"), ("compile_us", "torch.compile"), ("max_us", "torch.compile, max-autotune"), ("cub_us", "CUB DeviceTransform"))


def geomean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def target_of(row):
    if row["group"] in ("layouts", "heavy"):
        return 0.93 if "transposed" in row["op"] else TARGETS["layouts"]
    if row["group"] != "ops":
        return None
    special = any(row["op"].startswith(p) for p in ("rope", "silu_and", "gelu_and", "gelu_tanh_and"))
    return 0.95 if special or row["dtype"] in ("e4m3fn", "e5m2", "bool") else TARGETS["ops"]


def measured(result):
    """Rows of operators; those of expressions have tables of their own (expression_tables.py)."""
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


def size_text(n):
    return f"{n >> 20} Mi" if n >= 1 << 20 else f"{n >> 10} Ki"


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


def nodes_text(row, name):
    """Nodes of one call in the captured graph: "1", "2", "1 + 1 memset"; "-" where they were not counted."""
    kinds = (row.get("nodes") or {}).get(name)
    if not kinds:
        return "-"
    return " + ".join(f"{n:g}" + ("" if kind == "kernel" else f" {kind}") for kind, n in sorted(kinds.items()))


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
    return text + table(["rows", "row", "dtypes", *(label for _, label in names)],
                        [[group, op, " ".join(dict.fromkeys(dtypes)), *texts] for (group, op, texts), dtypes in cells.items()], 3)


def host_lines(host):
    names = (("plain_raw_launch_us", "thread without a context: cuLaunchKernelEx, context made current for it", "us"), ("plain_execute_ptrs_us", "thread without a context: execute_ptrs", "us"), ("plain_execute_us", "thread without a context: execute", "us"), ("raw_launch_us", "cuLaunchKernelEx of a like kernel", "us"), ("execute_ptrs_us", "execute_ptrs", "us"),
             ("execute_us", "execute", "us"), ("plan_create_cached_us", "plan_create, plan known", "us"),
             ("plan_memory_us", "plan_create, kernel known", "us"), ("plan_pack_us", "plan_create, kernel in the pack", "us"),
             ("plan_disk_us", "plan_create, kernel on disk", "us"), ("plan_compiled_us", "plan_create, compiled by NVRTC", "us"),
             ("first_pack_us", "first execute and wait, kernel in the pack", "us"), ("first_memory_us", "first execute and wait, kernel known", "us"), ("nvrtc_empty_us", "NVRTC alone, of an empty kernel", "us"))
    return [(label, host[key], over_launch(host, key)) for key, label, _ in names if key in host]


def over_launch(host, key):
    """What the call takes more than the launch on the same thread in the same round: median, p10 and p90; "" if unknown."""
    over = host.get(key[:-3] + "_over_us")
    return "{:+.2f} ({:+.2f} to {:+.2f})".format(*over) if over else ""


def summary(result):
    import expression_tables
    text = expression_tables.summary(result)
    for label, us, over in host_lines(result["host"]):
        text += f"{label:36} {us:10.2f} us {over}".rstrip() + "\n"
    for group in ("ops", "layouts", "heavy"):
        rows = [r for r in measured(result) if r["group"] == group and r.get("share") is not None]
        if rows:
            hit = sum(r["share"] >= target_of(r) for r in rows)
            text += f"{group}: {hit} of {len(rows)} rows reach their share of the copy kernel\n"
    for group, label, n, mean, below, worst in peer_lines(result):
        text += f"{group:10} {label:20} {n:4} rows, geomean {mean:.2f}x, {below} below 1, least {worst:.2f}x\n"
    return text


def table(head, rows, right=1):
    out = ["| " + " | ".join(head) + " |", "|" + "".join("---|" if i < right else "---:|" for i in range(len(head)))]
    return "\n".join(out + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


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
    return table(["op", *dtypes], [[op, *(c.get(d, "") for d in dtypes)] for op, c in cells.items()])


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
            text += f"\n{op}, {dtype}{', buffers in turn that exceed the L2' if rotated else ''}, us:\n\n" + table(["", *label], lines)
    return text


def copy_text(result):
    found = copy_spread(result)
    return f" The same copy over {found[0]} rows spreads by {100 * found[1]:.1f} % (p10 to p90)." if found else ""


def markdown(result):
    m = result["machine"]
    text = f"# GPU benchmarks, {m['gpu']}\n\nGenerated by bench/gpu/run.py{result.get('arguments') and ' ' + result['arguments'] or ''}.\n\n"
    if result.get("note"):
        text += result["note"] + "\n\n"
    text += table(["", ""], [("date", result["date"]), ("commit", result["commit"]), ("kernel sources", result.get("sources", "not recorded")),
                             ("machine", f"{m['gpu']}, {m['memory']}, driver {m['driver']}, {m['cores']} cores of {m['cpu']}"),
                             ("library", result["library"]), ("PyTorch", result["torch"] or "not present"),
                             ("CUB", result["cub_note"] or "of the toolkit's nvcc")], 2)
    import expression_tables
    expressions = expression_tables.markdown(result)
    if expressions and not measured(result):  # a run of that part alone
        return text + expressions
    text += "\n## Host time of a call\n\n" + table(["call", "us", "over the launch, by rounds: median (p10 to p90)"],
                                                           [(a, f"{b:.2f}", over) for a, b, over in host_lines(result["host"])])
    for failure in result["host"].get("failed", []):
        text += f"\nNot measured: {failure}\n"
    text += ("\n## Against peers\n\nTimes as fast, on the same data in the same process; kernels alone, in CUDA graphs.\n\n"
             + table(["rows", "peer", "number", "geometric mean", "below 1.0x", "least"],
                     [(g, p, n, f"{mean:.2f}x", below, f"{worst:.2f}x") for g, p, n, mean, below, worst in peer_lines(result)], 2))
    text += (f"\n## Operators, {result['elements'] >> 20} Mi elements\n\nTB/s, every operand counted once (share of a kernel that "
             "only copies the same bytes, in the same run), times as fast as torch eager / torch.compile / torch.compile with max-autotune where tried.\n\n"
             + by_dtype(result, "ops"))
    present = {r["group"] for r in measured(result)}
    if "layouts" in present:
        text += "\n## Layouts\n\n" + by_dtype(result, "layouts")
    if "heavy" in present:
        text += "\n## Heavy operators over layouts\n\n" + by_dtype(result, "heavy")
    if "workloads" in present:
        text += "\n## Workloads\n\nShapes that models have; `-` where torch.compile was not tried.\n\n" + by_dtype(result, "workloads")
    if "sizes" in present:
        text += "\n## Over sizes\n" + sizes(result)
    text += nodes(result)
    missed = misses(result)
    text += (f"\n## Below target\n\n{len(missed)} entries: under 97 % of the copy kernel (95 % for 8-bit dtypes, gated, rope and "
             "broadcasts, 93 % for transposed operands), or slower than torch eager or torch.compile." + copy_text(result) + "\n\n" + table(
                 ["row", "dtype", "missed", "kernels of ours / theirs", "reason"],
                 [(row_name(r), r["dtype"], what, f"{nodes_text(r, 'ours')} / {nodes_text(r, peer)}", reason(r, peer, least))
                  for r, what, peer, least in missed], 5))
    text += expressions
    skipped = [r for r in result["rows"] if "skipped" in r and not r["group"].startswith("expression")]
    if skipped:
        text += "\n## Not measured\n\n" + table(["row", "dtype", "why"], [(r["op"], r["dtype"], r["skipped"]) for r in skipped], 3)
    return text


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    import charts
    data = json.loads(path.read_text())
    path.with_suffix(".md").write_text(markdown(data))
    charts.draw(data, path.parent, path.stem)
    print(summary(data))
