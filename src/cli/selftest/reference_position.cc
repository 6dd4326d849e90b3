// References of the operators whose value depends on the position in the tensor.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/selftest/reference.h"

namespace tileops::cli {
namespace {

const Real kTwoPi = 2 * std::acos(Real{-1});

int64_t normal_axis(int64_t axis, const Shape& shape) {
  return axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis;
}

// Product of the extents after `axis`.
int64_t inner(const Shape& shape, size_t axis) {
  int64_t n = 1;
  for (size_t k = axis + 1; k < shape.size(); ++k) n *= shape[k];
  return n;
}

// Angles are promised to float32 rounding. A frequency kept as a 64-bit fraction of a turn grows in
// error with the position, which float64 results show.
Real angle_slack(int64_t position) { return kTwoPi * 0x1p-63L * static_cast<Real>(std::abs(position)); }

// Angle per position of pair i, and the amplitude of cos and sin.
struct Frequencies {
  std::vector<Real> angle;
  Real amplitude = 1;
};

Frequencies rope_frequencies(const Problem& p, const std::string& variant, int64_t dim) {
  Frequencies result;
  const Real base = p.attrs.num("base"), d = static_cast<Real>(dim);
  for (int64_t i = 0; i < dim / 2; ++i) {
    Real f = std::pow(base, -2 * static_cast<Real>(i) / d);
    if (variant == "llama31") {
      const Real scale = p.attrs.num("scale_factor"), low = p.attrs.num("low_freq_factor");
      const Real high = p.attrs.num("high_freq_factor");
      const auto original = static_cast<Real>(p.attrs.integer("original_max_position"));
      const Real wavelength = kTwoPi / f;
      if (wavelength > original / low) {
        f /= scale;
      } else if (wavelength >= original / high) {
        const Real smooth = (original / wavelength - low) / (high - low);
        f = (1 - smooth) * f / scale + smooth * f;
      }
    } else if (variant == "yarn") {
      const auto original = static_cast<Real>(p.attrs.integer("original_max_position"));
      const auto dim_of = [&](Real rotations) {
        return d * std::log(original / (kTwoPi * rotations)) / (2 * std::log(base));
      };
      const Real low = std::max(std::floor(dim_of(p.attrs.num("beta_fast"))), Real{0});
      Real high = std::min(std::ceil(dim_of(p.attrs.num("beta_slow"))), d - 1);
      if (low == high) high += 0.001L;
      const Real ramp = std::clamp((static_cast<Real>(i) - low) / (high - low), Real{0}, Real{1});
      f = f / p.attrs.num("scale_factor") * ramp + f * (1 - ramp);
    } else if (variant == "longrope") {
      f /= p.inputs[1]->values[static_cast<size_t>(i)];
    }
    result.angle.push_back(f);
  }
  if (variant == "yarn") result.amplitude = p.attrs.num("attn_factor");
  if (variant == "longrope") {
    const auto original = static_cast<Real>(p.attrs.integer("original_max_position"));
    const Real s = static_cast<Real>(p.attrs.integer("max_position")) / original;
    if (s > 1) result.amplitude = std::sqrt(1 + std::log(s) / std::log(original));
  }
  return result;
}

}  // namespace

std::vector<Cells> rope_reference(const Problem& p, const std::string& variant) {
  const Array& x = *p.inputs[0];
  const size_t first = variant == "longrope" ? 2 : 1;  // position_ids, cos, sin
  const auto optional = [&](size_t k) -> const Array* {
    return first + k < p.inputs.size() && p.inputs[first + k] ? &*p.inputs[first + k] : nullptr;
  };
  const Array *ids = optional(0), *cos = optional(1), *sin = optional(2);
  const int64_t rank = static_cast<int64_t>(x.shape.size()), head = x.shape.back();
  const int64_t dim = p.attrs.has("rotary_dim") ? p.attrs.integer("rotary_dim") : head;
  const auto axis = static_cast<size_t>(normal_axis(p.attrs.has("seq_axis") ? p.attrs.integer("seq_axis")
                                                    : rank == 2             ? -2
                                                                            : -3,
                                                    x.shape));
  const bool interleaved = p.attrs.integer("interleaved") != 0;
  const Frequencies frequencies = rope_frequencies(p, variant, dim);

  Cells cells(x.values.size());
  for (size_t at = 0; at < cells.size(); ++at) {
    const int64_t c = static_cast<int64_t>(at) % head;
    if (c >= dim) {
      cells[at].value = x.values[at];
      continue;
    }
    const int64_t row = static_cast<int64_t>(at) / inner(x.shape, axis) % x.shape[axis];
    const int64_t position = ids != nullptr ? static_cast<int64_t>(ids->values[static_cast<size_t>(row)])
                                            : p.attrs.integer("offset") + row;
    const int64_t pair = interleaved ? c / 2 : c % (dim / 2);
    const bool second = interleaved ? c % 2 == 1 : c >= dim / 2;
    const int64_t distance = interleaved ? 1 : dim / 2;
    const auto angle = static_cast<Real>(position) * frequencies.angle[static_cast<size_t>(pair)];
    Real cosine = std::cos(angle) * frequencies.amplitude;
    Real sine = std::sin(angle) * frequencies.amplitude;
    const auto table = static_cast<size_t>(position * (dim / 2) + pair);
    if (cos != nullptr) cosine = cos->values[table];
    if (sin != nullptr) sine = sin->values[table];
    const Real mine = x.values[at];
    const Real other = x.values[second ? at - static_cast<size_t>(distance) : at + static_cast<size_t>(distance)];
    cells[at].value = second ? mine * cosine + other * sine : mine * cosine - other * sine;
    // The error of a cosine near 0 is that of its angle: absolute, not relative.
    cells[at].scale = std::max(std::fabs(mine), std::fabs(other));
    cells[at].slack = angle_slack(position) * cells[at].scale;
  }
  return {cells};
}

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * counter[0], b = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

std::vector<Cells> dropout_reference(const Problem& p) {
  const Array& x = *p.inputs[0];
  auto seed = static_cast<uint64_t>(p.attrs.integer("seed"));
  auto offset = static_cast<uint64_t>(p.attrs.integer("offset"));
  if (p.inputs.size() > 1 && p.inputs[1]) {
    seed = static_cast<uint64_t>(static_cast<int64_t>(p.inputs[1]->values[0]));
    offset = static_cast<uint64_t>(static_cast<int64_t>(p.inputs[1]->values[1]));
  }
  const Real probability = p.attrs.num("p");
  const bool training = p.attrs.integer("training") != 0;
  std::vector<Cells> outputs(static_cast<size_t>(p.num_outputs), Cells(x.values.size()));
  for (size_t at = 0; at < x.values.size(); ++at) {
    const uint64_t group = at / 4;
    const auto words = philox({static_cast<uint32_t>(group), static_cast<uint32_t>(group >> 32),
                               static_cast<uint32_t>(offset), static_cast<uint32_t>(offset >> 32)},
                              {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
    const bool keep = !training || static_cast<Real>(words[at % 4]) >= probability * 0x1p32L;
    outputs[0][at].value = !training ? x.values[at] : keep ? x.values[at] / (1 - probability) : 0;
    if (outputs.size() > 1) outputs[1][at].value = keep;
  }
  return outputs;
}

std::vector<Cells> alibi_reference(const Problem& p) {
  const int64_t heads = p.shape[0], rows = p.shape[1], columns = p.shape[2];
  // A power-of-two count m has slopes 2^(-8(h+1)/m); others take those of the next lower power and
  // then every other slope of the next higher one (Press, Smith, Lewis: Train Short, Test Long).
  int64_t power = 1;
  while (power * 2 <= heads) power *= 2;
  const bool paper = p.attrs.integer("slopes") == 0;
  Cells cells;
  for (int64_t h = 0; h < heads; ++h) {
    const auto count = static_cast<Real>(paper ? power : heads);
    Real slope = std::exp2(-8 * static_cast<Real>(h + 1) / count);
    if (paper && h >= power) {
      slope = std::exp2(-8 * static_cast<Real>(2 * (h - power) + 1) / (2 * count));
    }
    if (!p.inputs.empty() && p.inputs[0]) slope = p.inputs[0]->values[static_cast<size_t>(h)];
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        const int64_t distance = i + p.attrs.integer("offset") - j;
        Cell cell{-slope * static_cast<Real>(std::abs(distance))};
        if (p.attrs.integer("causal") != 0 && distance < 0) {
          cell.value = -std::numeric_limits<Real>::infinity();
        }
        cells.push_back(cell);
      }
    }
  }
  return {cells};
}

std::vector<Cells> sinusoidal_reference(const Problem& p) {
  const int64_t rows = p.shape[0], dim = p.shape[1];
  const bool halves = p.attrs.integer("layout") == 1;
  Cells cells;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t c = 0; c < dim; ++c) {
      const int64_t pair = halves ? c % (dim / 2) : c / 2;
      const bool cosine = halves ? c >= dim / 2 : c % 2 == 1;
      const Real angle = static_cast<Real>(row + p.attrs.integer("offset")) /
                         std::pow(p.attrs.num("base"), 2 * static_cast<Real>(pair) / static_cast<Real>(dim));
      Cell cell{cosine ? std::cos(angle) : std::sin(angle)};
      cell.slack = angle_slack(row + p.attrs.integer("offset"));
      cells.push_back(cell);
    }
  }
  return {cells};
}

std::vector<Cells> prelu_reference(const Problem& p) {
  const Array &x = *p.inputs[0], &weight = *p.inputs[1];
  const auto axis = static_cast<size_t>(normal_axis(p.attrs.integer("axis"), x.shape));
  Cells cells(x.values.size());
  for (size_t at = 0; at < cells.size(); ++at) {
    size_t channel = 0;
    if (weight.values.size() > 1) {
      channel = at / static_cast<size_t>(inner(x.shape, axis)) % static_cast<size_t>(x.shape[axis]);
    }
    const Real v = x.values[at];
    cells[at].value = v > 0 ? v : weight.values[channel] * v;
  }
  return {cells};
}

std::vector<Cells> gated_reference(const Problem& p, FloatFn activation) {
  const Array& gate = *p.inputs[0];
  const bool packed = p.inputs.size() < 2 || !p.inputs[1];
  Cells cells(static_cast<size_t>(num_elements(p.shape)));
  const auto n = static_cast<size_t>(p.shape.back());
  for (size_t at = 0; at < cells.size(); ++at) {
    Element e;
    Real value;
    if (packed) {
      const size_t left = at / n * 2 * n + at % n;
      e.x[0] = gate.values[left];
      value = gate.values[left + n];
    } else {
      e.x[0] = gate.values[broadcast_index(gate.shape, p.shape, at)];
      value = p.inputs[1]->values[broadcast_index(p.inputs[1]->shape, p.shape, at)];
    }
    cells[at] = activation(e, p);
    cells[at].value *= value;
  }
  return {cells};
}

}  // namespace tileops::cli
