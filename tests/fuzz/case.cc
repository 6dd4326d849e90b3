#include "case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace fuzz {
namespace {

constexpr DLDataType kDtypes[] = {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, ...) {code, bits, lanes},
#include <tileops/dtypes.def>
};
constexpr int kNumDtypes = sizeof kDtypes / sizeof kDtypes[0];

constexpr int64_t kOddIntegers[] = {0,
                                    1,
                                    -1,
                                    2,
                                    -2,
                                    3,
                                    7,
                                    64,
                                    1 << 20,
                                    INT64_MAX,
                                    INT64_MIN,
                                    INT32_MAX,
                                    int64_t{1} << 32,
                                    int64_t{1} << 53,
                                    int64_t{1} << 61,
                                    int64_t{1} << 62};
constexpr int kNumOddIntegers = sizeof kOddIntegers / sizeof kOddIntegers[0];

}  // namespace

void count_pairs(DLDataType* dtype, Extents* shape) {
  if (dtype->code != 17 || dtype->bits != 4) return;
  dtype->lanes = 2;
  if (!shape->empty() && shape->back() % 2 == 0) shape->back() /= 2;
}

DLDataType any_dtype(Bytes* b) {
  if (b->rarely(64)) return {b->u8(), b->u8(), b->u8()};
  return kDtypes[b->below(kNumDtypes)];
}

namespace {

// A dtype that the operand accepts, most of the time.
DLDataType operand_dtype(Bytes* b, const tileops_operand_info& info, DLDataType main) {
  if (b->rarely(32)) return any_dtype(b);
  const std::string fixed = info.dtype ? info.dtype : "";
  if (fixed == "bool") return {6, 8, 1};
  if (fixed == "float32") return {2, 32, 1};
  if (fixed == "int64" || fixed == "int32|int64")
    return {0, static_cast<uint8_t>(fixed == "int64" || b->below(2) ? 64 : 32), 1};
  return b->rarely(4) ? any_dtype(b) : main;
}

int64_t extent(Bytes* b) {
  const int kind = b->below(32);
  if (kind < 24) return 1 + kind % 6;
  if (kind < 26) return 0;
  if (kind < 30) return 2 + b->u8();
  if (kind == 30) return 1 + (b->u8() << 4);
  return b->rarely(8) ? kOddIntegers[b->below(kNumOddIntegers)] : 2;
}

}  // namespace

Extents base_shape(Bytes* b, int min_rank) {
  const int kind = b->below(64);
  const int rank = kind == 63 ? b->below(34) : std::max(min_rank, 1 + kind % 4 - (kind == 62));
  Extents shape;
  for (int d = 0; d < rank; ++d) shape.push_back(d < 6 ? extent(b) : 1);
  return shape;
}

Extents operand_shape(Bytes* b, const Extents& base) {
  Extents shape = base;
  switch (b->below(8)) {
    case 4:
      for (int64_t& n : shape)
        if (b->below(2)) n = 1;
      break;
    case 5: {
      const int fewer = b->below(static_cast<int>(shape.size()) + 1);
      shape.erase(shape.begin(), shape.begin() + fewer);
      break;
    }
    case 6: shape.clear(); break;
    case 7:
      if (b->rarely(8) && !shape.empty()) shape[b->below(static_cast<int>(shape.size()))] = extent(b);
      break;
    default: break;
  }
  return shape;
}

namespace {

Extents row_major(const Extents& shape) {
  Extents strides(shape.size());
  uint64_t step = 1;  // may wrap: such shapes are refused
  for (size_t d = shape.size(); d-- > 0; step *= static_cast<uint64_t>(shape[d]))
    strides[d] = static_cast<int64_t>(step);
  return strides;
}

}  // namespace

void choose_strides(Bytes* b, const Extents& shape, Tensor* t) {
  const int kind = b->below(16);
  if (kind < 6 || shape.empty()) return;
  Extents strides = row_major(shape);
  const size_t d = b->below(static_cast<int>(shape.size()));
  const auto negated = [](int64_t v) {  // wraps
    return static_cast<int64_t>(0 - static_cast<uint64_t>(v));
  };
  switch (kind) {
    case 6: break;
    case 7: {  // permuted in memory
      Extents turned(shape.rbegin(), shape.rend());
      turned = row_major(turned);
      strides.assign(turned.rbegin(), turned.rend());
      break;
    }
    case 8: strides[d] = 0; break;
    case 9: strides[d] = negated(strides[d]); break;
    case 10:  // padded
    case 11:
      for (int64_t& s : strides) s = static_cast<int64_t>(static_cast<uint64_t>(s) * (kind - 8));
      break;
    case 12:
      for (int64_t& s : strides) s = negated(s);
      break;
    case 13:
      for (int64_t& s : strides) s = b->below(8) - 3;
      break;
    case 14: strides[d] = static_cast<int8_t>(b->u8()); break;
    default: strides[d] = b->rarely(4) ? kOddIntegers[b->below(kNumOddIntegers)] : static_cast<int64_t>(b->u64());
  }
  t->set_strides(strides);
}

namespace {

tileops_attr make_attr(Bytes* b, const tileops_op_info& info) {
  tileops_attr a{};
  const tileops_attr_info* known = nullptr;
  if (info.num_attrs > 0 && !b->rarely(32)) known = &info.attrs[b->below(info.num_attrs)];
  a.key = known ? known->key : static_cast<int8_t>(b->u8());
  a.kind = known ? known->kind : b->below(4);
  if (b->rarely(16)) a.kind = b->below(4);
  if (a.kind == TILEOPS_ATTR_F64) {
    static const double odd[] = {1,    0.5,   2,      -1,     0,      -0.0,     3,         100,
                                 1e-3, 1e300, -1e300, 1e-300, 5e-324, INFINITY, -INFINITY, NAN};
    const int kind = b->below(20);
    if (kind < 16) {
      a.value.f64 = odd[kind];
    } else if (kind < 19) {
      a.value.f64 = b->u8() / 16.0;
    } else {
      const uint64_t bits = b->u64();
      std::memcpy(&a.value.f64, &bits, 8);
    }
  } else {
    const int kind = b->below(8);
    a.value.i64 = kind < 4    ? kind
                  : kind == 4 ? b->u8()
                  : kind == 5 ? -b->u8()
                  : kind == 6 ? kOddIntegers[b->below(kNumOddIntegers)]
                              : static_cast<int64_t>(b->u64());
  }
  return a;
}

// The shapes that operators with a rule of their own want; the rest of the call is left to chance.
void shape_special(Bytes* b, const std::string& name, const std::string& category, size_t operand, const Extents& x,
                   Extents* shape) {
  if (b->rarely(32)) return;
  const int64_t last = x.empty() ? 0 : x.back(), half = last / 2;
  const int64_t positions = x.size() < 2 ? 0 : x[x.size() - (x.size() == 2 ? 2 : 3)];
  if (name == "prelu" && operand == 1) *shape = {b->below(2) || x.size() < 2 ? 1 : x[1]};
  if (name == "masked_fill" && operand == 2) *shape = {};
  if (name == "dropout" && operand == 1) *shape = {2};
  if (category != "rope" || operand == 0) return;
  const size_t shift = name == "rope_longrope" ? 1 : 0;
  if (shift && operand == 1) *shape = {half};
  else if (operand == 1 + shift) *shape = {positions};
  else *shape = {static_cast<int64_t>(static_cast<uint64_t>(positions) + b->below(3)), half};
}

}  // namespace

void Tensor::set(const std::vector<int64_t>& extents) {
  ndim = static_cast<int32_t>(extents.size());
  shape.reset(new int64_t[extents.size()]);
  std::copy(extents.begin(), extents.end(), shape.get());
  strides.reset();
}

void Tensor::set_strides(const std::vector<int64_t>& values) {
  strides.reset(new int64_t[values.size()]);
  std::copy(values.begin(), values.end(), strides.get());
}

tileops_tensor_desc Tensor::desc() const {
  tileops_tensor_desc d{};
  if (present) d = {dtype, ndim, shape.get(), strides.get()};
  return d;
}

DLTensor Tensor::tensor() const { return {nullptr, {kDLCPU, 0}, ndim, dtype, shape.get(), strides.get(), 0}; }

bool Tensor::measure() {
  constexpr int64_t kMost = 1 << 20;
  const int64_t size = unit_bytes(dtype);
  numel = 1;
  low = high = 0;
  for (int d = 0; d < ndim; ++d)
    if (shape[d] < 0) return false;  // open, or of no plan
  for (int d = 0; d < ndim; ++d)
    if (shape[d] == 0) return numel = 0, true;
  for (int d = 0; d < ndim; ++d)
    if (shape[d] > kMost || (numel *= shape[d]) > kMost) return false;
  for (int d = 0; strides && d < ndim; ++d) {
    if (shape[d] == 1) continue;
    if (strides[d] > kMost || strides[d] < -kMost) return false;
    (strides[d] < 0 ? low : high) += strides[d] * (shape[d] - 1) * size;
  }
  high = strides ? high + size : numel * size;
  return high - low <= kMost;
}

int64_t Tensor::element_offset(int64_t index) const {
  if (!strides) return index * unit_bytes(dtype);
  int64_t at = 0;
  for (int d = ndim; d-- > 0; index /= shape[d])
    if (shape[d] != 1) at += index % shape[d] * strides[d];
  return at * unit_bytes(dtype);
}

Case::Case(Bytes* b) {
  op = tileops_op_at(b->u8() % tileops_op_count());
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  tileops_op_describe(op, &info);
  const std::string name = info.name, category = info.category;

  const bool rope = category == "rope";
  Extents x = base_shape(b, rope ? 2 : 1);
  if (name == "alibi") x = {extent(b), extent(b), extent(b)};
  if (name == "sinusoidal") x = {extent(b), extent(b)};
  if ((rope || category == "fused_gated" || name == "sinusoidal") && !x.empty() && !b->rarely(32))
    x.back() = static_cast<int64_t>(static_cast<uint64_t>(x.back()) * 2);
  DLDataType main = any_dtype(b);
  if (info.max_inputs == 0) main = kDtypes[b->below(6)];

  int count = info.max_inputs;
  if (count > info.min_inputs) count = info.min_inputs + b->below(count - info.min_inputs + 1);
  if (b->rarely(64)) count = b->below(10);
  for (int i = 0; i < count; ++i) {
    Tensor t;
    static const tileops_operand_info none{};
    const tileops_operand_info& operand = i < info.max_inputs ? info.inputs[i] : none;
    t.dtype = operand_dtype(b, operand, main);
    if (operand.optional && b->rarely(4)) t.present = false;
    Extents shape = i == 0 ? x : operand_shape(b, x);
    shape_special(b, name, category, static_cast<size_t>(i), x, &shape);
    count_pairs(&t.dtype, &shape);
    t.set(shape);
    choose_strides(b, shape, &t);
    inputs.push_back(std::move(t));
  }

  Extents y = x;
  if (category == "fused_gated" && count < 2 && !y.empty()) y.back() /= 2;
  int outs = info.min_outputs + b->below(info.max_outputs - info.min_outputs + 1);
  if (b->rarely(64)) outs = b->below(4);
  for (int i = 0; i < outs; ++i) {
    Tensor t;
    t.dtype = i == 1 ? DLDataType{6, 8, 1} : b->rarely(4) ? any_dtype(b) : main;
    Extents shape = b->rarely(32) ? base_shape(b, 0) : y;
    count_pairs(&t.dtype, &shape);
    t.set(shape);
    choose_strides(b, shape, &t);
    outputs.push_back(std::move(t));
  }

  const int num_attrs = b->rarely(64) ? b->below(16) : b->below(4);
  for (int i = 0; i < num_attrs; ++i) attrs.push_back(make_attr(b, info));
  if (b->rarely(32)) flags = b->below(16);
  if (b->rarely(64)) device = {static_cast<DLDeviceType>(b->below(20)), b->below(4) - 1};
  if (b->rarely(64)) {
    strategy = b->below(8) - 1;
    threads = static_cast<int8_t>(b->u8()) * 16;
    num_per_thread = static_cast<int8_t>(b->u8());
    reserved = b->rarely(8);
  }
}

}  // namespace fuzz
