#include "expr/infer/map.h"

#include <algorithm>

#include "lower/common.h"

namespace tileops::expr {
namespace {

// Stands for a number that comes with an execute: an integer, as each attribute may be, but none that a body is for.
constexpr double kPlaceholder = 77;

// Calls f. What is wrong with an operand of the node's call is in the text wrong with an argument.
template <class F>
auto in_words_of_the_text(const Node& node, const F& f) {
  const std::string name = node.function->name;
  try {
    return f();
  } catch (const CallError& of_call) {
    CallError e = of_call;
    const bool is_input = e.kind == CallError::Kind::input;
    if (is_input) e.fault = strf("argument %d: ", e.index + 1) + e.fault;
    e.message = name + ": " + e.fault;
    if (e.offset < 0 && e.index >= 0)
      e.offset = is_input ? node.arguments[e.index].offset : node.attributes[e.index].offset;
    throw e;
  } catch (const Error& of_node) {
    Error e = of_node;
    e.message = name + ": " + e.message;
    throw e;
  }
}

// The operator's call on the operands of a node. Tensors are operands; a number becomes a 0-d operand of the dtype
// that it has beside them.
class CallBuilder {
 public:
  CallBuilder(const Node& node, const std::vector<NodeType>& types)
      : node_(node), f_(*node.function), types_(types), r_(f_.op ? *f_.op : f_.rule) {
    r_.of_node = true;
  }

  Call run() {
    return in_words_of_the_text(node_, [this] {
      add_attributes();
      add_tensors();
      add_numbers();
      check_literals();
      check_call(r_);
      return std::move(r_);
    });
  }

 private:
  const NodeType* type(size_t i) const {
    const int at = node_.arguments[i].node;
    return at < 0 ? nullptr : &types_[at];
  }

  // A value of a dtype that the operator does not take, and that has the dtype of what stands beside it: of scales, or
  // f32 beside nothing; of bool beside numbers.
  bool adapts(size_t i) const {
    if (!type(i) || type(i)->number || !r_.op->inputs[i].fixed.empty()) return false;
    const uint32_t own = dtype_category(type(i)->spec.dtype);
    return is_scale(type(i)->spec.dtype) ? !(r_.op->dtypes & kScale)
                                         : own == kBool && !(r_.op->dtypes & kBool) && is_beside_numbers(i);
  }
  bool is_beside_numbers(size_t i) const {
    for (size_t k = 0; k < node_.arguments.size(); ++k)
      if (k != i && type(k) && !type(k)->number && dtype_category(type(k)->spec.dtype) & (kFloat | kInt)) return true;
    return false;
  }

  void add_attributes() {
    for (size_t k = 0; k < node_.attributes.size(); ++k) {
      const Attribute& a = node_.attributes[k];
      const size_t i = static_cast<size_t>(a.index);
      r_.attr_given[i] = true;
      r_.attr_place[i] = static_cast<int>(k);
      if (f_.attrs()[i].info.kind == TILEOPS_ATTR_I64) r_.attrs[i].i64 = a.node < 0 ? a.value.i64 : 1;
      else r_.attrs[i].f64 = a.node < 0 ? a.value.as_f64() : kPlaceholder;
    }
  }

  void add_tensors() {
    for (size_t i = 0; i < node_.arguments.size(); ++i) {
      if (!type(i) || type(i)->number) continue;
      r_.inputs[i] = type(i)->spec;
      any_tensor_ |= r_.op->inputs[i].fixed.empty() && !adapts(i);
    }
    result_space(r_);  // throws if they do not go together, which the operator looks at first
    for (size_t i = 0; i < node_.arguments.size(); ++i)
      if (adapts(i)) r_.inputs[i].present = false;
    promoted_ = promote_inputs(r_);  // throws if a tensor is of the wrong kind
  }

  static uint32_t category(Number::Type type) {
    return type == Number::Type::f64 ? kFloat : type == Number::Type::i64 ? kInt : kBool;
  }

  // Beside tensors a number takes their dtype, unless it is of a higher category: then it has the default of that.
  void add_numbers() {
    const Dtype beside = promoted_;
    for (size_t i = 0; i < node_.arguments.size(); ++i) {
      if (!adapts(i)) continue;
      const bool is_number = any_tensor_ && (is_float(beside) || !is_scale(type(i)->spec.dtype));
      r_.inputs[i].present = true;
      r_.inputs[i].dtype = is_number ? beside : Dtype::f32;
      any_tensor_ = true;
    }
    promoted_ = promote_inputs(r_);
    for (size_t i = 0; i < node_.arguments.size(); ++i) {
      if (!type(i) || !type(i)->number) continue;
      const uint32_t own = category(type(i)->number_type);
      const bool higher = !any_tensor_ || own < dtype_category(promoted_);  // floats are the highest, and the least bit
      TensorSpec& t = r_.inputs[i];
      t.present = true;
      t.dtype = own == kFloat ? Dtype::f32 : own == kInt ? Dtype::i64 : Dtype::boolean;
      if (r_.op->inputs[i].fixed.empty() && !higher) t.dtype = promoted_;
    }
    promoted_ = promote_inputs(r_);
    if (!is_float(promoted_) && has_float_attribute()) {
      for (size_t i = 0; i < node_.arguments.size(); ++i)
        if (r_.inputs[i].present && r_.op->inputs[i].fixed.empty()) r_.inputs[i].dtype = Dtype::f32;
      promoted_ = Dtype::f32;
    }
  }

  // An attribute that stands for an operand is a number beside the others: a float among integers gives float32.
  bool has_float_attribute() const {
    return std::any_of(node_.attributes.begin(), node_.attributes.end(), [&](const Attribute& a) {
      const Number::Type type = a.node < 0 ? a.value.type : types_[a.node].number_type;
      return type == Number::Type::f64 && f_.promotes(a.index);
    });
  }

  // What the value of each attribute and literal must be, where that is known.
  void check_literals() const {
    const Ctype ctype = choose_ctype(r_, promoted_);
    const Dtype dtype = r_.op->compute == Compute::bits ? promoted_ : ctype_dtype(ctype);
    if (dtype_category(dtype) != kInt || is_compared(*r_.op)) return;  // any number is less, equal or greater
    for (size_t i = 0; i < node_.arguments.size(); ++i) {
      const Number* literal = type(i) && r_.op->inputs[i].fixed.empty() ? type(i)->literal : nullptr;
      if (!literal || literal->type != Number::Type::i64 || fits(literal->i64, dtype)) continue;
      throw Error{TILEOPS_STATUS_INVALID_ARGUMENT,
                  strf("%lld is out of range for %s", static_cast<long long>(literal->i64), dtype_name(dtype)), 0,
                  node_.arguments[i].offset};
    }
    for (const Attribute& a : node_.attributes) {
      const tileops_attr_info& info = f_.attrs()[a.index].info;
      const bool replaces = info.key == TILEOPS_ATTR_NAN || info.key == TILEOPS_ATTR_POSINF ||
                            info.key == TILEOPS_ATTR_NEGINF;  // what integers do not have
      if (a.node < 0 || replaces || types_[a.node].number_type != Number::Type::f64) continue;
      throw Error{TILEOPS_STATUS_INVALID_ARGUMENT,
                  strf("'%s' is a float, and %s computes in %s here", info.name, f_.name, dtype_name(dtype)), 0,
                  a.offset};
    }
  }

  const Node& node_;
  const Function& f_;
  const std::vector<NodeType>& types_;
  Call r_;
  bool any_tensor_ = false;
  Dtype promoted_ = Dtype::f32;
};

}  // namespace

Call call_of(const Node& node, const std::vector<NodeType>& types) { return CallBuilder(node, types).run(); }

Call cast_call(const Node& node, const std::vector<NodeType>& types) {
  Call call(*node.function->op);
  call.of_node = true;
  const NodeType& from = types[node.arguments[0].node];
  call.inputs[0] = from.spec;
  if (from.number) {
    call.inputs[0].present = true;
    call.inputs[0].dtype = dtype_of_number(from.number_type);
  }
  for (size_t a = 0; a < call.op->attrs.size(); ++a) {
    const Attribute* given = node.find_attribute(call.op->attrs[a].info.key);
    if (!given) continue;
    call.attrs[a].i64 = given->value.i64;
    call.attr_given[a] = true;
  }
  return call;
}

TensorSpec result_of(const Node& node, const Call& call) {
  return in_words_of_the_text(node, [&] {
    const Space space = result_space(call);
    TensorSpec t;
    t = row_major_tensor(result_dtype(call), space.extents.data(), space.ndim(), "outputs[0]");
    return t;
  });
}

}  // namespace tileops::expr
