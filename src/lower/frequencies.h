// Rotary frequencies, as 64-bit fixed-point turns per position.
#pragma once

#include "problem/problem.h"

namespace tileops {

// A plan holds one 8-byte constant for each head or pair of columns: throws if there would be more
// than 2^24 of them.
void require_table_size(const char* what, int64_t extent);

// Throws unless the attributes of a rope operator are such that it has frequencies.
void check_frequencies(const Call& r);

struct Frequencies {
  std::vector<uint64_t> turns;  // f_i / (2 pi) * 2^64, for i < dim/2
  double amplitude = 1.0;       // multiplies cos and sin
};

// The frequencies that a rope operator's attributes say, for a rotary dimension: f_i = base^(-2i/dim), then the
// operator's scaling.
Frequencies rope_frequencies(const Call& r, int64_t dim);

// base^(-2i/dim) unscaled, for i < (dim+1)/2.
std::vector<uint64_t> plain_turns(double base, int64_t dim);

}  // namespace tileops
