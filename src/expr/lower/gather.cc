// Values: elements that lie where indices say.
#include <algorithm>

#include "base/error.h"
#include "expr/graph/axes.h"
#include "expr/lower/values.h"
#include "lower/common.h"

namespace tileops::expr {

Value Values::index_of(int i) {
  const Value v = type(i).number ? loads_->number(i, Ctype::i64) : of(i);
  return convert(v, Dtype::i64, Fp8Mode::nonsaturating);
}

Value Values::index_if(int mask) {
  const auto [at, is_new] = masks_.try_emplace(mask);
  if (is_new) {
    const Value outside = apply_plainly(TILEOPS_OP_LOGICAL_NOT, Ctype::boolean, {of(mask)});
    at->second = convert(outside, Dtype::i64, Fp8Mode::nonsaturating);
  }
  return at->second;
}

// Memory that has a value, in its own dimensions: an operand's, or what another pass has left.
View Values::readable(int i, std::vector<Extent>* shape) const {
  if (is_view(*inference_.graph, i)) return loads_->operand_view(i, shape);
  if (is_slice(node(i)) && !is_left_to(split_, i, pass_)) {
    View v = readable(node(i).arguments[0].node, shape);
    take_part(node(i), &v, shape);
    return v;
  }
  if (!is_left_to(split_, i, pass_)) unsupported("expr: a value is gathered in the pass that makes it: not yet");
  *shape = shape_of(inference_, i);
  return split_.left[i];
}

Value Values::gather(int i) {
  const Node& n = node(i);
  std::vector<Extent> shape;
  View v = readable(n.arguments[0].node, &shape);
  const size_t rank = static_cast<size_t>(type(i).spec.ndim);
  size_t index = 1;
  for (const AlongAxis& a : along(n, type(i).spec.ndim)) {
    const size_t axis = rank - static_cast<size_t>(a.dim);  // from the end
    // A tensor of one element has every axis.
    if (axis > shape.size()) {
      v.indices.push_back({index_of(n.arguments[index++].node), 0, 1});
      continue;
    }
    const size_t d = shape.size() - axis;
    v.indices.push_back({index_of(n.arguments[index++].node), v.strides[d], shape[d]});
    v.strides[d] = 0;
    shape[d] = 1;
  }
  return loads_->add(loads_->frame().place(std::move(v), shape), compute_type(type(i).spec.dtype));
}

// Element (m, k, a, b, c) of tiles of 128 rows is row 128 m + 32 b + a, column 4 k + c; of those of 8 rows, where there
// is no b, row 8 m + a. What is beyond the value is 0.
Value Values::tiled(int i) {
  const Node& n = node(i);
  std::vector<Extent> shape;
  View v = readable(n.arguments[0].node, &shape);
  const std::vector<Extent> all = shape_of(inference_, i);
  const size_t lead = shape.size() - 2, rank = all.size();
  const bool large = rank == lead + 5;
  std::vector<Extent> row(rank), column(rank), own(all.size(), 1);
  row[lead] = large ? Extent(128) : all[lead + 2];
  row[lead + 2] = 1;
  if (large) row[lead + 3] = 32;
  column[lead + 1] = 4;
  column[rank - 1] = 1;
  const auto index = [&](std::vector<Extent> strides) {
    const Value at = loads_->add(loads_->frame().place(index_view(0, std::move(strides)), all), Ctype::i64);
    return convert(at, Dtype::i64, Fp8Mode::nonsaturating);
  };
  v.indices = {{index(row), v.strides[lead], shape[lead]}, {index(column), v.strides[lead + 1], shape[lead + 1]}};
  v.zero_outside = true;
  v.strides.resize(lead);
  v.strides.resize(rank);
  std::copy_n(shape.begin(), lead, own.begin());
  return loads_->add(loads_->frame().place(std::move(v), own), compute_type(type(i).spec.dtype));
}

}  // namespace tileops::expr
