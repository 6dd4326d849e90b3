// Builder: another text as a part of this one, written out.
#include "expr/nodes/builder.h"
#include "expr/nodes/replay.h"

namespace tileops::expr {

// A value in the place of an operand. Left out, an optional one is its default, as where it is absent from a plan.
NodeHandle Builder::operand_of(const Operand& operand, const std::string& text, const Use& use) {
  if (use.node == 0 && operand.optional) return add_constant(operand.value);
  if (use.node == 0) refuse_at(use.offset, strf("%s: '%s' is missing", text.c_str(), operand.name.c_str()));
  if (is_result_only(node(use.node)))
    refuse_at(use.offset, strf("%s: '%s' is a %s, which is for results alone", text.c_str(), operand.name.c_str(),
                               node(use.node).function->name));
  return use.node;
}

// A number in the place of a scalar, as the integer or float that the scalar is. Left out it is the default: a
// constant.
NodeHandle Builder::scalar_of(const Scalar& scalar, const std::string& text, const Use& use) {
  if (use.node == 0) return add_constant(scalar.value);
  const auto wrong = [&](const char* needs, const std::string& got) {
    refuse_at(use.offset, strf("%s: '%s' takes %s (got %s)", text.c_str(), scalar.name.c_str(), needs, got.c_str()));
  };
  const Node& from = node(use.node);
  const Number::Type type = scalar.value.type;
  if (!from.on_host) wrong("a number", "a tensor");
  if (from.host_type == Number::Type::boolean) wrong("a number", "bool");
  if (from.host_type == type) return use.node;
  const bool known = from.kind == Node::Kind::constant;
  if (type == Number::Type::f64)
    return known ? add_constant(Number::of(from.value.as_f64()))
                 : make(*find_function(TILEOPS_OP_MUL), {use, {add_constant(Number::of(1.0))}}, {}, use.offset);
  const double v = from.value.f64;
  if (!known) wrong("an integer", "a float");
  if (!(v >= -0x1p63 && v < 0x1p63) || v != static_cast<double>(static_cast<int64_t>(v)))
    wrong("an integer", from.value.text());
  return add_constant(Number::of(static_cast<int64_t>(v)));
}

std::vector<NodeHandle> Builder::write_text(const Graph& text, const std::string& name, const std::vector<Use>& uses,
                                            Offset offset) {
  const size_t operands = text.operands.size(), most = operands + text.scalars.size();
  if (uses.size() > most)
    refuse_at(offset,
              strf("%s takes at most %zu argument%s (got %zu)", name.c_str(), most, most == 1 ? "" : "s", uses.size()));
  std::vector<NodeHandle> inputs, handles, results;
  for (size_t i = 0; i < most; ++i) {
    Use use = i < uses.size() ? uses[i] : Use{};
    if (use.node < 0 || use.node > static_cast<NodeHandle>(nodes_.size()))
      refuse_at(offset, strf("%s: argument %zu is no node of this builder (got %d)", name.c_str(), i + 1, use.node));
    if (use.offset < 0) use.offset = offset;
    inputs.push_back(i < operands ? operand_of(text.operands[i], name, use)
                                  : scalar_of(text.scalars[i - operands], name, use));
  }
  Graph here = at_offset(text, offset);
  for (SaidShape& s : here.shapes) {
    s.of += " of " + name;
    const size_t i = static_cast<size_t>(s.operand);
    if (s.operand >= 0 && i < uses.size() && uses[i].offset >= 0) s.offset = uses[i].offset;
  }
  splice(here, inputs, this, &handles);
  if (failed_) throw Error{error_.status, name + ": " + error_.message, error_.driver_code, offset};
  for (const Result& r : text.results) results.push_back(handles[r.node]);
  return results;
}

}  // namespace tileops::expr
