#include "random_text.h"

#include <algorithm>
#include <random>
#include <set>

#include "reduce.h"
#include "texts.h"

namespace rowtest {
namespace {

struct Value {
  std::string name;
  Shape shape;
};

class Maker {
 public:
  Maker(uint64_t seed, bool in_place) : random_(seed), in_place_(in_place) {}

  RandomText Make() {
    if (!in_place_ || Below(3) == 0) ChooseShape();
    else ChooseShapeInPlace();
    Operand("x", shape_);
    Operand("y", Below(in_place_ ? 3 : 2) || shape_.empty() ? shape_ : Shape{shape_.back()});
    Shape column = shape_;
    if (!column.empty()) column.back() = 1;
    if (Below(in_place_ ? 6 : 8) == 0) column = {};
    Operand("c", column);
    const size_t statements = 2 + Below(in_place_ ? 4 : 7);
    for (size_t i = 0; i < statements; ++i) Statement();
    RandomText made{"(x, y, c) -> { " + body_, operands_};
    const size_t results = 1 + Below(3);
    for (size_t k = 0; k < results; ++k)
      made.text += (k ? ", " : "") + Result(k == 0 ? values_.size() - 1 : AnyForResult());
    made.text += " }";
    return made;
  }

 private:
  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }
  const Value& Any() {
    return values_[Below(3) ? values_.size() - 1 - Below(std::min<size_t>(3, values_.size())) : Below(values_.size())];
  }

  // What has no axis is one element along each.
  static int64_t Last(const Shape& shape) { return shape.empty() ? 1 : shape.back(); }

  void ChooseShape() {
    static const int64_t lengths[] = {1, 2, 7, 31, 32, 33, 64, 100, 129, 300, 0, 1}, rows[] = {1, 2, 3, 5, 8, 40, 0};
    const size_t rank = Below(16) == 0 ? 0 : 1 + Below(3), some = Below(4) == 0;  // extents of 0
    for (size_t d = 0; d + 1 < rank; ++d) shape_.push_back(rows[Below(d == 0 ? 6 + some : 4)]);
    if (rank > 0) shape_.push_back(lengths[Below(10 + 2 * some)]);
  }

  // Many rows, long ones, or a few elements with extents of 1.
  void ChooseShapeInPlace() {
    static const Shape large[] = {{700, 96}, {3, 257, 40}, {5, 4096},  {10000},
                                  {2, 6001}, {1, 9000},    {4100, 16}, {70000}};
    static const int64_t few[] = {1, 1, 2, 4, 6};
    if (Below(2)) {
      shape_ = large[Below(8)];
    } else {
      shape_.resize(1 + Below(3));
      for (int64_t& n : shape_) n = few[Below(5)];
    }
  }

  size_t AnyForResult() { return Below(in_place_ && Below(2) ? operands_.size() : values_.size()); }

  void Operand(const std::string& name, const Shape& shape) {
    static const Dtype dtypes[] = {Dtype::f32, Dtype::f32, Dtype::bf16, Dtype::f16};
    const bool packed = !in_place_ && Last(shape) % 2 == 0 && Below(6) == 0;
    const Dtype dtype = packed ? Dtype::e2m1fn : in_place_ ? dtypes[Below(3)] : dtypes[Below(4)];
    operands_.push_back(RandomTensor(dtype, shape, random_() % 1000));
    values_.push_back({name, shape});
  }

  void Add(const std::string& text, const Shape& shape) {
    const std::string name = "v" + std::to_string(values_.size());
    body_ += name + " = " + text + "; ";
    values_.push_back({name, shape});
  }

  static bool Broadcast(const Shape& a, const Shape& b, Shape* out) {
    *out = a.size() > b.size() ? a : b;
    const Shape& less = a.size() > b.size() ? b : a;
    for (size_t k = 1; k <= less.size(); ++k) {
      int64_t& extent = (*out)[out->size() - k];
      const int64_t other = less[less.size() - k];
      if (extent != other && extent != 1 && other != 1) return false;
      extent = extent == 1 ? other : extent;
    }
    return true;
  }

  // Axes of a value, and their text.
  uint64_t Axes(size_t rank, std::string* text) {
    uint64_t axes = 0;
    if (Below(6) == 0) return *text = ", axis = all", ~uint64_t{0};
    if (Below(2) || rank <= 1) return *text = "", 1;
    while (axes == 0) axes = random_() & ((uint64_t{1} << rank) - 1);
    std::string list;
    int count = 0;
    for (size_t k = rank; k >= 1; --k) {
      if (!(axes >> (k - 1) & 1)) continue;
      list += (count++ ? ", -" : "-") + std::to_string(k);
    }
    *text = ", axis = " + (count > 1 ? "(" + list + ")" : list);
    return axes;
  }

  void Statement() {
    if (in_place_ && Below(4) == 0) return Turn();
    switch (Below(9)) {
      case 0: return Unary();
      case 1:
      case 2: return Binary();
      case 3:
      case 4: return Reduction();
      case 5: return Group();
      case 6: return Scan();
      case 7: return Choice();
      default: return Move();
    }
  }

  void Unary() {
    static const char* const forms[] = {"tanh(#)",    "exp(-abs(#))",     "silu(#)",       "abs(#) + 0.5",
                                        "-#",         "rsqrt(# * # + 1)", "cast(#, bf16)", "cast(#, f32)",
                                        "sigmoid(#)", "minimum(#, 1.5)"};
    const Value v = Any();
    std::string text = forms[Below(10)];
    for (size_t at; (at = text.find('#')) != std::string::npos;) text.replace(at, 1, v.name);
    Add(text, v.shape);
  }

  void Binary() {
    static const char* const forms[] = {"# + @", "# - @", "# * @ * 0.5", "# / (abs(@) + 1)", "maximum(#, @)"};
    const Value a = Any(), b = Any();
    Shape shape;
    if (!Broadcast(a.shape, b.shape, &shape)) return Unary();
    std::string text = forms[Below(5)];
    text.replace(text.find('#'), 1, a.name);
    text.replace(text.find('@'), 1, b.name);
    Add(text, shape);
  }

  void Reduction() {
    static const char* const names[] = {"sum", "mean", "mean", "amax", "amin", "var", "logsumexp", "mean"};
    const Value v = Any();
    if (v.shape.empty()) return Unary();
    std::string axes;
    RowAttrs attrs;
    attrs.axes = Axes(v.shape.size(), &axes);
    const std::string name = names[Below(8)], text = name + "(" + v.name + axes + ")";
    Add(name == "sum" ? text + " / 16" : text, SetsOf(v.shape, attrs).shape);
  }

  // Reduced by groups, these perhaps by groups once more, and brought back.
  void Group() {
    static const char* const names[] = {"amax", "mean", "sum", "amin"};
    const Value v = Any();
    if (v.shape.empty()) return Unary();
    RowAttrs attrs;
    std::string attributes = Groups(v.shape, &attrs);
    const std::string own = "g" + std::to_string(values_.size());
    const Shape shape = SetsOf(v.shape, attrs).shape;
    body_ += own + " = " + names[Below(4)] + "(" + v.name + ", " + attributes + "); ";
    std::string back = own;
    if (Below(3) == 0) {
      RowAttrs more;
      const std::string again = Below(2) ? attributes : Groups(shape, &more);  // of the same size or another one
      body_ += own + "h = " + names[Below(4)] + "(" + own + ", " + again + "); ";
      back = "spread(" + own + "h, " + own + ", " + again + ")";
      if (Below(2)) back = own + " + " + back;
    }
    Add(v.name + " - 0.5 * spread(" + back + ", " + v.name + ", " + attributes + ")", v.shape);
    if (Below(3) == 0) values_.push_back({own, shape});
  }

  // Attributes of groups along one axis or two.
  std::string Groups(const Shape& shape, RowAttrs* attrs) {
    const auto size = [this] { return static_cast<uint64_t>(Below(4) ? 2 + Below(40) : 1 + Below(3)); };
    attrs->group = size();
    const std::string last = std::to_string(attrs->group);
    if (shape.size() < 2 || Below(3)) return "group = " + last;
    attrs->axes = 2;
    if (Below(3)) return "axis = -2, group = " + last;
    attrs->axes = 3;
    const uint64_t before = size();
    attrs->group |= before << 32;
    return "group = (" + std::to_string(before) + ", " + last + ")";
  }

  void Scan() {
    const Value v = Any();
    if (v.shape.empty()) return Unary();
    std::string attributes;
    if (v.shape.size() > 1 && Below(3) == 0) attributes += ", axis = -2";
    if (Below(3) == 0) attributes += ", group = " + std::to_string(1 + Below(20));
    if (Below(3) == 0) attributes += ", reverse = true";
    if (Below(2)) Add("cummax(" + v.name + attributes + ")", v.shape);
    else Add("cumsum(" + v.name + attributes + (Below(3) ? ")" : ", exclusive = true)") + " / 8", v.shape);
  }

  void Choice() {
    const Value a = Any(), b = Any();
    Shape shape;
    if (!Broadcast(a.shape, b.shape, &shape)) return Unary();
    if (Below(2) || a.shape.empty()) Add("where(" + a.name + " < 0.3, " + a.name + ", " + b.name + ")", shape);
    else Add("where(index(" + a.name + ", -1) % 3 == 1, " + a.name + ", " + b.name + ")", shape);
  }

  void Move() {
    const Value v = Any();
    RowAttrs attrs;
    switch (Below(3)) {
      case 0:
        if (Last(v.shape) == 0) return Unary();  // there is no largest element
        return Add("gather(" + v.name + ", argmax(" + v.name + "))", SetsOf(v.shape, attrs).shape);
      case 1: return Add("detach(" + v.name + ")", v.shape);
      default:
        if (v.shape.empty() || v.shape.back() % 2) return Unary();
        return Add((Below(3) ? "chunk(" : "every(") + v.name + ", " + std::to_string(Below(2)) + ", 2)",
                   Halved(v.shape));
    }
  }

  // Elements of other places, of the row or of the column.
  void Turn() {
    const Value v = Any();
    if (Count(v.shape) == 0 || v.shape.empty()) return Unary();
    const std::string axis = v.shape.size() > 1 && Below(2) ? "-2" : "-1";
    const std::string last = "extent(" + v.name + ", " + axis + ") - 1";
    if (Below(2))
      Add("gather(" + v.name + ", " + last + " - index(" + v.name + ", " + axis + "), axis = " + axis + ")", v.shape);
    else
      Add("gather(" + v.name + ", minimum(argmax(" + v.name + "), " + last + "), axis = " + axis + ")",
          axis == "-1" ? OneOfRow(v.shape) : v.shape);
  }

  static Shape OneOfRow(Shape shape) {
    shape.back() = 1;
    return shape;
  }

  static Shape Halved(Shape shape) {
    shape.back() /= 2;
    return shape;
  }

  std::string Result(size_t at) {
    const Value& v = values_[at];
    if (in_place_) return ResultInPlace(v);
    if (Last(v.shape) % 2) return "cast(" + v.name + (Below(2) ? ", bf16)" : ", f32)");  // it may be of 4 bits
    switch (Below(5)) {
      case 0: return "cast(" + v.name + ", bf16)";
      case 1: return "cast(" + v.name + (Below(2) ? ", e2m1fn)" : ", f32)");
      case 2: return "concat(" + v.name + ", -" + v.name + ")";
      default: return v.name + " * 2";
    }
  }

  // Of x's shape, where it is half as long.
  std::string ResultInPlace(const Value& v) {
    Shape half = shape_;
    if (!half.empty()) half.back() /= 2;
    if (v.shape == half && half != shape_ && shape_.back() % 2 == 0)
      return (Below(3) ? "concat(" : "interleave(") + v.name + ", " + Halves(half) + ")";
    const bool is_new = named_.insert(v.name).second;  // a bare name is the result's
    Shape both;
    const bool adds = v.shape != shape_ && Below(2) && Broadcast(v.shape, shape_, &both) && both == shape_;
    return (is_new && Below(3) ? "" : "2 * ") + v.name + (adds ? " + x" : "");
  }

  // Another value of that shape.
  std::string Halves(const Shape& half) {
    std::vector<std::string> names{"chunk(x, 1, 2)", "every(x, 0, 2)"};
    for (const Value& v : values_)
      if (v.shape == half) names.push_back(v.name);
    return names[Below(names.size())];
  }

  std::mt19937_64 random_;
  const bool in_place_;
  Shape shape_;
  std::string body_;
  std::vector<Value> values_;
  std::vector<Tensor> operands_;
  std::set<std::string> named_;
};

}  // namespace

RandomText MakeRandomText(uint64_t seed) { return Maker(seed, false).Make(); }
RandomText MakeRandomTextInPlace(uint64_t seed) { return Maker(seed, true).Make(); }

std::string Described(const RandomText& made) {
  std::string text = made.text + " on";
  for (const Tensor& t : made.operands) {
    text += std::string(" ") + tileops::dtype_name(t.dtype) + " (";
    for (size_t d = 0; d < t.shape.size(); ++d) text += (d ? ", " : "") + std::to_string(t.shape[d]);
    text += ")";
  }
  return text;
}

}  // namespace rowtest
