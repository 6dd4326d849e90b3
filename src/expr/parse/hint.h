// What may be meant by a name that no function has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tileops::expr {

// What others call it (words.def).
struct Word {
  const char *word, *what;
  bool is_sign;
};
extern const Word kWords[];
extern const size_t kNumWords;

// "is 'maximum' meant?", "write x ** 2"; "" where nothing is known and no name of a function or text is close.
std::string hint_for(std::string_view name);

// As hint_for, of the words that other languages have in the place of a sign (`and`); "" for all others.
std::string hint_for_word(std::string_view word);

}  // namespace tileops::expr
