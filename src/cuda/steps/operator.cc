// One operator as the text of its step: which form of the body, and how results are rounded to what is stored.
#include "cuda/steps/computation.h"
#include "cuda/steps/forms.h"
#include "cuda/steps/type_names.h"
#include "problem/analysis.h"

namespace tileops::cuda {
namespace {

// What a kernel of the operator is, beside its operands.
struct OperatorForm {
  bool one_narrow_float = false;  // arithmetic in f32 on operands and a result of one narrow float dtype
  bool halves = false;            // of 16 bits
  bool on_bits = false;           // the body works on their bits
  bool table = false;
  Rounding rounding = Rounding::none;  // of its result, where that is of such a dtype
  std::string policy;
};

// device/cuda/forms has forms for these.
bool is_of_one_narrow_float(const Pass& pass) {
  const Dtype out = pass.stores[0].dtype;
  bool alike = only_step(pass).ctype == Ctype::f32 && pass.stores.size() == 1 && is_narrow_float(out);
  for (const View& v : pass.loads) alike = alike && v.kind == ViewKind::input && v.dtype == out;
  return alike;
}

// Results that are rounded to fewer bits than were computed are the CPU's under every policy.
std::string policy_of(const Pass& pass, bool one_narrow_float, bool reproducible) {
  const Dtype out = pass.stores[0].dtype;
  if (only_step(pass).ctype == Ctype::f32) {
    if (reproducible && !is_narrow_float(out)) return "bit_exact";
    return one_narrow_float ? "fast<" + std::string(storage_name(out)) + ">" : "bounded";
  }
  // A second result is a mask, or of the same dtype.
  return only_step(pass).ctype == Ctype::f64 && !reproducible && out == Dtype::f64 ? "bounded" : "portable";
}

// As an operator of one narrow float rounds it, by the forms for these.
Rounding rounding_of_result(const Pass& pass) {
  AnalysisOptions options;
  options.is_exact = [](const BodyInfo& body, Dtype to) {
    return dtype_size(to) == 2 && forms_of(body).rounds_16_bits_once;
  };
  return rounding_of(pass, pass.stored[0], pass.stores[0].dtype, options);
}

// Can a table have all results, or those of a gated form's activation?
bool can_have_table(const Pass& pass, const OperatorForm& form) {
  const BodyInfo& body = *only_step(pass).body;
  const size_t loads = pass.loads.size();
  const bool suits = loads == 1 ? form.halves : loads == 2 && form.one_narrow_float && body.gated;
  if (!suits || body.ulp == 0 || form.on_bits) return false;
  return form.rounding == Rounding::tested ||
         (form.rounding == Rounding::odd && pass.stores[0].dtype == Dtype::f16 && loads == 1);
}

OperatorForm form_of(const Pass& pass, const OperatorOptions& options) {
  OperatorForm form;
  form.one_narrow_float = is_of_one_narrow_float(pass);
  form.halves = form.one_narrow_float && dtype_size(pass.stores[0].dtype) == 2;
  form.on_bits = form.halves && only_step(pass).body->on_bits;
  if (form.one_narrow_float) form.rounding = rounding_of_result(pass);
  form.table = options.tables && can_have_table(pass, form);
  form.policy = options.policy ? options.policy : policy_of(pass, form.one_narrow_float, options.reproducible);
  return form;
}

std::string numbered(const std::string& what, size_t count) {
  std::string s;
  for (size_t i = 0; i < count; ++i) s += what + number(i);
  return s;
}

// struct steps: what core/operator_step.h and the templates of strategies/ take the operator by, and its step.
std::string text_of(const Pass& pass, const OperatorForm& form, const ComputeSpec& spec) {
  const Step& step = only_step(pass);
  std::string s = "struct steps {\n";
  if (form.on_bits)
    s += "  template <class, class> using body = on_halves<op::" + step.body->name + "<portable, float>>;\n";
  else s += "  template <class P, class T> using body = op::" + step.body->name + "<P, T>;\n";
  s += "  using policy = " + form.policy + ";\n";
  s += std::string("  using compute = ") + (form.on_bits ? "u16" : compute_name(step.ctype)) + ";\n";
  s += "  static constexpr int ulp = " + number(step.body->ulp) + ";\n";
  s += "  static constexpr bool halves = " + truth(form.halves) + ", table = " + truth(form.table) + ";\n";
  if (form.table && step.body->gated) s += std::string("  using gate = ") + storage_name(pass.loads[0].dtype) + ";\n";
  s += "  template <int N, class A>\n  static __device__ __forceinline__ void run(const A& args";
  for (size_t i = 0; i < spec.operands.size(); ++i)
    s += std::string(", const ") + compute_name(spec.operands[i]) + " (&x" + number(i) + ")[N]";
  for (size_t k = 0; k < spec.results.size(); ++k) s += ", raw_pack<" + spec.results[k] + ", N>* y" + number(k);
  s += ") {\n    stored_packs<make_seq<" + number(spec.results.size()) + ">, N";
  for (const std::string& result : spec.results) s += ", " + result;
  s += "> y;\n    operator_step<steps>(args, &y" + numbered(", x", spec.operands.size()) + ");\n";
  for (size_t k = 0; k < spec.results.size(); ++k) s += "    *y" + number(k) + " = pack_of<" + number(k) + ">(y);\n";
  return s + "  }\n};\n";
}

}  // namespace

Computation operator_of(const Pass& pass, const OperatorOptions& options) {
  const Step& step = only_step(pass);
  const OperatorForm form = form_of(pass, options);
  Computation c;
  c.one_operator = true;
  ComputeSpec& spec = c.spec;
  spec.name = step.body->name;
  spec.type = ctype_name(step.ctype);
  spec.policy = form.policy;
  spec.table = form.table;
  spec.attrs = static_cast<int>(attribute_words(pass, form.policy).size());
  for (size_t i = 0; i < ids_begin(pass); ++i) {
    spec.operands.push_back(form.on_bits ? Ctype::u16 : operand_type(step, i));
    spec.attrs += 2 * static_cast<int>(pass.loads[i].indices.size());
  }
  for (size_t k = 0; k < pass.stores.size(); ++k) {
    const bool kept = form.on_bits || (pass.bits_kept && result_type(step, k) == step.ctype);
    spec.results.push_back(kept ? compute_name(form.on_bits ? Ctype::u16 : step.ctype)
                                : destination_name(pass.stores[k].dtype, pass.stores[k].fp8));
  }
  spec.text = text_of(pass, form, spec);
  if (form.on_bits) c.memory_as = Dtype::u16;
  c.has_activations = form.table && pass.loads.size() == 2;
  // The f64 form behind a rounding test would take registers that the rest of the kernel pays for with too few threads
  // to hide memory's latency.
  c.has_rounding_test = !form.table && form.rounding == Rounding::tested;
  return c;
}

std::vector<uint64_t> attribute_words(const Pass& pass, const std::string& policy) {
  std::vector<uint64_t> words;
  for (const Step& step : pass.steps)
    for (const AttrValue& a : step.attrs) words.push_back(device::to_bits(a.f64));
  if (!pass.is_of_rows() && is_operator(pass))
    for (const uint64_t w : prepared_words(pass, policy)) words.push_back(w);
  return words;
}

}  // namespace tileops::cuda
