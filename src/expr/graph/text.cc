#include "expr/graph/text.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/split.h"
#include "expr/graph/axes.h"
#include "expr/graph/extents.h"
#include "expr/graph/signs.h"

namespace tileops::expr {
namespace {

// Values that are used once are written where they are used, unless that would nest deeper than this.
constexpr int kMaxHeight = 40;

class Writer {
 public:
  explicit Writer(const Graph& graph)
      : graph_(graph),
        uses_(graph.nodes.size()),
        height_(graph.nodes.size()),
        local_(graph.nodes.size()),
        is_label_(graph.nodes.size()) {}

  std::string write() {
    count_uses();
    name_results();
    std::string body;
    write_operands_shapes(&body);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) place(i, &body);
    write_aliases(&body);
    std::string results;
    for (size_t i = 0; i < graph_.results.size(); ++i) results += (i ? ", " : "") + result_text(i);
    return signature() + " -> " + (body.empty() ? results : "{ " + body + results + " }");
  }

 private:
  const Node& node(int i) const { return graph_.nodes[i]; }

  template <class F>
  static void each_input(const Node& node, F&& f) {
    for (const Argument& a : node.arguments)
      if (a.node >= 0) f(a.node);
    for (const Attribute& a : node.attributes)
      if (a.node >= 0) f(a.node);
  }

  void count_uses() {
    for (const Node& n : graph_.nodes) each_input(n, [&](int i) { ++uses_[i]; });
    for (const Result& r : graph_.results) ++uses_[r.node];
    for (const Node& n : graph_.nodes)
      if (n.is(Kind::cast) && n.arguments[1].node >= 0) is_label_[n.arguments[1].node] = true;
  }

  std::string input_name(const Node& n) const {
    if (n.kind == Node::Kind::operand) return graph_.operands[n.index].name;
    if (n.kind == Node::Kind::scalar) return graph_.scalars[n.index].name;
    return "";
  }

  // Names that results have of their own are bound first; other locals go around them.
  void name_results() {
    for (const Operand& o : graph_.operands) taken_.insert(o.name);
    for (const Scalar& s : graph_.scalars) taken_.insert(s.name);
    for (size_t i = 0; i < graph_.results.size(); ++i) {
      const Result& r = graph_.results[i];
      if (r.name == usual_name(i)) continue;
      taken_.insert(r.name);
      std::string& local = local_[r.node];
      Dtype dtype;
      if (is_label_[r.node] && dtype_from_any_name(r.name, &dtype)) continue;  // it hides the value
      if (node(r.node).kind == Node::Kind::function && local.empty()) local = r.name;
    }
  }

  // Decides whether the value has a local of its own, and writes that.
  void place(size_t i, std::string* body) {
    const Node& n = graph_.nodes[i];
    if (n.kind != Node::Kind::function) return;
    int inputs = 0;
    each_input(n, [&](int in) {
      if (local_[in].empty()) inputs = std::max(inputs, height_[in]);
    });
    height_[i] = inputs + 1;
    std::vector<const SaidShape*> shapes;
    for (const SaidShape& s : graph_.shapes)
      if (s.node == static_cast<int>(i)) shapes.push_back(&s);
    const bool needs_name = is_hidden_later(n) || is_label_[i] || !shapes.empty();
    if (local_[i].empty() && uses_[i] < 2 && height_[i] < kMaxHeight && !needs_name) return;
    const std::string name = local_[i].empty() ? free_name() : local_[i];
    local_[i].clear();
    *body += name + (shapes.empty() ? "" : said_shape_text(*shapes[0], graph_.extents)) + " = " +
             call_text(n, Level::expr) + "; ";
    local_[i] = name;
    for (size_t k = 1; k < shapes.size(); ++k) *body += said(*shapes[k], name);
  }

  std::string free_name() {
    std::string name;
    do name = "t" + std::to_string(next_local_++);
    while (!taken_.insert(name).second);
    return name;
  }

  // A further shape of what has a name: that of another name of it.
  std::string said(const SaidShape& shape, const std::string& of) {
    return free_name() + said_shape_text(shape, graph_.extents) + " = " + of + "; ";
  }

  // Of each operand the signature has the first one.
  void write_operands_shapes(std::string* body) {
    std::vector<bool> in_signature(graph_.operands.size());
    for (const SaidShape& s : graph_.shapes) {
      if (s.operand < 0) continue;
      const size_t i = static_cast<size_t>(s.operand);
      if (in_signature[i]) *body += said(s, graph_.operands[i].name);
      in_signature[i] = true;
    }
  }

  std::string shape_in_signature(size_t operand) const {
    for (const SaidShape& s : graph_.shapes)
      if (s.operand == static_cast<int>(operand)) return said_shape_text(s, graph_.extents);
    return "";
  }

  std::string result_text(size_t i) {
    const Result& r = graph_.results[i];
    const Node& n = node(r.node);
    const std::string bare = n.kind == Node::Kind::function ? local_[r.node] : input_name(n);
    if (r.name == usual_name(i)) return bare.empty() || bare == r.name ? text(r.node, Level::expr) : "(" + bare + ")";
    return r.name;
  }

  // Results that are another name of what has one.
  void write_aliases(std::string* body) const {
    for (size_t i = 0; i < graph_.results.size(); ++i) {
      const Result& r = graph_.results[i];
      if (r.name == usual_name(i)) continue;
      const Node& n = node(r.node);
      const std::string bare = n.kind == Node::Kind::function ? local_[r.node] : input_name(n);
      if (bare != r.name) *body += r.name + " = " + (bare.empty() ? n.value.text() : bare) + "; ";
    }
  }

  std::string signature() const {
    std::string s = "(";
    for (size_t i = 0; i < graph_.operands.size(); ++i) {
      const Operand& o = graph_.operands[i];
      s += (i ? ", " : "") + o.name + shape_in_signature(i) + (o.optional ? " = " + o.value.text() : "");
    }
    for (size_t i = 0; i < graph_.scalars.size(); ++i)
      s += (i ? ", " : "; ") + graph_.scalars[i].name + " = " + graph_.scalars[i].value.text();
    return s + ")";
  }

  std::string text(int i, Level least) {
    const Node& n = node(i);
    if (!local_[i].empty()) return local_[i];
    if (n.kind == Node::Kind::constant) return constant_text(n.value, least);
    const std::string name = input_name(n);
    return name.empty() ? call_text(n, least) : name;
  }

  static std::string constant_text(const Number& c, Level least) {
    const std::string s = c.text();
    return s[0] == '-' && least > Level::unary ? "(" + s + ")" : s;
  }

  // An attribute's value; whole numbers need no point where the attribute has its kind.
  std::string attribute_text(const Node& n, const Attribute& a, Level least) {
    const AttrSpec& spec = n.function->attrs()[a.index];
    if (a.node >= 0) return text(a.node, least);
    if (spec.info.key == TILEOPS_ATTR_DTYPE) return dtype_text(static_cast<Dtype>(a.value.i64));
    if (spec.info.key == TILEOPS_ATTR_AXES) return axes_text(a.value.i64);
    if (spec.info.key == TILEOPS_ATTR_GROUP) return group_text(a.value.i64);
    if (!spec.choices.empty()) return choice_text(spec.choices, a.value.i64);
    const double v = a.value.as_f64();
    const bool whole = a.value.type == Number::Type::f64 && !n.function->promotes(a.index) && std::abs(v) < 1e9 &&
                       v == std::floor(v) && (v != 0 || !std::signbit(v));
    return constant_text(whole ? Number::of(static_cast<int64_t>(v)) : a.value, least);
  }

  // Operands hide dtypes of their names, under whatever name; other values do not.
  std::string dtype_text(Dtype t) const {
    return find_operand(graph_, dtype_label(t)) ? dtype_name(t) : dtype_label(t);
  }

  // Would the dtype of a cast be read as an operand, once results have given operands their names? Then it stands
  // before these.
  bool is_hidden_later(const Node& n) const {
    const Attribute* dtype = n.is(Kind::cast) ? n.find_attribute(TILEOPS_ATTR_DTYPE) : nullptr;
    if (!dtype) return false;
    const std::string text = dtype_text(static_cast<Dtype>(dtype->value.i64));
    return std::any_of(graph_.results.begin(), graph_.results.end(),
                       [&](const Result& r) { return r.name == text && node(r.node).kind == Node::Kind::operand; });
  }

  // A rectangle is one of the last two axes, if it says no other.
  static bool is_implied(const Node& n, const Attribute& a) {
    return n.function->attrs()[a.index].info.key == TILEOPS_ATTR_AXES && a.value.is(kLastTwoAxes) &&
           num_groups(group_of(n)) == 2;
  }

  static std::string choice_text(const std::string& choices, int64_t choice) {
    return std::string(split(choices, '|')[choice]);
  }

  std::string call_text(const Node& n, Level least) {
    std::string s = signed_text(n, least);
    if (!s.empty()) return s;
    s = std::string(n.function->name) + "(";
    bool first = true, named = false;
    const auto put = [&](const std::string& name, const std::string& value) {
      s += (first ? "" : ", ") + (named ? name + " = " : "") + value;
      first = false;
    };
    if (n.function->variadic)
      for (const Argument& a : n.arguments) put("", text(a.node, Level::expr));
    for (const Parameter& p : n.function->parameters) {
      if (p.slot >= 0 && n.arguments[p.slot].node >= 0) {
        put(p.name, text(n.arguments[p.slot].node, Level::expr));
        continue;
      }
      const tileops_attr_info* info = p.attr >= 0 ? &n.function->attrs()[p.attr].info : nullptr;
      const Attribute* a = info ? n.find_attribute(info->key) : nullptr;
      const bool required = info && !n.function->op && !info->has_default;
      named = named || !(required || (info && info->key == TILEOPS_ATTR_DTYPE));
      if (a && !is_implied(n, *a)) put(info->name, attribute_text(n, *a, Level::expr));
    }
    return s + ")";
  }

  // "a + b", where the function has a sign and nothing but its operands; else "".
  std::string signed_text(const Node& n, Level least) {
    std::string s;
    Level level = Level::unary;
    if (n.arguments.size() == 1 && n.attributes.empty()) {
      for (const Sign& sign : kUnarySigns)
        if (sign.function == std::string_view(n.function->name))
          s = sign.text + text(n.arguments[0].node, Level::unary);
    } else if (n.arguments.size() == 2) {
      for (const Sign& sign : kBinarySigns)
        if (sign.function == std::string_view(n.function->name)) s = binary_text(n, sign), level = sign.level;
    }
    return level < least && !s.empty() ? "(" + s + ")" : s;
  }

  std::string binary_text(const Node& n, const Sign& sign) {
    Level left = sign.level, right = static_cast<Level>(static_cast<int>(sign.level) + 1);
    if (sign.level == Level::power) left = Level::primary, right = Level::unary;
    if (sign.level == Level::expr) left = right;
    if (stands_alone(sign.text)) left = right = Level::unary;
    std::string second;
    if (n.arguments[1].node >= 0) {
      if (!n.attributes.empty()) return "";
      second = text(n.arguments[1].node, right);
    } else {
      if (n.attributes.size() != 1 || sign.level != Level::power) return "";
      second = attribute_text(n, n.attributes[0], right);
    }
    return text(n.arguments[0].node, left) + " " + sign.text + " " + second;
  }

  const Graph& graph_;
  std::vector<int> uses_, height_;
  std::vector<std::string> local_;
  std::vector<bool> is_label_;  // its dtype is what a cast takes, which is by a name
  std::set<std::string> taken_;
  int next_local_ = 0;
};

}  // namespace

std::string canonical_text(const Graph& graph) { return Writer(graph).write(); }

}  // namespace tileops::expr
