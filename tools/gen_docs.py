#!/usr/bin/env python3
"""Writes the generated regions of README.md; with --check, fails if they are not up to date.

A region stands between `<!-- begin:NAME -->` and `<!-- end:NAME -->`:
  example   demo/example.c
  ops       `tileops ops --markdown`
  accuracy  tests/accuracy/results/cpu.json, one row per dtype
  speed     bench/results/*.json, one row per machine, threads, size and dtype
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def example(_args):
    return "```c\n" + (ROOT / "demo/example.c").read_text().rstrip() + "\n```"


def ops(args):
    done = subprocess.run([args.tileops, "ops", "--markdown"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def accuracy(_args):
    path = ROOT / "tests/accuracy/results/cpu.json"
    if not path.exists():
        return "(not measured yet)"
    rows = json.loads(path.read_text())["rows"]
    groups = {}
    for row in rows:
        groups.setdefault((row["kind"], row["dtype"]), []).append(row)
    lines = ["| operators | dtype | worst error, ulp | inputs tried | not correctly rounded |",
             "|---|---|---|---|---|"]
    for (kind, dtype), group in groups.items():
        worst = max(group, key=lambda r: r["max_ulp"])
        lines.append(f"| {len({r['op'] for r in group})} {kind} | {dtype} | {worst['max_ulp']:.2f} "
                     f"({worst['op']}) | {sum(r['tried'] for r in group):,} | "
                     f"{sum(r['not_cr'] for r in group):,} |")
    return "\n".join(lines)


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def speed(_args):
    lines = ["| machine | threads | elements | dtype | operators | geomean vs torch | slowest | fastest |",
             "|---|---|---|---|---|---|---|---|"]
    for path in sorted((ROOT / "bench/results").glob("*.json")):
        data = json.loads(path.read_text())
        groups = {}
        for row in data.get("peer", []):
            if row.get("speedup"):
                groups.setdefault((row["threads"], row["size"], row["dtype"]), []).append(row)
        for (threads, size, dtype), group in sorted(groups.items()):
            low, high = (f(group, key=lambda r: r["speedup"]) for f in (min, max))
            lines.append(f"| {data['machine']['cpu']} | {threads} | {size:,} | {dtype} | {len(group)} | "
                         f"{geomean([r['speedup'] for r in group]):.2f}x | "
                         f"{low['speedup']:.2f}x {low['op']} | {high['speedup']:.1f}x {high['op']} |")
    return "\n".join(lines) if len(lines) > 2 else "(not measured yet)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if out of date")
    parser.add_argument("--tileops", default=str(ROOT / "build/release/src/cli/tileops"), help="the command")
    args = parser.parse_args()
    readme = ROOT / "README.md"
    old = readme.read_text()
    new = old
    for name in ("example", "ops", "accuracy", "speed"):
        begin, end = f"<!-- begin:{name} -->", f"<!-- end:{name} -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
        if not pattern.search(new):
            sys.exit(f"README.md has no region {name}")
        text = globals()[name](args)
        new = pattern.sub(lambda _m, t=text: f"{begin}\n{t}\n{end}", new)
    if new == old:
        print("README.md is up to date")
    elif args.check:
        sys.exit("README.md is out of date: run ./dev docs")
    else:
        readme.write_text(new)
        print("README.md written")


if __name__ == "__main__":
    main()
