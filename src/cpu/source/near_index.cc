// Comparisons of indices in f32 instead of i64, of which a register holds half as many and whose loops are longer:
// masks of attention and of lengths (index(x, -1) <= index(x, -2) + past, index(x, -1) < length).
//
// What is compared are sums and differences of indices and of one other integer v at most. While the indices of a
// comparison add up to less than 2^23, their sums are exact. So is the whole if |v| <= 2^23; and if it is more, v alone
// decides, which rounding to f32 does not change. Only where i64 would wrap it is otherwise: a v that is added to
// indices must be below 2^62.
#include <cstdlib>
#include <cstring>

#include "cpu/source/kernelled_pass.h"
#include "problem/analysis.h"

namespace tileops::cpu {
namespace {

constexpr int64_t kLargestSum = int64_t{1} << 23;

bool is_comparison_of_i64(const Step& s) {
  return s.body && s.ctype == Ctype::i64 && s.body->algebra == device::Algebra::order;
}
bool is_sum(const Step& s) { return s.body && s.body->algebra == device::Algebra::sum; }

class NarrowIndexComparisons {
 public:
  NarrowIndexComparisons(const Problem& problem, KernelledPass* source, const FindKernel& find)
      : problem_(problem), source_(*source), pass_(source->pass), find_(find), info_(source->pass) {}

  std::vector<int> run() {
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      if (!is_comparison_of_i64(pass_.steps[s])) continue;
      Sum sum;
      sum.steps.push_back(s);
      if (!collect(s, &sum) || sum.indices == 0 || sum.others > 1) continue;
      convert(sum);
      numbers_.insert(numbers_.end(), sum.numbers.begin(), sum.numbers.end());
    }
    return std::move(numbers_);
  }

 private:
  // What a comparison is made of.
  struct Sum {
    std::vector<size_t> steps;
    int64_t largest = 0;  // of the indices together
    int indices = 0, others = 0;
    std::vector<int> numbers;  // that are added to indices
  };

  bool collect(size_t s, Sum* sum) const {
    for (const Value& v : pass_.steps[s].arguments) {
      const size_t from = static_cast<size_t>(v.index);
      if (v.kind == Value::Kind::load) {
        if (!add_load(pass_.loads[from], is_sum(pass_.steps[s]), sum)) return false;
      } else {
        const Step& step = pass_.steps[from];
        if (!is_sum(step) || step.ctype != Ctype::i64 || info_.of(v).readers() != 1) return false;
        sum->steps.push_back(from);
        if (!collect(from, sum)) return false;
      }
    }
    return true;
  }

  // `added`: to an index, not compared itself.
  bool add_load(const View& view, bool added, Sum* sum) const {
    if (view.kind == ViewKind::index) return add_index(view, sum);
    ++sum->others;
    if (view.kind == ViewKind::number && added) sum->numbers.push_back(view.slot);
    return !added || dtype_size(view.dtype) < 8 || view.kind == ViewKind::number || is_small_constant(view);
  }

  bool is_small_constant(const View& view) const {
    if (view.kind != ViewKind::constant || view.dtype != Dtype::i64) return false;
    int64_t v;
    std::memcpy(&v, problem_.constants[static_cast<size_t>(view.slot)].bytes.data() + view.offset, sizeof v);
    return is_near_number(v);
  }

  bool add_index(const View& view, Sum* sum) const {
    ++sum->indices;
    const auto add = [sum](int64_t most) {
      if (most >= kLargestSum || sum->largest + most >= kLargestSum) return false;
      sum->largest += most;
      return true;
    };
    if (view.offset <= -kLargestSum || !add(std::abs(view.offset))) return false;
    for (size_t d = 0; d < pass_.extents.size(); ++d) {
      if (view.strides[d] == 0) continue;
      if (pass_.extents[d].is_open() || view.strides[d].is_open()) return false;
      const int64_t steps = pass_.extents[d] - 1, stride = view.strides[d];
      if (steps <= 0) continue;
      if (steps >= kLargestSum || stride >= kLargestSum || stride <= -kLargestSum || !add(steps * std::abs(stride)))
        return false;
    }
    return true;
  }

  // Its loads that others take as i64 are there a second time.
  void convert(const Sum& sum) {
    for (const size_t s : sum.steps) {
      Step& step = pass_.steps[s];
      step.ctype = Ctype::f32;
      source_.kernels[s] = {&find_(step), false};
      for (Value& v : step.arguments) {
        if (v.kind != Value::Kind::load || info_.of(v).readers() == 1) continue;
        const View copy = pass_.loads[static_cast<size_t>(v.index)];
        v.index = static_cast<int>(pass_.loads.size());
        pass_.loads.push_back(copy);
        source_.tables.emplace_back();
        info_ = PassInfo(pass_);
      }
    }
  }

  const Problem& problem_;
  KernelledPass& source_;
  Pass& pass_;
  const FindKernel& find_;
  std::vector<int> numbers_;
  PassInfo info_;  // of the pass as it is
};

}  // namespace

std::vector<int> compare_near_indices(const Problem& problem, KernelledPass* source, const FindKernel& find) {
  const std::vector<Step>& steps = source->pass.steps;
  if (std::none_of(steps.begin(), steps.end(), is_comparison_of_i64)) return {};
  return NarrowIndexComparisons(problem, source, find).run();
}

}  // namespace tileops::cpu
