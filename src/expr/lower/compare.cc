// Values: what becomes of comparisons with numbers.
#include "expr/lower/values.h"
#include "lower/common.h"

namespace tileops::expr {
namespace {

// Which operand of a comparison is a number; -1: none.
int number_among(const Node& n, const Inference& inference) {
  for (int k = 0; k < 2; ++k)
    if (inference.nodes[n.arguments[k].node].number) return k;
  return -1;
}

}  // namespace

// Integers are compared with a number in a type that has values beyond their dtype's, to whose ends the number is
// brought: so one that the dtype does not hold is never equal, but less or greater.
Ctype Values::wide_enough(const Node& n, Ctype ctype) const {
  const int k = number_among(n, inference_);
  if (k < 0 || is_floating(ctype)) return ctype;
  const Node& number = node(n.arguments[k].node);
  const bool is_constant = number.kind == Node::Kind::constant && number.value.type == Number::Type::i64;
  if (is_constant && fits(number.value.i64, ctype_dtype(ctype))) return ctype;
  switch (ctype) {
    case Ctype::i8:
    case Ctype::u8:
    case Ctype::i16:
    case Ctype::u16: return Ctype::i32;
    case Ctype::i32:
    case Ctype::u32: return Ctype::i64;
    default: return ctype;
  }
}

// No type holds all of u64 and negative numbers: what a negative one is compared with is greater.
Value Values::beside_negative(const Node& n, const Value& v) {
  const int k = number_among(n, inference_);
  if (k < 0) return v;
  const Value number = loads_->number(n.arguments[k].node, Ctype::i64);
  const Value zero = loads_->add(integer_constant(problem_, 0, {loads_->frame().extents()}), Ctype::i64);
  const tileops_op id = n.function->id;
  const bool less = id == TILEOPS_OP_LT || id == TILEOPS_OP_LE, greater = id == TILEOPS_OP_GT || id == TILEOPS_OP_GE;
  const bool is_true = id == TILEOPS_OP_NE || (k == 0 ? less : greater);
  const Value is_such = apply_plainly(is_true ? TILEOPS_OP_LT : TILEOPS_OP_GE, Ctype::i64, {number, zero});
  return apply_plainly(is_true ? TILEOPS_OP_LOGICAL_OR : TILEOPS_OP_LOGICAL_AND, Ctype::boolean, {is_such, v});
}

// Operand k of a comparison. Numbers and 0-d tensors are rounded to the dtype that they are compared with where that is
// one of memory: of an operand or a cast, not of a value on its way.
Value Values::compared(const Node& n, size_t k, Ctype wanted) {
  const int i = n.arguments[k].node, other = n.arguments[1 - k].node;
  const auto is_rounded = [&](int at) {
    return !type(at).number && (is_view(*inference_.graph, at) || node(at).is(Kind::cast));
  };
  if (is_rounded(other)) {
    const TensorSpec& with = type(other).spec;
    if (type(i).number && is_floating(wanted))
      return loads_->number(i, wanted, nullptr, is_narrow_float(with.dtype) ? with.dtype : Dtype::f64);
    if (is_rounded(i) && rounds_for_comparison(type(i).spec, with))
      return convert(of(i), with.dtype, default_fp8_mode(with.dtype));
  }
  return type(i).number ? loads_->number(i, wanted, nullptr, Dtype::f64, true) : taken(i, wanted);
}

}  // namespace tileops::expr
