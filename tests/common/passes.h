// Passes of several steps, built line by line, for tests that need no text of an expression.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "problem/problem.h"

namespace tileops::passes {

using Shape = std::vector<Extent>;

inline View view_of(ViewKind kind, int slot, Dtype dtype, std::vector<Extent> strides) {
  View v;
  v.kind = kind;
  v.slot = slot;
  v.dtype = dtype;
  v.strides = std::move(strides);
  return v;
}

// Strides in bytes, row by row.
inline std::vector<Extent> dense(const Shape& shape, Dtype dtype) {
  std::vector<Extent> strides(shape.size());
  int64_t step = static_cast<int64_t>(dtype_size(dtype));
  for (size_t d = shape.size(); d-- > 0; step *= shape[d]) strides[d] = step;
  return strides;
}

inline const BodyInfo& body_named(tileops_op op, const std::string& name) {
  for (const BodyInfo& b : bodies_of(op))
    if (b.name == name) return b;
  return bodies_of(op).front();
}

struct Builder {
  Shape shape;
  Pass pass;
  size_t num_numbers = 0;

  explicit Builder(Shape s) : shape(std::move(s)) { pass.extents = shape; }

  Value load(int slot, Dtype dtype) { return load(slot, dtype, dense(shape, dtype)); }
  Value load(int slot, Dtype dtype, std::vector<Extent> strides) {
    return add(view_of(ViewKind::input, slot, dtype, std::move(strides)));
  }
  // A number of each execute: f64, i64 or bool.
  Value number(int slot, Dtype dtype) {
    num_numbers = std::max(num_numbers, static_cast<size_t>(slot) + 1);
    return add(view_of(ViewKind::number, slot, dtype, std::vector<Extent>(shape.size(), 0)));
  }
  // The position along a dimension.
  Value index(size_t dim) {
    std::vector<Extent> strides(shape.size(), 0);
    strides[dim] = 1;
    return add(view_of(ViewKind::index, 0, Dtype::i64, std::move(strides)));
  }
  Value apply(tileops_op op, std::vector<Value> arguments, std::vector<AttrValue> attrs = {},
              Ctype ctype = Ctype::f32) {
    return apply(bodies_of(op).front(), std::move(arguments), std::move(attrs), ctype);
  }
  Value apply(const BodyInfo& body, std::vector<Value> arguments, std::vector<AttrValue> attrs = {},
              Ctype ctype = Ctype::f32) {
    Step step;
    step.body = &body;
    step.ctype = ctype;
    step.attrs = std::move(attrs);
    step.arguments = std::move(arguments);
    return add(std::move(step));
  }
  Value convert(Value value, Dtype to, Fp8Mode fp8 = Fp8Mode::saturate) {
    Step step;
    step.to = to;
    step.fp8 = fp8;
    step.ctype = compute_type(to);
    step.arguments = {value};
    return add(std::move(step));
  }
  // One value of all along the innermost `rank` extents of blocks, or of groups in them.
  Value reduce(Reduction by, Value value, size_t rank, Ctype ctype = Ctype::f32, bool low_parts = false,
               bool in_columns = false) {
    Step step;
    step.reduction = by;
    step.ctype = ctype;
    step.arguments = {value};
    step.rank = rank;
    step.low_parts = low_parts;
    step.in_columns = in_columns;
    pass.row_rank = std::max(pass.row_rank, rank);
    return add(std::move(step));
  }
  // Of each element, what those up to it in its block come to, or those before it.
  Value scan(Reduction by, Value value, bool exclusive, Ctype ctype = Ctype::f32, bool low_parts = false,
             bool in_columns = false) {
    const Value v = reduce(by, value, pass.row_rank, ctype, low_parts, in_columns);
    pass.steps.back().scans = true;
    pass.steps.back().exclusive = exclusive;
    return v;
  }
  void store(int slot, Dtype dtype, Value value) { store(slot, dtype, value, dense(shape, dtype)); }
  void store(int slot, Dtype dtype, Value value, std::vector<Extent> strides, Fp8Mode fp8 = Fp8Mode::saturate) {
    View v = view_of(ViewKind::output, slot, dtype, std::move(strides));
    v.fp8 = fp8;
    pass.stores.push_back(std::move(v));
    pass.stored.push_back(value);
  }
  Problem problem(uint32_t flags = 0) const {
    Problem p;
    p.name = "expression";
    p.flags = flags;
    p.num_numbers = num_numbers;
    p.passes = {pass};
    return p;
  }

 private:
  Value add(View view) {
    pass.loads.push_back(std::move(view));
    return {Value::Kind::load, static_cast<int>(pass.loads.size()) - 1, 0};
  }
  Value add(Step step) {
    pass.steps.push_back(std::move(step));
    return {Value::Kind::step, static_cast<int>(pass.steps.size()) - 1, 0};
  }
};

}  // namespace tileops::passes
