// What a node is that makes one value of many, or of those up to each element.
#pragma once

#include "expr/frame/frame.h"
#include "expr/infer/infer.h"

namespace tileops::expr {

struct Reduced {
  Reduction by = Reduction::sum;
  bool mean = false;        // a sum, divided by the number of elements
  Blocking over;            // of axes of its operand
  bool in_halves = false;   // of integers of 64 bits, whose sum does not wrap: their halves are summed
  double correction = 0;    // of a variance: what is taken from the number
  Ctype type = Ctype::f32;  // that it is computed in
  // Of scans: from the last element to the first; without the element itself.
  bool reverse = false, exclusive = false;
};

// Does the node make one value of many? A reduction does, and a sum_to unless x has y's shape; but not one along axes
// of one element (takes_one_element).
bool is_reduction(const Inference& inference, int node);
bool is_scan(const Inference& inference, int node);
// By the place of the largest or smallest one?
bool asks_place(const Reduced& r);
// Is it a reduction or scan along axes that have one element? What the element comes to alone needs no pass of rows.
bool takes_one_element(const Inference& inference, int node);
// Does a gather take the one element that is there, by the place of the largest or smallest one? It is the value.
bool gathers_only_element(const Inference& inference, int node);
// What a reduction or scan does, also where it takes a single element.
Reduced reduced(const Inference& inference, int node);

// The shape of a node's operand or of a node that is no number.
std::vector<Extent> shape_of(const Inference& inference, int node);

// Axes that a node cuts into groups: of a grouped reduction or scan, or of what brings groups back.
std::map<int, int64_t> cuts_of(const Inference& inference, int node);

// Which float sums carry low parts along: those that a result of 32 bits or more is made of, and those that are
// subtracted from what they were made of. By node.
std::vector<bool> sums_with_low_parts(const Inference& inference, const std::vector<TensorSpec>& results);

// By node: a mean or logsumexp of which what its rounding took is subtracted as well, as in x - mean(x), or what brings
// such a value back. Not of a mean where x and the results have 16 bits or fewer: its 24 bits are many more there. A
// logsumexp may be large beside what is left of it.
std::vector<bool> values_with_rests(const Inference& inference, const std::vector<TensorSpec>& results,
                                    const std::vector<bool>& low_parts);

}  // namespace tileops::expr
