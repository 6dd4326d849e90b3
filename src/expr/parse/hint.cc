#include "expr/parse/hint.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "expr/graph/function.h"
#include "expr/parse/named.h"

namespace tileops::expr {

const Word kWords[] = {
#define TILEOPS_WORD(word, what) {word, what, false},
#define TILEOPS_SIGN(word, what) {word, what, true},
#include "expr/parse/words.def"
#undef TILEOPS_SIGN
#undef TILEOPS_WORD
};
const size_t kNumWords = std::size(kWords);

namespace {

size_t distance(std::string_view a, std::string_view b) {  // Levenshtein's
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

// LayerNorm, layer_norm and ggml_layer_norm are one word.
std::string spelling(std::string_view word) {
  constexpr std::string_view prefix = "ggml_";
  if (word.substr(0, prefix.size()) == prefix) word.remove_prefix(prefix.size());
  std::string s;
  for (const char c : word)
    if (c != '_') s += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return s;
}

template <class F>
void each_name(F&& f) {
  for (const Function& function : function_table()) f(function.name);
  for (size_t i = 0; i < kNumNamed; ++i) f(kNamed[i].name);
}

std::string nearest(std::string_view name) {
  size_t least = 3;
  std::string found;
  if (name.size() > 32) return found;
  each_name([&](const char* known) {
    const size_t d = distance(name, known);
    if (d >= least || 2 * d >= name.size()) return;
    least = d;
    found = known;
  });
  return found;
}

std::string is_meant(const std::string& name) { return name.empty() ? "" : "is '" + name + "' meant?"; }

}  // namespace

std::string hint_for(std::string_view name) {
  std::string same;
  each_name([&](const char* known) {
    if (same.empty() && spelling(known) == spelling(name)) same = known;
  });
  if (!same.empty()) return is_meant(same);
  for (const Word& w : kWords) {
    if (spelling(w.word) != spelling(name)) continue;
    const std::string what = w.what ? w.what : "";
    return what.find(' ') == std::string::npos ? is_meant(what) : what;
  }
  return is_meant(nearest(name));
}

std::string hint_for_word(std::string_view word) {
  for (const Word& w : kWords)
    if (w.is_sign && word == w.word) return w.what;
  return "";
}

}  // namespace tileops::expr
