// In place: whether a problem keeps what the text of an expression promises, that a result may be written over an
// operand. It is asked of the problem of row-major tensors; those of another layout, which both then have, are passed
// over alike.
//
// What is relied on, and executors of both backends keep:
//   - Passes run one after the other. The elements of a pass, or its blocks, are in any order and several at once.
//   - An element of a pass without blocks is loaded whole before anything is stored of it.
//   - A block's stages come one after the other. An element that is made of what whole blocks are reduced to is stored
//     when that is there, and so is what blocks come to; whatever else results are made of may be loaded again, element
//     by element, before that element is stored. What is stored at one place of the block is stored together, after all
//     that is loaded for it.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/problem.h"

namespace tileops {

// `pairs` says which operands a result may be written over: by result, bit i for operand i. Returns those pairs in
// which an element of the operand may be loaded after the result was stored where that element lies.
std::vector<uint32_t> loaded_after_stored(const Problem& problem, const std::vector<uint32_t>& pairs);

}  // namespace tileops
