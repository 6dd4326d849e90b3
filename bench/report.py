"""Tables of the benchmark results."""

import math

PEER_COLUMNS = [("op", "op", "%s"), ("dtype", "dtype", "%s"), ("size", "size", "%s"),
                ("threads", "threads", "%d"), ("ours_us", "ours us", "%.2f"),
                ("torch_us", "torch us", "%.2f"), ("speedup", "speedup", "%.2f"),
                ("speedup_median", "(median)", "%.2f"), ("gb_s", "GB/s", "%.1f"),
                ("percent_of_copy", "% of copy", "%.0f"), ("difference", "difference", "%.1g")]


def geomean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def cell(row, key, form):
    value = row.get(key)
    return "-" if value is None else form % value


def plain_table(rows, columns):
    lines = [[title for _, title, _ in columns]]
    lines += [[cell(row, key, form) for key, _, form in columns] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    left = {i for i, (_, _, form) in enumerate(columns) if form == "%s"}
    return "".join("  ".join(t.ljust(w) if i in left else t.rjust(w)
                             for i, (t, w) in enumerate(zip(line, widths))).rstrip() + "\n"
                   for line in lines)


def markdown_table(rows, columns):
    text = "| " + " | ".join(title for _, title, _ in columns) + " |\n"
    text += "|" + "|".join("---" if form == "%s" else "---:" for _, _, form in columns) + "|\n"
    for row in rows:
        text += "| " + " | ".join(cell(row, key, form) for key, _, form in columns) + " |\n"
    return text


def groups(rows, *keys):
    found = {}
    for row in rows:
        found.setdefault(tuple(row.get(k) for k in keys), []).append(row)
    return found


def peer_summary(rows):
    """One line for each size, thread count and dtype."""
    lines = []
    for (size, threads, dtype), part in groups(rows, "size", "threads", "dtype").items():
        lines.append({"size": size, "threads": threads, "dtype": dtype, "rows": len(part),
                      "geomean": geomean(r["speedup"] for r in part),
                      "below": sum(r["speedup"] < 1 for r in part),
                      "slow": sum(r.get("percent_of_copy", 100) < 90 for r in part)})
    return lines


PEER_SUMMARY = [("size", "size", "%s"), ("threads", "threads", "%d"), ("dtype", "dtype", "%s"),
                ("rows", "rows", "%d"), ("geomean", "geomean", "%.2f"),
                ("below", "below 1.0x", "%d"), ("slow", "below 90 % of copy", "%d")]


def peer_text(rows):
    measured = sorted((r for r in rows if "speedup" in r), key=lambda r: r["speedup"])
    text = plain_table(peer_summary(measured), PEER_SUMMARY) + "\n"
    text += plain_table(measured, PEER_COLUMNS)
    for row in rows:
        if "skipped" in row:
            text += f"skipped: {row['op']} {row['dtype']} {row['size']}: {row['skipped']}\n"
    return text
