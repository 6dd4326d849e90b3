// How the results of an f32 body over 16-bit floats come to be rounded right, chosen once for each body and dtype.
#pragma once

#include "cpu/forms/form.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// The first ways are quick ones for most chunks: one look at the chunk tells whether it is computed again.
enum class Way {
  residual,     // AVX2: the nearest f32, and the sign of what it lacks; else rounded to odd
  twice,        // approx_twice(...), unless a result is special
  approximate,  // approx(...), unless a result is of a kind at which that may be wrong
  unless_tie,   // the f32 results, unless one is a tie; else rounded to odd
  once,         // f32 results need no second look: they are exact, or of one operation (24 >= 2p + 2), or shown
  to_odd,       // f32 results rounded to odd, and rounded once from there
  tested,       // f32 results, of which those within their error of a tie are computed again
};

// `may_approximate`: may approx(...) be used, if the body has it?
template <template <class, class> class BodyT, class S, int ulp, bool may_approximate>
struct HalfRounding {
  using Body = form<BodyT<device::portable_approx, float>>;
  static constexpr bool is_bf16 = device::same_v<S, device::bf16>;
  static constexpr bool wide_lanes = TILEOPS_LANES == 16, narrow_lanes = TILEOPS_LANES == 8;

  // With AVX2 the approximations that need no rounding of their own, nor more registers than it has.
  static constexpr bool fits_registers = wide_lanes ||
                                         (narrow_lanes && !Body::right_if_untied && !Body::has_approx_condition &&
                                          (is_bf16 || !Body::has_instruction));
  static constexpr auto enough = is_bf16 ? device::Accuracy::exact_among_bf16 : device::Accuracy::exact;
  static constexpr bool rounds_right = (ulp == 0 && !Body::has_round_to_odd) || Body::accuracy >= enough ||
                                       Body::selects || (!is_bf16 && Body::exact_f16);
  static constexpr Way choose() {
    if (narrow_lanes && (is_bf16 ? Body::has_residual : Body::has_residual_f16)) return Way::residual;
    if (TILEOPS_LANES != 0 && is_bf16 && Body::has_approx_twice) return Way::twice;
    if (fits_registers && may_approximate && Body::has_approx && (is_bf16 || Body::approx_serves_f16))
      return Way::approximate;
    if (TILEOPS_LANES != 0 && is_bf16 && Body::rounds_once) return Way::unless_tie;
    if (rounds_right) return Way::once;
    if ((Body::has_round_to_odd && !Body::to_odd_if_near_tie) || (wide_lanes && Body::rounds_once)) return Way::to_odd;
    return Way::tested;
  }
  static constexpr Way way = choose();

  // What is known of results that need no second look.
  static constexpr bool is_representable = Body::accuracy == device::Accuracy::representable || Body::selects;
  static constexpr Values values = is_representable ? Values::representable : Values::any;

  // ---- Way::approximate
  // The kinds that a chunk's results are looked at for. Subnormal numbers of f32 are 0 in f16.
  static constexpr int unless = is_bf16 ? Body::approx_unless : Body::approx_unless & ~kSubnormal;
  // AVX2's approximations of what has round_to_odd(...) round once, to nearest: ties are looked for, too.
  static constexpr bool unless_tie_too = narrow_lanes && unless != 0 && Body::has_round_to_odd && !Body::approx_untied;

  // ---- Way::tested
  static constexpr int error = ulp + 1;  // approximate forms of formulas may be as much worse
  // A light body's chunk stays in registers; a dear one's list of results that fail the rounding test is made for more.
  // 64 is the fastest of 32 to 256.
  static constexpr bool light = (way != Way::tested || Body::cheap) && !has_rare_v<Body>;
  static constexpr size_t kChunk = light ? kHalves : 64;
  // One look for ties spares the test of most chunks.
  static constexpr bool untied = way == Way::tested && wide_lanes && Body::right_if_untied && !light;
  static_assert(!untied || !has_rare_v<Body>);

  // It takes no longer than to look results up.
  static constexpr bool quick = Body::simd_unroll != 0 && Body::right_if_untied &&
                                (untied || way == Way::twice || way == Way::approximate);
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
