// Gathered loads on the CPU: rows of a table by ids, of every size of elements.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "../common/passes.h"
#include "problem/analysis.h"
#include "run_on_cpu.h"

namespace tileops {
namespace {

using passes::dense;
using passes::view_of;
using Bytes = std::vector<uint8_t>;

// A cast of the first load to the store's dtype.
Pass CastPass(const std::vector<Extent>& extents, Ctype ctype, const View& from, const View& to) {
  Pass pass;
  pass.extents = extents;
  pass.loads = {from};
  pass.steps.resize(1);
  pass.steps[0].body = &bodies_of(TILEOPS_OP_CAST)[0];
  pass.steps[0].ctype = ctype;
  pass.steps[0].arguments = {{Value::Kind::load, 0, 0}};
  pass.stores = {to};
  pass.stored = {{Value::Kind::step, 0, 0}};
  return pass;
}

void RunPass(const Pass& pass, const std::vector<const void*>& in, void* out) {
  Problem problem;
  problem.name = "gather";
  problem.passes = {pass};
  run_on_cpu(problem, in, {out});
}

void CastAll(const void* from, Dtype from_dtype, void* to, Dtype to_dtype, int64_t n) {
  const View load = view_of(ViewKind::input, 0, from_dtype, dense({n}, from_dtype));
  RunPass(CastPass({n}, Ctype::f32, load, view_of(ViewKind::output, 0, to_dtype, dense({n}, to_dtype))), {from}, to);
}

// Rows of five, converted or as bits, by more ids than a block has elements, on both sides of what there is.
void CheckRows(Dtype t, bool bits_kept) {
  constexpr int64_t kRows = 5, kColumns = 7, kIds = 500;
  std::vector<float> numbers;
  for (int i = 0; i < kRows * kColumns; ++i) numbers.push_back(static_cast<float>(i));
  std::vector<int32_t> ids;
  for (int i = 0; i < kIds; ++i) ids.push_back(i * 3 % 11 - 2);
  const int64_t size = static_cast<int64_t>(dtype_size(t));
  const size_t row = static_cast<size_t>(kColumns * size);
  Bytes table(kRows * row), got(kIds * row);
  CastAll(numbers.data(), Dtype::f32, table.data(), t, kRows * kColumns);
  Pass pass = CastPass({kIds, kColumns}, bits_kept ? bits_type(dtype_size(t)) : compute_type(t),
                       view_of(ViewKind::input, 0, t, {0, size}),
                       view_of(ViewKind::output, 0, t, {kColumns * size, size}));
  pass.bits_kept = bits_kept;
  pass.loads[0].indices = {{{Value::Kind::load, 1, 0}, kColumns * size, kRows}};
  pass.loads.push_back(view_of(ViewKind::input, 1, Dtype::i32, {4, 0}));
  ASSERT_TRUE(is_operator(pass));
  RunPass(pass, {table.data(), ids.data()}, got.data());
  for (size_t i = 0; i < kIds; ++i) {
    const uint8_t* at = &got[i * row];
    if (ids[i] >= 0 && ids[i] < kRows) {
      ASSERT_EQ(std::memcmp(at, &table[static_cast<size_t>(ids[i]) * row], row), 0) << dtype_name(t) << ", row " << i;
      continue;
    }
    float outside[kColumns];
    CastAll(at, t, outside, Dtype::f32, kColumns);
    for (const float x : outside) ASSERT_TRUE(is_float(t) ? std::isnan(x) : x == 0) << dtype_name(t) << ", row " << i;
  }
}

TEST(CpuGather, RowsOfElementsOfEverySize) {
  for (const bool bits_kept : {false, true})
    for (const Dtype t : {Dtype::e4m3fn, Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64, Dtype::i8, Dtype::u16,
                          Dtype::i32, Dtype::i64, Dtype::boolean})
      CheckRows(t, bits_kept);
}

}  // namespace
}  // namespace tileops
