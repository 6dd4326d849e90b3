// The expressions among the test vectors: operands that the bounds decide, both kinds of plans on every target, lines.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>

#include "cases.h"
#include "expr_cases.h"
#include "target.h"
#include "vector_line.h"

namespace optest {
namespace {

constexpr int kMostUlp = 64;  // between the bounds of a result that is worth to be compared

Array Values(const OperandCase& operand, uint64_t seed) {
  Array a{operand.present, operand.dtype, operand.shape, {}};
  if (!operand.present) return a;
  if (operand.special) return Fill(operand.dtype, operand.shape, operand.lo, operand.hi, seed);
  std::mt19937_64 random(seed);
  for (int64_t i = 0; i < a.NumElements(); ++i) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53,
                 v = operand.lo + unit * (operand.hi - operand.lo);
    const bool whole = IsInt(operand.dtype) || operand.dtype == Dt::kBool;
    a.bits.push_back(operand.dtype == Dt::kBool ? random() & 1
                                                : Encode(Num::Float(whole ? std::round(v) : v), operand.dtype));
  }
  return a;
}

// Numbers that are neighbours differ by 1.
int64_t Ordered(Dt dtype, uint64_t bits) {
  const uint64_t sign = uint64_t{1} << (8 * Info(dtype).size - 1);
  return bits & sign ? -static_cast<int64_t>(bits & ~sign) : static_cast<int64_t>(bits);
}

// What a result may be, as bits of its dtype.
struct Bounds {
  Dt dtype;
  std::vector<int64_t> shape;
  std::vector<uint64_t> lo, hi;
  int64_t ulp = 0;  // most between lo and hi

  bool Holds(size_t i, uint64_t bits) const {
    if (IsNanBits(dtype, lo[i]) || IsNanBits(dtype, bits)) return IsNanBits(dtype, lo[i]) && IsNanBits(dtype, bits);
    if (lo[i] == hi[i]) return bits == lo[i];
    return Ordered(dtype, lo[i]) <= Ordered(dtype, bits) && Ordered(dtype, bits) <= Ordered(dtype, hi[i]);
  }
};

Bounds BoundsOf(const Traced& result) {
  Bounds b{result.dtype, result.shape, {}, {}};
  for (const Range& r : result.elements) {
    b.lo.push_back(Encode(r.lo, result.dtype));
    b.hi.push_back(Encode(r.hi, result.dtype));
    const int64_t between = Ordered(result.dtype, b.hi.back()) - Ordered(result.dtype, b.lo.back());
    if (between && (Info(result.dtype).size < 4 || between > kMostUlp)) throw Undecided{};
    b.ulp = std::max(b.ulp, between);
  }
  return b;
}

std::vector<Bounds> AllBounds(const ExprCase& c, const std::vector<Array>& operands, bool loose) {
  std::vector<Traced> in;
  for (const Array& a : operands) in.push_back(Operand(a));
  SetLoose(loose);
  std::vector<Bounds> all;
  for (const Traced& result : c.results(in)) all.push_back(BoundsOf(result));
  return all;
}

// One case with operands: what came out of a plan with these flags is within bounds.
class Run {
 public:
  Run(const ExprCase& c, const std::vector<Array>& operands) : case_(c), operands_(operands) {
    if (tileops_expr_parse(c.text, std::strlen(c.text), &expr_) == TILEOPS_STATUS_OK) Scalars();
    else Fail("cannot be parsed");
  }
  ~Run() { tileops_expr_destroy(expr_); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  bool ok() const { return ok_; }
  const std::vector<std::vector<uint64_t>>& results() const { return results_; }
  std::string Names(size_t i) const {
    tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
    tileops_expr_describe(expr_, &info);
    return info.results[i];
  }

  void On(const Target& target, const std::vector<Bounds>& bounds, uint32_t flags) {
    if (!ok_) return;
    std::vector<std::unique_ptr<Tensor>> tensors;
    std::vector<const DLTensor*> in;
    std::vector<DLTensor*> out;
    for (const Array& a : operands_) {
      if (a.present) tensors.push_back(std::make_unique<Tensor>(target, a, Layout::kDense));
      in.push_back(a.present ? tensors.back()->dl() : nullptr);
    }
    const size_t inputs = tensors.size();
    for (const Bounds& b : bounds) {
      tensors.push_back(std::make_unique<Tensor>(target, Array{true, b.dtype, b.shape, {}}, Layout::kDense));
      out.push_back(tensors.back()->dl());
    }
    tileops_plan* plan = nullptr;
    if (Plan(target, in, out, flags, &plan) && Execute(target, plan, in, out)) {
      results_.clear();
      for (size_t k = 0; k < bounds.size(); ++k) Compare(target, bounds[k], tensors[inputs + k].get());
    }
    tileops_plan_destroy(plan);
  }

 private:
  void Fail(const std::string& what) {
    ok_ = false;
    std::fprintf(stderr, "%s\n  %s: %s\n", case_.text, what.c_str(), tileops_last_error());
  }

  // In the order of the expression; the others are left to their defaults.
  void Scalars() {
    tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
    tileops_expr_describe(expr_, &info);
    scalars_.resize(static_cast<size_t>(info.num_scalars));
    for (int32_t i = 0; i < info.num_scalars; ++i) {
      const Attr* a = FindAttr(case_.scalars, info.scalars[i].name);
      if (a) scalars_[static_cast<size_t>(i)] = a->integer ? tileops_number_i64(a->i) : tileops_number_f64(a->d);
    }
  }

  static tileops_tensor_desc Described(const DLTensor* t) {
    return t ? tileops_tensor_desc{t->dtype, t->ndim, t->shape, t->strides} : tileops_tensor_desc{};
  }

  bool Plan(const Target& target, const std::vector<const DLTensor*>& in, const std::vector<DLTensor*>& out,
            uint32_t flags, tileops_plan** plan) {
    std::vector<tileops_tensor_desc> inputs, outputs;
    for (const DLTensor* t : in) inputs.push_back(Described(t));
    for (const DLTensor* t : out) outputs.push_back(Described(t));
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.device = target.device;
    desc.num_inputs = static_cast<int32_t>(in.size());
    desc.inputs = inputs.data();
    desc.flags = flags;
    desc.expr = expr_;
    for (size_t k = 0; k < out.size(); ++k) {
      DLDataType dtype{};
      int32_t ndim = 0;
      int64_t shape[TILEOPS_MAX_NDIM];
      if (tileops_plan_infer(&desc, k, &dtype, &ndim, shape) != TILEOPS_STATUS_OK) return Fail("not inferred"), false;
      if (std::memcmp(&dtype, &out[k]->dtype, sizeof dtype) || ndim != out[k]->ndim ||
          !std::equal(shape, shape + ndim, out[k]->shape))
        return Fail("another shape or dtype is inferred"), false;
    }
    desc.num_outputs = static_cast<int32_t>(out.size());
    desc.outputs = outputs.data();
    if (tileops_plan_create(target.context, &desc, plan) == TILEOPS_STATUS_OK) return true;
    return Fail("cannot be planned on " + target.name), false;
  }

  bool Execute(const Target& target, tileops_plan* plan, const std::vector<const DLTensor*>& in,
               const std::vector<DLTensor*>& out) {
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.num_inputs = static_cast<uint32_t>(in.size());
    args.num_outputs = static_cast<uint32_t>(out.size());
    args.num_scalars = static_cast<uint32_t>(scalars_.size());
    args.inputs = in.data();
    args.outputs = out.data();
    args.scalars = scalars_.data();
    args.stream = target.stream;
    if (tileops_execute_with(plan, &args) == TILEOPS_STATUS_OK) return true;
    return Fail("cannot be executed on " + target.name), false;
  }

  void Compare(const Target& target, const Bounds& bounds, Tensor* tensor) {
    bool intact;
    results_.push_back(tensor->Read(&intact));
    const auto& got = results_.back();
    for (size_t i = 0; i < got.size(); ++i) {
      if (bounds.Holds(i, got[i])) continue;
      std::fprintf(stderr, "%s\n  on %s: result %zu, element %zu: got %s, need %s to %s\n", case_.text,
                   target.name.c_str(), results_.size() - 1, i, ToString(bounds.dtype, got[i]).c_str(),
                   ToString(bounds.dtype, bounds.lo[i]).c_str(), ToString(bounds.dtype, bounds.hi[i]).c_str());
      ok_ = false;
    }
    if (!intact) Fail("memory beside the elements was written");
  }

  const ExprCase& case_;
  const std::vector<Array>& operands_;
  tileops_expr* expr_ = nullptr;
  std::vector<tileops_number> scalars_;
  std::vector<std::vector<uint64_t>> results_;
  bool ok_ = true;
};

std::string Escaped(const std::string& text) {
  std::string s;
  for (char c : text) s += c == '\n' ? "\\n" : std::string(1, c);
  return s;
}

std::string Line(const ExprCase& c, const std::vector<Array>& operands, const Run& run,
                 const std::vector<Bounds>& bounds) {
  std::string s = "{\"expr\": \"" + Escaped(c.text) + "\", \"scalars\": " + NumbersJson(c.scalars) + ", \"inputs\": [";
  for (size_t k = 0; k < operands.size(); ++k) s += (k ? ", " : "") + TensorJson(operands[k], operands[k].bits);
  s += "], \"outputs\": [";
  int64_t ulp = 0;
  for (size_t k = 0; k < bounds.size(); ++k) {
    const std::string tensor = TensorJson({true, bounds[k].dtype, bounds[k].shape, {}}, run.results()[k]);
    s += (k ? ", {\"name\": \"" : "{\"name\": \"") + run.Names(k) + "\", " + tensor.substr(1);
    ulp = std::max(ulp, bounds[k].ulp);
  }
  return s + "], \"ulp\": " + std::to_string(ulp) + "}\n";
}

// False: the bounds do not decide what these operands give.
bool Write(const ExprCase& c, uint64_t seed, std::FILE* file, int* lines, int* wrong) {
  std::vector<Array> operands;
  for (const OperandCase& operand : c.operands) operands.push_back(Values(operand, seed * 31 + operands.size()));
  std::vector<Bounds> strict, loose;
  try {
    strict = loose = AllBounds(c, operands, false);
    const auto narrow = [](const Bounds& b) { return IsNarrow(b.dtype); };
    if (std::any_of(strict.begin(), strict.end(), narrow)) loose = AllBounds(c, operands, true);
  } catch (const Undecided&) {
    return false;
  }
  Run run(c, operands);
  for (const Target& target : Targets()) {
    run.On(target, loose, 0);
    run.On(target, strict, TILEOPS_PLAN_REPRODUCIBLE);
  }
  if (run.ok()) std::fputs(Line(c, operands, run, loose).c_str(), file);
  *lines += run.ok();
  *wrong += !run.ok();
  return true;
}

}  // namespace

int WriteExpressions(std::FILE* file, int* wrong) {
  int lines = 0;
  for (const ExprCase& c : ExprCases()) {
    bool decided = false;
    for (uint64_t seed = 1; seed < 400 && !decided; ++seed) decided = Write(c, seed, file, &lines, wrong);
    if (!decided) std::fprintf(stderr, "%s\n  no operands were found whose results are decided\n", c.text);
    *wrong += !decided;
  }
  return lines;
}

}  // namespace optest
