#include "expr/lower/formula.h"

#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "base/hash.h"
#include "expr/infer/infer.h"

namespace tileops::expr {
namespace {

bool equal(const std::vector<TensorSpec>& a, const std::vector<TensorSpec>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const TensorSpec& x, const TensorSpec& y) {
    if (!x.present || !y.present) return x.present == y.present;
    return x.dtype == y.dtype && x.ndim == y.ndim && std::equal(x.shape, x.shape + x.ndim, y.shape) &&
           std::equal(x.strides, x.strides + x.ndim, y.strides);
  });
}

class GraphFormula final : public Formula {
 public:
  explicit GraphFormula(std::shared_ptr<const Graph> graph) : graph_(std::move(graph)) {
    const cache::Hash128 hash = cache::hash_of(graph_->text);
    key_.assign(reinterpret_cast<const char*>(&hash), sizeof hash);
  }

  const std::string& key() const override { return key_; }
  size_t num_results() const override { return graph_->results.size(); }
  Problem lower(const Request& request) const override { return expr::lower(graph_, request); }

  // tileops_plan_infer asks for one result at a time of the same operands, whose inference is kept.
  std::vector<TensorSpec> infer(const Request& r) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (results_.empty() || !equal(r.inputs, operands_)) {
      results_.clear();
      std::vector<TensorSpec> results = expr::infer(graph_, r.inputs).results;
      operands_ = r.inputs;
      results_ = std::move(results);
    }
    return results_;
  }

  void check_counts(const Request& r) const override {
    const Counts counts = count(*graph_);
    if (r.num_inputs < counts.min_operands || r.num_inputs > counts.operands)
      invalid("num_inputs: wrong number for the expression (got %d, need %s)", r.num_inputs,
              counts.min_operands == counts.operands ? std::to_string(counts.operands).c_str()
                                                     : strf("%d to %d", counts.min_operands, counts.operands).c_str());
    if (r.num_outputs != counts.results)
      invalid("num_outputs: wrong number for the expression (got %d, need %d)", r.num_outputs, counts.results);
  }

 private:
  std::shared_ptr<const Graph> graph_;
  std::string key_;
  mutable std::mutex mutex_;
  mutable std::vector<TensorSpec> operands_, results_;  // of the last infer()
};

}  // namespace

std::shared_ptr<const Formula> make_formula(std::shared_ptr<const Graph> graph) {
  return std::make_shared<const GraphFormula>(std::move(graph));
}

}  // namespace tileops::expr
