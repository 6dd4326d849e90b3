#!/usr/bin/env python3
"""The shared library exports what tests/abi/symbols.txt lists, no more and no less.

Three lists have to agree: the functions that the header declares with TILEOPS_API, the committed
list, and the dynamic symbols of the library. With --update the list is written anew from the
header; a symbol that disappears from it in a release is a break of the ABI.
"""

import argparse
import pathlib
import re
import subprocess
import sys


def declared(header):
    text = re.sub(r"/\*.*?\*/", "", pathlib.Path(header).read_text(), flags=re.S)
    text = re.sub(r"^\s*#.*?[^\\]$", "", text, flags=re.M)
    return set(re.findall(r"TILEOPS_API[^;(]*?(\w+)\s*\(", text))


def exported(nm, library):
    """Names and version nodes of all defined dynamic symbols, the nodes themselves left out."""
    out = subprocess.run([nm, "-D", "--defined-only", library], check=True, text=True,
                         capture_output=True).stdout
    fields = [line.split()[-2:] for line in out.splitlines()]
    return {name for kind, name in fields if kind != "A"}


def compare(what, got, want):
    for name in sorted(got - want):
        print(f"{what}: {name} is too many")
    for name in sorted(want - got):
        print(f"{what}: {name} is missing")
    return got == want


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--header", required=True)
    parser.add_argument("--library")
    parser.add_argument("--map")
    parser.add_argument("--soname")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()

    listed_in = pathlib.Path(__file__).with_name("symbols.txt")
    want = declared(args.header)
    if args.update:
        listed_in.write_text("".join(f"{name}\n" for name in sorted(want)))
        return 0
    listed = set(listed_in.read_text().split())
    ok = compare("header, against tests/abi/symbols.txt", want, listed)

    found = exported(args.nm, args.library)
    nodes = set(re.findall(r"^(TILEOPS_[\d.]+) *{", pathlib.Path(args.map).read_text(), re.M))
    ok &= compare("version nodes", {name.partition("@@")[2] for name in found}, nodes)
    ok &= compare("library, against tests/abi/symbols.txt",
                  {name.partition("@")[0] for name in found}, listed)

    dynamic = subprocess.run([args.readelf, "-d", args.library], check=True, text=True,
                             capture_output=True).stdout
    soname = re.search(r"SONAME.*\[(.*)\]", dynamic)
    ok &= compare("soname", {soname.group(1)} if soname else set(), {args.soname})
    print(f"{len(listed)} symbols")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
