// Are shapes as the text says them (graph.h, SaidShape)?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/infer/infer.h"

namespace tileops::expr {

// Names of extents are what the first value has that they stand at. Both throw Error, which names the value, the axis
// and both numbers.
class SaidShapes {
 public:
  explicit SaidShapes(const Graph& graph) : graph_(graph), names_(graph.extents.size()) {}
  void check_operands(const std::vector<TensorSpec>& operands);
  void check_values(const std::vector<NodeType>& nodes);

 private:
  struct Known {
    std::vector<Extent> extents;
    std::string of;  // who has them
  };
  struct Later {
    const SaidShape* shape;
    size_t dim;
    Extent extent;
  };
  void check(const SaidShape& shape, const TensorSpec& t);
  void check_later();
  void check_front(const SaidShape& shape, const TensorSpec& t);
  void check_extent(const SaidShape& shape, size_t dim, const Extent& extent);
  [[noreturn]] void refuse(const SaidShape& shape, const std::string& what, int name = -1) const;

  const Graph& graph_;
  std::vector<std::optional<Known>> names_;
  std::vector<Later> later_;  // groups of what is not known yet
};

}  // namespace tileops::expr
