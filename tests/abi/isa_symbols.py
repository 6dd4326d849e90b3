#!/usr/bin/env python3
"""Kernel objects define no function that other objects could come to use, and run nothing on their own.

The linker keeps one definition of an inline function or template, whichever comes first. Had a
kernel object compiled for AVX-512 one of the standard library's, the rest of the library might call
it on a CPU without AVX-512. So everything global in a kernel object is in the namespace of its
instruction set. Nor may they have constructors: those run on every CPU, when the library is loaded.
"""

import subprocess
import sys


def main():
    nm, isa, *objects = sys.argv[1:]
    def symbols(*options):
        command = [nm, "--defined-only", "-A", *options, *objects]
        return subprocess.run(command, check=True, text=True, capture_output=True).stdout

    out = symbols("--extern-only")
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
    constructors = [line for line in symbols().splitlines() if "_GLOBAL__sub_I" in line]
    if constructors:
        print("constructors:", *constructors, sep="\n")
        wrong += constructors
    print(f"{len(objects)} objects, {len(out.splitlines())} symbols")
    return 1 if wrong or not objects else 0


if __name__ == "__main__":
    sys.exit(main())
