#!/usr/bin/env python3
"""Looks at the machine code of contiguous kernels, without a GPU: whole packs are read and written 16
bytes at a time, and nothing goes through local memory.

usage: sass.py FOLDER ARCH [--least N] [--cuda-home DIR] [-v]

FOLDER is what `tileops_pack --contiguous` wrote for ARCH, 90 for instance. The disassembler nvdisasm is looked for
on the path and in the toolkit (pip has it as nvidia-cuda-nvdisasm). Exit status 77, with the reason, where something
is missing.
"""

import argparse
import bisect
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys


def disassembler(home):
    found = shutil.which("nvdisasm")
    if not found and home and (pathlib.Path(home) / "bin" / "nvdisasm").exists():
        found = str(pathlib.Path(home) / "bin" / "nvdisasm")
    return found


def instructions(tool, folder, arch):
    """The address and name of every instruction, of all kernels in one run: to start takes it 0.2 s."""
    done = subprocess.run([tool, "--binary", f"SM{arch}", folder / "code"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: nvdisasm: {done.stderr.strip()}")
    for line in done.stdout.splitlines():
        found = re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)", line)
        if found:
            yield int(found[1], 16), found[2]


def kind(code):
    wide = "128" if ".128" in code else ""
    if code.startswith("LDG"):
        return "loads" + wide
    if code.startswith("STG"):
        return "stores" + wide
    return "local" if code.split(".")[0] in ("LDL", "STL") else None


def problems_of(counts, loads, stores, bounded):
    """What is wrong with one kernel."""
    problems = [] if counts["instructions"] else ["no instruction"]
    if counts["loads128"] < loads:
        problems.append(f"{counts['loads128']} loads of 16 bytes, need {loads}")
    if counts["stores128"] < stores:
        problems.append(f"{counts['stores128']} stores of 16 bytes, need {stores}")
    # Where registers are bounded on purpose (src/cuda/tuning/tuning.h), mostly for a form in f64 behind a rounding test, what
    # its call needs is spilled around it; these are counted and shown.
    if counts["local"] and not bounded:
        problems.append(f"{counts['local']} accesses to local memory")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("arch", type=int)
    parser.add_argument("--cuda-home", default=os.environ.get("CUDA_HOME"))
    parser.add_argument("--least", type=int, default=100, help="fewer kernels are a failure")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    tool = disassembler(args.cuda_home)
    if not tool:
        print(f"skipped: no nvdisasm on the path or in {args.cuda_home or 'a toolkit'}")
        return 77
    listed = args.folder / "list"
    if not listed.exists():
        print(f"FAILED: no {listed}")
        return 1
    rows = [line.split("\t") for line in listed.read_text().splitlines()]
    begins = [int(row[0]) for row in rows]
    looked = [collections.Counter() for _ in rows]
    for address, code in instructions(tool, args.folder, args.arch) if rows else ():
        k = bisect.bisect(begins, address) - 1
        # Functions that are out of line (rare elements again in f64) follow the kernel's own code.
        own = address < int(rows[k][1])
        looked[k]["instructions"] += own
        if (what := kind(code)) and (own or what == "local"):
            looked[k][what if own else "outside_local"] += 1
    failed = 0
    for (_, _, loads, stores, bounded, name), counts in sorted(zip(rows, looked), key=lambda pair: pair[0][-1]):
        problems = problems_of(counts, int(loads), int(stores), bounded == "1")
        failed += bool(problems)
        if problems or counts["local"] or args.verbose:
            print(f"{'FAILED' if problems else 'ok    '} {name}: {'; '.join(problems) or dict(counts)}")
    total = sum(looked, collections.Counter())
    print(f"{len(looked)} contiguous kernels, {failed} wrong; {total['loads128']} loads and "
          f"{total['stores128']} stores of 16 bytes, {total['local']} accesses to local memory "
          f"({total['outside_local']} in functions for rare elements)")
    if len(looked) < args.least:
        print("FAILED: that is too few to be all")
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
