#include "random_rows.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "problem/rows/stages.h"
#include "random_index.h"

namespace tileops::passes {
namespace {

class RowGenerator {
 public:
  explicit RowGenerator(uint64_t seed) : random_(seed) {}

  RandomPass run() {
    choose_type();
    choose_shape();
    for (uint64_t n = 1 + below(3); n > 0; --n) add_input();
    if (is_float_) add_number();
    for (uint64_t n = 1 + below(4); n > 0; --n) {
      add_reduction();
      if (may_scan() && chance(20)) add_scan();
      if (chance(20)) add_input();
    }
    add_outputs();
    return std::move(r_);
  }

 private:
  uint64_t below(uint64_t n) { return random_() % n; }
  bool chance(uint64_t percent) { return below(100) < percent; }
  template <class T, size_t N>
  const T& one_of(const T (&list)[N]) {
    return list[below(N)];
  }
  Pass& pass() { return r_.builder.pass; }
  const Shape& shape() { return r_.builder.shape; }
  Value any_of(const std::vector<Value>& list) { return list[below(list.size())]; }

  void choose_type() {
    const uint64_t kind = below(10);
    type_ = kind < 7 ? Ctype::f32 : kind < 8 ? Ctype::f64 : Ctype::i64;
    is_float_ = is_floating(type_);
  }
  Dtype dtype() {
    constexpr Dtype f32[] = {Dtype::f32, Dtype::bf16, Dtype::f16}, i64[] = {Dtype::i64, Dtype::i32};
    return type_ == Ctype::f32 ? one_of(f32) : type_ == Ctype::f64 ? Dtype::f64 : one_of(i64);
  }

  // Blocks of one or two extents or of groups, of one element up to some thousands.
  void choose_shape() {
    constexpr int64_t rows[] = {1, 2, 3, 5, 17}, few[] = {1, 2, 3, 4, 7}, groups[] = {1, 2, 3, 8};
    constexpr int64_t lengths[] = {1,   2,   3,   7,   8,   31,   32,   33,   64,   100, 127,
                                   128, 256, 300, 512, 769, 1024, 1025, 2304, 4096, 4100};
    constexpr int64_t spans[] = {16, 32, 64, 128, 8, 256};
    Shape s;
    if (chance(70)) s.push_back(one_of(rows));
    if (chance(30)) s.push_back(one_of(few));
    block_rank_ = 1;
    Pass::ShortGroup cut;
    if (chance(35)) {  // groups in rows
      s.push_back(one_of(groups));
      s.push_back(one_of(spans));
      block_rank_ = 2;
      group_rank_ = 1;
      if (chance(15)) s.back() = 12, has_odd_groups_ = true;
      if (chance(15)) group_rank_ = 0, block_rank_ = 1;  // groups that are the blocks
      if (chance(50))
        cut = {s.size() - 2, s.size() - 1,
               s[s.size() - 2] * s.back() - static_cast<int64_t>(below(static_cast<uint64_t>(s.back())))};
    } else if (chance(30)) {
      s.push_back(one_of(few));
      s.push_back(std::min<int64_t>(one_of(lengths), 512));
      block_rank_ = 2;
    } else {
      s.push_back(one_of(lengths));
      if (chance(10)) s.back() = static_cast<int64_t>(4096 + below(16384));
    }
    in_columns_ = group_rank_ == 0 && chance(15);
    side_by_side_ = s.size() > block_rank_ && chance(20);
    if (side_by_side_) {
      constexpr int64_t columns[] = {2, 4, 5, 32, 64, 129};
      if (cut.limit == 0 || cut.group + 1 != s.size() - block_rank_) s[s.size() - block_rank_ - 1] = one_of(columns);
      in_columns_ = group_rank_ == 0 && chance(60);
    }
    r_.builder = Builder(s);
    pass().short_group = cut;
    pass().row_rank = block_rank_;
  }

  // Strides, in elements, along the first `dims` extents, some of them 0 in loads; the memory's elements.
  struct Places {
    std::vector<Extent> strides;
    int64_t elements = 1, first = 0;
  };
  Places places(size_t dims, bool is_store) {
    Places p;
    p.strides.assign(shape().size(), 0);
    std::vector<size_t> order(dims);
    for (size_t d = 0; d < dims; ++d) order[d] = d;
    const uint64_t kind = below(100);
    const size_t outer = shape().size() - block_rank_;
    if (side_by_side_ && kind < 60)
      std::rotate(order.begin() + static_cast<ptrdiff_t>(outer) - 1, order.begin() + static_cast<ptrdiff_t>(outer),
                  order.end());
    if (kind >= 60 && kind < 75) std::shuffle(order.begin(), order.end(), random_);
    int64_t step = kind >= 75 && kind < 80 ? 2 : 1;
    const bool padded = kind >= 80 && kind < 88, backwards = kind >= 88 && kind < 92 && dims > 0;
    if (kind >= 92 && kind < 96) p.first = 1 + static_cast<int64_t>(below(3));
    for (size_t i = dims; i-- > 0;) {
      const size_t d = order[i];
      if (!is_store && chance(10)) continue;
      p.strides[d] = step;
      step *= shape()[d];
      if (padded && i + 1 == dims) step = (step + 7) / 8 * 8 + 8;
    }
    p.elements = p.first + step;
    if (backwards && dims > 0) {
      const size_t d = dims - 1;
      p.first += p.strides[d] * (shape()[d] - 1);
      p.strides[d] = -p.strides[d];
    }
    return p;
  }

  void add_input() {
    const size_t outer = shape().size() - block_rank_;
    size_t dims = shape().size();
    if (!values_.empty() && chance(20)) dims = outer;
    else if (!values_.empty() && group_rank_ > 0 && chance(20)) dims = outer + 1;
    Places p = places(dims, false);
    if (!values_.empty() && chance(30))  // as a weight
      for (size_t d = 0; d < outer; ++d) p.strides[d] = 0;
    const Dtype t = dtype();
    const int64_t size = static_cast<int64_t>(dtype_size(t));
    View v = view_of(ViewKind::input, 0, t, p.strides);
    for (Extent& s : v.strides) s *= size;
    v.offset = p.first * size;
    int64_t bytes = p.elements * size;
    if (chance(25)) gather(dims, &v, &bytes);
    v.slot = static_cast<int>(r_.inputs.size());
    std::vector<double> numbers(static_cast<size_t>(bytes / size));
    const uint64_t kind = below(100);
    for (double& x : numbers) {
      x = std::uniform_real_distribution<double>(-2, 2)(random_);
      if (kind < 10) x = static_cast<double>(below(3)) - 1;
      if (kind >= 10 && kind < 15 && chance(1)) x = NAN;
      if (kind >= 15 && kind < 20) x *= 1e4;
      if (!is_float_) x = std::round(x * 100);
    }
    r_.inputs.push_back(elements_of(t, numbers));
    pass().loads.push_back(std::move(v));
    values_.push_back({Value::Kind::load, static_cast<int>(pass().loads.size()) - 1, 0});
  }

  // By an index of elements, groups or blocks, or by the place of an extreme.
  void gather(size_t dims, View* v, int64_t* bytes) {
    const size_t outer = shape().size() - block_rank_;
    if (chance(60)) dims = outer;
    else if (group_rank_ > 0 && chance(50)) dims = std::min(dims, outer + 1);
    gather_at_random(&r_, &random_, dims, v, bytes);
    for (const Value& place : reduced_)
      if (chance(50) && is_place(place)) v->indices[0].value = place;
  }
  bool is_place(const Value& v) {
    const Reduction r = pass().steps[static_cast<size_t>(v.index)].reduction;
    return r == Reduction::argmax || r == Reduction::argmin;
  }

  void add_number() {
    AttrValue n;
    n.f64 = 0.75;
    r_.numbers.push_back(n);
    const Value v = r_.builder.number(0, Dtype::f64);
    if (type_ == Ctype::f64) values_.push_back(v);
    else values_.push_back(r_.builder.convert(v, Dtype::f32));
  }

  Value combined() {
    constexpr tileops_op floats[] = {TILEOPS_OP_ADD, TILEOPS_OP_SUB, TILEOPS_OP_MUL},
                         integers[] = {TILEOPS_OP_ADD, TILEOPS_OP_MUL};
    Value v = any_of(values_);
    if (is_float_ && chance(20)) return r_.builder.apply(TILEOPS_OP_ABS, {v}, {}, type_);
    if (type_ == Ctype::f32 && chance(10)) return r_.builder.convert(v, Dtype::bf16);
    if (is_float_ && chance(10))
      return r_.builder.apply(TILEOPS_OP_EXP, {r_.builder.apply(TILEOPS_OP_SUB, {v, v}, {}, type_)}, {}, type_);
    const tileops_op op = is_float_ ? one_of(floats) : one_of(integers);
    return r_.builder.apply(body_of(op), {v, any_of(values_)}, {}, type_);
  }
  // The body without attributes.
  static const BodyInfo& body_of(tileops_op op) {
    return body_named(op, op == TILEOPS_OP_ADD ? "add" : op == TILEOPS_OP_SUB ? "sub" : "mul");
  }

  void add_reduction() {
    for (uint64_t n = below(3); n > 0; --n) values_.push_back(combined());
    constexpr Reduction floats[] = {Reduction::sum,        Reduction::sum,    Reduction::sum,   Reduction::prod,
                                    Reduction::amax,       Reduction::amin,   Reduction::first, Reduction::variance,
                                    Reduction::argmax,     Reduction::argmin, Reduction::any,   Reduction::all,
                                    Reduction::log_sum_exp},
                        integers[] = {Reduction::sum,   Reduction::prod,   Reduction::amax,  Reduction::amin,
                                      Reduction::first, Reduction::argmax, Reduction::argmin};
    Reduction by = is_float_ ? one_of(floats) : one_of(integers);
    Value v = any_of(values_);
    Ctype type = type_;
    if (by == Reduction::any || by == Reduction::all) {
      v = r_.builder.apply(TILEOPS_OP_GT, {v, any_of(values_)}, {}, type_);
      type = Ctype::boolean;
    }
    size_t rank = block_rank_;
    if (group_rank_ > 0 && chance(60)) rank = group_rank_;
    if (by == Reduction::sum && type_ == Ctype::f32 && chance(30)) by = Reduction::sum_wide;
    const bool is_ordered = by == Reduction::sum || by == Reduction::sum_wide || by == Reduction::prod ||
                            by == Reduction::variance || by == Reduction::log_sum_exp;
    if (has_odd_groups_ && is_ordered && is_float_) rank = group_rank_ > 0 ? group_rank_ : block_rank_;
    const Value r = r_.builder.reduce(by, v, rank, type, is_float_ && by == Reduction::sum && chance(40), in_columns_);
    pass().row_rank = block_rank_;
    const Ctype result = result_type(pass().steps.back());
    if (result == type_) values_.push_back(r);
    reduced_.push_back(r);
  }

  // The reference goes through all elements before each one.
  bool may_scan() const {
    int64_t elements = 1;
    const Shape& s = r_.builder.shape;
    for (size_t d = s.size() - block_rank_; d < s.size(); ++d) elements *= s[d];
    return group_rank_ == 0 && elements <= 600;
  }
  void add_scan() {
    constexpr Reduction kinds[] = {Reduction::sum, Reduction::sum, Reduction::prod, Reduction::amax, Reduction::amin};
    const Reduction by = one_of(kinds);
    const bool exclusive = (by == Reduction::sum || by == Reduction::prod) && chance(40);
    values_.push_back(r_.builder.scan(by, any_of(values_), exclusive, type_,
                                      is_float_ && by == Reduction::sum && chance(40), in_columns_));
  }

  void add_outputs() {
    const PassInfo info(pass());
    std::vector<Value> list = reduced_;
    for (uint64_t n = 1 + below(2); n > 0; --n) list.push_back(values_.back()), values_.pop_back();
    for (const Value& v : list) add_output(v);
  }
  void add_output(Value v) {
    if (v.kind == Value::Kind::load) v = r_.builder.convert(v, ctype_dtype(PassInfo(pass()).of(v).type));
    const PassInfo info(pass());
    const size_t outer = shape().size() - block_rank_;
    const Level level = info.of(v).level;
    size_t dims = level == Level::block ? outer : level == Level::group ? outer + 1 : shape().size();
    if (chance(15)) dims = shape().size();
    Dtype t = ctype_dtype(info.of(v).type);
    if (t == Dtype::f32 && chance(40)) t = chance(50) ? Dtype::bf16 : Dtype::f16;
    if (is_narrow_float(t) && rounding_of(pass(), v, t) != Rounding::nearest) t = Dtype::f32;
    const Places p = places(dims, true);
    const int64_t size = static_cast<int64_t>(dtype_size(t));
    View view = view_of(ViewKind::output, static_cast<int>(r_.outputs.size()), t, p.strides);
    for (Extent& s : view.strides) s *= size;
    view.offset = p.first * size;
    if (chance(15)) scatter_at_random(&r_, &random_, &view);
    RandomPass::Output out;
    out.dtype = t;
    out.bytes = static_cast<size_t>(p.elements * size);
    r_.outputs.push_back(out);
    pass().stored.push_back(v);
    pass().stores.push_back(std::move(view));
  }

  std::mt19937_64 random_;
  RandomPass r_;
  Ctype type_ = Ctype::f32;
  bool is_float_ = true, in_columns_ = false, has_odd_groups_ = false;
  bool side_by_side_ = false;  // neighbouring blocks lie next to each other in memory
  size_t block_rank_ = 1, group_rank_ = 0;
  std::vector<Value> values_, reduced_;  // of the type that is computed in; all results of reductions
};

}  // namespace

RandomPass random_rows(uint64_t seed) { return RowGenerator(seed).run(); }

}  // namespace tileops::passes
