#!/usr/bin/env python3
"""Turns the lines of tileops_gpu_bench into bench/results/gpu/NAME.json and NAME.md.

usage: report.py LINES --name nvidia-h200 --commit HASH --date YYYY-MM-DD --machine TEXT
"""

import argparse
import json
import pathlib


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lines", type=pathlib.Path)
    for option in ("name", "commit", "date", "machine"):
        parser.add_argument(f"--{option}", required=True)
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.lines.read_text().splitlines() if line.startswith("{")]
    host = next((row for row in rows if row.get("host")), None)
    rows = [row for row in rows if "op" in row]
    about = {"machine": args.machine, "date": args.date, "commit": args.commit}
    folder = pathlib.Path(__file__).resolve().parent.parent / "results" / "gpu"
    (folder / f"{args.name}.json").write_text(
        json.dumps({**about, "host": host, "rows": rows}, indent=1) + "\n")

    out = [f"# {args.machine}", "", f"{args.date}, commit {args.commit}. 64 Mi elements, medians.", "",
           "TB/s counts every operand once; share is the time of a kernel that only copies the same bytes, "
           "in the same run, over the operator's.", ""]
    if host:
        out += [f"Host time per call: raw launch {host['raw_launch_us']:.2f} us, execute_ptrs "
                f"{host['execute_ptrs_us']:.2f}, execute {host['execute_us']:.2f}, plan_create of a known "
                f"plan {host['plan_create_cached_us']:.2f}.", ""]
    dtypes = list(dict.fromkeys(row["dtype"] for row in rows))
    out += ["| op | layout | " + " | ".join(dtypes) + " |", "|---|---|" + "---:|" * len(dtypes)]
    cells = {}
    for row in rows:
        cells.setdefault((row["op"], row["layout"]), {})[row["dtype"]] = row
    for (op, layout), by_dtype in cells.items():
        texts = [f"{by_dtype[d]['tbs']:.2f} ({100 * by_dtype[d]['share']:.0f} %)" if d in by_dtype else ""
                 for d in dtypes]
        out.append(f"| {op} | {layout} | " + " | ".join(texts) + " |")
    missed = sorted((row for row in rows if row["share"] < 0.95), key=lambda row: row["share"])
    out += ["", f"Below 95 % of the copy kernel: {len(missed)} of {len(rows)} rows, the slowest first: "
            + ", ".join(f"{row['op']} {row['layout']} {row['dtype']} {100 * row['share']:.0f} %" for row in missed)
            + "."]
    (folder / f"{args.name}.md").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
