#!/usr/bin/env python3
"""`using namespace tileops::device` changes no name of a program: every mathematical function of CUDA is called beside it, for float
and double, and a program has its own f32, scope, view and the like, among them all short names that the headers use themselves.
By NVRTC and nvcc; Clang without a toolkit has no such functions.

usage: names_test.py
"""

import pathlib
import re
import sys
import tempfile

import device_code

# Functions of one operand, of two and of three, by their names for double; those for float end in f.
MATH = {
    1: """acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10
        exp2 expm1 fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint normcdf normcdfinv rcbrt rint round rsqrt sin sinh sinpi
        sqrt tan tanh tgamma trunc y0 y1""".split(),
    2: "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot".split(),
    3: "fma norm3d rnorm3d".split(),
}
# Under one name for float and double.
OVERLOADED = {1: "abs fabs exp log sin cos tan sqrt floor ceil isnan isinf isfinite signbit".split(), 2: "fmax fmin pow max min fmod".split(),
              3: "fma".split()}
INTRINSICS = """__expf(x) __logf(x) __sinf(x) __cosf(x) __powf(x,x) __fdividef(x,x) __frcp_rn(x) __fsqrt_rn(x) __saturatef(x) __fmaf_rn(x,x,x)
    rsqrtf(x) ldexpf(x,3) scalbnf(x,3) ilogbf(x)""".split()
INTEGERS = "abs(i) min(i,i) max(i,i) __popc(i) __clz(i) __ffs(i) __brev(i) llabs(l) llmin(l,l) llmax(l,l) umin(i,i) umax(i,i)".split()
# What the headers call things of their own; a program may have each as a type, and most of them are likely ones.
OWN = """i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 scope view limits is_nan is_float is_float_v same_v void_of to_bits from_bits body
    jumping portable choose types seq make_seq operand tiles trees table_free approx convert round_magnitude kernels detail impl
    AttrValue BodyChoice array_of plain_of layout_of element numbers bundle words_of warp_shuffle span place chunk signature
    unsigned_t copysign_of two_sum exp_of angle quadrant fast sigmoid silu gelu softplus tanh_of elu lerp_of mish relu""".split()


def source():
    calls = []
    for count, names in MATH.items():
        for name in names:
            calls += [f"d += {name}({', '.join(['d'] * count)});", f"x += {name}f({', '.join(['x'] * count)});"]
    for count, names in OVERLOADED.items():
        calls += [f"x += {n}({', '.join(['x'] * count)}); d += {n}({', '.join(['d'] * count)});" for n in names]
    calls += [f"x += {c};" for c in INTRINSICS] + [f"i += {c};" for c in INTEGERS]
    own = "".join(f"struct {name} {{ int own; }};\n" for name in OWN)
    uses = "".join(f"  {{ {name} mine{{1}}; i += mine.own; }}\n" for name in OWN)
    return ("#include <tileops/device/cuda.h>\n#include <tileops/device/tile.h>\n#include <tileops/device/tile/operators.h>\n"
            f"#include <tileops/device/transform.h>\n{own}using namespace tileops::device;\n"
            "template <class T> __device__ T in_template(T x) { return abs(x) + fma(x, x, x) + sqrt(x) + copysign(x, x) + floor(x); }\n"
            'extern "C" __global__ void f(float* y, double* z, int* n, long long* m) {\n'
            "  float x = *y; double d = *z; int i = *n; long long l = *m;\n  " + "\n  ".join(calls) + "\n" + uses +
            "  float v[4] = {x, x, x, x};\n  apply<op::gelu, bounded>(v);\n"
            "  *y = in_template(x) + v[3]; *z = in_template(d); *n = i; *m = l;\n}\n")


def main():
    compilers, failed = device_code.Compilers(("sm_90",)), 0
    compilers.others.pop("clang", None)
    if not compilers.nvrtc.lib and not compilers.others:
        print("no compiler is here")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for name, said in compilers.failures(source(), pathlib.Path(folder, "names.cu")):
            failed += 1
            print(f"{name}: {len(re.findall(r'error:', said))} errors:\n{said[:3000]}")
    print(f"{sum(map(len, MATH.values())) * 2} functions and {len(OWN)} names of a program's own: {failed} compilers refuse them")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
