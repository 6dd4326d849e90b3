// libFuzzer target: bytes become a text, calls of the builder, and operands; each is refused in an orderly way or is an
// expression.
//
// What is checked beyond what the sanitizers see: an error has a message, one of a text its place; the canonical text
// means the same graph and is its own canonical text, that of its gradient too, whatever its names are; no two graphs
// have one text; what is inferred twice is the same; numbers of the host can be computed.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../expr/clashing_names.h"
#include "../expr/same_graph.h"
#include "base/error.h"
#include "case.h"
#include "expr/gradient/gradient.h"
#include "expr/infer/infer.h"
#include "expr/nodes/builder.h"
#include "expr/parse/named.h"
#include "expr/parse/parser.h"
#include "problem/request.h"

namespace fuzz {
namespace {

using namespace tileops;
using namespace tileops::expr;

#define REQUIRE(condition, what)                                                                       \
  do {                                                                                                 \
    if (!(condition)) {                                                                                \
      std::fprintf(stderr, "%s:%d: not so: %s\n%s\n", __FILE__, __LINE__, #condition, (what).c_str()); \
      std::abort();                                                                                    \
    }                                                                                                  \
  } while (false)

void require_orderly(const Error& e) {
  REQUIRE(e.status == TILEOPS_STATUS_INVALID_ARGUMENT || e.status == TILEOPS_STATUS_UNSUPPORTED, e.message);
  REQUIRE(!e.message.empty(), e.message);
}

void infer_some(const std::shared_ptr<const Graph>& graph, Bytes* b) {
  std::vector<TensorSpec> operands;
  for (size_t i = 0; i < graph->operands.size(); ++i) {
    TensorSpec t;
    int64_t shape[4] = {};
    const int ndim = b->below(4);
    for (int d = 0; d < ndim; ++d) shape[d] = b->rarely(8) ? b->below(8) : d % 2 ? 4 : 1;
    if (!graph->operands[i].optional || !b->rarely(2))
      read_tensor({dtype_to_dl(static_cast<Dtype>(b->below(kNumDtypes))), ndim, shape, nullptr}, "operand", &t);
    operands.push_back(t);
  }
  try {
    const Inference first = infer(graph, operands), second = infer(first.graph, operands);
    REQUIRE(first.results.size() == second.results.size(), graph->text);
    for (size_t i = 0; i < first.results.size(); ++i)
      REQUIRE(first.results[i].dtype == second.results[i].dtype && first.results[i].ndim == second.results[i].ndim,
              graph->text);
  } catch (const Error& e) {
    require_orderly(e);
  }
}

// Parsed, the text is the same graph: so two that differ have different texts.
void require_round_trip(const Graph& graph) {
  const std::string wrong = wrong_with_text(graph);
  REQUIRE(wrong.empty(), wrong);
}

void differentiate(const std::shared_ptr<const Graph>& graph, Bytes* b) {
  try {
    auto g = graph;
    for (int order = 0; order < 3; ++order) {
      const int first = b->below(3);
      g = gradient(*g, b->below(2) ? std::vector<int>{first, first + 1} : std::vector<int>{first});
      require_round_trip(*g);
      infer_some(g, b);
    }
  } catch (const Error& e) {
    require_orderly(e);
  }
}

void use(const std::shared_ptr<const Graph>& graph, Bytes* b) {
  require_round_trip(*graph);
  std::vector<Number> scalars;
  for (const Scalar& s : graph->scalars) scalars.push_back(s.value);
  const std::vector<int64_t> extents(graph->nodes.size(), b->below(9));
  host_values(*graph, scalars, extents.data());
  infer_some(graph, b);
  differentiate(graph, b);
}

void parse_text(const std::string& text, Bytes* b) {
  std::shared_ptr<const Graph> graph;
  try {
    graph = parse(text);
  } catch (const Error& e) {
    require_orderly(e);
    REQUIRE(e.offset >= 0 && e.offset <= static_cast<int64_t>(text.size()), text);
    REQUIRE(e.message.find("\n") != std::string::npos || text.size() > TILEOPS_MAX_EXPR_BYTES, e.message);
    return;
  }
  use(graph, b);
}

// Calls that make no sense are rare, since the first of them ends it all.
void build(Bytes* b) {
  Builder builder;
  NodeHandle last = builder.operand("x");
  const auto pick = [&] {
    if (b->rarely(64)) return static_cast<NodeHandle>(b->u8()) - 1;
    return b->below(2) ? last : 1 + b->below(last > 0 ? last : 1);
  };
  const auto constant = [&] {
    const int kind = b->below(8);
    return kind < 4 ? Number::of(int64_t{kind} - 1) : kind < 7 ? Number::of(b->u8() / 16.0 - 4) : Number::of(true);
  };
  // A name that is taken ends it all: mostly there are new ones.
  int names = 0;
  const auto name = [&] {
    return b->below(4) ? "v" + std::to_string(names++) : kClashingNames[b->below(kNumClashingNames)];
  };
  const int calls = b->below(60);
  for (int i = 0; i < calls && !builder.error(); ++i) {
    NodeHandle made = 0;
    switch (b->below(10)) {
      case 9: {
        const auto text = find_named(kNamed[static_cast<size_t>(b->u8()) % kNumNamed].name);
        std::vector<Use> uses(text->operands.size());
        for (Use& use : uses) use.node = b->rarely(8) ? 0 : pick();
        const std::vector<NodeHandle> results = builder.text(*text, "text", uses);
        if (!results.empty()) made = results[static_cast<size_t>(b->u8()) % results.size()];
        break;
      }
      case 0: made = builder.constant(constant()); break;
      case 1: made = builder.scalar(name(), constant()); break;
      case 2: made = b->below(2) ? builder.operand(name()) : builder.operand(name(), constant()); break;
      case 8:
        if (b->below(2)) builder.result(pick(), b->below(3) ? name() : std::string());
        continue;
      default: {
        const auto& table = function_table();
        const Function& f = table[static_cast<size_t>(b->u8()) % table.size()];
        if (f.kind == Kind::refused && !b->rarely(16)) continue;
        std::vector<Use> uses;
        for (size_t k = f.variadic ? 2 : f.positional; k > 0; --k) uses.push_back({b->rarely(8) ? 0 : pick()});
        std::vector<Given> given;
        static constexpr int64_t axes[] = {1, 2, 3, -1};
        if (b->rarely(2) && f.rule.attr_index(TILEOPS_ATTR_AXES) >= 0)
          given.push_back({TILEOPS_ATTR_AXES, Number::of(axes[b->below(4)])});
        if (b->rarely(2) && f.rule.attr_index(TILEOPS_ATTR_GROUP) >= 0)
          given.push_back({TILEOPS_ATTR_GROUP, Number::of(int64_t{1} + b->below(4))});
        if (b->rarely(4) && !f.attrs().empty())
          given.push_back({f.attrs()[static_cast<size_t>(b->u8()) % f.attrs().size()].info.key, constant()});
        made = builder.op(f, uses, given);
      }
    }
    if (made > 0) last = made;
  }
  builder.result(pick());
  if (b->rarely(2)) builder.result(pick(), name());
  std::shared_ptr<const Graph> graph;
  try {
    graph = builder.finish();
  } catch (const Error& e) {
    require_orderly(e);
    return;
  }
  use(graph, b);
}

}  // namespace
}  // namespace fuzz

// The first byte chooses; a text is followed by a NUL and the bytes that its operands are made of.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  if (data[0] % 2 == 0) {
    const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1), text = rest.substr(0, rest.find('\0'));
    fuzz::Bytes bytes(data + size - (rest.size() - text.size()), rest.size() - text.size());
    fuzz::parse_text(text, &bytes);
  } else {
    fuzz::Bytes bytes(data + 1, size - 1);
    fuzz::build(&bytes);
  }
  return 0;
}
