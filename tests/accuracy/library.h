// One operator of the library, prepared for a number of dense elements of one dtype.
#ifndef TILEOPS_TESTS_ACCURACY_LIBRARY_H
#define TILEOPS_TESTS_ACCURACY_LIBRARY_H

#include <tileops/tileops.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "formats.h"

using Context = std::shared_ptr<tileops_context>;

// A context of one thread and at most that instruction set; empty if this machine or library lacks it.
Context make_context(const char* isa);

// "avx512vbmi", "avx512", "avx2", "baseline": what this machine and the library have, best first.
std::vector<std::string> usable_isas();

class Plan {
 public:
  // Throws std::runtime_error with the library's message.
  Plan(const Context& context, tileops_op op, const std::vector<tileops_attr>& attrs, const Format& format, int inputs,
       size_t elements);
  void run(const void* const* in, void* out) const;
  std::string strategy() const;

 private:
  std::shared_ptr<tileops_plan> plan_;
};

#endif
