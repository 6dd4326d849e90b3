// Dense operands in the body's types: the body runs on memory itself.
#include <algorithm>

#include "cpu/exec/executor.h"
#include "cpu/exec/print.h"

namespace tileops::cpu {
namespace {

class Flat final : public Executor {
 public:
  explicit Flat(Prepared&& p)
      : Executor(&p, "direct"), loads_(std::move(p.loads)), stores_(std::move(p.stores)), step_(std::move(p.step)) {}

  std::string source() const override {
    return operator_text("direct: the kernel on memory itself", pointers(loads_), step_, pointers(stores_));
  }

 private:
  Work work(const Binding& binding) const override { return {elements(binding), elements(binding)}; }
  void run(const Binding& binding, size_t begin, size_t end) const override {
    const void* in[kMaxOperands];
    void* out[kMaxResults];
    for (size_t k = 0; k < loads_.size(); ++k) in[k] = element(binding, loads_[k], begin);
    for (size_t k = 0; k < stores_.size(); ++k) out[k] = element(binding, stores_[k], begin);
    step_.run(in, out, end - begin, step_.attrs.data(), false);
  }
  static uint8_t* element(const Binding& binding, const Operand& op, size_t i) {
    return binding.base(op) + op.offset + static_cast<ptrdiff_t>(i) * op.storage;
  }

  std::vector<Load> loads_;
  std::vector<Store> stores_;
  StepKernel step_;
};

}  // namespace

bool suits_flat(const Prepared& p) {
  if (p.layout.extents.size() != 1 || p.non_temporal_stores) return false;
  if (p.stores.size() != static_cast<size_t>(p.step.kernel->num_out)) return false;
  const auto fits = [&](const Operand& o) { return o.direct && (o.is_dense_row() || p.layout.numel == 1); };
  return std::all_of(p.loads.begin(), p.loads.end(), fits) && std::all_of(p.stores.begin(), p.stores.end(), fits);
}

ExecutorPtr make_flat(Prepared&& p) { return std::make_unique<Flat>(std::move(p)); }

}  // namespace tileops::cpu
