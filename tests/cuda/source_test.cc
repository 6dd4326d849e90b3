// The text that a kernel is compiled from, and what it is known by.
#include "cuda/jit/source.h"

#include <gtest/gtest.h>

#include "choices.h"
#include "pack/standard.h"

namespace tileops::cuda {
namespace {

using requests::Choose;
using requests::Operand;

TEST(Source, KeysTellKernelsApart) {
  const auto kernels = standard_kernels(90, true);
  EXPECT_GT(kernels.size(), 200u);
  EXPECT_NE(kernel_key(kernels[0].kernel, 90), kernel_key(kernels[0].kernel, 80));
  EXPECT_NE(kernel_key(kernels[0].kernel, 90), kernel_key(kernels[1].kernel, 90));
  EXPECT_NE(kernel_key(kernels[0].kernel, 90).find(kEmbeddedHash), std::string::npos);
  EXPECT_NE(full_source(kernels[0].kernel).find(kKernelSymbol), std::string::npos);
}

// What a kernel does not reach is left out; whether something is missing, cuda.units tells.
TEST(Source, HoldsWhatTheKernelNeeds) {
  const Operand x{Dtype::f32, {4096}, {}};
  const Kernel kernel = Choose(TILEOPS_OP_ADD, {x, x}, x).kernel;
  const std::string source = full_source(kernel), whole = whole_source(kernel);
  EXPECT_EQ(whole.find("#include"), std::string::npos);
  EXPECT_NE(source.find("struct add "), std::string::npos);
  EXPECT_EQ(source.find("struct pow "), std::string::npos);
  EXPECT_NE(whole.find("struct pow "), std::string::npos);
  EXPECT_LT(source.size(), whole.size() / 2);
}

// Operands are named, and what is one access or a word of the arguments stands there as such.
TEST(Source, OperandsAreNamed) {
  const Operand x{Dtype::bf16, {64, 4096}, {}};
  const std::string rows = Choose(TILEOPS_OP_ADD, {x, {Dtype::bf16, {4096}, {}}}, x).kernel.text;
  EXPECT_NE(rows.find("m1 = load_raw<bf16, spec::vec>("), std::string::npos);
  EXPECT_NE(rows.find("m1 = read_pack<access<bf16, access_pattern::row>, bf16>(a, p, 1);"), std::string::npos);
  EXPECT_NE(rows.find("steps::run<8>(a, x0, x1, &y0);"), std::string::npos);
  EXPECT_NE(rows.find("elementwise<spec, transfers>::run(a);"), std::string::npos);
}

// Shapes, attributes and addresses are arguments: other ones need no other kernel.
TEST(Source, ShapesAreNoPartOfAKernel) {
  const auto text = [](int64_t n, int64_t m) {
    const Operand x{Dtype::f32, {n, m}, {}};
    return Choose(TILEOPS_OP_ADD, {x, {Dtype::f32, {m}, {}}}, x).kernel.text;
  };
  EXPECT_EQ(text(10, 64), text(3000, 128));
}

}  // namespace
}  // namespace tileops::cuda
