#include <algorithm>
#include <cmath>

#include "call_text.h"
#include "program.h"

namespace exprtest {
namespace {

class Generator {
 public:
  Generator(uint64_t seed, const ProgramOptions& options) : random_(seed), o_(options), seed_(seed) {
    for (const OpRow& row : MapRows()) {
      if (!o_.functions && row.name == "fma") continue;
      if (o_.names.empty() ||
          std::any_of(o_.names.begin(), o_.names.end(), [&](const char* n) { return row.name == n; }))
        rows_.push_back(&row);
    }
  }

  Program Make() {
    base_ = Pick(o_.shapes);
    const int operands = 1 + Below(4);
    for (int i = 0; i < operands; ++i) AddOperand(i);
    if (o_.scalars && Below(2)) AddScalars();
    const int count = 1 + Below(o_.most_nodes);
    for (int tries = 0, made = 0; made < count && tries < 40 * count; ++tries) made += AddCall();
    AddResults();
    return std::move(p_);
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  template <class T>
  const T& Pick(const std::vector<T>& from) {
    return from[random_() % from.size()];
  }

  void AddOperand(int i) {
    Shape shape = base_;
    if (i > 0 && o_.broadcast) {
      switch (Below(8)) {
        case 0: shape.clear(); break;
        case 1:
          for (int64_t& n : shape)
            if (Below(2)) n = 1;
          break;
        case 2: shape.erase(shape.begin(), shape.begin() + Below(static_cast<int>(shape.size()) + 1)); break;
        default: break;
      }
    }
    Node node;
    node.operand = i;
    node.dtype = Pick(o_.dtypes);
    node.shape = shape;
    const uint64_t seed = seed_ * 64 + static_cast<uint64_t>(i);
    Array a = o_.special_values ? Fill(node.dtype, shape, o_.lo, o_.hi, seed)
              : node.dtype == Dt::kBool || IsInt(node.dtype)
                  ? Random(node.dtype, shape, seed, Info(node.dtype).kind == 'i' ? -5 : 0,
                           node.dtype == Dt::kBool ? 1.99 : 9)
                  : Random(node.dtype, shape, seed, o_.lo, o_.hi);
    Layout layout = Pick(AllLayouts());
    if (Below(8) == 0 && !shape.empty()) {
      layout = Layout::kExpanded;
      for (size_t e = 0, row = static_cast<size_t>(shape.back()); e < a.bits.size(); ++e)
        a.bits[e] = a.bits[e - e % row];
    }
    p_.operands.push_back(a);
    p_.layouts.push_back(layout);
    p_.nodes.push_back(node);
  }

  // s0, s1 and what is made of them on the host.
  void AddScalars() {
    const double s0 = (Below(33) - 16) / 16.0 + 0.03, s1 = 2 + Below(5);
    p_.scalars = {{"s0", false, 0.5, s0}, {"s1", true, 2, s1}};
    numbers_ = {{"s0", false, false, s0},
                {"s1", true, false, s1},
                {"(1 - s0)", false, false, 1 - s0},
                {"(s0 * 2.5 + s1)", false, false, s0 * 2.5 + s1},
                {"(s1 * s1 + 1)", true, false, s1 * s1 + 1},
                {"(s0 / s1)", false, false, s0 / s1}};
  }

  Number MakeNumber(bool floating) {
    for (int tries = 0; tries < 4 && !numbers_.empty() && Below(2); ++tries)
      if (const Number& n = Pick(numbers_); n.integer || floating) return n;
    Number n;
    n.literal = true;
    n.integer = !floating || Below(3) == 0;
    n.value = n.integer ? Below(12) : std::ldexp(Below(2001) - 1000, -8);
    n.text = NumberText(n.value, n.integer);
    return n;
  }

  int AddCall() {
    Node node;
    node.row = Pick(rows_);
    const OpRow& row = *node.row;
    const int first = PickNode(row, 0);
    if (first < 0) return 0;
    const Dt t = p_.nodes[static_cast<size_t>(first)].dtype;
    const std::vector<Variant> variants = VariantsOf(row, t);
    const Variant& variant = Pick(variants);
    node.attrs = variant.attrs;
    for (size_t k = 0; k < row.inputs.size(); ++k) {
      Argument a;
      const bool given = k < variant.given.size() ? variant.given[k] : !row.inputs[k].optional;
      // In a chain of operators a number is a 0-d operand, which selects no body as an attribute does.
      const bool standin = !row.inputs[k].fallback.empty();
      const bool number = given && k > 0 && row.inputs[k].fixed.empty() && !(standin && o_.casts) && Below(4) == 0;
      if (number) {
        a.of = Argument::Of::number;
        // Bounds and what is filled in are of the operand's category.
        const bool promotes = !standin || row.rule == "map";
        a.number = MakeNumber(IsFloat(t) || (promotes && Below(4) == 0));
      } else if (given) {
        a.of = Argument::Of::node;
        a.node = k == 0 ? first : PickNode(row, k);
        if (a.node < 0) return 0;
      }
      node.arguments.push_back(a);
    }
    ScalarAttributes(&node, IsFloat(t));
    Call call;
    if (!CallOf(p_, node, &call)) return 0;
    Dt promoted;
    if (!ComputeDtype(call, &promoted, &node.compute)) return 0;
    node.dtype = call.outputs[0].dtype;
    node.shape = call.outputs[0].shape;
    if (!AttrsFit(node, promoted)) return 0;
    p_.nodes.push_back(node);
    if (o_.casts || (!o_.cast_dtypes.empty() && Below(5) == 0)) AddCast();
    return 1;
  }

  // Numbers of the execute in the place of attributes; of integers those that are integers.
  void ScalarAttributes(Node* node, bool floating) {
    if (numbers_.empty()) return;
    static const char* const names[] = {"alpha", "weight", "min", "max", "value", "negative_slope", "beta", "exponent"};
    for (const char* name : names) {
      const auto at = std::find_if(node->attrs.begin(), node->attrs.end(),
                                   [&](const Attr& a) { return a.name == name; });
      if (at == node->attrs.end() || Below(2)) continue;
      const Number& n = Pick(numbers_);
      if (!floating && !n.integer) continue;
      node->attrs.erase(at);
      node->scalars.push_back({name, n});
      // What selects a body as a constant selects none as a scalar.
      if (floating && SelectsABody(name, n.value)) node->scalars.back().second = numbers_[3];
    }
  }

  static bool SelectsABody(const std::string& name, double value) {
    if (name == "exponent" && (value == 2 || value == 3 || value == -0.5 || value == -1 || value == -2)) return true;
    return value == 1 || value == 0 || value == 0.5;
  }

  // Attributes were chosen for the first operand's dtype; another may have made it an integer, or a float of 32 bits.
  static bool AttrsFit(const Node& node, Dt promoted) {
    for (const auto& [name, number] : node.scalars)
      if (!IsFloat(promoted) && (!number.integer || promoted == Dt::kBool)) return false;
    for (const Attr& a : node.attrs) {
      const bool integral = a.integer || a.d == std::floor(a.d) || std::isinf(a.d);
      if (!IsFloat(promoted) && !integral) return false;
      if (Info(promoted).kind == 'u' && a.d < 0) return false;
      if (a.name == "decimals" && std::fabs(a.d) > 10 && promoted != Dt::kF64) return false;
      if (a.name == "rounding" && promoted == Dt::kBool) return false;
    }
    return true;
  }

  int PickNode(const OpRow& row, size_t k) {
    for (int tries = 0; tries < 12; ++tries) {
      const size_t late = Below(2) ? std::min<size_t>(p_.nodes.size(), 3) : p_.nodes.size();
      const int i = static_cast<int>(p_.nodes.size() - 1 - random_() % late);
      const Dt t = p_.nodes[static_cast<size_t>(i)].dtype;
      if (o_.casts && p_.nodes[static_cast<size_t>(i)].row) continue;  // its cast is there as well
      if (row.inputs[k].fixed.empty() ? row.Accepts(t) : t == row.inputs[k].fixed[0]) return i;
    }
    return -1;
  }

  void AddCast() {
    Node cast;
    cast.arguments.resize(1);
    cast.arguments[0].of = Argument::Of::node;
    cast.arguments[0].node = static_cast<int>(p_.nodes.size()) - 1;
    cast.shape = p_.nodes.back().shape;
    cast.dtype = p_.nodes.back().dtype == Dt::kBool && Below(2) ? Dt::kBool : Pick(o_.cast_dtypes);
    if (IsFp8(cast.dtype) && Below(3) == 0) cast.overflow = Below(2);
    cast.compute = ComputeType(cast.dtype);
    p_.nodes.push_back(cast);
  }

  void AddResults() {
    std::vector<int> free;
    for (size_t i = p_.operands.size(); i < p_.nodes.size(); ++i)
      if (!o_.casts || !p_.nodes[i].row) free.push_back(static_cast<int>(i));
    if (free.empty()) return;
    const int count = 1 + Below(3);
    for (int k = 0; k < count; ++k) {
      const int r = k == 0 ? free.back() : Pick(free);
      if (std::count(p_.results.begin(), p_.results.end(), r)) continue;
      p_.results.push_back(r);
      p_.result_dtypes.push_back(o_.outputs.empty() ? p_.nodes[static_cast<size_t>(r)].dtype : Pick(o_.outputs));
      p_.result_layouts.push_back(Pick(AllLayouts()));
    }
  }

  std::mt19937_64 random_;
  const ProgramOptions& o_;
  uint64_t seed_;
  Program p_;
  Shape base_;
  std::vector<const OpRow*> rows_;
  std::vector<Number> numbers_;
};

}  // namespace

Program RandomProgram(uint64_t seed, const ProgramOptions& options) { return Generator(seed, options).Make(); }

}  // namespace exprtest
