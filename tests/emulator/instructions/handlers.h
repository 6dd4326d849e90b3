// What handlers of instructions are made of: a function of numbers, which is applied to each lane.
#ifndef TILEOPS_TESTS_EMULATOR_HANDLERS_H_
#define TILEOPS_TESTS_EMULATOR_HANDLERS_H_

#include "instructions/numbers.h"
#include "machine/machine.h"

namespace emulator {

// Handlers of a result T and operands A.
template <class T, class A, class F>
void unary(Warp& w, const Instruction& i, Mask lanes) {
  const Register& a = w.from(i, 0);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) { d[l] = put(static_cast<T>(F()(get<A>(a[l])))); });
}

template <class T, class A, class F>
void binary(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &b = w.from(i, 1);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) { d[l] = put(static_cast<T>(F()(get<A>(a[l]), get<A>(b[l])))); });
}

template <class T, class A, class F>
void ternary(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &b = w.from(i, 1), &c = w.from(i, 2);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) { d[l] = put(static_cast<T>(F()(get<A>(a[l]), get<A>(b[l]), get<A>(c[l])))); });
}

// `return handler;` with T as the type of that name, where `name` is one of these.
#define EMULATOR_CASE(name, text, type, ...) \
  if (name == text) {                        \
    using T = type;                          \
    return __VA_ARGS__;                      \
  }
#define EMULATOR_UNSIGNED(name, ...)                \
  EMULATOR_CASE(name, "u16", uint16_t, __VA_ARGS__) \
  EMULATOR_CASE(name, "b16", uint16_t, __VA_ARGS__) \
  EMULATOR_CASE(name, "u32", uint32_t, __VA_ARGS__) \
  EMULATOR_CASE(name, "b32", uint32_t, __VA_ARGS__) \
  EMULATOR_CASE(name, "u64", uint64_t, __VA_ARGS__) \
  EMULATOR_CASE(name, "b64", uint64_t, __VA_ARGS__)
#define EMULATOR_SIGNED(name, ...)                 \
  EMULATOR_CASE(name, "s16", int16_t, __VA_ARGS__) \
  EMULATOR_CASE(name, "s32", int32_t, __VA_ARGS__) \
  EMULATOR_CASE(name, "s64", int64_t, __VA_ARGS__)
#define EMULATOR_FLOATS(name, ...)               \
  EMULATOR_CASE(name, "f16", F16, __VA_ARGS__)   \
  EMULATOR_CASE(name, "bf16", Bf16, __VA_ARGS__) \
  EMULATOR_CASE(name, "f32", float, __VA_ARGS__) \
  EMULATOR_CASE(name, "f64", double, __VA_ARGS__)
#define EMULATOR_INTEGERS(name, ...) EMULATOR_UNSIGNED(name, __VA_ARGS__) EMULATOR_SIGNED(name, __VA_ARGS__)

}  // namespace emulator

#endif  // TILEOPS_TESTS_EMULATOR_HANDLERS_H_
