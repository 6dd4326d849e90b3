"""What rows of expressions are to reach on a GPU."""

SHARE = 0.97  # of the copy, chains of little arithmetic whose data comes from memory
DECODE_US = 1.0  # over a kernel of the same shape that only copies
HOST = {
    "expr_execute_us": "<= +0.3 us over the launch",
    "expr_execute_ptrs_us": "<= +0.3 us over the launch",
    "expr_execute_with_us": "<= +0.3 us over the launch",
    "expr_plan_compiled_us": "<= 60 000 us",
    "expr_plan_compiled_most_us": "<= 60 000 us",
    "expr_plan_disk_us": "<= 1000 us",
}


def share(row):
    """Least share of the copy; None where none is asked for."""
    return (
        SHARE
        if row["group"] in ("expressions", "expression_sizes") and row.get("light") and row["data"] == "memory"
        else None
    )


def misses(row):
    """(text, peer) of each target that is missed."""
    found = []
    least = share(row)
    if least and "share" in row and row["share"] < least:
        found.append((f"{100 * row['share']:.1f} % of the copy", "copy"))
    if row["group"] == "expression_decode" and row.get("over_copy_us", 0) > DECODE_US:
        found.append((f"{row['over_copy_us']:.2f} us over the copy", "copy"))
    for key, label in (
        ("compile", "torch.compile"),
        ("max", "max-autotune"),
        ("unfused", "unfused"),
        ("torch", "eager"),
    ):
        if key + "_us" in row and row[key + "_us"] < row["ours_us"]:
            pair = row.get("pairs", {}).get(key, {})
            rounds = f" (slower in {pair['slower']} of {pair['rounds']} rounds)" if pair else ""
            found.append((f"{row[key + '_us'] / row['ours_us']:.3f}x {label}{rounds}", key))
    return found
