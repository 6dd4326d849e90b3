"""Kernels through NVRTC: lines of PTX, instructions of the machine code, registers and local memory. Needs no GPU."""

import ctypes as c
import dataclasses
import os
import pathlib
import re
import struct

SYMBOL = ".text.tileops_kernel"
INSTRUCTION = 16  # bytes, from sm_70 on


@dataclasses.dataclass
class Compiled:
    ptx_lines: int
    instructions: int
    registers: int
    local_bytes: int  # stack of a thread: arrays and what is spilled


def library():
    """NVRTC, with what it opens by name opened before; None where there is none."""
    homes = [os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    for home in filter(None, homes):
        for found in sorted(pathlib.Path(home).glob("lib*/libnvrtc.so.1[23]")):
            for builtins in found.parent.glob("libnvrtc-builtins.so*"):
                c.CDLL(str(builtins))
            return c.CDLL(str(found))
    return None


def sections(image):
    """{name: bytes} of an ELF file."""
    offset, = struct.unpack_from("<Q", image, 40)
    size, count, names = struct.unpack_from("<HHH", image, 58)
    heads = [struct.unpack_from("<IIQQQQIIQQ", image, offset + i * size) for i in range(count)]
    table = heads[names][4]
    return {image[table + h[0]:image.index(b"\0", table + h[0])].decode(): image[h[4]:h[4] + h[5]] for h in heads if h[1] != 8}


class Compiler:
    """A process has one."""

    def __init__(self, options):
        self.c, self.options = library(), [o.encode() for o in options] + [b"--ptxas-options=-v"]

    def text(self, program, name):
        size = c.c_size_t()
        getattr(self.c, f"nvrtcGet{name}Size")(program, c.byref(size))
        buffer = c.create_string_buffer(max(size.value, 1))
        getattr(self.c, f"nvrtcGet{name}")(program, buffer)
        return buffer.raw[:size.value]

    def compile(self, source):
        program = c.c_void_p()
        self.c.nvrtcCreateProgram(c.byref(program), source.encode(), b"gate.cu", 0, None, None)
        try:
            failed = self.c.nvrtcCompileProgram(program, len(self.options), (c.c_char_p * len(self.options))(*self.options))
            log = self.text(program, "ProgramLog").decode(errors="replace")
            if failed:
                raise RuntimeError(log)
            code = sections(self.text(program, "CUBIN"))[SYMBOL]
            ptx = self.text(program, "PTX").decode(errors="replace")
        finally:
            self.c.nvrtcDestroyProgram(c.byref(program))
        registers, stack = re.search(r"Used (\d+) registers", log), re.search(r"(\d+) bytes stack frame", log)
        if not registers:
            raise RuntimeError(f"no registers in the assembler's log: {log}")
        return Compiled(ptx.count("\n"), len(code) // INSTRUCTION, int(registers[1]), int(stack[1]) if stack else 0)


_compiler = None


def begin(options):
    """Of a worker process."""
    global _compiler
    _compiler = Compiler(options)


def compile_file(path):
    return _compiler.compile(pathlib.Path(path).read_text(encoding="utf-8"))
