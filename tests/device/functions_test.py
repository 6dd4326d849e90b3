#!/usr/bin/env python3
"""Functions that `tileops expr --device-function` writes: each compiles with every compiler that is here, and what is no
function of registers is refused.

usage: functions_test.py TILEOPS
"""

import pathlib
import subprocess
import sys
import tempfile

import device_code
import texts


def main():
    cli, failed, compiled = sys.argv[1], 0, 0
    compilers = device_code.Compilers(("sm_90",))
    if not compilers.names:
        print("no compiler is here")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for text, options, per_thread, lanes, pack in texts.TEXTS:
            for flags in ([], ["--reproducible"]):
                source = device_code.kernel(device_code.header(cli, text, [*options, *flags]), per_thread, lanes, pack)
                if flags and per_thread > 64:
                    continue  # long to compile, and of the same steps
                for name, said in compilers.failures(source, pathlib.Path(folder, "f.cu"), others=per_thread <= 32):
                    failed += 1
                    print(f"{name}: {text} {options} {flags}:\n{said[:2000]}\n")
                compiled += 1
    for text, options, message in texts.REFUSED:
        done = subprocess.run([cli, "expr", text, "--device-function", "f", *options], capture_output=True, text=True)
        if done.returncode == 0 or message not in done.stderr:
            failed += 1
            print(f"refused, naming '{message}': {text}: {done.returncode} {done.stderr}")
    for name in ("", "1f", "a b", "x" * 65):
        done = subprocess.run([cli, "expr", "(x) -> x", "--device-function", name], capture_output=True, text=True)
        if done.returncode == 0 or "name" not in done.stderr:
            failed += 1
            print(f"a name '{name}' is refused: {done.returncode} {done.stderr}")
    print(f"{compiled} functions, {len(texts.REFUSED)} refused texts; compilers: {', '.join(compilers.names)}; {failed} failures")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
