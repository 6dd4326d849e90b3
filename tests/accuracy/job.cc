#include "job.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "library.h"

namespace {

// From 32768 elements on the library looks results on 16-bit floats up in a table.
constexpr size_t kLarge = 65536, kSmall = 16384;

struct Variant {
  Plan plan;
  size_t elements;
  std::vector<uint8_t> out;
};

Inputs inputs_of(const Case& c, const Format& f, const Options& o) {
  const auto sample = [&](int log2) { return Inputs::sample(f, c.arity, uint64_t{1} << log2, o.seed); };
  if (c.arity == 1) {
    if (f.narrow()) return Inputs::all(f, 1);
    if (f.size == 8) return sample(o.log2_f64);
    return o.f32_stride != 0 ? Inputs::all(f, 1, o.f32_stride) : sample(o.log2_f32);
  }
  if (f.size == 1) return Inputs::all(f, 2);
  if (f.size == 2) return sample(c.gated ? o.log2_gated : o.log2_pairs);
  return sample(f.size == 4 ? o.log2_f32_pairs : o.log2_f64);
}

// For f32 and f64 there is one code path; small blocks stay in the cache.
std::vector<size_t> sizes_of(const Case& c, const Format& f) {
  if (f.size == 2) return {kLarge, kSmall};
  if (f.size == 1) return {c.arity == 1 ? size_t{256} : kLarge};
  return {4096};
}

}  // namespace

Row measure(const Case& c, const Format& f, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const Inputs inputs = inputs_of(c, f, options);
  const std::vector<size_t> sizes = sizes_of(c, f);
  const size_t block = sizes[0];
  Row row{&c, &f, {}, {}, 0, inputs.complete(), 0};
  std::vector<Variant> variants;
  for (const std::string& isa : options.isas) {
    const Context context = make_context(isa.c_str());
    for (size_t n : sizes) {
      variants.push_back({Plan(context, c.id, c.attrs, f, c.arity, n), n, std::vector<uint8_t>(block * f.size)});
      row.variants.push_back(isa + "/" + variants.back().plan.strategy());
    }
  }

  // Narrow inputs of one operand all go to MPFR, as do all pairs of 8-bit numbers.
  const bool use_fast = !(f.narrow() && c.arity == 1) && f.size != 1;
  Checker checker(c, f, use_fast, variants.size(), static_cast<size_t>(options.show));
  std::vector<uint64_t> codes[2] = {std::vector<uint64_t>(block), std::vector<uint64_t>(block)};
  std::vector<uint8_t> bytes[2] = {std::vector<uint8_t>(block * f.size), std::vector<uint8_t>(block * f.size)};
  for (uint64_t at = 0; at < inputs.count(); at += block) {
    const size_t n = static_cast<size_t>(std::min<uint64_t>(block, inputs.count() - at));
    uint64_t* const columns[2] = {codes[0].data(), codes[1].data()};
    inputs.fill(at, n, columns);
    for (int k = 0; k < c.arity; ++k) pack(f, columns[k], bytes[k].data(), n);
    std::vector<const void*> results;
    for (Variant& v : variants) {
      for (size_t from = 0; from < n; from += v.elements) {
        const void* in[2] = {&bytes[0][from * f.size], &bytes[1][from * f.size]};
        v.plan.run(in, &v.out[from * f.size]);
      }
      results.push_back(v.out.data());
    }
    checker.block(n, codes, results.data());
  }
  for (size_t v = 0; v < variants.size(); ++v) row.stats.push_back(checker.stats(v));
  row.disagreements = checker.disagreements();
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return row;
}

namespace {

std::string hex(uint64_t code, const Format& f) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llx", static_cast<int>(2 * f.size), static_cast<unsigned long long>(code));
  return text;
}

std::string finding(const Finding& x, const Row& row) {
  const Format& f = *row.format;
  std::string text = "{\"in\": [\"" + hex(x.in[0], f) + "\"";
  if (row.c->arity > 1) text += ", \"" + hex(x.in[1], f) + "\"";
  char values[160];
  int at = std::snprintf(values, sizeof values, "], \"value\": [\"%.9g\"", decode(f, x.in[0]));
  if (row.c->arity > 1) {
    std::snprintf(values + at, sizeof values - static_cast<size_t>(at), ", \"%.9g\"", decode(f, x.in[1]));
  }
  return text + values + "], \"got\": \"" + hex(x.got, f) + "\", \"want\": \"" + hex(x.want, f) + "\"}";
}

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", v);
  return std::isfinite(v) ? text : "null";
}

double bound_of(const Row& row) {
  if (row.format->narrow()) return 0.5;
  return row.format->size == 8 ? row.c->f64_bound : row.c->f32_bound;
}

}  // namespace

bool Row::within_bounds() const {
  for (const Stats& s : stats) {
    if (s.bad != 0 || s.max_ulp > bound_of(*this)) return false;
    if (format->narrow() && s.differing != 0) return false;  // by less than 2^-53, too
  }
  return true;
}

std::string Row::json() const {
  // The variant with most results that differ stands for the row.
  size_t most = 0;
  for (size_t v = 1; v < stats.size(); ++v) {
    if (stats[v].differing > stats[most].differing) most = v;
  }
  const Stats& s = stats[most];
  std::string text = "{\"op\": \"" + c->name + "\", \"dtype\": \"" + format->name +
                     "\", \"inputs\": " + std::to_string(s.inputs) +
                     ", \"complete\": " + (complete ? "true" : "false") +
                     ", \"differing\": " + std::to_string(s.differing) + ", \"bad\": " + std::to_string(s.bad) +
                     ", \"max_ulp\": " + number(s.max_ulp) + ", \"bound\": " + number(bound_of(*this)) +
                     ", \"variants_disagree\": " + std::to_string(disagreements);
  if (s.differing > s.bad) text += ", \"worst\": " + finding(s.worst, *this);
  if (s.bad != 0) text += ", \"first_bad\": " + finding(s.first_bad, *this);
  if (!s.shown.empty()) text += ", \"shown\": [";
  for (size_t i = 0; i < s.shown.size(); ++i) {
    text += (i ? ", " : "") + finding(s.shown[i], *this) + (i + 1 < s.shown.size() ? "" : "]");
  }
  text += ", \"variants\": {";
  for (size_t v = 0; v < stats.size(); ++v) {
    text += (v ? ", \"" : "\"") + variants[v] + "\": " + std::to_string(stats[v].differing);
  }
  return text + "}, \"seconds\": " + number(seconds) + "}";
}
