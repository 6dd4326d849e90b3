#include "reference_position.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

namespace optest {
namespace {

struct MpfrValue {
  mpfr_t v;
  MpfrValue() { mpfr_init2(v, kOraclePrecision); }
  ~MpfrValue() { mpfr_clear(v); }
};

void MustEval(const char* op, const double* in, int count, const OracleAttrs& a, mpfr_t out) {
  if (oracle_eval(op, in, count, a, out)) return;
  std::fprintf(stderr, "tests/ops: the oracle has no %s\n", op);
  std::abort();
}

struct CosSin {
  long double cos, sin;
};

// cos and sin of a rope angle, remembered: heads and batches share them.
class Angles {
 public:
  explicit Angles(const OracleAttrs& attrs) : attrs_(attrs) {}
  CosSin operator()(int64_t position, int64_t pair, double rescale) {
    const auto key = std::make_pair(position, pair);
    const auto it = known_.find(key);
    if (it != known_.end()) return it->second;
    attrs_.rescale_factor = rescale;
    const double in[2] = {static_cast<double>(position), static_cast<double>(pair)};
    MpfrValue m;
    CosSin cs;
    MustEval("rope_cos", in, 2, attrs_, m.v);
    cs.cos = mpfr_get_ld(m.v, MPFR_RNDN);
    MustEval("rope_sin", in, 2, attrs_, m.v);
    cs.sin = mpfr_get_ld(m.v, MPFR_RNDN);
    return known_[key] = cs;
  }

 private:
  OracleAttrs attrs_;
  std::map<std::pair<int64_t, int64_t>, CosSin> known_;
};

OracleAttrs RopeAttrs(const Call& call, int64_t rotary) {
  OracleAttrs o;
  const std::string& name = call.row->name;
  o.rope = name == "rope_llama31"    ? OracleAttrs::kLlama31
           : name == "rope_yarn"     ? OracleAttrs::kYarn
           : name == "rope_longrope" ? OracleAttrs::kLongrope
                                     : OracleAttrs::kPlain;
  o.dim = static_cast<int>(rotary);
  if (o.rope == OracleAttrs::kLongrope) o.max_position = 131072;
  for (const Attr& a : call.attrs) {
    if (a.name == "rotary_dim") continue;
    const bool yarn_scale = o.rope == OracleAttrs::kYarn && a.name == "scale_factor";
    o.Set(yarn_scale ? "scale" : a.name.c_str(), a.d);
  }
  return o;
}

// The value of one result and how far from it a computed one may be.
Want Finish(long double exact, double slack, Dt out, Overflow overflow) {
  Want want;
  want.exact = exact;
  want.slack = slack;
  MpfrValue m;
  mpfr_set_ld(m.v, exact, MPFR_RNDN);
  want.bits = oracle_encode(m.v, FormatOf(out, overflow));
  return want;
}

void PositionTolerance(Dt compute, Dt out, Expected* e, double ulp) {
  const bool narrows = Info(out).size < Info(compute).size;
  e->ulp_dtype = narrows ? out : compute;
  // Half an ulp is the rounding to `out`; what the compute type lost before is far below.
  e->ulp = narrows ? 0.5 + 0x1p-6 : compute == Dt::kF64 ? 2 : ulp;
}

}  // namespace

Expected Rope(const Call& call) {
  const bool longrope = call.row->name == "rope_longrope";
  const size_t first = longrope ? 2 : 1;
  const Array none{false, Dt::kF32, {}, {}};
  const auto input = [&](size_t k) -> const Array& { return k < call.inputs.size() ? call.inputs[k] : none; };
  const Array &x = call.inputs[0], &ids = input(first), &cos = input(first + 1), &sin = input(first + 2),
              &rescale = longrope ? call.inputs[1] : none;
  const Array& out = call.outputs[0];
  const int rank = static_cast<int>(x.shape.size());
  int64_t axis = IntegerOr(call.attrs, "seq_axis", rank == 2 ? -2 : -3);
  if (axis < 0) axis += rank;
  const int64_t d = x.shape[static_cast<size_t>(rank - 1)];
  const int64_t rotary = IntegerOr(call.attrs, "rotary_dim", d), half = rotary / 2;
  const bool interleaved = IntegerOr(call.attrs, "interleaved", call.row->name == "rope_non_neox") != 0;
  const int64_t offset = IntegerOr(call.attrs, "offset", 0);
  const Overflow overflow = OverflowOf(call.attrs);
  const Dt compute = ComputeType(x.dtype);
  Angles angles(RopeAttrs(call, rotary));

  Expected e;
  PositionTolerance(compute, out.dtype, &e, 2);
  std::vector<int64_t> index(x.shape.size(), 0);
  const int64_t n = x.NumElements();
  for (int64_t i = 0; i < n; ++i) {
    const int64_t column = index.back();
    if (column >= rotary) {  // copied
      Want want;
      want.bits = Encode(Decode(x.dtype, x.bits[static_cast<size_t>(i)]), out.dtype, overflow);
      want.exact = Decode(x.dtype, x.bits[static_cast<size_t>(i)]).d;
      e.elements.push_back(want);
    } else {
      const int64_t pair = interleaved ? column / 2 : column % half;
      const bool second = interleaved ? column % 2 : column >= half;
      const int64_t partner = i + (second ? -1 : 1) * (interleaved ? 1 : half);
      const long double self = Decode(x.dtype, x.bits[static_cast<size_t>(i)]).d;
      const long double other = Decode(x.dtype, x.bits[static_cast<size_t>(partner)]).d;
      const int64_t at = index[static_cast<size_t>(axis)];
      int64_t position = offset + at;
      if (ids.present) {
        const int64_t row = ids.shape.size() == 2 ? index[0] * ids.shape[1] : 0;
        position = static_cast<int64_t>(Decode(ids.dtype, ids.bits[static_cast<size_t>(row + at)]).i);
      }
      CosSin cs;
      if (cos.present) {
        const bool inside = position >= 0 && position < cos.shape[0];
        const size_t cell = static_cast<size_t>(position * half + pair);
        cs.cos = inside ? Decode(Dt::kF32, cos.bits[cell]).d : NAN;
        cs.sin = inside ? Decode(Dt::kF32, sin.bits[cell]).d : NAN;
      } else {
        const double r = longrope ? Decode(Dt::kF32, rescale.bits[static_cast<size_t>(pair)]).d : 1.0;
        cs = angles(position, pair, r);
      }
      const long double value = self * cs.cos + (second ? 1 : -1) * other * cs.sin;
      // Each product is a rounding away from its value; the angle is a multiple of 2^-64 turn.
      const double size = static_cast<double>(std::fabs(self) + std::fabs(other)) *
                          static_cast<double>(std::hypot(cs.cos, cs.sin));
      const double angle = cos.present ? 0 : std::fabs(static_cast<double>(position)) * 0x1p-60;
      const double eps = compute == Dt::kF64 ? 0x1p-51 : 0x1p-23;
      const double slack = std::isfinite(size) ? size * (eps + angle) : 0;
      e.elements.push_back(Finish(value, slack, out.dtype, overflow));
    }
    for (size_t k = index.size(); k-- > 0;) {
      if (++index[k] < x.shape[k]) break;
      index[k] = 0;
    }
  }
  return e;
}

Words Philox(uint64_t key, uint64_t low, uint64_t high) {
  uint32_t c[4] = {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32), static_cast<uint32_t>(high),
                   static_cast<uint32_t>(high >> 32)};
  uint32_t k[2] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * c[0], b = uint64_t{0xCD9E8D57} * c[2];
    const uint32_t next[4] = {static_cast<uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(b),
                              static_cast<uint32_t>(a >> 32) ^ c[3] ^ k[1], static_cast<uint32_t>(a)};
    for (int i = 0; i < 4; ++i) c[i] = next[i];
    k[0] += 0x9E3779B9;
    k[1] += 0xBB67AE85;
  }
  return {{c[0], c[1], c[2], c[3]}};
}

std::vector<Expected> Dropout(const Call& call) {
  const Array& x = call.inputs[0];
  const Array& out = call.outputs[0];
  uint64_t seed = static_cast<uint64_t>(IntegerOr(call.attrs, "seed", 0));
  uint64_t offset = static_cast<uint64_t>(IntegerOr(call.attrs, "offset", 0));
  if (call.inputs.size() > 1 && call.inputs[1].present) {
    seed = call.inputs[1].bits[0];
    offset = call.inputs[1].bits[1];
  }
  const bool training = IntegerOr(call.attrs, "training", 1) != 0;
  const double p = training ? NumberOr(call.attrs, "p", 0.5) : 0;
  const Dt compute = ComputeType(x.dtype);
  const double keep_probability = compute == Dt::kF32 ? static_cast<float>(1 - p) : 1 - p;
  const Overflow overflow = OverflowOf(call.attrs);

  Scalar divide(RowOf("div"), {}, compute, out.dtype);
  Expected y, mask;
  for (size_t i = 0; i < x.bits.size(); ++i) {
    const Words words = Philox(seed, i / 4, offset);
    const bool keep = static_cast<double>(words.w[i % 4]) >= p * 0x1p32;
    const Num args[2] = {Decode(x.dtype, x.bits[i]), Num::Float(keep_probability)};
    Want want;
    if (keep) want = divide(args, 2);
    if (keep && overflow != Overflow::kDefault)
      want.bits = Encode(Num::Float(args[0].d / keep_probability), out.dtype, overflow);
    y.elements.push_back(want);
    Want kept;
    kept.bits = keep;
    mask.elements.push_back(kept);
  }
  if (call.outputs.size() < 2) return {y};
  return {y, mask};
}

Expected Alibi(const Call& call) {
  const Array& out = call.outputs[0];
  const int64_t heads = out.shape[0], queries = out.shape[1], keys = out.shape[2];
  const int64_t offset = IntegerOr(call.attrs, "offset", 0);
  const bool causal = IntegerOr(call.attrs, "causal", 0) != 0;
  const bool geometric = IntegerOr(call.attrs, "slopes", 0) == 1;
  const bool given = !call.inputs.empty() && call.inputs[0].present;
  const Dt compute = ComputeType(out.dtype);
  // The paper's get_slopes, as its authors published it.
  std::vector<double> slopes;
  const auto power_of_two = [&](int64_t count) {
    const long double start = std::exp2(-8.0L / static_cast<long double>(count));
    for (int64_t h = 0; h < count; ++h)
      slopes.push_back(static_cast<double>(std::pow(start, static_cast<long double>(h + 1))));
  };
  int64_t closest = 1;
  while (closest * 2 <= heads) closest *= 2;
  if (given) {
    for (uint64_t b : call.inputs[0].bits) slopes.push_back(Decode(Dt::kF32, b).d);
  } else if (geometric || closest == heads) {
    power_of_two(heads);
  } else {
    power_of_two(closest);
    std::vector<double> first = slopes;
    slopes.clear();
    power_of_two(2 * closest);
    for (int64_t h = 0; closest + h < heads; ++h) first.push_back(slopes[static_cast<size_t>(2 * h)]);
    slopes = first;
  }
  Expected e;
  PositionTolerance(compute, out.dtype, &e, call.row->ulp);
  for (int64_t h = 0; h < heads; ++h) {
    for (int64_t i = 0; i < queries; ++i) {
      for (int64_t j = 0; j < keys; ++j) {
        const int64_t distance = i + offset - j;
        const long double bias = -static_cast<long double>(slopes[static_cast<size_t>(h)]) *
                                 static_cast<long double>(distance < 0 ? -distance : distance);
        e.elements.push_back(Finish(causal && distance < 0 ? -HUGE_VALL : bias, 0, out.dtype, OverflowOf(call.attrs)));
      }
    }
  }
  return e;
}

Expected Sinusoidal(const Call& call) {
  const Array& out = call.outputs[0];
  const int64_t positions = out.shape[0], d = out.shape[1];
  const bool halves = IntegerOr(call.attrs, "layout", 0) == 1;
  const int64_t offset = IntegerOr(call.attrs, "offset", 0);
  OracleAttrs o;
  o.dim = static_cast<int>(d);
  o.base = NumberOr(call.attrs, "base", 10000.0);
  const Dt compute = ComputeType(out.dtype);
  Expected e;
  PositionTolerance(compute, out.dtype, &e, call.row->ulp);
  MpfrValue m;
  for (int64_t p = 0; p < positions; ++p) {
    for (int64_t c = 0; c < d; ++c) {
      const int64_t column = !halves ? c : c < d / 2 ? 2 * c : 2 * (c - d / 2) + 1;
      const double in[2] = {static_cast<double>(p + offset), static_cast<double>(column)};
      MustEval("sinusoidal", in, 2, o, m.v);
      const double slack = std::fabs(in[0]) * 0x1p-60 + (compute == Dt::kF64 ? 0x1p-60 : 0);
      e.elements.push_back(Finish(mpfr_get_ld(m.v, MPFR_RNDN), slack, out.dtype, OverflowOf(call.attrs)));
    }
  }
  return e;
}

}  // namespace optest
