// What an executor says of itself (TILEOPS_PLAN_SOURCE): a heading, then a line for each thing that it does, with how
// it does that in a second column.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cpu/exec/step.h"
#include "cpu/memory/tiles.h"

namespace tileops::cpu {

class Listing {
 public:
  explicit Listing(std::string heading) : heading_(std::move(heading)) {}
  void add(std::string what, std::string how) { lines_.emplace_back(std::move(what), std::move(how)); }
  std::string text() const;

 private:
  std::string heading_;
  std::vector<std::pair<std::string, std::string>> lines_;
};

// "16 tiles of 1024 elements; non-temporal stores"
std::string tiles_text(const Tiles& tiles, bool non_temporal_stores);
std::string operand_text(const Operand& operand);  // "input 0 bf16"
std::string body_text(const StepKernel& step);     // "silu"; of a kernel that does two steps "mul+add"

// How: of a load how it gets from memory to kernels, of a step by which of its kernel's functions, of a store how
// results get to memory.
std::string load_text(const Load& load, const Tiles& tiles);
std::string compute_text(const StepKernel& step);
std::string store_text(const Store& store, const Tiles& tiles, bool non_temporal_stores);

// An executor that runs one step on memory itself.
template <class T>
std::vector<const Operand*> pointers(const std::vector<T>& operands) {
  std::vector<const Operand*> list;
  for (const T& operand : operands) list.push_back(&operand);
  return list;
}
std::string operator_text(std::string heading, const std::vector<const Operand*>& loads, const StepKernel& step,
                          const std::vector<const Operand*>& stores);

}  // namespace tileops::cpu
