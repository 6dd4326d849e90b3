#include "texts.h"

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <random>
#include <stdexcept>

#include "expr/graph/function.h"
#include "expr/parse/named.h"

namespace rowtest {
namespace {

using tileops::expr::Number;

struct Row {
  const char *name, *text, *operands, *results, *values;  // no text: an expression has the name
};
const Row kRows[] = {
#define ROW_TEXT(name, text, operands, results, values) {#name, text, operands, results, values},
#define ROW_NAMED(name, operands, results, values) {#name, nullptr, operands, results, values},
#include "texts.def"
};

std::vector<std::string> Split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  for (size_t from = 0; from < text.size();) {
    const size_t to = std::min(text.find(separator, from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + separator.size();
  }
  return parts;
}

Shape ShapeOf(const std::string& text) {
  Shape shape;
  for (const std::string& extent : Split(text, "x")) shape.push_back(std::atoll(extent.c_str()));
  return shape;
}

Number NumberOf(const std::string& text) {
  if (text.find_first_of(".en") == std::string::npos) return Number::of(static_cast<int64_t>(std::atoll(text.c_str())));
  return Number::of(std::strtod(text.c_str(), nullptr));
}

// "0..999 or -100", "each -1..8"
Domain DomainOf(const std::vector<std::string>& words) {
  Domain d;
  d.given = true;
  d.each = words[1] == "each";
  const std::string& range = words[d.each ? 2 : 1];
  const size_t dots = range.find("..");
  d.lo = std::strtod(range.substr(0, dots).c_str(), nullptr);
  d.hi = std::strtod(range.substr(dots + 2).c_str(), nullptr);
  d.has_other = words[words.size() - 2] == "or";
  if (d.has_other) d.other = std::strtod(words.back().c_str(), nullptr);
  return d;
}

RowText Read(const Row& row) {
  RowText text = ReadRowText(row.operands);
  text.name = row.name;
  text.named = !row.text;
  text.text = row.text ? row.text : NamedText(row.name);
  for (const std::string& part : Split(row.results, ", ")) {
    const std::vector<std::string> words = Split(part, " ");
    text.results.push_back({words[0], words[1], ShapeOf(words.at(2))});
  }
  for (const std::string& part : Split(row.values, ", ")) {
    const std::vector<std::string> words = Split(part, " ");
    text.domains[words[0]] = DomainOf(words);
  }
  return text;
}

bool IsWhole(Dtype dtype) { return !tileops::is_float(dtype) && !tileops::is_scale(dtype); }

Tensor Drawn(Dtype dtype, const Shape& shape, const Domain& domain, std::mt19937_64* random) {
  std::uniform_real_distribution<double> uniform(domain.lo, domain.hi);
  std::uniform_int_distribution<int64_t> whole(static_cast<int64_t>(domain.lo), static_cast<int64_t>(domain.hi));
  Tensor t = Empty(dtype, shape);
  std::vector<int64_t> left;
  for (int64_t v = static_cast<int64_t>(domain.lo); domain.each && v <= static_cast<int64_t>(domain.hi); ++v)
    left.push_back(v);
  std::shuffle(left.begin(), left.end(), *random);
  for (size_t i = 0; i < t.values.size(); ++i) {
    Real v = IsWhole(dtype) ? static_cast<Real>(whole(*random)) : static_cast<Real>(uniform(*random));
    if (domain.each) v = static_cast<Real>(left.at(i));
    if (domain.has_other && (*random)() % 8 == 0) v = domain.other;
    t.values[i] = Rounded(dtype, v);
  }
  return t;
}

}  // namespace

void PrintTo(const RowText& text, std::ostream* out) { *out << text.name; }

const std::vector<RowText>& RowTexts() {
  static const auto* all = [] {
    auto* texts = new std::vector<RowText>;
    for (const Row& row : kRows) texts->push_back(Read(row));
    return texts;
  }();
  return *all;
}

RowText ReadRowText(const std::string& operands) {
  RowText text;
  for (const std::string& part : Split(operands, ", ")) {
    const std::vector<std::string> words = Split(part, " ");
    if (words[1] == "=") text.scalars[words[0]] = NumberOf(words[2]);
    else text.operands.push_back({words[0], words[1], ShapeOf(words.at(2))});
  }
  return text;
}

const RowText& RowTextOf(const std::string& name) {
  for (const RowText& text : RowTexts())
    if (text.name == name) return text;
  throw std::logic_error("no text " + name);
}

const char* NamedText(const std::string& name) {
  for (size_t i = 0; i < tileops::expr::kNumNamed; ++i)
    if (name == tileops::expr::kNamed[i].name) return tileops::expr::kNamed[i].text;
  throw std::logic_error("no expression has the name " + name);
}

bool DtypeOf(const std::string& label, Dtype* out) { return tileops::expr::dtype_from_any_name(label, out); }

Tensor RandomTensor(Dtype dtype, const Shape& shape, uint64_t seed, double mean, double spread) {
  std::mt19937_64 random(seed);
  if (IsWhole(dtype)) {
    Domain domain;
    domain.hi = dtype == Dtype::boolean ? 1 : dtype == Dtype::u8 ? 255 : 9;
    return Drawn(dtype, shape, domain, &random);
  }
  std::normal_distribution<double> normal(mean, spread);
  Tensor t = Empty(dtype, shape);
  for (Real& v : t.values) v = Rounded(dtype, static_cast<Real>(normal(random)));
  return t;
}

std::vector<Tensor> ScatteredInto(const RowText& text) {
  static const std::map<std::string, std::vector<Shape>> shapes = {
      {"kv_scatter", {{9, 2, 64}, {9, 2, 64}}},
      {"kv_quantise_scatter", {{9, 2, 64}, {9, 2, 1}, {9, 2, 64}, {9, 2, 1}}},
      {"kv_static_fp8_scatter", {{9, 2, 64}, {9, 2, 64}}},
      {"mla_scatter", {{9, 128}, {9, 64}}},
      {"qk_norm_rope_cache", {{9, 2, 32}, {9, 2, 32}}},
      {"expert_counts", {{1, 8}}},
      {"cache_write_paged", {{3, 2, 16, 64}, {3, 2, 16, 64}}},
  };
  std::vector<Tensor> outputs;
  const auto found = shapes.find(text.name);
  for (size_t k = 0; found != shapes.end() && k < text.results.size(); ++k) {
    Dtype dtype = Dtype::f32;
    DtypeOf(text.results[k].label, &dtype);
    const uint64_t pattern = 0xA5A5A5A5A5A5A5A5 >> (64 - tileops::dtype_to_dl(dtype).bits);
    outputs.push_back(Empty(dtype, found->second[k]));
    for (Real& v : outputs.back().values) v = Decode(dtype, pattern);
  }
  return outputs;
}

std::vector<Tensor> RandomOperands(const RowText& text, uint64_t seed) {
  std::vector<Tensor> operands;
  for (const Declared& d : text.operands) {
    Dtype dtype;
    if (!DtypeOf(d.label, &dtype)) return {};
    const uint64_t own = seed * 100 + operands.size();
    const auto domain = text.domains.find(d.name);
    std::mt19937_64 random(own);
    operands.push_back(domain == text.domains.end() ? RandomTensor(dtype, d.shape, own)
                                                    : Drawn(dtype, d.shape, domain->second, &random));
  }
  return operands;
}

}  // namespace rowtest
