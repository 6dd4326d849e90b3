// What the small programs of this folder share: errors, contexts, plans of texts, and times of calls that take turns.
#pragma once

#include <tileops/tileops.h>

#include <functional>
#include <string>
#include <vector>

namespace tileops_bench {

// Ends the program with the library's message unless a call was right.
void ok(tileops_status status);

// A context whose executes share so many threads, with workspaces that plans keep.
tileops_context* context_of(int threads);

// A plan of a text for these operands, whose results have the shapes and dtypes that the library infers.
tileops_expr* expression_of(const std::string& text);
tileops_plan* plan_of(tileops_context* context, const tileops_expr* expr, const std::vector<tileops_tensor_desc>& inputs,
                      DLDevice device = {kDLCPU, 0});
tileops_plan* plan_of(tileops_context* context, const std::string& text, const std::vector<tileops_tensor_desc>& inputs,
                      DLDevice device = {kDLCPU, 0});

int32_t number(const tileops_plan* plan, tileops_plan_prop prop);

// One of several ways to do the same, and the nanoseconds of each round's calls.
struct Way {
  std::string name;
  std::function<void()> run;
  std::vector<double> times = {};

  double least() const;
  double median() const;
};

// Each round times `calls` calls of one way after the other.
void measure_in_turns(std::vector<Way>* ways, int rounds, int calls);

}  // namespace tileops_bench
