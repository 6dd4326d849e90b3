// Kernels of example problems, each once.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cuda/select/choose.h"
#include "pack/standard.h"

namespace tileops::cuda {

class Collection {
 public:
  explicit Collection(int arch) : arch_(arch) {}

  // How kernels are chosen from now on; at first the library's own choice alone. A strategy that does not suit a
  // problem adds no kernel to it.
  void choose_as(std::vector<LaunchHint> hints) { hints_ = std::move(hints); }

  // The kernels of a problem, and those that fill the tables that they ask for. Kernels of expressions, and of operators that
  // have such a kernel, get `name`.
  void add(const Problem& problem, const std::string& name = {});

  std::vector<StandardKernel> take() { return std::move(kernels_); }

 private:
  void add_choice(const Problem& problem, const Pass& pass, const ChooseOptions& options, const std::string& name);
  void add_kernel(const Choice& choice, const std::string& name);

  int arch_;
  std::vector<LaunchHint> hints_{{}};
  std::set<std::string> seen_;
  std::vector<StandardKernel> kernels_;
};

// What standard.def says of operators (operators.cc) and of named expressions (expressions.cc): all, the sample of it,
// or what the sample has of other strategies.
enum class Share { all, sample, strategies };
void add_operators(Collection* kernels, Share share);
void add_expressions(Collection* kernels, Share share);

// Is it one of the sample's dtypes?
inline bool is_sampled(Dtype dtype) { return dtype == Dtype::f32 || dtype == Dtype::bf16 || dtype == Dtype::i32; }

}  // namespace tileops::cuda
