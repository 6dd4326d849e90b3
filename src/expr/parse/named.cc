#include "expr/parse/named.h"

#include <map>
#include <mutex>

#include "expr/parse/parser.h"

namespace tileops::expr {

const Named kNamed[] = {
#define TILEOPS_EXPRESSION(name, text, doc) {#name, text, doc},
#include <tileops/expressions.def>
#undef TILEOPS_EXPRESSION
};
const size_t kNumNamed = std::size(kNamed);

std::shared_ptr<const Graph> find_named(std::string_view name) {
  static auto* parsed = new std::map<std::string_view, std::shared_ptr<const Graph>>;  // leaked, as tables are
  static std::mutex mutex;
  for (const Named& n : kNamed) {
    if (name != n.name) continue;
    const std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<const Graph>& graph = (*parsed)[n.name];
    if (!graph) graph = parse(n.text);
    return graph;
  }
  return nullptr;
}

}  // namespace tileops::expr
