// Random graphs made by the builder, seeded: their canonical text means the same graph.
#include <cmath>
#include <random>
#include <set>

#include "expr/gradient/gradient.h"
#include "expr/graph/axes.h"
#include "expr/nodes/builder.h"
#include "expr/nodes/replay.h"
#include "expr_test.h"

namespace tileops::expr {
namespace {

class RandomGraph {
 public:
  explicit RandomGraph(uint32_t seed) : random_(seed) {
    for (const Function& f : function_table())
      if (f.kind != Kind::refused) functions_.push_back(&f);
  }

  // NULL if the calls were not all right.
  std::shared_ptr<const Graph> make() {
    declare();
    const int count = below(10) ? below(30) : 250;
    for (int i = 0; i < count && !builder_.error(); ++i) add_node();
    const int results = 1 + below(4);
    for (int i = 0; i < results; ++i) {
      static const char* const names[] = {"", "", "h", "t0", "y0", "y1", "out", "f32", "exp"};
      const std::string name = names[below(9)];
      const NodeHandle node = below(8) ? values_[values_.size() - 1 - below_size(std::min<size_t>(values_.size(), 6))]
                                       : pick_number();
      if (name.empty() || used_.insert(name).second) builder_.result(node, name);
    }
    if (builder_.error()) return nullptr;  // two names clash
    try {
      return builder_.finish();
    } catch (const Error&) {
      return nullptr;
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  size_t below_size(size_t n) { return random_() % n; }

  Number number() {
    switch (below(6)) {
      case 0: return Number::of(int64_t{below(5)} - 2);
      case 1: return Number::of(static_cast<int64_t>(random_()) << below(20));
      case 2: return Number::of((below(9) - 4) * 0.5);
      case 3: return Number::of(std::ldexp(static_cast<double>(random_()) - 0x1p31, below(200) - 100));
      case 4: return Number::of(below(2) ? HUGE_VAL : -HUGE_VAL);
      default: return Number::of(below(2) ? std::nan("") : -0.0);
    }
  }

  void declare() {
    static const char* const names[] = {"x", "t0", "bf16", "exp", "y0", "long_name_1"};
    const int operands = 1 + below(4);
    for (int i = 0; i < operands; ++i) {
      operands_.push_back(below(3) ? builder_.operand(names[i]) : builder_.operand(names[i], number()));
      values_.push_back(operands_.back());
    }
    for (int i = below(3); i > 0; --i)
      numbers_.push_back(builder_.scalar("s" + std::to_string(i), below(2) ? Number::of(0.5) : Number::of(int64_t{3})));
  }

  NodeHandle pick_number() {
    if (numbers_.empty() || below(2)) return builder_.constant(number());
    return numbers_[below_size(numbers_.size())];
  }
  // Late ones more often, so that most nodes are used.
  NodeHandle pick_value() {
    const size_t late = below(3) ? std::min<size_t>(values_.size(), 3) : values_.size();
    return values_[values_.size() - 1 - below_size(late)];
  }
  NodeHandle pick() { return below(4) ? pick_value() : pick_number(); }
  NodeHandle integer(int64_t v) { return builder_.constant(Number::of(v)); }

  void add_host_node() {
    static const char* const names[] = {"add", "mul", "maximum", "exp", "div", "neg"};
    const Function& f = *find_function(names[below(6)]);
    std::vector<Use> uses(f.slots().size());
    for (Use& use : uses) use.node = pick_number();
    numbers_.push_back(builder_.op(f, uses));
  }

  std::vector<Given> row_attributes(const Function& f) {
    std::vector<Given> given;
    static constexpr int64_t axes[] = {1, 2, 3, 5, 7, kAllAxes};
    const int64_t chosen = axes[below(f.kind == Kind::scan ? 2 : 6)];
    if (below(3)) given.push_back({TILEOPS_ATTR_AXES, Number::of(chosen)});
    const int count = given.empty() ? 1 + (f.kind != Kind::scan && below(2)) : chosen < 0 ? 0 : num_axes(chosen);
    const int64_t group = count == 1 ? 1 + below(9) : count == 2 ? group_of_two(1 + below(9), 1 + below(9)) : 0;
    if (below(2)) given.push_back({TILEOPS_ATTR_GROUP, Number::of(group)});
    for (const tileops_attr_key key : {TILEOPS_ATTR_CORRECTION, TILEOPS_ATTR_REVERSE, TILEOPS_ATTR_EXCLUSIVE})
      if (f.rule.attr_index(key) >= 0 && below(2)) given.push_back({key, Number::of(int64_t{below(2)})});
    return given;
  }

  void add_node() {
    if (below(8) == 0) return add_host_node();
    const Function& f = *functions_[below_size(functions_.size())];
    std::vector<Use> uses;
    std::vector<Given> given;
    switch (f.kind) {
      case Kind::chunk:
      case Kind::every:
        uses = {{operands_[below_size(operands_.size())]}, {integer(1)}, {integer(2 + below(3))}};
        break;
      case Kind::index:
      case Kind::extent: uses = {{values_[below_size(values_.size())]}, {integer(-1 - below(3))}}; break;
      case Kind::cast:
        uses = {{pick()}};
        if (below(2)) uses.push_back({operands_[below_size(operands_.size())]});
        else given.push_back({TILEOPS_ATTR_DTYPE, Number::of(int64_t{below(kNumDtypes)})});
        break;
      case Kind::concat:
      case Kind::interleave:
        if (below(4)) return;
        builder_.result(builder_.op(f, {{pick()}, {pick()}, {pick()}}));
        return;
      case Kind::tiled:
      case Kind::scatter:
      case Kind::store_if:
        if (below(4)) return;
        uses = {{pick_value()}};
        if (f.kind == Kind::store_if) uses.push_back({builder_.op(TILEOPS_OP_NE, {{pick_value()}, {integer(0)}})});
        if (f.kind == Kind::scatter) uses.push_back({pick_value()});
        builder_.result(builder_.op(f, uses));
        return;
      case Kind::gather:
        uses = {{pick_value()}, {below(4) ? pick_value() : integer(below(5) - 1)}};
        if (below(2)) given.push_back({TILEOPS_ATTR_AXES, Number::of(int64_t{2})});
        if (below(2)) break;
        uses.push_back({pick_value()});
        given = {{TILEOPS_ATTR_AXES, Number::of(int64_t{5})}};
        break;
      case Kind::reduce:
      case Kind::scan:
      case Kind::spread:
        for (size_t k = 0; k < f.slots().size(); ++k) uses.push_back({pick()});
        given = row_attributes(f);
        break;
      case Kind::dropout_mask: uses = {{pick()}, {builder_.constant(Number::of(0.25))}}; break;
      default: {
        bool tensor = false;
        for (const OperandSpec& slot : f.slots()) {
          const bool absent = slot.optional && slot.fallback == TILEOPS_ATTR_WEIGHT && below(2);
          uses.push_back({absent ? 0 : tensor ? pick() : pick_value()});
          tensor = true;
        }
        for (const AttrSpec& a : f.attrs()) {
          if (below(3) || a.info.key == TILEOPS_ATTR_FP8_OVERFLOW) continue;
          bool standin = false;
          for (const OperandSpec& slot : f.slots()) standin = standin || slot.fallback == a.info.key;
          if (standin) continue;
          if (a.info.kind == TILEOPS_ATTR_F64) given.push_back({a.info.key, Number::of(below(5) * 0.75)});
          else given.push_back({a.info.key, Number::of(int64_t{below(2)})});
        }
      }
    }
    const NodeHandle node = builder_.op(f, uses, given);
    if (node == 0) return;
    (builder_.node(node).on_host ? numbers_ : values_).push_back(node);
  }

  std::mt19937 random_;
  Builder builder_;
  std::vector<const Function*> functions_;
  std::vector<NodeHandle> operands_, values_, numbers_;
  std::set<std::string> used_;
};

// Gradients of them, and their gradients, are such graphs, or say why there is none.
TEST(Random, GradientsAreGraphs) {
  int made = 0;
  for (uint32_t seed = 0; seed < 1500 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto graph = RandomGraph(seed).make();
    for (int order = 0; graph && order < 2; ++order) {
      try {
        graph = gradient(*graph, {0});
        expect_round_trip(*graph);
        ++made;
      } catch (const Error& e) {
        EXPECT_TRUE(e.status == TILEOPS_STATUS_INVALID_ARGUMENT || e.status == TILEOPS_STATUS_UNSUPPORTED) << e.message;
        break;
      }
    }
  }
  EXPECT_GT(made, 500);
}

TEST(Random, CanonicalTextMeansTheSameGraph) {
  constexpr int kGraphs = 3000;
  int made = 0, largest = 0;
  for (uint32_t seed = 0; seed < kGraphs && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto graph = RandomGraph(seed).make();
    if (!graph) continue;
    ++made;
    largest = std::max(largest, count(*graph).nodes);
    expect_round_trip(*graph);
    // Built again, it is the same.
    Builder builder;
    std::vector<NodeHandle> handles;
    replay(*graph, &builder, &handles);
    for (size_t i = 0; i < graph->results.size(); ++i)
      builder.result(handles[static_cast<size_t>(graph->results[i].node)], graph->results[i].name);
    EXPECT_EQ(builder.finish()->text, graph->text);
  }
  EXPECT_GT(made, kGraphs / 2);
  EXPECT_GT(largest, 80);
}

TEST(Random, NodesMakeTheSameExpression) {
  int made = 0;
  for (uint32_t seed = 0; made < 10000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto graph = RandomGraph(seed).make();
    if (graph && ++made) expect_built_again(graph->text);
  }
}

}  // namespace
}  // namespace tileops::expr
