"""Pieces of wrong code for refused.py: (name, code, words of the one error, the most lines that a compiler may print). Where the
words are None the code is right. Each piece is a function or declarations behind a common beginning."""

# By the host's compiler, NVRTC, nvcc and Clang.
TILES = """#include <tileops/device/tile.h>
using namespace tileops::device;
using accumulators = accumulator_layout<16, 8>;
using rows = row_per_lane_layout<8>;
struct add { template <class A, class B> TILEOPS_FN A operator()(A a, B b) const { return a + b; } };
using block = block_layout<accumulators, 1, 2>;
using odd_block = block_layout<accumulator_layout<16, 24>, 1, 2>;
namespace tiles = tileops::device_detail::tiles;
using sum = reductions::sum<float>;
struct lanes { static TILEOPS_FN unsigned from(unsigned x, int) { return x; } };
struct add_arrays {
  template <class A, class B, class C> TILEOPS_FN void operator()(const A& a, const B& b, C& c) const { c[0] = a[0] + b[0]; }
};
"""
X, Y, ROW = "tile<float, accumulators>& x", "tile<float, accumulators>& y", "row_vector<float, accumulators>& y"
OWN = "struct own { static TILEOPS_FN constexpr row_and_column at(int t, int i) { return {%s, %s}; } };\nstatic_assert(tile<float, own_layout<own, %s>>::is_tile, \"\");"
BY_HAND = "struct own : thread_layout<4, 4> { %s };\nstatic_assert(tile<float, own>::is_tile, \"\");"
TILE_CASES = [
    ("right", f"TILEOPS_FN void f({X}, {Y}) {{ apply(add(), x, y, y); }}", None, 0),
    ("tiles", f"TILEOPS_FN void f({X}, tile<float, rows>& y) {{ apply(add(), x, y, y); }}", "tiles of different layouts", 20),
    ("result", f"TILEOPS_FN void f({X}, tile<float, rows>& y) {{ apply(add(), x, x, y); }}", "tiles of different layouts", 20),
    ("vector", f"TILEOPS_FN void f({X}, row_vector<float, rows>& y) {{ apply(add(), x, y, x); }}", "tiles of different layouts", 20),
    ("bundle", f"TILEOPS_FN void f({X}, tile<float, rows>& y) {{ apply_bundle(add_arrays(), x, y, y); }}", "tiles of different layouts", 20),
    ("no tile last", "TILEOPS_FN void f(tile<float, rows>& x, row_vector<float, rows>& y) { apply(add(), x, x, y); }",
     "the last argument is the result", 20),
    ("a number last", f"TILEOPS_FN void f({X}) {{ apply(add(), x, x, 1.0f); }}", "the last argument is the result", 20),
    ("const result", f"TILEOPS_FN void f({X}, const {Y}) {{ apply(add(), x, x, y); }}", "must not be const", 20),
    ("rows of a block", "TILEOPS_FN void f(tile<float, block>& x, row_parts<block>& p) { tiles::leave_parts<sum, lanes>(x, 0, &p); }",
     None, 0),
    ("rows of several warps", "TILEOPS_FN void f(tile<float, block>& x) { tiles::reduce_rows_of<sum, lanes>(x, 0); }",
     "give row_parts<Layout> in shared memory", 20),
    ("parts that are no nodes",
     "TILEOPS_FN void f(tile<float, odd_block>& x, row_parts<odd_block>& p) { tiles::leave_parts<sum, lanes>(x, 0, &p); }",
     "no power of two", 20),
    ("parts of fewer bytes", "TILEOPS_FN void f(tile<double, block>& x, row_parts<block>& p) { "
     "tiles::leave_parts<reductions::sum_with_low_parts<double>, lanes>(x, 0, &p); }", "row_parts of a type of more bytes", 20),
    ("array", "TILEOPS_FN void f(float (&x)[5]) { as_tile<rows>(x); }", "another number of elements", 20),
    ("array of arrays", "TILEOPS_FN void f(float (&x)[2][2]) { as_tile<rows>(x); }", "another number of elements", 20),
    ("pointer", "TILEOPS_FN void f(float* x) { as_tile<rows>(x); }", "another number of elements", 20),
    ("odd accumulators", "constexpr int n = accumulator_layout<15, 8>::elements;", "rows in multiples of 16", 20),
    ("odd columns", "constexpr int n = accumulator_layout<16, 7>::elements;", "columns in multiples of 8", 20),
    ("no columns", "constexpr int n = row_per_lane_layout<0>::elements;", "at least one column", 20),
    ("no rows", "constexpr int n = thread_layout<0, 1>::elements;", "at least one row", 20),
    ("no parts", "constexpr int n = block_layout<accumulators, 0>::elements;", "at least one part", 20),
    ("threads side by side", "constexpr int n = block_layout<thread_layout<1, 1>, 1, 2>::elements;", "parts are those of warps", 20),
    ("own layout", OWN % ("t / 4", "i / 2 * 8 + t % 4 * 2 + i % 2", "32, 8, 32"), None, 0),
    ("own layout, twice the same", OWN % ("t / 4", "i", "32, 8, 32"), "each element of the tile is to be of one thread, once", 20),
    ("own layout, beyond", OWN % ("t", "i + 1", "32, 32, 4"), "each element of the tile is to be of one thread, once", 20),
    ("own layout, no rows", OWN % ("(t + i) % 32", "i", "32, 32, 4"), "columns_of_thread columns", 20),
    ("own layout, other rows in each thread", OWN % ("t % 2 ? t / 2 * 2 + i / 2 % 2 : t / 2 * 2 + i % 2", "t % 2 * 2 + (t % 2 ? i % 2 : i / 2)",
                                                    "8, 8, 4"), "each thread is to have its rows in the same columns", 20),
    ("own layout, columns apart", OWN % ("t / 2", "i * 3 % 4 + 4 * (t % 2)", "32, 16, 8"), None, 0),
    ("own layout, no runs", OWN % ("t / 2", "t % 2 ? (i < 1 ? 2 : i < 3 ? 3 + i : 7) : i < 2 ? i : 3 * i - 3", "32, 16, 8"),
     "along a row come run columns", 20),
    ("own layout, a rest", OWN % ("t", "i", "32, 9, 3"), "threads * elements is to be rows * columns", 20),
    ("layout by hand", BY_HAND % "", None, 0),
    ("layout by hand, element()", BY_HAND % "static TILEOPS_FN constexpr int element(int r, int c) { return c * 4 + r; }",
     "as row_number(), column_number() and element() number them", 20),
    ("layout by hand, owner()", BY_HAND % "static TILEOPS_FN constexpr int owner(int, int) { return 1; }", "owner() and place()", 20),
    ("layout by hand, place()", BY_HAND % "static TILEOPS_FN constexpr int place(int r, int) { return r; }", "owner() and place()", 20),
    ("layout by hand, run", BY_HAND % "static constexpr int run = 3;", "along a row come run columns", 20),
    ("layout by hand, lanes_of_row", BY_HAND % "static constexpr int lanes_of_row = 2;", "along a row come run columns", 20),
    ("layout by hand, elements", BY_HAND % "static constexpr int elements = 8;", "threads * elements is to be rows * columns", 20),
    ("layout by hand, row()", BY_HAND % "static TILEOPS_FN constexpr int row(int, int) { return 0; }",
     "each element of the tile is to be of one thread, once", 20),
]

# By NVRTC, nvcc and Clang.
ARRAYS = """#include <tileops/device/cuda.h>
#include <tileops/device/tile.h>
#include <tileops/device/tile/operators.h>
using namespace tileops::device;
struct other { unsigned short bits; };
using layout = row_per_lane_layout<4>;
#define ARGUMENTS float (&v)[4], float (&u)[4], float (&w)[3], const float (&c)[4], double (&d)[4], int (&i)[4], bool (&b)[4], \\
    other (&o)[4], f16 (&h)[4], float* (&s)[4], float* p, packed<bf16, 4>& q, tile<float, layout>& x, const tile<float, layout>& y, \\
    row_vector<float, layout>& r, tile<double, layout>& z
"""
CALLS = [
    ("apply<op::gelu, bounded>(v)", None, 0),
    ("apply<op::where, bounded>(b, v, u, v)", None, 0),
    ("apply<op::masked_fill, bounded>(v, b, u, v)", None, 0),
    ("apply<op::add, bounded>(h, v, h)", None, 0),
    ("apply<op::gelu>(v)", "say which policy", 20),
    ("apply<op::gelu, float>(v)", "the policy is bit_exact", 20),
    ("apply<op::gelu, bounded>(p)", "neither an array", 20),
    ("apply<op::gelu, bounded>(q)", "neither an array", 20),
    ("apply<op::leaky_relu, bounded>(v, nullptr)", "neither an array", 20),
    ("apply<op::gelu, bounded>()", "give the operands as arrays", 20),
    ("apply<op::gelu, bounded>(1.0f)", "give the operands as arrays", 20),
    ("apply<op::gelu, bounded>(v, w)", "different lengths", 20),
    ("apply<op::add, bounded>(v, w, v)", "different lengths", 20),
    ("apply<op::gelu, bounded>(c)", "must not be const", 20),
    ("apply<op::gelu, bounded>(v, c)", "must not be const", 20),
    ("apply<op::add, bounded>(v)", "another number of operands", 20),
    ("apply<op::gelu, bounded>(v, u, v)", "another number of operands", 20),
    ("apply<op::add, bounded>(v, u, v, u, v)", "another number of operands", 20),
    ("apply<op::leaky_relu, bounded>(v)", "give the operator's attributes", 20),
    ("apply<op::leaky_relu, bounded>(v, 1, 2)", "give the operator's attributes", 20),
    ("apply<op::gelu, bounded>(v, 0.5)", "give the operator's attributes", 20),
    ("apply<op::hardtanh, bounded>(v, u, -1)", "give the operator's attributes", 20),
    ("apply<op::leaky_relu, bounded>(0.1, v)", "attributes are numbers behind the arrays", 20),
    ("apply<op::gt, bounded>(v, u, v)", "results are of another type", 20),
    ("apply<op::gelu, bounded>(v, b)", "results are of another type", 20),
    ("apply<op::gelu, bounded>(v, i)", "results are of another type", 20),
    ("apply<op::add, bounded>(v, d, v)", "of different types", 20),
    ("apply<op::add, bounded>(v, i, v)", "of different types", 20),
    ("apply<op::where, bounded>(v, v, u, v)", "operands of other types", 20),
    ("apply<op::where, bounded>(b, v, d, v)", "of different types", 20),
    ("apply<op::masked_fill, bounded>(b, v, u, v)", "operands of other types", 20),
    ("apply<op::gelu, bounded>(o)", "specialise tileops::device::element_of", 20),
    ("apply<op::gelu, bounded>(s)", "specialise tileops::device::element_of", 20),
    ("apply<op::geluu, bounded>(v)", "", 20),
    ("form_of<op::relu, float>::body()", "the policy is bit_exact", 20),
    ("narrow<other>(v)", "specialise tileops::device::element_of", 20),
    ("narrow<bf16>(o)", "specialise tileops::device::element_of", 20),
    ("narrow<bf16>(p)", "", 30),
    ("widen(q, w)", "", 30),
    ("widen(q, h)", "which would round", 20),
    ("load<bf16>(p)", "", 20),
    ("store<f16, 4>(p, q)", "", 20),
    ("apply<op::exp, bounded>(x)", None, 0),
    ("apply<op::add, bounded>(x, x, r)", "the last operand is the result", 20),
    ("apply<op::leaky_relu, bounded>(x, r, 0.1)", "the last operand is the result", 20),
    ("apply<op::add, bounded>(x, x, y)", "must not be const", 20),
    ("apply<op::exp, bounded>(y)", "must not be const", 20),
    ("apply<op::exp>(x)", "say which policy", 20),
    ("apply<op::add, bounded>(x)", "another number of operands", 26),
    ("apply<op::add, bounded>(x, z, x)", "of different types", 26),
    ("row_sum(r)", "", 30),
]
ARRAY_CASES = [(call, f"__device__ void f(ARGUMENTS) {{ {call}; }}", words, most) for call, words, most in CALLS]

# By nvcc: transform().
TRANSFORM = """#include <tileops/device/transform.h>
using namespace tileops::device;
struct three_bytes { unsigned char b[3]; };
struct one { __device__ float operator()(float x) const { return x; } };
struct two { __device__ float operator()(float x, float y) const { return x + y; } };
struct owner { float* p; __host__ __device__ owner() {} __host__ __device__ ~owner() {} __device__ float operator()(float x) const { return x; } };
struct host_only { float operator()(float* x) const { return *x; } };
#define ARGUMENTS long long n, float* x, const float* c, void* v, const void* cv, three_bytes* t, e2m1fn* e
"""
TRANSFORMS = [
    ("transform(nullptr, n, x, one{}, c)", None, 0),
    ("transform(nullptr, n, c, one{}, c)", "must not be to const", 20),
    ("transform(nullptr, n, outputs(x, c), one{}, c)", "must not be to const", 20),
    ("transform(nullptr, n, v, one{}, c)", "elements have 1, 2, 4, 8 or 16 bytes", 20),
    ("transform(nullptr, n, x, one{}, cv)", "elements have 1, 2, 4, 8 or 16 bytes", 20),
    ("transform(nullptr, n, x, one{}, t)", "elements have 1, 2, 4, 8 or 16 bytes", 20),
    ("transform(nullptr, n, e, one{}, c)", "elements have 1, 2, 4, 8 or 16 bytes", 20),
    ("transform(nullptr, n, x, one{})", "one to four operands", 20),
    ("transform(nullptr, n, x, one{}, c, c, c, c, c)", "one to four operands", 20),
    ("transform(nullptr, n, outputs(x, x, x, x, x), one{}, c)", "one to four results", 20),
    ("transform<9>(nullptr, n, x, one{}, c)", "one to eight packs", 20),
    ("transform(nullptr, n, x, owner{}, c)", "copied to the device as bytes", 20),
    ("transform(nullptr, n, x, two{}, c)", "the functor takes no such operands", 20),
    ("transform(nullptr, n, x, one{}, c, c)", "the functor takes no such operands", 20),
    ("transform(nullptr, n, x, host_only{}, c)", "the functor takes no such operands", 20),
    ("transform(nullptr, n, outputs(x, x), one{}, c)", "returns results<...>", 20),
]
TRANSFORM_CASES = [(call, f"cudaError_t f(ARGUMENTS) {{ return {call}; }}", words, most) for call, words, most in TRANSFORMS]

# Without a beginning: by the host's compiler.
DIALECT_CASES = [(f"<tileops/device/{h}.h> by a compiler of C++", f"#include <tileops/device/{h}.h>\n", "is for CUDA code", 6)
                 for h in ("cuda", "transform", "tile/operators")]
OLD_CASES = [(f"<tileops/device/{h}.h> by C++14", f"#include <tileops/device/{h}.h>\n", "needs C++17", 6)
             for h in ("cuda", "tile", "transform", "tile/operators")]
