// The expressions that the library knows by name (include/tileops/expressions.def).
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "expr/graph/graph.h"

namespace tileops::expr {

struct Named {
  const char *name, *text, *doc;
};

extern const Named kNamed[];
extern const size_t kNumNamed;

// The expression of that name, parsed once and kept; NULL if the first `num` rows have none. A row may call those
// before it, so that none can call itself.
std::shared_ptr<const Graph> find_named(std::string_view name, size_t num = kNumNamed);

}  // namespace tileops::expr
