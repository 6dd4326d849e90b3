#!/usr/bin/env python3
"""Writes libtileops_device.bc: LLVM bitcode for NVPTX with a C function for each operator and policy of
tileops/device/cuda.h on float32, tileops_OPERATOR_POLICY, such as tileops_gelu_bounded. Triton, Numba and others link it.

usage: device_bitcode.py CLANG INCLUDE_DIR OUTPUT [--list]

Multiplications are by intrinsics that round: compilers contract them with an addition under no option, so that bounds and
bits hold whatever the kernel around them is compiled with. Operands and attributes are float32. --list prints the
functions, with how many of these each takes.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

POLICIES = ("bit_exact", "bounded", "within_2_20")
# Operators on float32 that give float32, by operands and attributes.
OPERATORS = {
    (1, 0): "abs acos acosh asin asinh atan atanh cbrt ceil cos cosh elu_one erf erfc erfinv exp exp2 expm1 floor gelu gelu_tanh "
            "hardsigmoid hardswish lgamma log log10 log1p log2 logsigmoid mish neg reciprocal relu round rsqrt selu sigmoid sign silu "
            "sin sinc sinh softplus_one softsign sqrt tan tanh tanhshrink trunc",
    (1, 1): "celu elu leaky_relu",
    (1, 2): "hardtanh softplus",
    (2, 0): "add atan2 copysign div div_trunc floor_divide fmod gelu_and_mul gelu_tanh_and_mul hypot logaddexp maximum minimum mul "
            "nextafter_f32 pow remainder silu_and_mul sub",
    (3, 0): "clamp fused_multiply_add lerp",
}


def functions():
    """(name, operator, policy, operands, attributes) of each."""
    for (operands, attributes), names in OPERATORS.items():
        for operator in names.split():
            for policy in POLICIES:
                yield f"tileops_{operator}_{policy}", operator, policy, operands, attributes


def source():
    text = "#include <tileops/device/cuda.h>\nusing namespace tileops::device;\n"
    for name, operator, policy, operands, attributes in functions():
        parameters = [f"float x{i}" for i in range(operands)] + [f"float k{i}" for i in range(attributes)]
        arrays = "".join(f" float v{i}[1] = {{x{i}}};" for i in range(operands))
        arguments = ", ".join([f"v{i}" for i in range(operands)] + ["y"] + [f"k{i}" for i in range(attributes)])
        text += (f'extern "C" __device__ float {name}({", ".join(parameters)}) {{{arrays} float y[1]; '
                 f"apply<op::{operator}, {policy}>({arguments}); return y[0]; }}\n")
    return text


def rounded(ir):
    """Multiplications as calls of what rounds, and without what ties the text to one architecture."""
    declared = ""
    for kind, letter in (("float", "f"), ("double", "d")):
        ir, count = re.subn(rf"= fmul {kind} ([^,\n]+), ([^,\n]+)", rf"= call {kind} @llvm.nvvm.mul.rn.{letter}({kind} \1, {kind} \2)", ir)
        if count and f"declare {kind} @llvm.nvvm.mul.rn.{letter}(" not in ir:
            declared += f"declare {kind} @llvm.nvvm.mul.rn.{letter}({kind}, {kind})\n"
    if "= fmul" in ir:
        raise SystemExit("device_bitcode.py: a multiplication of another form: " + re.search(r"= fmul.*", ir)[0])
    # Flags of the module, such as nvvm-reflect-ftz, would have to be those of what it is linked to.
    ir = re.sub(r"(?m)^!llvm\.module\.flags = .*\n", "", ir)
    return re.sub(r' "target-(cpu|features)"="[^"]*"', "", ir) + declared


def main():
    arguments = [a for a in sys.argv[1:] if a != "--list"]
    if "--list" in sys.argv:
        for name, _, _, operands, attributes in functions():
            print(name, operands + attributes)
    if len(arguments) < 3:
        return "--list" not in sys.argv
    clang, include, output = arguments
    with tempfile.TemporaryDirectory() as folder:
        text, ir = pathlib.Path(folder, "device.cu"), pathlib.Path(folder, "device.ll")
        text.write_text(source())
        subprocess.run([clang, "-std=c++17", "-O2", "-ffp-contract=off", "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only",
                        "--cuda-gpu-arch=sm_80", "-Wno-unknown-cuda-version", "-w", f"-I{include}", "-S", "-emit-llvm", str(text), "-o", str(ir)],
                       check=True)
        ir.write_text(rounded(ir.read_text()))
        subprocess.run([clang, "-x", "ir", "-c", "-emit-llvm", "--target=nvptx64-nvidia-cuda", "-O0", "-w", str(ir), "-o", output], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
