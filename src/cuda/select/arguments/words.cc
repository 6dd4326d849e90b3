// Words of the argument block, which are numbers or wait for an execute's open extents.
#include <algorithm>

#include "cuda/select/arguments/arguments.h"

namespace tileops::cuda {
namespace {

// n / d for all n < 2^31 as (umulhi32(n, magic) + n) >> shift; n < 2^63 with 64-bit words if index64. words: magic,
// shift, d.
void write_divisor(uint64_t d, bool index64, uint64_t* words) {
  d = std::max<uint64_t>(d, 1);  // of an extent of 0, where nothing lies that could be counted
  uint64_t shift = 0;
  while ((uint64_t{1} << shift) < d) ++shift;
  using Wide = unsigned __int128;
  const int bits = index64 ? 64 : 32;
  const Wide excess = (Wide{1} << shift) - d;
  words[0] = static_cast<uint64_t>((excess << bits) / d) + 1;
  words[1] = shift;
  words[2] = d;
}

uint64_t bits_of(int64_t n) { return static_cast<uint64_t>(n); }

}  // namespace

void Arguments::set(int word, const Extent& e) {
  const auto is_set = [&](const OpenWord& o) { return o.word == word && o.as == OpenWord::As::number; };
  if (!e.is_open()) words[static_cast<size_t>(word)] = bits_of(e);
  else if (std::none_of(open.begin(), open.end(), is_set)) open.push_back({word, OpenWord::As::number, e});
}

void Arguments::add_upper_half(int word, const Extent& e) {
  if (e.is_open()) open.push_back({word, OpenWord::As::upper_half, e});
  else words[static_cast<size_t>(word)] += bits_of(e) << 32;
}

void Arguments::set_product(int word, const std::vector<Extent>& factors) {
  uint64_t n = 1;
  for (const Extent& e : factors) {
    if (e.is_open()) return open.push_back({word, OpenWord::As::positions, e});
    n *= bits_of(e);
  }
  words[static_cast<size_t>(word)] = n;
}

void Arguments::set_divisor(int word, const Extent& e, bool index64) {
  if (e.is_open()) open.push_back({word, index64 ? OpenWord::As::divisor64 : OpenWord::As::divisor, e});
  else write_divisor(bits_of(e), index64, words.data() + word);
}

void Arguments::complete(const int64_t* extents, uint64_t positions, uint64_t* block) const {
  for (const OpenWord& o : open) {
    const uint64_t n = bits_of(o.extent.at(extents));
    switch (o.as) {
      case OpenWord::As::number: block[o.word] += n; break;
      case OpenWord::As::upper_half: block[o.word] += n << 32; break;
      case OpenWord::As::positions: block[o.word] = positions; break;
      case OpenWord::As::divisor: write_divisor(n, false, block + o.word); break;
      case OpenWord::As::divisor64: write_divisor(n, true, block + o.word); break;
    }
  }
}

}  // namespace tileops::cuda
