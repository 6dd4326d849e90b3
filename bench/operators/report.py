"""Tables of the results of operators on the CPU."""

from bench.common import table

PEER_COLUMNS = [("op", "op", "%s"), ("dtype", "dtype", "%s"), ("size", "size", "%s"),
                ("threads", "threads", "%d"), ("ours_us", "ours us", "%.2f"),
                ("torch_us", "torch us", "%.2f"), ("speedup", "speedup", "%.2f"),
                ("speedup_median", "(median)", "%.2f"), ("gb_s", "GB/s", "%.1f"),
                ("percent_of_copy", "% of copy", "%.0f"), ("percent_of_copy_paired", "(paired)", "%.0f"),
                ("cached", "in cache", "%.1f"), ("repeats", "rounds", "%d"), ("difference", "difference", "%.1g")]
MEMORY_BOUND = 1.5  # in cache a thread is at least so much faster than memory is for the copy


def with_cached_rates(rows):
    """The rows; with `cached`, how many times as fast one thread is in its cache (the smallest size measured on one
    thread) as a thread of the copy is at this size, where the row's memory is much larger than that."""
    small = {(r["op"], r["dtype"]): r for r in sorted(rows, key=lambda r: -r["bytes"]) if r["threads"] == 1}
    found = []
    for row in rows:
        cached = small.get((row["op"], row["dtype"]))
        if cached and "copy_us" in row and row["bytes"] >= 64 * cached["bytes"]:
            copied = row["bytes"] / row["copy_us"] / 1e3 / row["threads"]
            row = dict(row, cached=cached["gb_s"] / copied)
        found.append(row)
    return found


def measured(rows):
    """Those compared with PyTorch, slowest first."""
    return sorted(with_cached_rates([r for r in rows if "speedup" in r]), key=lambda r: r["speedup"])


def below_copy(rows):
    return [r for r in rows if r.get("percent_of_copy", 100) < 90]


def peer_summary(rows):
    """One line for each size, thread count and dtype."""
    lines = []
    for (size, threads, dtype), part in table.groups(rows, "size", "threads", "dtype").items():
        lines.append({"size": size, "threads": threads, "dtype": dtype, "rows": len(part),
                      "geomean": table.geomean(r["speedup"] for r in part),
                      "below": sum(r["speedup"] < 1 for r in part),
                      "slow": len(below_copy(part)),
                      "bound": sum(r["cached"] >= MEMORY_BOUND for r in below_copy(part))
                      if all("cached" in r for r in below_copy(part)) else None})
    return lines


PEER_SUMMARY = [("size", "size", "%s"), ("threads", "threads", "%d"), ("dtype", "dtype", "%s"),
                ("rows", "rows", "%d"), ("geomean", "geomean", "%.2f"),
                ("below", "below 1.0x", "%d"), ("slow", "below 90 % of copy", "%d"),
                ("bound", "of these bound by memory", "%d")]


def peer_text(rows):
    peer = measured(rows)
    text = table.plain_table(peer_summary(peer), PEER_SUMMARY) + "\n"
    text += table.plain_table(peer, PEER_COLUMNS)
    for row in rows:
        if "skipped" in row:
            text += f"skipped: {row['op']} {row['dtype']} {row['size']}: {row['skipped']}\n"
    return text


CPU_COLUMNS = [("op", "op", "%s"), ("dtype", "dtype", "%s"), ("size", "size", "%s"),
               ("threads", "threads", "%d"), ("best_us", "us", "%.2f"),
               ("copy_us", "copy us", "%.2f"), ("gb_s", "GB/s", "%.1f"),
               ("percent_of_copy", "% of copy", "%.0f"), ("label", "kernel", "%s")]
CPU_SUMMARY = [("size", "size", "%s"), ("threads", "threads", "%d"), ("dtype", "dtype", "%s"),
               ("rows", "rows", "%d"), ("geomean", "geomean, % of copy", "%.0f"),
               ("slow", "below 90 %", "%d")]
HOST_COLUMNS = [("op", "call", "%s"), ("best_ns", "ns", "%.1f")]


def cpu_row(benchmark):
    """A row from Google Benchmark's JSON; None for repetitions that an aggregate stands for."""
    name = benchmark["name"]
    if name.startswith("host/"):
        if benchmark.get("aggregate_name") != "min":
            return None
        unit = {"ns": 1, "us": 1e3, "ms": 1e6}[benchmark["time_unit"]]
        return {"op": benchmark["run_name"].split("/")[1], "size": "host",
                "best_ns": benchmark["cpu_time"] * unit}
    op, dtype, size, threads = name.split("/")[:4]
    row = {"op": op, "dtype": dtype, "size": size, "threads": int(threads[:-1])}
    if benchmark.get("error_occurred"):
        row["skipped"] = benchmark.get("error_message", "failed")
        return row
    row.update((key, benchmark[key]) for key in ("best_us", "bytes", "copy_us", "percent_of_copy",
                                                 "label") if key in benchmark)
    row["gb_s"] = benchmark["GB/s"]
    return row


def cpu_summary(rows):
    return [{"size": size, "threads": threads, "dtype": dtype, "rows": len(part),
             "geomean": table.geomean(r["percent_of_copy"] for r in part),
             "slow": sum(r["percent_of_copy"] < 90 for r in part)}
            for (size, threads, dtype), part in table.groups(rows, "size", "threads", "dtype").items()]


def split(result):
    peer = measured(result["torch_peer"])
    cpu = sorted((r for r in result["cpu_bench"] if "percent_of_copy" in r),
                 key=lambda r: r["percent_of_copy"])
    host = [r for r in result["cpu_bench"] if r["size"] == "host"]
    return peer, cpu, host


def summary_text(result):
    peer, cpu, host = split(result)
    text = table.plain_table(host, HOST_COLUMNS) + "\n" if host else ""
    if cpu:
        text += "against the copy loop\n" + table.plain_table(cpu_summary(cpu), CPU_SUMMARY) + "\n"
    if peer:
        text += "against PyTorch\n" + table.plain_table(peer_summary(peer), PEER_SUMMARY)
    return text


def markdown(result):
    peer, cpu, host = split(result)
    about = result["machine"]
    caches = ", ".join(f"{k} {v}" for k, v in about["caches"].items())
    text = f"# CPU benchmarks, {about['cpu']}, {result['threads']} threads\n\n"
    text += "Generated by bench/run.py" + (" --quick" if result["quick"] else "") + ".\n\n"
    text += table.markdown_table([{"k": k, "v": v} for k, v in (
        ("date", about["date"]), ("commit", about["commit"]),
        ("machine", f"{about['cpu']}, {about['cores']} cores, {caches}"),
        ("load at the start", "%.1f" % about["load"][0]), ("library", result["library"]),
        ("PyTorch", table.torch_text(result)))], [("k", "", "%s"), ("v", "", "%s")])
    if host:
        text += "\n## Host time of a call\n\n" + table.markdown_table(host, HOST_COLUMNS)
    if peer:
        slow = sum(r["speedup"] < 1 for r in peer)
        text += (f"\n## Against PyTorch eager\n\nGeometric mean "
                 f"{table.geomean(r['speedup'] for r in peer):.2f}x over {len(peer)} rows, {slow} of "
                 "them below 1.0x, slowest first. `difference` is the largest one between the two "
                 "results, relative to max(1, value); 16-bit results of torch are rounded more "
                 "than once. `in cache` is how many times as fast one thread is in its cache as a thread of the copy "
                 f"is at this size: from {MEMORY_BOUND} on the row is called bound by memory. (paired): the median over "
                 "the rounds of one round's share.\n\n")
        again = sum("again" in r for r in peer)
        if again:
            text += (f"{again} rows near a target (PyTorch's speed, or 90 % of the copy's at a large size) were "
                     "measured once more at the end, and all rounds of all three count.\n\n")
        text += table.markdown_table(peer_summary(peer), PEER_SUMMARY) + "\n"
        text += table.markdown_table(peer, PEER_COLUMNS)
    if cpu:
        slow = sum(r["percent_of_copy"] < 90 for r in cpu)
        text += (f"\n## Against a copy loop of the same traffic\n\n{slow} of {len(cpu)} rows are "
                 "below 90 %, slowest first.\n\n")
        text += table.markdown_table(cpu_summary(cpu), CPU_SUMMARY) + "\n"
        text += table.markdown_table(cpu, CPU_COLUMNS)
    skipped = [r for r in result["torch_peer"] + result["cpu_bench"] if "skipped" in r]
    if skipped:
        text += "\n## Not measured\n\n" + table.markdown_table(
            skipped, PEER_COLUMNS[:4] + [("skipped", "why", "%s")])
    return text
