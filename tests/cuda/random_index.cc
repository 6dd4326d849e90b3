#include "random_index.h"

#include <utility>

namespace tileops::passes {
namespace {

uint64_t below(std::mt19937_64* random, uint64_t n) { return (*random)() % n; }

// The position along an extent, and a little more, or less.
Value position(RandomPass* pass, size_t dim, int64_t more) {
  const Value v = pass->builder.index(dim);
  pass->builder.pass.loads.back().offset = more;
  return pass->builder.convert(v, Dtype::i64);
}

// An extent along which a view changes; the number of extents if there is none.
size_t own_extent(const View& v, size_t first) {
  const size_t all = v.strides.size();
  for (size_t i = 0; i < all; ++i)
    if (v.strides[(first + i) % all] != 0) return (first + i) % all;
  return all;
}

}  // namespace

Value random_index(RandomPass* pass, std::mt19937_64* random, size_t dims, int64_t extent) {
  Builder& b = pass->builder;
  const size_t dim = dims > 0 ? below(random, dims) : 0;
  if (dims > 0 && b.shape[dim] <= extent && below(random, 3) == 0)
    return position(pass, dim, static_cast<int64_t>(below(random, 8) == 0));
  const Dtype dtype = below(random, 2) ? Dtype::i64 : Dtype::i32;
  const int64_t size = static_cast<int64_t>(dtype_size(dtype));
  std::vector<Extent> strides(b.shape.size());
  int64_t bytes = size;
  for (size_t d = dims; d-- > 0;) {
    if (below(random, 3) == 0) continue;
    strides[d] = bytes;
    bytes *= b.shape[d];
  }
  Bytes memory(static_cast<size_t>(bytes));
  for (size_t at = 0; at < memory.size(); at += static_cast<size_t>(size)) {
    int64_t id = static_cast<int64_t>(below(random, static_cast<uint64_t>(extent)));
    if (below(random, 40) == 0) id = below(random, 2) ? -1 : extent;
    put_number(dtype, static_cast<double>(id), &memory[at]);
  }
  const Value v = b.load(static_cast<int>(pass->inputs.size()), dtype, strides);
  pass->inputs.push_back(std::move(memory));
  return b.convert(v, Dtype::i64);
}

void gather_at_random(RandomPass* pass, std::mt19937_64* random, size_t dims, View* load, int64_t* bytes) {
  for (uint64_t n = 1 + (below(random, 4) == 0); n > 0; --n) {
    const size_t own = own_extent(*load, below(random, load->strides.size()));
    View::Index index;
    if (own < load->strides.size() && below(random, 2)) {
      index.stride = std::exchange(load->strides[own], 0);
      index.extent = pass->builder.shape[own];
    } else {
      constexpr int64_t arrays[] = {1, 2, 5, 20};
      index.stride = *bytes;
      index.extent = arrays[below(random, 4)];
      *bytes *= index.extent;
    }
    index.value = random_index(pass, random, dims, index.extent);
    load->indices.push_back(index);
  }
  load->zero_outside = below(random, 2) == 0;
}

void scatter_at_random(RandomPass* pass, std::mt19937_64* random, View* store) {
  const size_t own = own_extent(*store, below(random, store->strides.size()));
  if (own == store->strides.size()) return;
  View::Index index;
  index.stride = std::exchange(store->strides[own], 0);
  index.extent = pass->builder.shape[own];
  index.value = position(pass, own, static_cast<int64_t>(below(random, 3)) - 1);
  store->indices.push_back(index);
}

}  // namespace tileops::passes
