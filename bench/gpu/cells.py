"""Cells of the tables of GPU results, of operators and of expressions."""


def size_text(n):
    return f"{n >> 20} Mi" if n >= 1 << 20 else f"{n >> 10} Ki"


def nodes_text(row, name):
    """Nodes of one call in the captured graph: "1", "2", "1 + 1 memset"; "-" where they were not counted."""
    kinds = (row.get("nodes") or {}).get(name)
    if not kinds:
        return "-"
    return " + ".join(f"{n:g}" + ("" if kind == "kernel" else f" {kind}") for kind, n in sorted(kinds.items()))


def over_launch(host, key):
    """What the call takes more than the launch on the same thread in the same round: median, p10 and p90; "" if unknown."""
    over = host.get(key[:-3] + "_over_us")
    return "{:+.2f} ({:+.2f} to {:+.2f})".format(*over) if over else ""
