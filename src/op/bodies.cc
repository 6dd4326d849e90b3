#include "op/bodies.h"

#include <map>

#include "op/columns.h"
#include "tileops/device/bodies.h"

namespace tileops {
namespace {

namespace op = device::op;
using device::body_list;

// Types of a signature, told from those that it has in f32 and in f64.
template <class... F>
struct In32 {
  template <class... D>
  struct AndIn64 {
    static std::vector<BodyType> types() {
      return {BodyType{device::same_v<F, float> && device::same_v<D, double>, ctype_of<F>::value}...};
    }
  };
};

template <template <class, class> class Body>
BodyInfo info(tileops_op which, int index, const std::string& name, int ulp) {
  using B = Body<device::portable, float>;
  using S = device::signature_of<B>;
  using S64 = device::signature_of<Body<device::portable, double>>;
  using Results = device::result_traits<typename S::result>;
  using Results64 = device::result_traits<typename S64::result>;
  BodyInfo b;
  b.op = which;
  b.index = index;
  b.name = name;
  b.ulp = ulp;
  b.fits = &B::fits;
  b.operands = S64::template args<S::template args<In32>::template AndIn64>::types();
  b.results = Results64::template types<Results::template types<In32>::template AndIn64>::types();
  b.bool_result = device::same_v<typename Results::first, bool>;
  b.gated = B::gated;
  b.staged = device::has_stages_v<B>;
  b.cheap = B::cheap;
  b.accuracy = B::accuracy;
  b.has_odd = B::has_round_to_odd;
  b.jumps = B::jumps;
  b.algebra = B::algebra;
  b.on_bits = device::has_bits_v<B>;
  return b;
}

// "(op::a, op::b)" to the names a, b.
std::vector<std::string> names_of(const std::string& text) {
  std::vector<std::string> names;
  for (size_t at = 0; (at = text.find("op::", at)) != std::string::npos;) {
    const size_t end = text.find_first_of(",) ", at);
    names.push_back(text.substr(at + 4, end - at - 4));
    at = end;
  }
  return names;
}

template <template <class, class> class... Bodies>
std::vector<BodyInfo> describe(body_list<Bodies...>, tileops_op which, const char* text, int ulp) {
  const auto names = names_of(text);
  int next = 0;
  [[maybe_unused]] const auto describe_one = [&](auto make) {
    const int index = next++;
    return make(which, index, names[index], ulp);
  };
  return {describe_one(info<Bodies>)...};
}

}  // namespace

const std::vector<BodyInfo>& bodies_of(tileops_op which) {
  static const auto* all = [] {
    auto* m = new std::map<tileops_op, std::vector<BodyInfo>>;
#define TILEOPS_OP(id, NAME, name, category, rule, operands, dtypes, compute, attrs, bodies, ulp, lo, hi, doc) \
  (*m)[id] = describe(TILEOPS_BODY_LIST(bodies){}, id, #bodies, ulp);
#include <tileops/ops.def>
#undef TILEOPS_OP
#define TILEOPS_FUNCTION(id, NAME, name, kind, slots, attrs, dtypes, compute, bodies, ulp, doc) \
  (*m)[id] = describe(TILEOPS_BODY_LIST(bodies){}, id, #bodies, ulp);
#include <tileops/functions.def>
#undef TILEOPS_FUNCTION
    return m;
  }();
  return all->at(which);
}

}  // namespace tileops
