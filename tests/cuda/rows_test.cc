// Passes of rows: how they are dealt out to threads, and the text that is compiled for them.
#include <gtest/gtest.h>

#include "../common/passes.h"
#include "base/error.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/select/choose.h"
#include "problem/layout.h"
#include "random_rows.h"

namespace tileops::cuda {
namespace {

using passes::Builder;

Choice ChosenForRows(const Builder& b, uint32_t flags = 0) {
  const Problem p = b.problem(flags);
  return choose(p, p.passes[0], make_layout(p.passes[0]), {90, UseTables::yes, {}});
}

std::vector<Extent> Once(const passes::Shape& shape, Dtype dtype, size_t dims) {
  std::vector<Extent> strides(shape.size());
  int64_t step = static_cast<int64_t>(dtype_size(dtype));
  for (size_t d = dims; d-- > 0; step *= shape[d]) strides[d] = step;
  return strides;
}

Builder Softmax(const passes::Shape& shape, Dtype t) {
  Builder b(shape);
  const Value x = b.load(0, t);
  const Value m = b.reduce(Reduction::amax, x, 1);
  const Value e = b.apply(TILEOPS_OP_EXP, {b.apply(TILEOPS_OP_SUB, {x, m})});
  const Value s = b.reduce(Reduction::sum, e, 1);
  b.store(0, t, b.apply(TILEOPS_OP_DIV, {e, s}));
  return b;
}

Builder RmsNorm(const passes::Shape& shape, Dtype t, bool low_parts = false) {
  Builder b(shape);
  std::vector<Extent> row(shape.size());
  row.back() = static_cast<int64_t>(dtype_size(t));
  const Value x = b.load(0, t), w = b.load(1, t, row), n = b.number(0, Dtype::f64), eps = b.number(1, Dtype::f64);
  const Value s = b.reduce(Reduction::sum, b.apply(TILEOPS_OP_MUL, {x, x}), 1, Ctype::f32, low_parts);
  const Value r = b.apply(TILEOPS_OP_RSQRT, {b.apply(TILEOPS_OP_ADD, {b.apply(TILEOPS_OP_DIV, {s, n}), eps})});
  b.store(0, t, b.apply(TILEOPS_OP_MUL, {b.apply(TILEOPS_OP_MUL, {x, r}), w}));
  b.store(1, Dtype::f32, r, Once(shape, Dtype::f32, shape.size() - 1));
  return b;
}

void ExpectCompiles(const Builder& b, const std::string& what) {
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) GTEST_SKIP() << nvrtc.failure();
  std::string text;
  try {
    const Choice c = ChosenForRows(b);
    text = c.kernel.text;
    EXPECT_FALSE(nvrtc.compile(full_source(c.kernel), c.kernel.name, 90).image.empty());
  } catch (const Error& e) {
    ADD_FAILURE() << what << ": " << e.message << "\n" << text;
  }
}

TEST(Rows, Compile) {
  ExpectCompiles(Softmax({64, 4096}, Dtype::bf16), "softmax");
  ExpectCompiles(Softmax({64, 129}, Dtype::bf16), "softmax of short rows");
  ExpectCompiles(Softmax({64, 200000}, Dtype::f32), "softmax of long rows");
  ExpectCompiles(RmsNorm({64, 4096}, Dtype::bf16), "rms_norm");
  ExpectCompiles(RmsNorm({64, 300}, Dtype::f32, true), "rms_norm with low parts");
}

// Sums over the rows of a matrix.
TEST(Rows, Columns) {
  const auto sum = [](const passes::Shape& shape, Dtype t) {
    Builder b(shape);
    const int64_t size = static_cast<int64_t>(dtype_size(t));
    const Value x = b.load(0, t, {size, size * shape[0]});
    const Value s = b.reduce(Reduction::sum, x, 1, Ctype::f32, true, true);
    b.store(0, t, b.apply(TILEOPS_OP_SUB, {x, s}), {size, size * shape[0]});
    b.store(1, Dtype::f32, s, {4, 0});
    return b;
  };
  EXPECT_TRUE(ChosenForRows(sum({4096, 1000}, Dtype::bf16)).spec.traversal.row.in_columns);
  ExpectCompiles(sum({4096, 1000}, Dtype::bf16), "columns");
  ExpectCompiles(sum({4095, 1000}, Dtype::f32), "columns of odd number");
}

// Rows of more than registers hold lie in the shared memory of a thread block or a cluster; where that is too little
// they are read again.
TEST(Rows, SharedMemory) {
  const auto row = [](const passes::Shape& shape) {
    return ChosenForRows(Softmax(shape, Dtype::bf16)).spec.traversal.row;
  };
  EXPECT_TRUE(row({4096, 65536}).kept);
  for (const int64_t n : {70000, 100001, 262144}) {
    const Choice c = ChosenForRows(Softmax({1024, n}, Dtype::bf16));
    EXPECT_TRUE(c.spec.traversal.row.staged && c.spec.traversal.row.cluster > 1) << n;
    EXPECT_EQ(c.launch.blocks, static_cast<uint64_t>(1024 * c.spec.traversal.row.cluster)) << n;
    EXPECT_LE(c.kernel.shared_bytes, 227 << 10) << n;
    ExpectCompiles(Softmax({1024, n}, Dtype::bf16), "rows of " + std::to_string(n) + " in shared memory");
  }
  EXPECT_FALSE(row({64, 1 << 21}).kept || row({64, 1 << 21}).staged);
}

// The norm of each row, and what all rows come to in chunks of 32.
TEST(Rows, SumsOfBlocks) {
  const auto norm = [](const passes::Shape& shape, Dtype t, bool low_parts) {
    Builder b = RmsNorm(shape, t);
    const int64_t size = low_parts ? 8 : 4;
    View sums = passes::view_of(ViewKind::temporary, 0, Dtype::f32, {0, size});
    sums.sum_of_blocks = View::SumOfBlocks{low_parts, size * shape[1]};
    b.pass.stores.push_back(sums);
    b.pass.stored.push_back(b.pass.stored[0]);
    return b;
  };
  EXPECT_TRUE(ChosenForRows(norm({4096, 4096}, Dtype::bf16, false)).spec.traversal.row.kept);
  ExpectCompiles(norm({4096, 4096}, Dtype::bf16, false), "kept");
  ExpectCompiles(norm({4095, 100}, Dtype::f32, true), "of short rows, with low parts");
  ExpectCompiles(norm({4096, 100000}, Dtype::f32, true), "of long rows");
}

TEST(Rows, ScansCompile) {
  const auto scans = [](const passes::Shape& shape, Dtype t, bool in_columns) {
    Builder b(shape);
    b.pass.row_rank = 1;
    const Value x = b.load(0, t);
    const Value sum = b.scan(Reduction::sum, x, false, Ctype::f32, true, in_columns);
    const Value before = b.scan(Reduction::prod, x, true, Ctype::f32, false, in_columns);
    const Value largest = b.reduce(Reduction::amax, sum, 1);
    b.store(0, t, b.apply(TILEOPS_OP_DIV, {sum, largest}));
    b.store(1, Dtype::f32, b.scan(Reduction::amin, before, false));
    return b;
  };
  ExpectCompiles(scans({64, 4096}, Dtype::bf16, false), "scans");
  ExpectCompiles(scans({64, 129}, Dtype::f32, false), "scans of short rows");
  ExpectCompiles(scans({3, 200000}, Dtype::bf16, false), "scans of long rows");
  ExpectCompiles(scans({64, 4096}, Dtype::f32, true), "scans in the order of columns");
  ExpectCompiles(scans({64, 200000}, Dtype::f32, true), "long scans in the order of columns");
}

// Many columns side by side have a thread each, others share thread blocks.
TEST(Rows, ScansOfColumns) {
  const auto scan = [](int64_t columns) {
    Builder b({columns, 1000});
    b.pass.row_rank = 1;
    const Value s = b.scan(Reduction::sum, b.load(0, Dtype::f32, {4, 4 * columns}), true, Ctype::f32, true, true);
    b.store(0, Dtype::f32, s, {4, 4 * columns});
    return b;
  };
  const RowSpec many = ChosenForRows(scan(40000)).spec.traversal.row, few = ChosenForRows(scan(64)).spec.traversal.row;
  EXPECT_EQ(many.beside * many.lanes * many.warps, 1);
  EXPECT_EQ(few.beside, 4);
  EXPECT_EQ(few.lanes * few.warps, 32);
  ExpectCompiles(scan(40000), "scans of many columns");
  ExpectCompiles(scan(64), "scans of columns side by side");
}

TEST(Rows, RandomPassesCompile) {
  for (uint64_t seed = 0; seed < 12; ++seed)
    ExpectCompiles(passes::random_rows(seed).builder, "seed " + std::to_string(seed));
}

}  // namespace
}  // namespace tileops::cuda
