#!/usr/bin/env python3
"""tileops/device/cuda.h and each header below it compile alone, and kernels that use all of it: by NVRTC, which has no header
of CUDA's nor of the standard library's, for three architectures, by nvcc, and by Clang without a toolkit.

usage: headers_test.py
"""

import pathlib
import re
import sys
import tempfile

import device_code

HERE = pathlib.Path(__file__).resolve().parent
# A wrong use, and what the compiler says of it.
WRONG = {
    "apply<op::leaky_relu, bounded>(v)": "give the operator's attributes as numbers",
    "apply<op::gelu, float>(v)": "the policy is bit_exact, bounded or within_2_20",
    "apply<op::add, bounded>(v)": "the operator has another number of operands",
    "apply<op::gt, bounded>(v, v, v)": "results are of another type than the last array",
}


def main():
    compilers, failed = device_code.Compilers(), 0
    if not compilers.names:
        print("no compiler is here")
        return 77
    base = device_code.INCLUDE / "tileops/device"
    headers = [base / "cuda.h", base / "tile.h", base / "tile/operators.h", base / "transform.h", *sorted((base / "cuda").rglob("*.h"))]
    headers = [h for h in headers if h.name != "bare_clang.h"]  # what config.h includes for Clang alone
    sources = {str(h.relative_to(device_code.INCLUDE)): f"#include <{h.relative_to(device_code.INCLUDE)}>\n" for h in headers}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "test.cu")
        for name, source in sources.items():
            for compiler, said in compilers.failures(source, file, ("sm_90",)):
                if "Wbitwise" not in said:  # which cuda.h, the header to include, turns off
                    failed += 1
                    print(f"{compiler}: {name}:\n{said[:2000]}\n")
        for compiler, said in compilers.failures((HERE / "apply.cu").read_text(), file):
            failed += 1
            print(f"{compiler}: apply.cu:\n{said[:2000]}\n")
        blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", (device_code.ROOT / "docs/device.md").read_text(), re.M)
        blocks += re.findall(r"```\w*\n(.*?)```", (device_code.ROOT / "docs/device.md").read_text(), re.S)
        first = next(b for b in blocks if "__global__" in b)  # the document's kernel
        for compiler, said in compilers.failures(first[:first.rindex("}") + 1] + "\n", file):
            failed += 1
            print(f"{compiler}: docs/device.md:\n{said[:2000]}\n")
        for use, message in WRONG.items():
            source = ("#include <tileops/device/cuda.h>\nusing namespace tileops::device;\n"
                      f"__device__ void f(float (&v)[2]) {{ {use}; }}\n")
            said = dict(compilers.failures(source, file, ("sm_90",)))
            for name in compilers.names:
                name = "NVRTC sm_90" if name.startswith("NVRTC") else name
                if message not in said.get(name, ""):
                    failed += 1
                    print(f"{name}: {use}: should say '{message}', says: {said.get(name, 'nothing')[:1000]}")
    print(f"{len(sources)} headers; compilers: {', '.join(compilers.names)}; {failed} failures")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
