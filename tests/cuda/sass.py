#!/usr/bin/env python3
"""Looks at the machine code of contiguous kernels, without a GPU: whole packs are read and written 16
bytes at a time, and nothing goes through local memory.

usage: sass.py FOLDER [--cuda-home DIR] [-v]

FOLDER is what `tileops_pack --contiguous` wrote. The disassembler nvdisasm is looked for on the path and in the
toolkit (pip has it as nvidia-cuda-nvdisasm). Exit status 77, with the reason, where something is missing.
"""

import argparse
import collections
import concurrent.futures
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


def look_at(tool, file, loads, stores, bounded, name):
    """What is wrong with one kernel, and the counts."""
    done = subprocess.run([tool, "-ndf", "-c", file], capture_output=True, text=True)
    if done.returncode:
        return name, [f"nvdisasm: {done.stderr.strip()}"], collections.Counter()
    counts, outside = collections.Counter(), collections.Counter()
    into = counts
    for line in done.stdout.splitlines():
        # Functions that are out of line (rare elements again in f64) follow the kernel's own code.
        if re.match(r"\s*(\.type|\$|\.L_x_\d+:.*\$)", line) and "$tileops_kernel$" in line and ".type" not in line:
            into = outside
        op = re.search(r"\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)", line)
        if not op:
            continue
        code = op[1]
        if code.startswith("LDG"):
            into["loads128" if ".128" in code else "loads"] += 1
        elif code.startswith("STG"):
            into["stores128" if ".128" in code else "stores"] += 1
        elif code.split(".")[0] in ("LDL", "STL"):
            into["local"] += 1
    problems = []
    if counts["loads128"] < loads:
        problems.append(f"{counts['loads128']} loads of 16 bytes, need {loads}")
    if counts["stores128"] < stores:
        problems.append(f"{counts['stores128']} stores of 16 bytes, need {stores}")
    # Where registers are bounded on purpose (src/cuda/tuning.h), mostly for a form in f64 behind a rounding test, what
    # its call needs is spilled around it; these are counted and shown.
    if counts["local"] and not bounded:
        problems.append(f"{counts['local']} accesses to local memory")
    counts["outside_local"] = outside["local"]
    return name, problems, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cuda-home", default=os.environ.get("CUDA_HOME"))
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
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        looked = list(pool.map(lambda r: look_at(tool, args.folder / r[0], int(r[1]), int(r[2]), r[3] == "1", r[4]),
                               rows))
    failed, total = 0, collections.Counter()
    for name, problems, counts in sorted(looked):
        total.update(counts)
        failed += bool(problems)
        if problems or counts["local"] or args.verbose:
            print(f"{'FAILED' if problems else 'ok    '} {name}: {'; '.join(problems) or dict(counts)}")
    print(f"{len(looked)} contiguous kernels, {failed} wrong; {total['loads128']} loads and "
          f"{total['stores128']} stores of 16 bytes, {total['local']} accesses to local memory "
          f"({total['outside_local']} in functions for rare elements)")
    if len(looked) < 100:
        print("FAILED: that is too few to be all")
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
