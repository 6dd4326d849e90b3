// The operators' share of the standard kernels.
#include "base/error.h"
#include "cuda/standard/collection.h"
#include "lower/lower.h"
#include "plan/request.h"

namespace tileops::cuda {
namespace {

struct Attr {
  tileops_attr_key key;
  double value;
};

// A way to call an operator beyond its required operands and default attributes.
struct Variant {
  tileops_op op;
  std::vector<Attr> attrs;
  std::vector<int> given;  // optional inputs
  bool second_output = false;
};

const std::vector<Variant>& variants() {
  static const auto* list = new std::vector<Variant>{
      {TILEOPS_OP_ADD, {{TILEOPS_ATTR_ALPHA, 2}}, {}, false},
      {TILEOPS_OP_SUB, {{TILEOPS_ATTR_ALPHA, 2}}, {}, false},
      {TILEOPS_OP_DIV, {{TILEOPS_ATTR_ROUNDING, 1}}, {}, false},
      {TILEOPS_OP_DIV, {{TILEOPS_ATTR_ROUNDING, 2}}, {}, false},
      {TILEOPS_OP_POW, {}, {1}, false},
      {TILEOPS_OP_POW, {{TILEOPS_ATTR_EXPONENT, 0.5}}, {}, false},
      {TILEOPS_OP_POW, {{TILEOPS_ATTR_EXPONENT, 2}}, {}, false},
      {TILEOPS_OP_POW, {{TILEOPS_ATTR_EXPONENT, 3}}, {}, false},
      {TILEOPS_OP_POW, {{TILEOPS_ATTR_EXPONENT, -0.5}}, {}, false},
      {TILEOPS_OP_POW, {{TILEOPS_ATTR_EXPONENT, -1}}, {}, false},
      {TILEOPS_OP_POW, {{TILEOPS_ATTR_EXPONENT, -2}}, {}, false},
      {TILEOPS_OP_POW, {{TILEOPS_ATTR_EXPONENT, 5}}, {}, false},
      {TILEOPS_OP_LERP, {}, {2}, false},
      {TILEOPS_OP_LERP, {}, {}, false},
      {TILEOPS_OP_GELU, {{TILEOPS_ATTR_APPROXIMATE, 1}}, {}, false},
      {TILEOPS_OP_ELU, {{TILEOPS_ATTR_ALPHA, 2}}, {}, false},
      {TILEOPS_OP_SOFTPLUS, {{TILEOPS_ATTR_BETA, 2}}, {}, false},
      {TILEOPS_OP_ROUND, {{TILEOPS_ATTR_DECIMALS, 2}}, {}, false},
      {TILEOPS_OP_CLAMP, {{TILEOPS_ATTR_MIN, 1}, {TILEOPS_ATTR_MAX, 2}}, {}, false},
      {TILEOPS_OP_CLAMP, {}, {1, 2}, false},
      {TILEOPS_OP_MASKED_FILL, {{TILEOPS_ATTR_VALUE, 1}}, {}, false},
      {TILEOPS_OP_SILU_AND_MUL, {}, {1}, false},
      {TILEOPS_OP_GELU_AND_MUL, {}, {1}, false},
      {TILEOPS_OP_GELU_TANH_AND_MUL, {}, {1}, false},
      {TILEOPS_OP_DROPOUT, {}, {}, true},
      {TILEOPS_OP_DROPOUT, {}, {1}, false},
      {TILEOPS_OP_ALIBI, {}, {0}, false},
      {TILEOPS_OP_ROPE_NEOX, {}, {1}, false},
      {TILEOPS_OP_ROPE_NEOX, {}, {2, 3}, false},
      {TILEOPS_OP_ROPE_NEOX, {}, {1, 2, 3}, false},
      {TILEOPS_OP_ROPE_NON_NEOX, {}, {1}, false},
      {TILEOPS_OP_ROPE_NON_NEOX, {}, {2, 3}, false},
      {TILEOPS_OP_ROPE_NON_NEOX, {}, {1, 2, 3}, false},
  };
  return *list;
}

using Shape = std::vector<int64_t>;

// Shapes of the operands of one call; the last one is repeated for further operands.
struct Shapes {
  std::vector<Shape> inputs;
  Shape output;
};

struct Builder {
  Collection* kernels;
  Dtype ids = Dtype::i64;  // of RoPE's positions

  // Strides of a transposed operand of shape (1024, 1024).
  static constexpr int64_t kTransposed[2] = {1, 1024};

  void add_transposed(const OpSpec& op, const Variant& variant, Dtype dtype, Dtype out) {
    const Shape square{1024, 1024};
    add(op, variant, dtype, out, {{square}, square}, static_cast<int>(op.inputs.size()) - 1);
  }

  // Adds the kernels of a call; calls that the operator refuses add none.
  void add(const OpSpec& op, const Variant& variant, Dtype dtype, Dtype out, const Shapes& shapes,
           int transposed = -1) {
    tileops_tensor_desc inputs[TILEOPS_MAX_INPUTS] = {}, outputs[TILEOPS_MAX_OUTPUTS] = {};
    Shape own[TILEOPS_MAX_INPUTS];
    const auto describe = [](Dtype t, const Shape& shape) {
      return tileops_tensor_desc{dtype_to_dl(t), static_cast<int32_t>(shape.size()), shape.data(), nullptr};
    };
    const size_t count = op.inputs.size();
    for (size_t i = 0; i < count; ++i) {
      const OperandSpec& spec = op.inputs[i];
      bool present = !spec.optional;
      for (int g : variant.given) present = present || g == static_cast<int>(i);
      if (!present) continue;
      own[i] = shapes.inputs[i < shapes.inputs.size() ? i : shapes.inputs.size() - 1];
      if (op.lowering == Lowering::masked_fill && i == 2) own[i].clear();
      if (op.lowering == Lowering::prelu && i == 1) own[i] = {own[0].size() > 1 ? own[0][1] : 1};
      if (op.lowering == Lowering::dropout && i == 1) own[i] = {2};
      if (op.lowering == Lowering::alibi) own[i] = {shapes.output[0]};
      if (spec.name == "rescale_factors") own[i] = {own[0].back() / 2};
      if (spec.name == "cos" || spec.name == "sin") own[i] = {own[0][1], own[0].back() / 2};
      if (spec.name == "position_ids") own[i] = {own[0][1]};
      const Dtype fixed = spec.fixed.empty() ? dtype : spec.fixed[0];
      inputs[i] = describe(spec.name == "position_ids" ? ids : fixed, own[i]);
      if (static_cast<int>(i) == transposed) inputs[i].strides = kTransposed;
    }
    outputs[0] = describe(out, shapes.output);
    outputs[1] = describe(Dtype::boolean, shapes.output);
    std::vector<tileops_attr> attrs;
    for (const Attr& a : variant.attrs) {
      tileops_attr attr{a.key, TILEOPS_ATTR_F64, {}};
      attr.value.f64 = a.value;
      attrs.push_back(attr);
    }
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.op = op.op;
    desc.device = DLDevice{kDLCUDA, 0};
    desc.num_inputs = static_cast<int32_t>(count);
    desc.num_outputs = variant.second_output ? 2 : 1;
    desc.num_attrs = static_cast<int32_t>(attrs.size());
    desc.inputs = inputs;
    desc.outputs = outputs;
    desc.attrs = attrs.data();
    try {
      kernels->add(lower(make_request(desc)));
    } catch (const Error&) {
    }
  }

  void add_shapes(const OpSpec& op, const Variant& variant, Dtype dtype, Dtype out, bool small) {
    const Shape cube{8, 128, 1024}, row{1024}, scalar;
    const Shape large{32, 1024, 1024};  // more packs a thread; of narrow dtypes large tables
    switch (op.lowering) {
      case Lowering::gated:
        for (const int64_t rows : {64, 32768})  // more packs a thread, or a table of activations
          add(op, variant, dtype, out, {{variant.given.empty() ? Shape{rows, 2048} : Shape{rows, 1024}}, {rows, 1024}});
        return;
      case Lowering::rope:
        for (const int64_t batch : {1, 4})
          // One token; few; many; and of both numbers of packs that threads do not share.
          for (const Shape& x : {Shape{batch, 1, 32, 128}, Shape{batch, 128, 8, 128}, Shape{batch, 4096, 32, 128},
                                 Shape{batch, 128, 8, 96}, Shape{batch, 4096, 32, 96}})
            for (const Dtype t : {Dtype::i32, Dtype::i64}) {
              ids = t;
              add(op, variant, dtype, out, {{x}, x});
            }
        return;
      case Lowering::alibi: return add(op, variant, dtype, out, {{{8}}, {8, 128, 128}});
      case Lowering::sinusoidal: return add(op, variant, dtype, out, {{{}}, {128, 128}});
      case Lowering::prelu:
        for (const Shape& shape : {cube, large}) add(op, variant, dtype, out, {{shape}, shape});
        return;
      default: break;
    }
    add(op, variant, dtype, out, {{cube}, cube});
    add(op, variant, dtype, out, {{large}, large});
    const size_t operands = op.inputs.size();
    if (small && op.op != TILEOPS_OP_ADD && op.op != TILEOPS_OP_EXP) return;
    if (op.op == TILEOPS_OP_ADD || op.op == TILEOPS_OP_EXP || op.op == TILEOPS_OP_CAST)
      add_transposed(op, variant, dtype, out);
    if (small || operands < 2) return;
    for (const Shape& shape : {cube, large}) {
      const Shape column{shape[0], shape[1], 1};
      for (const Shape& second : {row, column, scalar}) add(op, variant, dtype, out, {{shape, second}, shape});
    }
    if (op.op == TILEOPS_OP_WHERE) {
      add(op, variant, dtype, out, {{cube, cube, scalar}, cube});
      add(op, variant, dtype, out, {{cube, scalar, cube}, cube});
    }
  }
};

Dtype result_dtype(const OpSpec& op, const Variant& variant, Dtype dtype) {
  if (op.bool_result) return Dtype::boolean;
  const bool rounded = !variant.attrs.empty() && op.compute == Compute::quotient;
  const bool to_float = op.compute == Compute::to_float || (op.compute == Compute::quotient && !rounded);
  return to_float && !is_float(dtype) ? Dtype::f32 : dtype;
}

}  // namespace

void add_operators(Collection* kernels, bool small) {
  Builder b{kernels};
  for (const auto& op : op_table()) {
    std::vector<Variant> calls{{op->op, {}, {}, false}};
    for (const Variant& v : variants())
      if (v.op == op->op) calls.push_back(v);
    for (const Variant& call : calls) {
      for (int d = 0; d < kNumDtypes; ++d) {
        const Dtype dtype = static_cast<Dtype>(d);
        if (!(dtype_category(dtype) & op->dtypes) || (small && !is_sampled(dtype))) continue;
        if (op->op == TILEOPS_OP_CAST) {
          for (int o = 0; o < kNumDtypes; ++o) b.add_shapes(*op, call, dtype, static_cast<Dtype>(o), small);
        } else {
          b.add_shapes(*op, call, dtype, result_dtype(*op, call, dtype), small);
        }
      }
    }
  }
}

// Operators of different kinds.
void add_strategies_of_operators(Collection* kernels) {
  Builder b{kernels};
  for (const tileops_op op : {TILEOPS_OP_ADD, TILEOPS_OP_GELU, TILEOPS_OP_ISNAN, TILEOPS_OP_DROPOUT,
                              TILEOPS_OP_ROPE_NEOX, TILEOPS_OP_SILU_AND_MUL, TILEOPS_OP_ALIBI}) {
    const Variant call{op, {}, {}, op == TILEOPS_OP_DROPOUT};
    for (const Dtype dtype : {Dtype::f16, Dtype::f32, Dtype::e4m3fn}) {
      b.add_shapes(*find_op(op), call, dtype, result_dtype(*find_op(op), call, dtype), true);
      if (op == TILEOPS_OP_ADD) b.add(*find_op(op), call, dtype, dtype, {{{64, 96}, {96}}, {64, 96}});
    }
  }
}

}  // namespace tileops::cuda
