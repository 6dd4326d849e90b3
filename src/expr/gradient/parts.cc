#include "expr/gradient/parts.h"

#include <algorithm>

namespace tileops::expr {
namespace {

int64_t number_of(const Node& part) { return part.find_attribute(TILEOPS_ATTR_PART)->value.i64; }
int64_t count_of(const Node& part) { return part.find_attribute(TILEOPS_ATTR_PARTS)->value.i64; }

class Maker {
 public:
  explicit Maker(Builder* builder) : builder_(builder) {}

  NodeHandle op(const char* function, const std::vector<Use>& uses) {
    const NodeHandle made = builder_->op(*find_function(function), uses);
    if (builder_->error()) throw *builder_->error();
    return made;
  }
  NodeHandle integer(int64_t v) { return builder_->constant(Number::of(v)); }
  NodeHandle zero() { return builder_->constant(Number::of(0.0)); }
  NodeHandle own(const PartGradient& part) { return op("sum_to", {{part.gradient}, {part.forward}}); }

 private:
  Builder* builder_;
};

}  // namespace

NodeHandle whole_of_part(const PartGradient& part, NodeHandle x, Builder* builder) {
  Maker m(builder);
  const NodeHandle index = m.op("index", {{x}, {m.integer(-1)}}), own = m.own(part),
                   number = m.integer(number_of(*part.node));
  NodeHandle at, inside;
  if (part.node->is(Kind::chunk)) {
    const NodeHandle length = m.op("extent", {{part.forward}, {m.integer(-1)}});
    at = m.op("sub", {{index}, {m.op("mul", {{number}, {length}})}});
    inside = m.op("logical_and", {{m.op("ge", {{at}, {m.integer(0)}})}, {m.op("lt", {{at}, {length}})}});
  } else {
    const NodeHandle count = m.integer(count_of(*part.node));
    at = m.op("floor_divide", {{index}, {count}});
    inside = m.op("eq", {{m.op("remainder", {{index}, {count}})}, {number}});
  }
  return m.op("where", {{inside}, {m.op("gather", {{own}, {at}})}, {m.zero()}});
}

NodeHandle joined_parts(const std::vector<PartGradient>& parts, NodeHandle x, NodeHandle whole, Builder* builder) {
  const Node& first = *parts[0].node;
  const int64_t n = count_of(first);
  const auto is_other = [&](const PartGradient& p) {
    return p.node->function != first.function || count_of(*p.node) != n;
  };
  if (n > TILEOPS_MAX_INPUTS || std::any_of(parts.begin(), parts.end(), is_other)) return 0;
  Maker m(builder);
  std::vector<Use> uses(static_cast<size_t>(n), Use{m.zero()});
  const auto part_of = [&](NodeHandle value, size_t i) {
    return m.op(first.function->name, {{value}, {m.integer(static_cast<int64_t>(i))}, {m.integer(n)}});
  };
  for (size_t i = 0; whole && i < uses.size(); ++i)
    uses[i].node = m.op("sum_to", {{part_of(whole, i)}, {part_of(x, i)}});
  for (const PartGradient& p : parts) {
    Use& use = uses[number_of(*p.node)];
    use.node = whole ? m.op("add", {use, {m.own(p)}}) : m.own(p);
  }
  if (n == 1) return uses[0].node;
  return m.op(first.is(Kind::chunk) ? "concat" : "interleave", uses);
}

}  // namespace tileops::expr
