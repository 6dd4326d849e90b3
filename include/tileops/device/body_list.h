// SPDX-License-Identifier: Apache-2.0
// Lists of bodies, and what can be asked of a body. `bodies` columns of ops.def and functions.def are unwrapped by
// TILEOPS_BODY_LIST(bodies).
#ifndef TILEOPS_DEVICE_BODY_LIST_H
#define TILEOPS_DEVICE_BODY_LIST_H

#include "body.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

template <template <class, class> class... Bodies>
struct body_list {};
#define TILEOPS_UNWRAP(...) __VA_ARGS__
#define TILEOPS_BODY_LIST(bodies) body_list<TILEOPS_UNWRAP bodies>

// What a body has beside its call operator (body.h).
template <class Body, class = void>
inline constexpr bool has_rare_v = false;
template <class Body>
inline constexpr bool has_rare_v<Body, void_of<decltype(&Body::rare)>> = true;
template <class Body, class = void>
inline constexpr bool has_stages_v = false;
template <class Body>
inline constexpr bool has_stages_v<Body, void_of<decltype(&Body::early)>> = true;
template <class Body, class = void>
inline constexpr bool has_bits_v = false;
template <class Body>
inline constexpr bool has_bits_v<Body, void_of<decltype(&Body::on_bits)>> = true;

// Argument and result types of a body's call operator.
template <class F>
struct signature;
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const> {
  static constexpr int num_loads = sizeof...(A);
  using result = R;
  template <template <class...> class To>
  using args = To<A...>;
};
template <class Body, class = void>
struct call_operator {
  using type = decltype(&Body::operator());
};
// A call operator that is a template over the kind of value is looked at for numbers of the compute type.
template <template <class, class> class Body, class P, class T>
struct call_operator<Body<P, T>, void_of<decltype(&Body<P, T>::template operator()<T>)>> {
  using type = decltype(&Body<P, T>::template operator()<T>);
};
template <class Body>
using signature_of = signature<typename call_operator<Body>::type>;

template <class R>
struct result_traits {
  static constexpr int num_stores = 1;
  using first = R;
  template <template <class...> class To>
  using types = To<R>;
};
template <class R, class... Rest>
struct result_traits<results<R, Rest...>> {
  static constexpr int num_stores = 1 + sizeof...(Rest);
  using first = R;
  template <template <class...> class To>
  using types = To<R, Rest...>;
};

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
