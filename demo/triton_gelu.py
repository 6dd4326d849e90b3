#!/usr/bin/env python3
"""An operator of libtileops within a Triton kernel, from libtileops_device.bc.

usage: triton_gelu.py [--compile] BITCODE      runs it on the GPU; --compile: for sm_90 alone, without one
"""

import sys

import triton
import triton.language as tl
from triton.language import core

BITCODE = sys.argv[-1]


@core.extern
def gelu(x, _semantic=None):
    name = {(core.dtype("fp32"),): ("tileops_gelu_bounded", core.dtype("fp32"))}
    return core.extern_elementwise("tileops", BITCODE, [x], name, is_pure=True, _semantic=_semantic)


@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, gelu(tl.load(x + i, mask=i < n)), mask=i < n)


def compiled_for_sm_90():
    from triton.backends.compiler import GPUTarget

    source = triton.compiler.ASTSource(fn=kernel, signature={"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"},
                                       constexprs={"BLOCK": 1024})
    done = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"extern_libs": {"tileops": BITCODE}})
    assert "call" not in done.asm["ptx"] and "tileops" not in done.asm["ptx"], "gelu is called, not inlined"
    print(f"Triton {triton.__version__}: {len(done.asm['cubin'])} bytes for sm_90, gelu inlined")


def run():
    import torch

    x = torch.randn(1 << 20, device="cuda") * 4
    y = torch.empty_like(x)
    kernel[(x.numel() // 1024,)](x, y, x.numel(), BLOCK=1024, extern_libs={"tileops": BITCODE})
    exact = torch.nn.functional.gelu(x.double())
    error = ((y.double() - exact).abs() / exact.abs().clamp_min(1e-30)).max().item() * 2**23
    print(f"gelu of {x.numel()} numbers: within {error:.2f} ulp")
    assert error < 4


if __name__ == "__main__":
    compiled_for_sm_90() if "--compile" in sys.argv else run()
