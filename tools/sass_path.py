#!/usr/bin/env python3
"""Counts what a kernel executes for ordinary data, from its machine code: no GPU needed.

usage: tools/sass_path.py [--disassembler nvdisasm] [--cuobjdump cuobjdump] NAME.cubin...

NAME.cubin and NAME.cu beside it are what TILEOPS_JIT_DUMP writes. The path counted is the shortest one
from entry to exit that makes every wide store, no narrow one, no call and no arithmetic in f64: whole
packs, no result to be repaired. A loop's body is counted once. An H200 (132 multiprocessors, 128 lanes
each, 1.98 GHz) issues 31 instructions while it moves 4 bytes an element at 4.3 TB/s; kernels that need
more than about 23 of these fall behind the copy kernel.
"""

import argparse
import collections
import pathlib
import re
import subprocess

INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+((?:@!?U?P\w+\s+)?)([A-Z0-9_.]+)([^;]*);")


def blocks_of(text):
    blocks, order = {"entry": []}, ["entry"]
    for line in text.splitlines():
        label = re.match(r"\s*(\.L_\w+):", line)
        if label:
            order.append(label[1])
            blocks[label[1]] = []
        elif found := INSTRUCTION.search(line):
            blocks[order[-1]].append((found[1].strip(), found[2], found[3]))
            if found[2].startswith(("BRA", "EXIT")):
                order.append(order[-1] + "'")
                blocks[order[-1]] = []
    return blocks, order


def is_rare(block):
    for _, name, _ in block:
        wide = ".128" in name or ".64" in name
        if name.startswith("STG") and not wide: return True
        if name.startswith("LDG") and (".U8" in name or ".U16" in name): return True
        if name.startswith(("CALL", "DFMA", "DADD", "DMUL", "DSETP")): return True
    return False


def usual_path(text):
    """The instructions of the path, or None: every path has something rare in it."""
    blocks, order = blocks_of(text)
    best = {}  # from a block on: (wide stores, -length, blocks); later blocks first, so loops run once
    for at in range(len(order) - 1, -1, -1):
        name = order[at]
        block = blocks[name]
        if is_rare(block): continue
        following, ends = [], False
        last = block[-1] if block else None
        if last and last[1].startswith("BRA"):
            target = re.search(r"`\((\.L_\w+)\)", last[2])
            if target: following.append(target[1])
            if last[0]: following.append(order[at + 1])
        elif last and last[1].startswith("EXIT"):
            ends = True
            if last[0]: following.append(order[at + 1])
        elif at + 1 < len(order):
            following.append(order[at + 1])
        options = [best[f] for f in following if f in best] + ([(0, 0, [])] if ends else [])
        if options:
            stores, length, rest = max(options, key=lambda o: o[:2])
            stores += sum(i[1].startswith("STG") for i in block)
            best[name] = (stores, length - len(block), [name] + rest)
    return [i for name in best["entry"][2] for i in blocks[name]] if "entry" in best else None


def elements_of(source):
    if lookup := re.search(r"lookup<(\d+)>::run", source): return 16 * int(lookup[1])
    found = re.findall(r"vector = (\d+), units = (\d+)", source)
    return int(found[-1][0]) * int(found[-1][1]) if found else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cubins", nargs="+", type=pathlib.Path)
    parser.add_argument("--disassembler", default="nvdisasm")
    parser.add_argument("--cuobjdump", default="cuobjdump")
    args = parser.parse_args()
    for cubin in args.cubins:
        text = subprocess.run([args.disassembler, "-c", cubin], capture_output=True, text=True, check=True).stdout
        usage = subprocess.run([args.cuobjdump, "-res-usage", cubin], capture_output=True, text=True, check=True)
        registers = re.search(r"REG:(\d+)", usage.stdout + usage.stderr)
        source = cubin.with_suffix(".cu")
        elements = elements_of(source.read_text()) if source.exists() else 1
        path = usual_path(text)
        print(f"{cubin.name}: {registers[1] if registers else '?'} registers, "
              f"{len(INSTRUCTION.findall(text))} instructions in all")
        if path is None:
            print("  no path without something rare")
            continue
        counts = collections.Counter(name.split(".")[0] for _, name, _ in path)
        print(f"  {len(path)} for {elements} elements, {len(path) / elements:.1f} each: "
              + ", ".join(f"{name} {n}" for name, n in counts.most_common(12)))


if __name__ == "__main__":
    main()
