#!/usr/bin/env python3
"""The headers for kernels of one's own with NVRTC, for three generations of GPUs: the examples compile with no other
folder than include and use no local memory; and tiles of different layouts are refused in one readable line.

usage: compile.py ROOT CUDA_HOME

The disassembler nvdisasm is looked for on the path and in CUDA_HOME. Exit status 77, with the reason, where something is
missing.
"""

import concurrent.futures
import ctypes
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = ("sqrt_tile", "warp_softmax", "block_softmax", "mma_epilogue")
ARCHS = ("80", "90a", "100a")
REFUSED = "tileops: tiles of different layouts in one call"

TWO_LAYOUTS = """
#include <tileops/device/tile.h>
using namespace tileops::device;
struct plus { __device__ float operator()(float a, float b) const { return a + b; } };
extern "C" __global__ void f(float* p) {
  tile<float, accumulator_layout<16, 16>> x{};
  %s<float, row_per_lane_layout<8>> y{};
  apply(plus{}, x, y, x);
  p[threadIdx.x] = x.v[0];
}
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


# Rows of two warps behind a producer: the barrier is theirs.
BEHIND_PRODUCER = """
#include <tileops/device/tile.h>
using namespace tileops::device;
using Layout = block_layout<accumulator_layout<16, 32>, 1, 2>;
extern "C" __global__ void f(float* p) {
  __shared__ row_parts<Layout> parts;
  const tile_threads consumers{32, 64, 3};
  if (threadIdx.x < 32) return;
  tile<float, Layout> x;
  for (int i = 0; i < Layout::elements; ++i) x.v[i] = p[thread_in<Layout>(consumers) * Layout::elements + i];
  p[threadIdx.x] = row_sum(x, parts, consumers).v[0] + row_max(x, parts, consumers).v[0];
}
"""


class Nvrtc:
    def __init__(self, home):
        found = [p for folder in ("lib64", "lib") for p in sorted((home / folder).glob("libnvrtc.so*"))]
        if not found:
            skip(f"no libnvrtc.so in {home}")
        for builtins in sorted(found[0].parent.glob("libnvrtc-builtins.so*")):
            ctypes.CDLL(str(builtins), ctypes.RTLD_GLOBAL)
        self.library = ctypes.CDLL(str(found[0]))

    def compile(self, text, arch, folders):
        """The machine code, or None, and what the compiler printed."""
        rtc, program = self.library, ctypes.c_void_p()
        options = [f"-arch=sm_{arch}", "-std=c++17", "-fmad=false", *(f"-I{f}" for f in folders)]
        rtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None)
        status = rtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*(o.encode() for o in options)))
        size = ctypes.c_size_t()
        rtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        rtc.nvrtcGetProgramLog(program, log)
        code = None
        if status == 0:
            rtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
            code = ctypes.create_string_buffer(size.value)
            rtc.nvrtcGetCUBIN(program, code)
            code = code.raw
        rtc.nvrtcDestroyProgram(ctypes.byref(program))
        return code, log.value.decode(errors="replace").strip()


def instructions(tool, code):
    """Names of instructions, but for what fills the end of a kernel."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(code)
        file.flush()
        text = subprocess.run([tool, "-c", file.name], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)", text, re.M)
    while found and found[-1] == "NOP":
        found.pop()
    return found


def main():
    root, home = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    nvrtc = Nvrtc(home)
    tool = shutil.which("nvdisasm") or (str(home / "bin/nvdisasm") if (home / "bin/nvdisasm").exists() else None)
    public = [root / "include"]
    failures = []

    def example(name, arch):
        text = (root / "tests/device/examples" / f"{name}.h").read_text()
        code, log = nvrtc.compile(text, arch, public)
        if code is None or log:
            return [f"{name} for sm_{arch}:\n{log}"]
        local = [i for i in instructions(tool, code) if i.startswith(("LDL", "STL"))] if tool else []
        return [f"{name} for sm_{arch}: {len(local)} accesses to local memory"] if local else []

    def refused(kind):
        code, log = nvrtc.compile(TWO_LAYOUTS % kind, "90", public)
        errors = [line for line in log.splitlines() if ": error: " in line]
        if code is not None or len(errors) != 1 or REFUSED not in errors[0]:
            return [f"a tile beside a {kind} of another layout, want one error that says so:\n{log}"]
        lines = log.splitlines()
        print(f"a tile beside a {kind} of another layout: {errors[0]} ({len(lines)} lines in all)")
        return [f"a tile beside a {kind} of another layout: {len(lines)} lines\n{log}"] if len(lines) > 12 else []

    def barrier(arch):
        code, log = nvrtc.compile(BEHIND_PRODUCER, arch, public)
        if code is None or log:
            return [f"rows behind a producer:\n{log}"]
        with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
            file.write(code)
            file.flush()
            text = subprocess.run([tool, "-c", file.name], capture_output=True, text=True, check=True).stdout if tool else ""
        found = re.findall(r"BAR\.SYNC[.\w]*\s+([^;]*?)\s*;", text)
        right = not tool or (len(found) == 4 and all(re.fullmatch(r"0x3,\s*0x40", b) for b in found))
        return [] if right else [f"rows behind a producer for sm_{arch} wait at {found}, should four times at barrier 3 for 64 threads"]

    if not tool:
        print("no nvdisasm: machine code is not looked at")
    work = [(example, name, arch) for name in EXAMPLES for arch in ARCHS]
    work += [(barrier, "90")]
    work += [(refused, kind) for kind in ("tile", "row_vector")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda item: item[0](*item[1:]), work):
            failures += found
    print("\n".join(f"FAILED {f}" for f in failures) or f"{len(work)} of {len(work)} as they should be")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
