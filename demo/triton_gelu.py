#!/usr/bin/env python3
"""An operator of libtileops within a Triton kernel, from libtileops_device.bc.

usage: triton_gelu.py [--compile] BITCODE      runs it on the GPU; --compile: for sm_90 alone, without one

On the GPU every result is compared with gelu in float64, x / 2 erfc(-x / sqrt(2)): torch's own gelu of float64 is
x / 2 (1 + erf(x / sqrt(2))), which left of about -5 has fewer right digits than a float32. Errors are in ulp of float32, of
subnormal results in 2^-149. `bounded` promises 2 of them for every x: results vanish (round to 0) only left of -14.35.
"""

import sys

import triton
import triton.language as tl
from triton.language import core

BITCODE = sys.argv[-1]
BOUND = 2  # ulp: what docs/operators.md says of gelu


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


def errors(x, y):
    """How far each y is from gelu(x), in ulp of float32."""
    import torch

    exact = 0.5 * x.double() * torch.special.erfc(x.double() * -(0.5**0.5))
    exponent = torch.frexp(exact).exponent.clamp_min(-125)  # of a fraction below 1, so 1 more than that of a number
    return (y.double() - exact).abs() * torch.ldexp(torch.ones_like(exact), 24 - exponent)


def run():
    import torch

    # As activations are, and evenly from where results vanish to where they are x.
    x = torch.cat([torch.randn(1 << 20, device="cuda") * 4, torch.linspace(-16, 16, 1 << 20, device="cuda")])
    y = torch.full_like(x, torch.nan)
    kernel[(x.numel() // 1024,)](x, y, x.numel(), BLOCK=1024, extern_libs={"tileops": BITCODE})
    error = errors(x, y)
    at = error.argmax().item() if not error.isnan().any() else error.isnan().nonzero()[0].item()
    print(f"gelu of {x.numel()} numbers: within {error[at].item():.2f} ulp, most at gelu({x[at].item()!r}) = {y[at].item()!r}")
    assert error[at].item() <= BOUND, f"not within {BOUND} ulp"


if __name__ == "__main__":
    compiled_for_sm_90() if "--compile" in sys.argv else run()
