// The argument block of a kernel (device/cuda/kernel/arguments.h), as far as it is known before an execute.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/problem.h"

namespace tileops::cuda {

// Where a view's address comes from at execute time.
struct ViewSource {
  ViewKind kind = ViewKind::input;
  int slot = 0;
  int64_t offset = 0;       // bytes; of index views the value at the origin
  uint64_t misaligned = 0;  // address bits that must be 0 for vector access; 0: no vector access
  bool scalar = false;      // one element: may come from host memory
  uint32_t size = 0;        // bytes of an element
  bool packed = false;      // offset, strides and the address count half bytes
};

// A word of the argument block that is a number of each execute.
struct NumberSource {
  int word, number;
};

// A word of the argument block that depends on open extents: the extent itself, added to the word or to its upper half;
// what coordinates of 32 or 64 bits are divided by (three words); or how many positions there are.
struct OpenWord {
  enum class As : uint8_t { number, upper_half, divisor, divisor64, positions };
  int word;
  As as;
  Extent extent;
};

// The argument block without addresses, numbers and open words, and what these are made of.
struct Arguments {
  std::vector<uint64_t> words;
  std::vector<ViewSource> views;
  std::vector<NumberSource> numbers;
  std::vector<OpenWord> open;

  // Sets a word, or what will be at an execute where the extent is open: to a number, which several may agree on, as
  // views that share their strides do; to as much in its upper half beside what is there; to the product of several;
  // and three words to what coordinates are divided by.
  void set(int word, const Extent& e);
  void add_upper_half(int word, const Extent& e);
  void set_product(int word, const std::vector<Extent>& factors);
  void set_divisor(int word, const Extent& e, bool index64);
  // Sets the open words of a block. `positions`: what the product is.
  void complete(const int64_t* extents, uint64_t positions, uint64_t* block) const;
};

}  // namespace tileops::cuda
