// The functions of a row kernel's text as they are written, one after the other: what all of them begin with, which is
// the lines of what they need.
#pragma once

#include <string>
#include <vector>

#include "cuda/spec/kernel.h"
#include "cuda/spec/spec.h"
#include "cuda/steps/writer.h"

namespace tileops::cuda {

struct RowFunctions {
  RowFunctions(const Pass& of, const PassInfo& of_pass, bool reproducible, const std::vector<bool>& kept_loads,
               const KernelSpec& for_spec);

  const Pass& pass;
  const PassInfo& info;
  const std::vector<bool>& kept;  // by load: is a pack of it read once, before the first stage?
  const KernelSpec& spec;
  StepWriter steps;
  std::vector<Needs> needs;              // of the functions of elements
  std::vector<uint64_t> stages_of_load;  // by load, a bit a stage
  NumberSet keepable, kept_steps;        // steps of elements, and those of them that a function has computed by now
  std::string text;

  ValueInfo load_info(size_t i) const { return info.of(load_value(i)); }
  std::string operand(size_t i) const { return compute_name(load_info(i).type); }
  bool is_index(size_t i) const { return spec.access.loads[i].pattern == AccessPattern::index; }
  // Is it an element's, as it lies in memory?
  bool is_in_memory(size_t i) const;
  // Is the step's result put there, once a block or once a group, for others?
  bool is_left(size_t s, Level level) const;
  // Arguments of the templates that read and write it: its pattern and its type.
  std::string access(const AccessSpec& a) const;
  std::string view_of_store(size_t k) const { return number(spec.access.loads.size() + k); }

  void line(int indent, const std::string& words);
  // The first lines of a function over so many elements.
  void begin(int indent, const std::string& elements);
  // The lines of what a function needs. `place`: what its elements' place is called.
  void write_needs(int indent, const Needs& n, const std::string& place);
  // A line that copies a step's results from what is called `from`, "b.", to what is called `to`.
  void write_copy(size_t s, const std::string& from, const std::string& to);
  // What the function has computed, and may be kept, is there for those behind it.
  void keep(const Needs& computed);
  // The lines of `steps` so far become text.
  void flush(int indent);

 private:
  void find_keepable();
};

// Where a function has what is there once a block, or once a group.
inline const char* values_of(Level level) { return level == Level::block ? "b." : "g."; }

}  // namespace tileops::cuda
