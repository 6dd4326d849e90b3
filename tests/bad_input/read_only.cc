// Read-only memory. A DLTensor cannot say that it is read-only; the C++ header's types can.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <tileops/tileops.hpp>

#include <type_traits>

namespace bad_input {
namespace {

// Views of const memory are no outputs: this is found by the compiler.
static_assert(std::is_convertible_v<tileops::ConstView&, tileops::Input>);
static_assert(!std::is_convertible_v<tileops::ConstView&, tileops::Output>);
static_assert(!std::is_convertible_v<const tileops::View&, tileops::Output>);
static_assert(!std::is_convertible_v<const tileops::ManagedTensor&, tileops::Output>);
static_assert(!std::is_convertible_v<const DLTensor*, tileops::Output>);
static_assert(!std::is_constructible_v<tileops::View, const float*, tileops::Dims>);

TEST(ReadOnly, ManagedTensorAsOutput) {
  tileops::ManagedTensor owned(tileops::float32, {2});
  DLManagedTensorVersioned* managed = owned.release();
  managed->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  tileops::ManagedTensor read_only(managed);
  read_only.data<float>()[0] = 1;
  read_only.data<float>()[1] = 2;
  try {
    tileops::Output output(read_only);
    ADD_FAILURE() << "accepted";
  } catch (const tileops::Error& e) {
    EXPECT_EQ(TILEOPS_STATUS_INVALID_ARGUMENT, e.status());
    EXPECT_STREQ("tileops::Output: the tensor is read-only", e.what());
  }
  float y[2] = {};
  tileops::Plan neg(tileops::op("neg"), {read_only}, {tileops::View(y, {2})});
  neg.execute({read_only}, {tileops::View(y, {2})});
  EXPECT_EQ(-2, y[1]);
}

// Inputs are never written, not even put back as they were: pages without write permission do.
TEST(ReadOnly, InputsInReadOnlyPages) {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(MAP_FAILED, page);
  auto* x = static_cast<float*>(page);
  for (int i = 0; i < 1024; ++i) x[i] = static_cast<float>(i);
  ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
  std::vector<float> y(1024);
  const tileops::ConstView in(static_cast<const float*>(x), {32, 32});
  const tileops::ConstView turned(static_cast<const float*>(x), {32, 32}, {1, 32});
  for (const char* name : {"neg", "relu", "silu"}) {
    for (const tileops::ConstView& view : {in, turned}) {
      tileops::Plan plan(tileops::op(name), {view}, {tileops::View(y.data(), {32, 32})});
      plan.execute({view}, {tileops::View(y.data(), {32, 32})});
    }
  }
  EXPECT_EQ(0, munmap(page, 4096));
}

}  // namespace
}  // namespace bad_input
