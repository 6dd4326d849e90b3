"""Tables of results: as text, and as Markdown."""

import math


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


def lines_table(head, rows, right=1):
    out = ["| " + " | ".join(head) + " |", "|" + "".join("---|" if i < right else "---:|" for i in range(len(head)))]
    return "\n".join(out + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def torch_text(result):
    isa = result.get("torch_isa")
    return f"{result['torch']}, {isa}" if isa else result["torch"] or "not present"
