// The rows of the benchmark, by family.
#pragma once

#include <string>
#include <vector>

#include "workload.h"

namespace tileops_bench {

struct Row {
  std::string name;  // "add/f32", "add:row bias/bf16"
  Workload workload;
  const char* isa = nullptr;
};

// Every operator of the table in every one of these dtypes that it takes, about n elements.
std::vector<Row> table_rows(int64_t n);

// Broadcast, transposed and strided operands; conversions; the scalar exponents of pow.
std::vector<Row> layout_rows(int64_t n);

// A few operators on each instruction set.
std::vector<Row> isa_rows(int64_t n);

// Time of a call that does nearly nothing, registered at once: execute, execute_ptrs, plan_create.
void register_host_rows();

}  // namespace tileops_bench
