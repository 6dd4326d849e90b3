#!/usr/bin/env python3
"""libtileops_device.bc has the C functions that tools/device_bitcode.py lists, needs no symbol that it does not have, and has no
multiplication that a compiler may contract; where Triton is installed, it compiles a kernel with one for sm_90.

usage: bitcode_test.py CLANG BITCODE
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import device_code

sys.path.insert(0, str(device_code.ROOT / "tools"))
import device_bitcode


def main():
    clang, bitcode = sys.argv[1:3]
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        if not pathlib.Path(bitcode).exists():  # not built by itself
            bitcode = str(pathlib.Path(folder, "libtileops_device.bc"))
            subprocess.run([sys.executable, device_bitcode.__file__, clang, str(device_code.INCLUDE), bitcode], check=True)
        run = [clang, "-x", "ir", "--target=nvptx64-nvidia-cuda", "-w", "-S", "-o", "-", bitcode]
        ir = subprocess.run([*run, "-emit-llvm"], capture_output=True, text=True, check=True).stdout
        ptx = subprocess.run([*run, "-O2", "-march=sm_90"], capture_output=True, text=True, check=True).stdout
        for name, *_ in device_bitcode.functions():
            if not re.search(rf"define [^@]*@{name}\(", ir) or not re.search(rf"\.visible \.func +\(.*\) {name}\n?\(", ptx):
                failed.append(f"has no function {name}")
        failed += [f"needs {line}" for line in re.findall(r"(?m)^declare .*@(?!llvm\.)(\S+)\(", ir)]
        failed += [f"needs {line}" for line in re.findall(r"(?m)^\.extern .*", ptx)]
        failed += [f"may be contracted: {line}" for line in re.findall(r".*= fmul .*", ir)[:3]]
        try:
            import triton
            done = subprocess.run([sys.executable, str(device_code.ROOT / "demo/triton_gelu.py"), "--compile", bitcode], capture_output=True, text=True)
            if done.returncode:
                failed.append(f"Triton {triton.__version__}: {done.stdout}{done.stderr}")
            print(done.stdout.strip())
        except ImportError:
            print("Triton is not installed: nothing is compiled with it")
    print("\n".join(failed) or f"{len(list(device_bitcode.functions()))} functions")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
