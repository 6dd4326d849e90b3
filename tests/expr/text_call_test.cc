// Texts that have a name, called as functions: a call is the text written out.
#include <algorithm>
#include <cctype>
#include <set>

#include "expr/nodes/builder.h"
#include "expr/parse/hint.h"
#include "expr/parse/named.h"
#include "expr_test.h"

namespace tileops::expr {
namespace {

// "(x, weight = 1; eps = 1e-6)", as the canonical text has it: what stands before the arrow.
std::string signature_of(const Graph& text) { return text.text.substr(0, text.text.find(" -> ")); }

std::string list(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

std::vector<std::string> parameters_of(const Graph& text) {
  std::vector<std::string> names;
  for (const Operand& o : text.operands) names.push_back(o.name);
  for (const Scalar& s : text.scalars) names.push_back(s.name);
  return names;
}

std::shared_ptr<const Graph> named_at(size_t i) { return find_named(kNamed[i].name); }

// The same without what it says of shapes.
std::string without_brackets(std::string text) {
  for (size_t open; (open = text.find('[')) != std::string::npos;) text.erase(open, text.find(']') - open + 1);
  return text;
}

// Also of operands without shapes of their own, which get those of the text.
TEST(TextCall, OfItsOwnOperandsIsTheTextItself) {
  for (size_t i = 0; i < kNumNamed; ++i) {
    const std::shared_ptr<const Graph> text = named_at(i);
    const std::vector<std::string> names = parameters_of(*text);
    std::vector<std::string> by_name;
    for (const std::string& name : names) by_name.push_back(name + " = " + name);
    std::reverse(by_name.begin(), by_name.end());
    if (find_function(kNamed[i].name)) continue;  // FunctionsAndNamesAgree
    for (const std::string& signature : {signature_of(*text), without_brackets(signature_of(*text))})
      for (const std::string& arguments : {list(names), list(by_name)}) {
        const std::string call = signature + " -> " + kNamed[i].name + "(" + arguments + ")";
        SCOPED_TRACE(call);
        const std::shared_ptr<const Graph> called = parse(call);
        EXPECT_EQ(difference(*text, *called), "");
        EXPECT_EQ(text->text, called->text);
      }
  }
}

// What is left out is the default, as if the text had it as a constant.
TEST(TextCall, WithoutOptionalArguments) {
  const auto same = [](const char* call, const char* text) { EXPECT_EQ(canonical(call), canonical(text)) << call; };
  same("(x) -> softmax(x)", find_named("softmax")->text.c_str());
  same("(x) -> rms_norm(x)", "(x[.., n]) -> x * rsqrt(mean(1.0 * x * x) + 1e-6)  * 1");
  same("(x, w) -> rms_norm(x, w)", "(x[.., n], w[n]) -> x * rsqrt(mean(1.0 * x * x) + 1e-6) * w");
  same("(x, w) -> rms_norm(x, w, 1e-5)", "(x[.., n], w[n]) -> x * rsqrt(mean(1.0 * x * x) + 1e-5) * w");
  same("(x) -> rms_norm(x, eps = 1)", "(x[.., n]) -> x * rsqrt(mean(1.0 * x * x) + 1.0) * 1");
  same("(x; e = 0.5) -> rms_norm(x, eps = e * 2)", "(x[.., n]; e = 0.5) -> x * rsqrt(mean(1.0 * x * x) + e * 2) * 1");
  same("(x; e = 1) -> rms_norm(x, eps = e)", "(x[.., n]; e = 1) -> x * rsqrt(mean(1.0 * x * x) + e * 1.0) * 1");
  same("(x) -> rms_norm(x, eps = 1 / extent(x, -1))",
       "(x[.., n]) -> x * rsqrt(mean(1.0 * x * x) + 1 / extent(x, -1)) * 1");
  same("(x) -> causal_masked(x, past = 3.0)",
       "(x[.., q, k]) -> where(index(x, -1) <= index(x, -2) + 3, x * 1.0, -inf)");
  same("(x, w = 2) -> rms_norm(x, w)", "(x[.., n], w[n] = 2) -> x * rsqrt(mean(1.0 * x * x) + 1e-6) * w");
}

// Of values that are computed, wherever a value may stand.
TEST(TextCall, OfComputedValues) {
  for (size_t i = 0; i < kNumNamed; ++i) {
    const std::shared_ptr<const Graph> text = named_at(i);
    if (find_function(kNamed[i].name)) continue;
    std::vector<std::string> names = parameters_of(*text);
    for (std::string& name : names) name = name + " + " + name;
    const std::string call = signature_of(*text) + " -> " + kNamed[i].name + "(" + list(names) + ")";
    SCOPED_TRACE(call);
    expect_round_trip(*parse(call));
  }
  EXPECT_EQ(
      canonical("(x, r, w) -> rms_norm_llama(x + r, w) + 1"),
      "(x, r, w[n]) -> { t0[.., n] = x + r; t1 = 1.0 * t0; cast(t1 * rsqrt(mean(t1 * t1) + 1e-06), t1) * w + 1 }");
  // The dtype of a value by its name: dtypes come first, and a result of such a name is not in the way.
  EXPECT_EQ(canonical("(x, y) -> { h = x + y; cast(x, h), cast(y, f32) }"),
            "(x, y) -> { t0 = x + y; cast(x, t0), cast(y, f32) }");
  EXPECT_EQ(canonical("(x, y) -> { h = x + y; bf16 = h; cast(x, h), bf16 }"),
            "(x, y) -> { t0 = x + y; bf16 = t0; cast(x, t0), bf16 }");
}

TEST(TextCall, OfSeveralResults) {
  const std::string h = "h * rsqrt(mean(h * h) + 1e-6) * w";
  const auto same = [](const std::string& call, const std::string& text) {
    EXPECT_EQ(canonical(call), canonical(text)) << call;
    expect_round_trip(*parse(call));
  };
  same("(x, r, w) -> add_rms_norm(x, r, w)", "(x[..b, n], r[..b, n], w[n]) -> { h = 1.0 * x + r; " + h + ", h }");
  same("(x, r, w) -> { add_rms_norm(x, r, w); }", "(x[..b, n], r[..b, n], w[n]) -> { h = 1.0 * x + r; " + h + ", h }");
  same("(x, r, w) -> { y, s = add_rms_norm(x, r, w); y, s }",
       "(x[..b, n], r[..b, n], w[n]) -> { h = 1.0 * x + r; y = " + h + "; s = h; y, s }");
  same("(x, r, w) -> { y, _ = add_rms_norm(x, r, w); y * 2 }",
       "(x[..b, n], r[..b, n], w[n]) -> { h = 1.0 * x + r; " + h + " * 2 }");
  same("(x, r, w) -> { _, _ = add_rms_norm(x, r, w); x }", "(x[..b, n], r[..b, n], w[n]) -> x");
  // A name of the called text that is another value's here is not taken.
  same("(x, h, w) -> add_rms_norm(x, h, w)",
       "(x[..b, n], h[..b, n], w[n]) -> { t = 1.0 * x + h; t * rsqrt(mean(t * t) + 1e-6) * w, (t) }");
  same("(x) -> { q, s = int8_token(silu(x)); q, s }", "(x) -> { v = silu(x); q, s = int8_token(v); q, s }");
  // `_` alone is a name as any other, and a list of names is no statement.
  same("(x) -> { _ = x + 1; a = x; _ * 2, a }", "(x) -> { b = x + 1; a = x; b * 2, a }");
}

TEST(TextCall, HasResultsThatStandAlone) {
  expect_round_trip(*parse("(x) -> { q, s = mxfp8_tiled(x); q, s }"));
  expect_round_trip(*parse("(k, v, slot) -> kv_scatter(k * 2, v, slot)"));
  EXPECT_EQ(canonical("(x) -> { q, s = mxfp8_tiled(x); q, s + 1 }"),
            "! text: byte 35: add: argument 1 is a tiled, which is for results alone");
}

// A name of the table that is a function's too means the same.
TEST(TextCall, FunctionsAndNamesAgree) {
  int both = 0;
  for (size_t i = 0; i < kNumNamed; ++i) {
    const Function* f = find_function(kNamed[i].name);
    if (!f) continue;
    ++both;
    const std::shared_ptr<const Graph> text = named_at(i);
    const std::string call = signature_of(*text) + " -> " + f->name + "(" + list(parameters_of(*text)) + ")";
    EXPECT_EQ(text->text, canonical(call)) << "'" << f->name << "' is a function and a name, of two meanings";
  }
  EXPECT_GE(both, 2);  // logsumexp, cumsum
}

// A word that is here itself, or twice in the table, would never be looked up.
TEST(TextCall, HintsAreOfOtherWords) {
  std::set<std::string> words;
  for (size_t i = 0; i < kNumWords; ++i) {
    const std::string word = kWords[i].word;
    EXPECT_FALSE(find_function(word) || find_named(word)) << word;
    std::string spelled;
    for (const char c : word)
      if (c != '_') spelled += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    EXPECT_TRUE(words.insert(spelled).second) << word;
  }
}

// What other libraries' words are told to be is there.
TEST(TextCall, HintsAreOfWhatThereIs) {
  for (size_t i = 0; i < kNumWords; ++i) {
    const std::string what = kWords[i].what ? kWords[i].what : "";
    if (!what.empty() && what.find(' ') == std::string::npos) {
      EXPECT_TRUE(find_function(what) || find_named(what)) << kWords[i].word << ": " << what;
    }
    for (size_t at = 0; (at = what.find("is '", at)) != std::string::npos; at += 4) {
      const std::string name = what.substr(at + 4, what.find('\'', at + 4) - at - 4);
      EXPECT_TRUE(find_function(name) || find_named(name)) << kWords[i].word << ": " << name;
    }
  }
  EXPECT_EQ(canonical("(x) -> LayerNorm(x)"),
            "! text: byte 7: there is no function 'LayerNorm'; is 'layer_norm' meant?");
  EXPECT_EQ(canonical("(x) -> ggml_soft_max(x)"),
            "! text: byte 7: there is no function 'ggml_soft_max'; is 'softmax' meant?");
  EXPECT_EQ(canonical("(x) -> ReduceLogSumExp(x)"),
            "! text: byte 7: there is no function 'ReduceLogSumExp'; is 'logsumexp' meant?");
  EXPECT_EQ(canonical("(x) -> rms_nrom(x)"), "! text: byte 7: there is no function 'rms_nrom'; is 'rms_norm' meant?");
}

// Limits are those of any text: calls nest as parentheses do, and count as what is written out.
TEST(TextCall, KeepsTheLimits) {
  const auto nested = [](int depth) {
    std::string text = "x";
    for (int i = 0; i < depth; ++i) text = "softmax(" + text + ")";
    return canonical("(x) -> " + text);
  };
  EXPECT_EQ(nested(36).find("! "), std::string::npos) << nested(36);
  EXPECT_NE(nested(60).find("an expression has at most 256 nodes"), std::string::npos) << nested(60);
  EXPECT_NE(nested(101).find("nested deeper than 100"), std::string::npos) << nested(101);
  std::string sum = "(x) -> { y = x * 2; _, _ = add_rms_norm(x, y)";
  for (int i = 0; i < 2000; ++i) sum += "; t" + std::to_string(i) + " = softmax(x + " + std::to_string(i) + ")";
  EXPECT_NE(canonical(sum + "; y }").find("an expression has at most 256 nodes, and 4096"), std::string::npos);
}

TEST(TextCall, OfTheBuilder) {
  const std::shared_ptr<const Graph> text = parse("(a, b = 2; s = 1.0, n = 3) -> { h = a * b; h + s, h * n }");
  Builder builder;
  const NodeHandle x = builder.operand("x");
  std::vector<NodeHandle> results = builder.text(*text, "expr", {{x}});
  ASSERT_EQ(results.size(), 2u);
  builder.result(results[1]);
  results = builder.text(*text, "expr", {{x}, {x}, {builder.scalar("t", Number::of(0.5))}});
  builder.result(results[0], "z");
  EXPECT_EQ(builder.finish()->text, canonical("(x; t = 0.5) -> { z = x * x + t; x * 2 * 3, z }"));
}

}  // namespace
}  // namespace tileops::expr
