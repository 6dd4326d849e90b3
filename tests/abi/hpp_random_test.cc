// Random expressions, built and executed through tileops.hpp and beside it through the C functions: the same texts,
// refusals and bits. With several results, in place, absent operands, scalars, wrong calls; operands in lists of every
// kind.
#include <tileops/tileops.hpp>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "expect.h"

namespace {

using tileops::absent;
using tileops::ConstView;
using tileops::Node;
using tileops::Number;
using tileops::View;

// How a call ended: status, and the library's message.
struct Outcome {
  tileops_status status = TILEOPS_STATUS_OK;
  std::string message;
  bool operator==(const Outcome& other) const { return status == other.status && message == other.message; }
};
Outcome of_c(tileops_status status) { return {status, status ? tileops_last_error() : ""}; }
template <class F>
Outcome of_cxx(F&& call) {
  try {
    call();
  } catch (const tileops::Error& error) {
    return {error.status(), error.what()};
  }
  return {};
}

constexpr int64_t kRows = 3, kColumns = 5, kElements = kRows * kColumns;

class Case {
 public:
  explicit Case(uint32_t seed) : random_(seed) {}
  Case(const Case&) = delete;
  ~Case() {
    tileops_expr_destroy(expr_c_);
    tileops_builder_destroy(c_);
  }
  // Counts what was executed.
  bool run(int* executed) {
    tileops_builder_create(&c_);
    build();
    const Outcome built = of_cxx([&] { expr_ = b_.finish(); });
    if (!(built == of_c(tileops_builder_finish(c_, &expr_c_)))) return told("finish", built.message);
    if (built.status) return true;
    size_t size = 0;
    tileops_expr_text(expr_c_, nullptr, &size);
    std::string text(size, '\0');
    tileops_expr_text(expr_c_, &text[0], &size);
    if (expr_.text() != text.c_str()) return told("text", expr_.text());
    return execute(executed) || told("of", expr_.text());
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool told(const char* what, const std::string& text) {
    std::fprintf(stderr, "%s: %s\n", what, text.c_str());
    return false;
  }

  // A value in both builders.
  struct Pair {
    Node cxx;
    tileops_node c;
  };
  const Pair& any() { return nodes_[random_() % nodes_.size()]; }
  tileops_node c_op(tileops_op op, std::vector<tileops_node> arguments, std::vector<tileops_attr> attrs = {}) {
    return tileops_build_op(c_, op, arguments.data(), arguments.size(), attrs.data(), attrs.size());
  }
  tileops_node c_const(double value) { return tileops_build_constant(c_, tileops_number_f64(value)); }
  tileops_node c_const(int value) { return tileops_build_constant(c_, tileops_number_i64(value)); }

  void build() {
    operands_ = 1 + below(4);
    for (int i = 0; i < operands_; ++i) {
      const std::string name = std::string("x") + std::to_string(i);
      if (i > 0 && below(3) == 0) {
        optional_ |= 1u << i;
        const tileops_number value = tileops_number_f64(0.5);
        nodes_.push_back({b_.operand(name, 0.5), tileops_build_operand(c_, name.c_str(), &value)});
      } else {
        nodes_.push_back({b_.operand(std::string_view(name)), tileops_build_operand(c_, name.c_str(), nullptr)});
      }
    }
    scalars_ = below(3);
    for (int i = 0; i < scalars_; ++i) {
      const char* name = i ? "t" : "s";
      if (i) nodes_.push_back({b_.scalar(name, 2), tileops_build_scalar(c_, name, tileops_number_i64(2))});
      else nodes_.push_back({b_.scalar(name, 1.5f), tileops_build_scalar(c_, name, tileops_number_f64(1.5))});
    }
    for (int i = 1 + below(8); i > 0; --i) nodes_.push_back(call());
    results_ = 1 + below(3);
    for (int i = 0; i < results_; ++i) {
      const Pair& value = i ? any() : nodes_.back();
      const std::string name = below(2) ? std::string("r") + std::to_string(i) : "";
      b_.result(value.cxx, name.empty() ? nullptr : name.c_str());
      tileops_build_result(c_, value.c, name.empty() ? nullptr : name.c_str());
    }
  }

  Pair call() {
    const Pair x = any(), y = any(), z = any();
    const int n = below(5);
    const double f = below(16) / 4.0;
    switch (below(20)) {
      case 0: return {x.cxx + y.cxx, c_op(TILEOPS_OP_ADD, {x.c, y.c})};
      case 1: return {x.cxx * f, c_op(TILEOPS_OP_MUL, {x.c, c_const(f)})};
      case 2: return {n - x.cxx, c_op(TILEOPS_OP_SUB, {c_const(n), x.c})};
      case 3: return {f / x.cxx, c_op(TILEOPS_OP_DIV, {c_const(f), x.c})};
      case 4: return {maximum(n, x.cxx), c_op(TILEOPS_OP_MAXIMUM, {c_const(n), x.c})};
      case 5: return {minimum(x.cxx, static_cast<size_t>(n)), c_op(TILEOPS_OP_MINIMUM, {x.c, c_const(n)})};
      case 6: return {pow(f, x.cxx), c_op(TILEOPS_OP_POW, {c_const(f), x.c})};
      case 7: return {fma(f, x.cxx, y.cxx), c_op(TILEOPS_OP_FMA, {c_const(f), x.c, y.c})};
      case 8:
        return {where(x.cxx < y.cxx, f, z.cxx),
                c_op(TILEOPS_OP_WHERE, {c_op(TILEOPS_OP_LT, {x.c, y.c}), c_const(f), z.c})};
      case 9: return {clamp(x.cxx, absent, f), c_op(TILEOPS_OP_CLAMP, {x.c, 0, c_const(f)})};
      case 10: return {lerp(f, x.cxx, y.cxx), c_op(TILEOPS_OP_LERP, {c_const(f), x.c, y.c})};
      case 11: return {silu(x.cxx), c_op(TILEOPS_OP_SILU, {x.c})};
      case 12: return {tanh(x.cxx), c_op(TILEOPS_OP_TANH, {x.c})};
      case 13:
        return {gelu(x.cxx, tileops::attr(TILEOPS_OP_GELU, "approximate", "tanh")),
                c_op(TILEOPS_OP_GELU, {x.c}, {tileops_attr_i64(TILEOPS_ATTR_APPROXIMATE, 1)})};
      case 14:
        return {cast(x.cxx, tileops::bfloat16),
                c_op(TILEOPS_OP_CAST, {x.c, 0}, {tileops_attr_i64(TILEOPS_ATTR_DTYPE, kDLBfloat * 256 + 16)})};
      case 15: return {-x.cxx % 3, c_op(TILEOPS_OP_REMAINDER, {c_op(TILEOPS_OP_NEG, {x.c}), c_const(3)})};
      case 16: {
        std::vector<Node> both{x.cxx, y.cxx};
        return {b_.apply(TILEOPS_OP_MUL, both), c_op(TILEOPS_OP_MUL, {x.c, y.c})};
      }
      case 17: return {floor_divide(x.cxx, y.cxx), c_op(TILEOPS_OP_FLOOR_DIVIDE, {x.c, y.c})};
      case 18: return {true * x.cxx, c_op(TILEOPS_OP_MUL, {tileops_build_constant(c_, tileops_number_bool(1)), x.c})};
      default:  // now and then a wrong call
        if (below(4)) return {abs(x.cxx), c_op(TILEOPS_OP_ABS, {x.c})};
        return {x.cxx & f, c_op(TILEOPS_OP_BITWISE_AND, {x.c, c_const(f)})};
    }
  }

  // Memory of all operands, then of all results; one for each of the two ways.
  using Memory = std::vector<float>;
  float* at(Memory& memory, int i) { return memory.data() + i * kElements; }

  // Operands and results over one memory.
  struct Tensors {
    std::vector<View> views, results;
    std::vector<const DLTensor*> in;
    std::vector<DLTensor*> out;
  };
  Tensors tensors(Memory& memory) {
    Tensors t;
    for (int i = 0; i < operands_; ++i) t.views.emplace_back(at(memory, i), shapes_[i], strides_[i]);
    for (int i = 0; i < results_; ++i) {
      const int where = in_place_[i] >= 0 ? in_place_[i] : operands_ + i;
      t.results.emplace_back(at(memory, where) + shift_[i], result_shapes_[i]);
    }
    for (int i = 0; i < operands_; ++i) t.in.push_back(absent_ & 1u << i ? nullptr : t.views[i].get());
    for (View& result : t.results) t.out.push_back(result.get());
    return t;
  }

  // Shapes of the results; those of calls that are wrong may be any.
  bool infer_shapes(Memory& memory) {
    for (int i = 0; i < results_; ++i) result_shapes_[i] = {kRows, kColumns};
    const Tensors t = tensors(memory);
    std::vector<tileops_tensor_desc> descs(t.in.size());
    for (size_t i = 0; i < t.in.size(); ++i)
      if (const DLTensor* in = t.in[i]) descs[i] = {in->dtype, in->ndim, in->shape, in->strides};
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.expr = expr_c_, desc.inputs = descs.data(), desc.num_inputs = operands_;
    for (int i = 0; i < results_; ++i) {
      DLDataType dtype;
      int32_t ndim = 0;
      int64_t shape[TILEOPS_MAX_NDIM];
      const Outcome want = of_c(tileops_plan_infer(&desc, static_cast<size_t>(i), &dtype, &ndim, shape));
      tileops::Dims got;
      const Outcome told_cxx = of_cxx([&] { got = tileops::infer(expr_, t.in, static_cast<size_t>(i)).shape; });
      if (!(told_cxx == want)) return told("infer", told_cxx.message);
      if (want.status) continue;
      if (got != tileops::Dims(shape, static_cast<size_t>(ndim))) return told("infer", "another shape");
      result_shapes_[i] = got;
    }
    return true;
  }

  bool execute(int* executed) {
    Memory plain(static_cast<size_t>((operands_ + results_ + 1) * kElements));
    for (float& value : plain) value = static_cast<float>(below(64) - 32) / 8;
    for (int i = 0; i < operands_; ++i) {
      const bool row = i > 0 && below(4) == 0, turned = below(6) == 0;
      shapes_[i] = row ? tileops::Dims{kColumns} : tileops::Dims{kRows, kColumns};
      strides_[i] = row ? tileops::Dims{1} : turned ? tileops::Dims{1, kRows} : tileops::Dims{kColumns, 1};
      if (!row && below(30) == 0) shapes_[i] = {kRows, kColumns + 1};  // does not go with the results: refused
      if (optional_ & 1u << i && below(2)) absent_ |= 1u << i;
    }
    for (int i = 0; i < results_; ++i) {
      in_place_[i] = below(3) == 0 ? below(operands_) : -1;
      shift_[i] = below(20) == 0 ? 1 : 0;  // overlaps what is next to it
    }
    if (!infer_shapes(plain)) return false;
    Memory memory = plain, memory_c = plain;
    const Tensors t = tensors(memory), tc = tensors(memory_c);

    std::vector<Number> numbers;
    std::vector<tileops_number> numbers_c;
    const int count = below(scalars_ + 1) + (below(8) == 0 ? 1 : 0);  // now and then too many, or of another kind
    for (int i = 0; i < count; ++i) {
      const int kind = below(4), value = below(5);
      if (kind == 0) numbers.emplace_back(), numbers_c.push_back({});
      else if (kind == 1) numbers.emplace_back(value), numbers_c.push_back(tileops_number_i64(value));
      else numbers.emplace_back(value / 2.0), numbers_c.push_back(tileops_number_f64(value / 2.0));
    }

    const bool same_plan = below(2);
    tileops_plan* plan_c = nullptr;
    Outcome want = of_c(tileops_plan_create_like_expr(nullptr, expr_c_, tc.in.data(), tc.in.size(), tc.out.data(),
                                                      tc.out.size(), &plan_c));
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.num_inputs = static_cast<uint32_t>(tc.in.size()), args.inputs = tc.in.data();
    args.num_outputs = static_cast<uint32_t>(tc.out.size()), args.outputs = tc.out.data();
    args.num_scalars = static_cast<uint32_t>(numbers_c.size()), args.scalars = numbers_c.data();
    if (!want.status) want = of_c(tileops_execute_with(plan_c, &args));
    tileops_plan_destroy(plan_c);

    const Outcome got = of_cxx([&] { through(t, numbers, same_plan); });
    if (!(got == want)) return told("got", got.message), told("need", want.message);
    *executed += !got.status;
    return std::memcmp(memory.data(), memory_c.data(), memory.size() * sizeof(float)) == 0 || told("other", "bits");
  }

  // By lists of one kind or another.
  void through(const Tensors& t, const std::vector<Number>& numbers, bool run_at_once) {
    std::vector<tileops::Input> inputs;
    for (size_t i = 0; i < t.in.size(); ++i) {
      if (!t.in[i]) inputs.emplace_back(nullptr);
      else inputs.push_back(ConstView(*t.in[i]));
    }
    std::vector<View> outputs = t.results;
    switch (below(5)) {
      case 0: return call_with(t.in, t.out, numbers, run_at_once);
      case 1: return call_with(inputs, outputs, numbers, run_at_once);
      case 2: {
        const tileops::Inputs in = std::move(inputs);
        const tileops::Outputs out = std::move(outputs);
        return call_with(in, out, numbers, run_at_once);
      }
      case 3: {
        const tileops::Inputs in(t.in);
        return call_with(in, t.out, numbers, run_at_once);
      }
      default:
        if (inputs.size() != 2 || outputs.size() != 1) return call_with(inputs, t.out, numbers, run_at_once);
        return tileops::run(expr_, {inputs[0], inputs[1]}, {View(*t.out[0])}, numbers);
    }
  }
  template <class In, class Out>
  void call_with(const In& in, Out& out, const std::vector<Number>& numbers, bool run_at_once) {
    if (run_at_once) return tileops::run(expr_, in, out, numbers);
    const tileops::Plan plan(expr_, in, out);
    plan.execute_with(in, out, numbers);
  }

  std::mt19937 random_;
  tileops::ExprBuilder b_;
  tileops_builder* c_ = nullptr;
  tileops::Expr expr_;
  tileops_expr* expr_c_ = nullptr;
  std::vector<Pair> nodes_;
  int operands_ = 0, scalars_ = 0, results_ = 0;
  unsigned optional_ = 0, absent_ = 0;
  tileops::Dims shapes_[4], strides_[4], result_shapes_[3];
  int in_place_[3] = {}, shift_[3] = {};
};

}  // namespace

int hpp_random_test() {
  constexpr int kCases = 3000;
  int executed = 0;
  for (uint32_t seed = 0; seed < kCases; ++seed) {
    if (Case(seed).run(&executed)) continue;
    std::fprintf(stderr, "seed %u\n", seed);
    if (++failures > 5) break;
  }
  if (executed < kCases / 3 || executed > kCases - 100) {
    std::fprintf(stderr, "%d of %d executed: no mixture of both\n", executed, kCases);
    ++failures;
  }
  return failures != 0;
}
