// Kernels of lists: which words of the argument block are an item's own, and how many items a launch has.
#include <algorithm>

#include "base/error.h"
#include "cuda/select/stages.h"

namespace tileops::cuda {
namespace {

std::vector<int> own_words_of(const Problem& problem, const Arguments& arguments) {
  using At = ArgumentLayout;
  std::vector<int> words;
  for (const OpenWord& o : arguments.open) {
    const bool divides = o.as == OpenWord::As::divisor || o.as == OpenWord::As::divisor64;
    for (int i = 0; i < (divides ? 3 : 1); ++i) words.push_back(o.word + i);
  }
  const auto differs = [&](int number) {
    return problem.numbers && problem.numbers->source_of(static_cast<size_t>(number)).of_extents;
  };
  for (const NumberSource& n : arguments.numbers)
    if (differs(n.number)) words.push_back(n.word);
  for (size_t v = 0; v < arguments.views.size(); ++v) {
    const ViewSource& view = arguments.views[v];
    const bool own = view.kind == ViewKind::input || view.kind == ViewKind::output ||
                     view.kind == ViewKind::temporary || (view.kind == ViewKind::number && differs(view.slot));
    if (own) words.push_back(At::address + static_cast<int>(v));
    if (own && view.misaligned) words.push_back(At::unaligned);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace

std::optional<ListSpec> list_of(const Problem& problem, const Arguments& arguments, const ChooseOptions& options) {
  if (!(problem.flags & TILEOPS_PLAN_LIST)) return std::nullopt;
  ListSpec list;
  list.own_words = own_words_of(problem, arguments);
  // The parameter, list_arguments in kernels/core/list.h, has one word for first_block, the words that all items share,
  // and the number of items; then, for each item, its first block and its own words.
  const size_t common = 1 + arguments.words.size() + 1, each = 1 + list.own_words.size();
  const size_t room = static_cast<size_t>(options.argument_bytes) / sizeof(uint64_t);
  if (room < common + each)
    unsupported("flags: an item of a list is %zu bytes of a kernel's arguments, beside %zu for all (at most %d on this "
                "device with this driver)",
                8 * each, 8 * common, options.argument_bytes);
  list.capacity = static_cast<int>((room - common) / each);
  return list;
}

}  // namespace tileops::cuda
