// Lists of operands, and what else could point to something gone, in tileops.hpp.
#include <tileops/tileops.hpp>

#include <deque>
#include <list>
#include <type_traits>
#include <utility>
#include <vector>

#include "expect.h"

namespace {

using tileops::ConstView;
using tileops::Expr;
using tileops::ExprBuilder;
using tileops::Input;
using tileops::Inputs;
using tileops::ManagedTensor;
using tileops::Node;
using tileops::Output;
using tileops::Outputs;
using tileops::View;

static_assert(std::is_nothrow_move_constructible_v<Inputs> && std::is_copy_assignable_v<Inputs>);
static_assert(!std::is_copy_constructible_v<tileops::detail::CallInputs> &&
              !std::is_move_constructible_v<tileops::detail::CallInput>);

const tileops_op kSub = TILEOPS_OP_SUB;
float a[4] = {1, 2, 3, 4}, b[2] = {10, 20}, y[4];

bool ran(const Inputs& in, const Outputs& out) {
  for (float& value : y) value = 0;
  const tileops::Plan plan(kSub, in, out);
  plan.execute(in, out);
  return y[0] == -9 && y[1] == -18 && y[2] == -7 && y[3] == -16;
}

// Overwrites what dead temporaries left on the stack.
int scribble() {
  volatile int64_t junk[4096];
  for (volatile int64_t& value : junk) value = -1;
  return static_cast<int>(junk[7]);
}

Inputs made_inputs() {
  const ConstView local(a, {2, 2}, {2, 1});
  return {local, View(b, {2})};
}
Outputs made_outputs() {
  int64_t shape[2] = {2, 2};
  DLTensor local{y, tileops::cpu, 2, tileops::float32, shape, nullptr, 0};
  return {&local};
}

void named() {
  const Inputs in{ConstView(a, {2, 2}), ConstView(b, {2})};
  const Outputs out{View(y, {2, 2})};
  EXPECT(scribble() && ran(in, out));
  const Inputs returned = made_inputs();
  const Outputs returned_too = made_outputs();
  EXPECT(scribble() && ran(returned, returned_too));

  Inputs copied = in;
  const Inputs moved = std::move(copied);
  copied = moved;
  EXPECT(ran(moved, out) && ran(copied, out) && copied.size() == 2 && Inputs().size() == 0);

  // One by one, where the number is known when the program runs.
  std::vector<Input> inputs;
  inputs.push_back(ConstView(a, {2, 2}));
  inputs.emplace_back(View(b, {2}));
  std::vector<Output> outputs{View(y, {2, 2})};
  EXPECT(scribble() && ran(inputs, outputs));
  tileops::run(kSub, inputs, outputs);
  EXPECT(ran(Inputs(std::list<ConstView>{{a, {2, 2}}, {b, {2}}}), Outputs(std::deque<View>{{y, {2, 2}}})));

  Input none, some = ConstView(a, {4});
  EXPECT(none.get() == nullptr && some.get()->shape[0] == 4);
  none = some;
  EXPECT(none.get() != some.get() && none.get()->shape != some.get()->shape && none.get()->shape[0] == 4);
}

// The tensors are copied, their memory is not.
void tensors_with_memory() {
  ManagedTensor x(tileops::float32, {2}), z(tileops::float32, {2});
  const Inputs in{x, z};
  const Outputs out{z};
  for (int i = 0; i < 2; ++i) x.data<float>()[i] = 5, z.data<float>()[i] = 2;
  const ManagedTensor elsewhere = std::move(x);
  tileops::run(kSub, in, out);  // in place
  EXPECT(z.data<float>()[0] == 3 && z.data<float>()[1] == 3);

  ManagedTensor offset(tileops::float32, {2});
  offset.data<float>()[1] = 7;
  DLTensor second = *offset.get();
  int64_t one[1] = {1};
  second.shape = one;
  second.strides = nullptr;
  second.byte_offset = sizeof(float);
  float result = 0;
  const Inputs kept{&second};
  one[0] = -1;
  tileops::run(TILEOPS_OP_NEG, kept, {View(&result, {1})});
  EXPECT(result == -7);
}

template <class F>
tileops_status status_of(F&& call) {
  try {
    call();
  } catch (const tileops::Error& error) {
    return error.status();
  }
  return TILEOPS_STATUS_OK;
}

// Descriptions that are wrong are refused, not read.
void wrong_tensors() {
  DLTensor t{a, tileops::cpu, 1, tileops::float32, nullptr, nullptr, 0};
  EXPECT(status_of([&] { tileops::run(TILEOPS_OP_NEG, Inputs{&t}, {View(y, {1})}); }) ==
         TILEOPS_STATUS_INVALID_ARGUMENT);
  for (const int32_t ndim : {-1, TILEOPS_MAX_NDIM + 1, INT32_MAX, INT32_MIN}) {
    t.ndim = ndim;
    EXPECT(status_of([&] { Inputs in{&t}; }) == TILEOPS_STATUS_INVALID_ARGUMENT);
  }
  EXPECT(status_of([&] { tileops::run(TILEOPS_OP_NEG, Inputs{nullptr}, {View(y, {1})}); }) ==
         TILEOPS_STATUS_INVALID_ARGUMENT);
}

// More than the library takes: it is the one to refuse them.
void too_many() {
  const std::vector<ConstView> in(100, ConstView(a, {4}));
  std::vector<View> out(100, View(y, {4}));
  const Inputs kept_in(in);
  const Outputs kept_out(out);
  const Expr expr("(x) -> x");
  const tileops::Plan plan(expr, {in[0]}, {out[0]});
  const auto all = [&](const auto& inputs, auto& outputs) {
    const tileops_status refused = TILEOPS_STATUS_INVALID_ARGUMENT;
    EXPECT(status_of([&] { tileops::infer(expr, inputs); }) == refused);
    EXPECT(status_of([&] { tileops::infer(TILEOPS_OP_ADD, inputs); }) == refused);
    EXPECT(status_of([&] { tileops::run(expr, inputs, {out[0]}); }) == refused);
    EXPECT(status_of([&] { tileops::run(expr, {in[0]}, outputs); }) == refused);
    EXPECT(status_of([&] { plan.execute(inputs, outputs); }) == refused);
    EXPECT(status_of([&] { plan.execute_with({in[0]}, {out[0]}, std::vector<int>(100)); }) == refused);
  };
  all(in, out);
  all(kept_in, kept_out);
  int64_t product = 1;
  for (const int64_t extent : tileops::infer(expr, {ConstView(a, {2, 2})}).shape) product *= extent;
  EXPECT(product == 4);
}

// Values of an expression outlive their builder, wherever it went.
void nodes() {
  std::vector<Node> left;
  {
    ExprBuilder builder;
    left.push_back(builder.operand("x"));
    ExprBuilder moved = std::move(builder);
    left.push_back(moved.scalar("s", 1.5));
    moved.result(left[0] * left[1]);
    EXPECT(moved.finish().text() == Expr("(x; s = 1.5) -> x * s").text());
    EXPECT(status_of([&] { moved.result(left[0]), moved.finish(); }) == TILEOPS_STATUS_INVALID_ARGUMENT);
    EXPECT(status_of([&] { builder.result(builder.operand("y")), builder.finish(); }) ==
           TILEOPS_STATUS_INVALID_ARGUMENT);
  }
  const Node late = maximum(left[0] + 1, left[1]);
  std::vector<tileops::Term> terms{late, 1, tileops::absent};
  left.clear();
  ExprBuilder other;
  EXPECT(status_of([&] { other.result(other.apply(TILEOPS_OP_CLAMP, terms)), other.finish(); }) ==
         TILEOPS_STATUS_INVALID_ARGUMENT);
}

// A temporary expression or tensor is there for the call.
void temporaries_in_calls() {
  float z[2] = {};
  tileops::run(Expr("(x; s = 1) -> x * s"), {ConstView(b, {2})}, {View(z, {2})}, {3});
  EXPECT(z[0] == 30 && z[1] == 60);
  EXPECT(tileops::infer(Expr("(x) -> x > 1"), {ManagedTensor(tileops::float32, {2})}).dtype.code == kDLBool);
  tileops::copy(ConstView(b, {2}), View(z, {2}));
  EXPECT(z[0] == 10);
}

}  // namespace

int hpp_lists_test() {
  named();
  tensors_with_memory();
  wrong_tensors();
  too_many();
  nodes();
  temporaries_in_calls();
  return failures != 0;
}
