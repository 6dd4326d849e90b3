#include "pack/operands.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/split.h"

namespace tileops::cuda {
namespace {

struct Letter {
  char letter;
  std::vector<std::string> values;
};
const std::vector<Letter>& letters() {
  static const auto* list = new std::vector<Letter>{
      {'N', {"1", "8", "4096", "32768"}},
      {'B', {"1", "4"}},
      {'I', {"int32", "int64"}},
      {'R', {"1", "256", "4096"}},
      {'V', {"1", "2", "8", "32", "256"}},
      {'L', {"128", "256", "512", "1024", "2048", "4096", "8192", "16384"}},
      {'W', {"1024", "2048", "4096", "8192", "16384"}},
      {'M', {"2560", "2880", "3072", "3584", "5120", "6144", "7168"}}};
  return *list;
}

// The text once for each value of each letter that it has.
std::vector<std::string> with_values(std::string_view text) {
  std::vector<std::string> texts{std::string(text)};
  for (const Letter& l : letters()) {
    if (text.find(l.letter) == std::string_view::npos) continue;
    std::vector<std::string> more;
    for (const std::string& before : texts) {
      for (const std::string& value : l.values) {
        std::string after;
        for (const char c : before) after += c == l.letter ? value : std::string(1, c);
        more.push_back(after);
      }
    }
    texts = std::move(more);
  }
  return texts;
}

[[noreturn]] void refuse(std::string_view word) {
  fail(TILEOPS_STATUS_INTERNAL, "standard.def: '%s' is no operand", std::string(word).c_str());
}

// "8*4096"
int64_t extent_of(std::string_view text, std::string_view word) {
  int64_t product = 1;
  for (const std::string_view factor : split(text, '*')) {
    int64_t n = 0;
    const auto [end, error] = std::from_chars(factor.data(), factor.data() + factor.size(), n);
    if (error != std::errc() || end != factor.data() + factor.size()) refuse(word);
    product *= n;
  }
  return product;
}

// "weight:float32[8,128]^T"
OperandWord read_word(std::string_view word) {
  OperandWord operand;
  std::string_view rest = word;
  if (const size_t colon = rest.find(':'); colon != std::string_view::npos) {
    operand.name = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
  }
  const size_t begin = rest.find('['), end = rest.find(']');
  if (begin == std::string_view::npos || end == std::string_view::npos) refuse(word);
  if (begin > 0 && !dtype_from_name(std::string(rest.substr(0, begin)), &operand.dtype.emplace())) refuse(word);
  if (const std::string_view dims = rest.substr(begin + 1, end - begin - 1); !dims.empty())
    for (const std::string_view dim : split(dims, ',')) operand.shape.push_back(extent_of(dim, word));
  if (const std::string_view mark = rest.substr(end + 1); !mark.empty()) {
    if (mark != "^T" || operand.shape.size() != 2) refuse(word);
    operand.strides = {1, operand.shape[0]};
  }
  return operand;
}

}  // namespace

const OperandWord* Operands::find(size_t i, std::string_view name) const {
  for (const OperandWord& w : named)
    if (w.name == name) return &w;
  return placed.empty() ? nullptr : &placed[std::min(i, placed.size() - 1)];
}

std::vector<Operands> read_operands(std::string_view text) {
  std::vector<Operands> all;
  for (const std::string& one : with_values(text)) {
    Operands operands;
    bool is_result = false;
    for (const std::string_view word : split(one, ' ')) {
      if (word == "->") {
        is_result = true;
        continue;
      }
      OperandWord operand = read_word(word);
      if (is_result) operands.result = operand.shape;
      else (operand.name.empty() ? operands.placed : operands.named).push_back(operand);
    }
    if (!is_result && !operands.placed.empty()) operands.result = operands.placed[0].shape;
    all.push_back(std::move(operands));
  }
  return all;
}

}  // namespace tileops::cuda
