#!/usr/bin/env python3
"""Kernel objects define no function that other objects could come to use.

The linker keeps one definition of an inline function or template, whichever comes first. Had a
kernel object compiled for AVX-512 one of the standard library's, the rest of the library might call
it on a CPU without AVX-512. So everything global in a kernel object is in the namespace of its
instruction set.
"""

import subprocess
import sys


def main():
    nm, isa, *objects = sys.argv[1:]
    out = subprocess.run([nm, "--defined-only", "--extern-only", "-A", *objects], check=True,
                         text=True, capture_output=True).stdout
    wrong = []
    for line in out.splitlines():
        file, kind, name = line.rsplit(maxsplit=2)
        # T: function, W: one that may have several definitions, i: chosen at load time.
        if kind in "TWi" and f"isa_{isa}" not in name:
            wrong.append(f"{file.split(':')[0].rsplit('/', 1)[-1]}: {name}")
    if wrong:
        text = subprocess.run(["c++filt"], input="\n".join(wrong), text=True, check=False,
                              capture_output=True).stdout
        print(f"{len(wrong)} functions are not in namespace isa_{isa}:\n{text}")
    print(f"{len(objects)} objects, {len(out.splitlines())} symbols")
    return 1 if wrong or not objects else 0


if __name__ == "__main__":
    sys.exit(main())
