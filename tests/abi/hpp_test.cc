// What tileops.hpp adds to the C functions: ownership, exceptions, views, attributes by name.
#include <array>
#include <cstdio>
#include <type_traits>
#include <vector>

#include <tileops/tileops.hpp>

#include "expect.h"

namespace {

using tileops::attr;
using tileops::ConstView;
using tileops::ManagedTensor;
using tileops::Plan;
using tileops::View;

static_assert(!std::is_copy_constructible_v<Plan> && std::is_nothrow_move_constructible_v<Plan>);
static_assert(!std::is_copy_constructible_v<tileops::Context>);
static_assert(!std::is_copy_constructible_v<ManagedTensor>);
static_assert(!std::is_constructible_v<View, const float*, tileops::Dims>, "a view of const memory is no output");
static_assert(tileops::dtype_of<long>::value.bits == sizeof(long) * 8);
static_assert(tileops::dtype_of<bool>::value.code == kDLBool);

tileops_status status_of(void (*call)()) {
  try {
    call();
  } catch (const tileops::Error& error) {
    if (error.what()[0] == '\0') std::fprintf(stderr, "an error without a message\n"), ++failures;
    return error.status();
  }
  return TILEOPS_STATUS_OK;
}

void views() {
  float data[6] = {};
  View view(data, {2, 3}, {3, 1});
  const View copied = view;  // owns its own shape and strides
  EXPECT(copied.get()->shape != view.get()->shape && copied.get()->shape[1] == 3);
  EXPECT(copied.get()->strides != view.get()->strides && copied.get()->strides[0] == 3);
  const View flat(data, {6});
  EXPECT(flat.get()->strides == nullptr);
  const int64_t rows = 2, columns = 3;
  const tileops::Dims shape{rows, columns};  // owns its extents, unlike the list in braces
  tileops::Dims padding{11, 12, 13};
  const View shaped(data, shape), scalar(data, {});
  EXPECT(shaped.get()->shape[0] == 2 && shaped.get()->shape[1] == 3);
  EXPECT(padding[2] == 13 && shape == tileops::Dims({2, 3}) && shape != padding);
  EXPECT(status_of([] { tileops::Dims(std::vector<int64_t>(TILEOPS_MAX_NDIM + 1, 1)); }) ==
         TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT(scalar.get()->ndim == 0);
  const ConstView halves(static_cast<const void*>(data), tileops::bfloat16, {12});
  EXPECT(halves.get()->dtype.bits == 16);
  EXPECT(status_of([] { ConstView(static_cast<float*>(nullptr), {2, 3}, {1}); }) == TILEOPS_STATUS_INVALID_ARGUMENT);
}

void attributes() {
  EXPECT(attr("alpha", 2.0).key == TILEOPS_ATTR_ALPHA);
  EXPECT(attr("alpha", 2.0).kind == TILEOPS_ATTR_F64 && attr("alpha", 2.0).value.f64 == 2.0);
  EXPECT(attr(TILEOPS_ATTR_AXIS, -1).kind == TILEOPS_ATTR_I64 && attr(TILEOPS_ATTR_AXIS, -1).value.i64 == -1);
  EXPECT(attr(tileops::op("gelu"), "approximate", "tanh").value.i64 == 1);
  EXPECT(status_of([] { attr("no such", 1); }) == TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT(status_of([] { attr(tileops::op("gelu"), "approximate", "sine"); }) == TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT(status_of([] { attr(tileops::op("relu"), "approximate", "tanh"); }) == TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT(status_of([] { tileops::op("no such"); }) == TILEOPS_STATUS_INVALID_ARGUMENT);
}

void plans() {
  const float x[3] = {-1, 2, 3};
  float y[3] = {}, z[3] = {};
  tileops::Context context;
  Plan add(tileops::op("add"), {ConstView(x, {3}), ConstView(x, {3})}, {View(y, {3})}, {attr("alpha", 2)}, context);
  Plan shared = add.retain();
  add = Plan();
  shared.execute({ConstView(x, {3}), ConstView(x, {3})}, {View(y, {3})});
  EXPECT(y[0] == -3 && y[1] == 6 && y[2] == 9);
  const void* in[] = {x, y};
  void* out[] = {z};
  shared.execute_ptrs(in, out);
  EXPECT(z[0] == -7 && z[1] == 14 && z[2] == 21);
  EXPECT(shared.query<uint64_t>(TILEOPS_PLAN_NUM_ELEMENTS) == 3);
  EXPECT(!shared.query_text(TILEOPS_PLAN_KERNEL_NAME).empty());
  EXPECT(context.cache_stats().plan_misses == 1);
  EXPECT(shared.query<int32_t>(TILEOPS_PLAN_THREADS) == 0);
  EXPECT(shared.query_text(TILEOPS_PLAN_STRATEGY_ORIGIN) == "auto");
  EXPECT(shared.query<int32_t>(TILEOPS_PLAN_NUM_PASSES) == 1);
  EXPECT(status_of([] {
           const int64_t shape[1] = {4};
           const tileops_tensor_desc t{tileops::float32, 1, shape, nullptr};
           tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
           desc.op = TILEOPS_OP_EXP;
           desc.num_inputs = desc.num_outputs = 1;
           desc.inputs = desc.outputs = &t;
           tileops::tune(desc);  // the CPU has one strategy
         }) == TILEOPS_STATUS_UNSUPPORTED);

  // The library refuses lists that are too long; none is cut silently.
  EXPECT(status_of([] {
           float v[1] = {};
           const View one(v, {1});
           Plan(tileops::op("add"), {one, one, one, one, one, one, one, one, one, one}, {View(v, {1})});
         }) == TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT(status_of([] {
           float v[2] = {};
           tileops::run(tileops::op("relu"), {View(v, {2})}, {View(v, {1})});
         }) == TILEOPS_STATUS_INVALID_ARGUMENT);
}

// Operands of a number known when the program runs.
void lists() {
  float x[2] = {1, 2}, y[2] = {};
  const std::vector<ConstView> in(2, ConstView(x, {2}));
  std::vector<View> out{View(y, {2})};
  const std::vector<tileops_attr> attrs{tileops_attr_f64(TILEOPS_ATTR_ALPHA, 3.0)};
  tileops::run(tileops::op("add"), in, out, attrs);
  EXPECT(y[0] == 4 && y[1] == 8);
  std::array<DLTensor*, 1> pointers{out[0].get()};
  const tileops::Inputs inputs = in;
  const tileops::Inputs copied = inputs;
  Plan(tileops::op("add"), copied, pointers).execute(copied, pointers);
  EXPECT(y[0] == 2 && y[1] == 4);

  const tileops::ResultInfo sum = tileops::infer(tileops::op("add"), {in[0], View(y, {1, 1})});
  EXPECT(sum.shape == tileops::Dims({1, 2}) && sum.dtype.bits == 32);
  EXPECT(tileops::infer(tileops::op("dropout"), {in[0]}, {}, 1).dtype.code == kDLBool);
}

void managed() {
  const float x[4] = {-1, 0, 1, 2};
  ManagedTensor a(tileops::float32, {2, 2}), b(tileops::float32, {2, 2});
  tileops::copy(ConstView(x, {2, 2}), a);
  tileops::run(tileops::op("relu"), {a}, {b});
  EXPECT(b.data<float>()[0] == 0 && b.data<float>()[3] == 2);
  ManagedTensor moved = std::move(a);
  EXPECT(!a && moved && moved.get()->ndim == 2);
  EXPECT(status_of([] {
           const ManagedTensor t(tileops::float32, {1});
           t.data<double>();
         }) == TILEOPS_STATUS_INVALID_ARGUMENT);
  tileops::Stream stream(tileops::cpu);
  EXPECT(stream.get() == nullptr);
  stream.synchronize();
}

}  // namespace

int hpp_test() {
  try {
    views();
    attributes();
    plans();
    lists();
    managed();
  } catch (const tileops::Error& error) {
    std::fprintf(stderr, "%s: %s\n", error.status_name(), error.what());
    return 1;
  }
  return failures != 0;
}
