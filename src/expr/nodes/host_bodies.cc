#include "expr/nodes/host_bodies.h"

#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tileops/device/bodies.h"

namespace tileops::expr {
namespace {

namespace op = device::op;
using device::body_list;
using device::has_rare_v;

template <class T>
T to(const Number& c) {
  if constexpr (std::is_same_v<T, bool>) return c.type == Number::Type::f64 ? c.f64 != 0 : c.i64 != 0;
  else if constexpr (std::is_floating_point_v<T>) return c.as_f64();
  else return c.type == Number::Type::f64 ? device::convert<T>(c.f64) : static_cast<T>(c.i64);
}

template <class T>
Number from(T value) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>) return Number::of(value);
  else return Number::of(static_cast<int64_t>(value));
}

template <class... A>
struct Arguments {
  template <class Body, size_t... I>
  static Number call(const Body& body, const Number* x, std::index_sequence<I...>) {
    if constexpr (has_rare_v<Body>) {
      if (body.rare(to<A>(x[I])...)) return from(body.slow(to<A>(x[I])...));
    }
    return from(body(to<A>(x[I])...));
  }
};

template <class Body>
Number run(const AttrValue* attrs, const Number* loads) {
  using Signature = device::signature_of<Body>;
  return Signature::template args<Arguments>::call(Body(attrs), loads,
                                                   std::make_index_sequence<Signature::num_loads>{});
}

struct Candidate {
  bool (*fits)(const device::BodyChoice&);
  size_t num_loads;
  HostBody run;
};
template <class Body>
constexpr Candidate kCandidate{&Body::fits, device::signature_of<Body>::num_loads, &run<Body>};

// The bodies of one function for each type.
struct Bodies {
  std::vector<Candidate> of[3];
};

template <uint32_t Wanted, Kind Rule, uint32_t Dtypes, Compute Computes>
constexpr bool computes_in() {
  if (Rule != Kind::map) return false;
  switch (Computes) {
    case Compute::to_float: return Wanted == kFloat;
    case Compute::truth: return Wanted == kBool;
    case Compute::quotient: return Wanted != kBool;
    case Compute::source: return false;
    default: return (Dtypes & Wanted) != 0;
  }
}

template <Kind Rule, uint32_t Dtypes, Compute Computes, template <class, class> class... Body>
Bodies collect(body_list<Body...>) {
  using device::portable;
  Bodies all;
  if constexpr (computes_in<kBool, Rule, Dtypes, Computes>()) all.of[0] = {kCandidate<Body<portable, bool>>...};
  if constexpr (computes_in<kInt, Rule, Dtypes, Computes>()) all.of[1] = {kCandidate<Body<portable, device::i64>>...};
  if constexpr (computes_in<kFloat, Rule, Dtypes, Computes>()) all.of[2] = {kCandidate<Body<portable, double>>...};
  return all;
}

using namespace columns;

const Bodies& bodies_for(tileops_op which) {
  static const auto* all = [] {
    auto* m = new std::map<tileops_op, Bodies>;
#define TILEOPS_OP(id, NAME, name, category, rule, operands, dtypes, compute, attrs, bodies, ulp, lo, hi, doc) \
  (*m)[id] = collect<kind_of(Lowering::rule, Compute::compute), dtypes, Compute::compute>(TILEOPS_BODY_LIST(bodies){});
#include <tileops/ops.def>
#undef TILEOPS_OP
#define TILEOPS_FUNCTION(id, NAME, name, kind, slots, attrs, dtypes, compute, bodies, ulp, doc) \
  (*m)[id] = collect<Kind::kind, dtypes, Compute::compute>(TILEOPS_BODY_LIST(bodies){});
#include <tileops/functions.def>
#undef TILEOPS_FUNCTION
    return m;
  }();
  return all->at(which);
}

}  // namespace

HostBody body_on_host(const Function& f, Number::Type type, const device::BodyChoice& choice, size_t num_loads) {
  // A body may take fewer operands than the call has: the last ones are then attributes that it has built in.
  for (const Candidate& body : bodies_for(f.id).of[static_cast<int>(type)])
    if (body.num_loads <= num_loads && body.fits(choice)) return body.run;
  fail(TILEOPS_STATUS_INTERNAL, "function: %s has no body for a number", f.name);
}

}  // namespace tileops::expr
