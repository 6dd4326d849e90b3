// Loops of light bodies that take and give 16-bit floats as they lie in memory (Loop::mixed): the bits of the same
// body on floats, beside conversions of its own.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "cpu/kernel.h"
#include "op/op_table.h"

namespace tileops::cpu {
namespace {

constexpr size_t kMost = 100;
const AttrValue kAttrs[8] = {{-1.5}, {2.5}, {0.75}, {0.5}, {3.0}, {1.0}, {1.0}, {1.0}};

std::vector<uint16_t> Codes(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint16_t> codes(n);
  for (uint16_t& c : codes) c = static_cast<uint16_t>(random());
  return codes;
}

void Convert(const MemoryKernels& memory, const std::vector<uint16_t>& codes, Dtype from, std::vector<float>* to) {
  to->resize(codes.size());
  const Tile dense{1, codes.size(), 0, sizeof(uint16_t)};
  memory.load[static_cast<int>(from)][static_cast<int>(Ctype::f32)](codes.data(), dense, to->data());
}

bool IsNan(Dtype dtype, uint16_t code) { return (code & 0x7fff) > (dtype == Dtype::bf16 ? 0x7f80 : 0x7c00); }

// One kernel with one choice of forms: bit k of `narrow` is operand k's, the last one the result's.
void ExpectSame(const MemoryKernels& memory, const Kernel& k, Dtype dtype, unsigned narrow, size_t n,
                bool non_temporal) {
  const Elements halves = dtype == Dtype::bf16 ? Elements::bf16 : Elements::f16;
  std::vector<uint16_t> codes[4];
  std::vector<float> wide[4];
  const void *in[4], *floats[4];
  Elements elements[5] = {};
  for (int i = 0; i < k.num_in; ++i) {
    codes[i] = Codes(n, static_cast<uint32_t>(n * 10 + static_cast<size_t>(i)));
    Convert(memory, codes[i], dtype, &wide[i]);
    floats[i] = wide[i].data();
    in[i] = narrow >> i & 1 ? static_cast<const void*>(codes[i].data()) : floats[i];
    if (narrow >> i & 1) elements[i] = halves;
  }
  const bool gives = narrow >> k.num_in & 1;
  if (gives) elements[k.num_in] = halves;
  std::vector<float> want(n);
  alignas(64) float got[kMost + 1];
  std::fill(std::begin(got), std::end(got), 7.0f);
  void *out[] = {want.data()}, *mixed[] = {got};
  k.find(Loop::dense)->fn.dense(floats, out, n, kAttrs, {});
  k.find(Loop::mixed)->fn.dense(in, mixed, n, kAttrs, {non_temporal, elements});
  memory.non_temporal_fence();
  EXPECT_EQ(got[n], 7.0f);
  if (!gives) {
    for (size_t i = 0; i < n; ++i)
      EXPECT_TRUE(std::memcmp(&want[i], &got[i], sizeof(float)) == 0 || (std::isnan(want[i]) && std::isnan(got[i])))
          << i << ": " << got[i] << ", not " << want[i];
    return;
  }
  std::vector<uint16_t> rounded(n), stored(n);
  const Tile dense{1, n, 0, sizeof(uint16_t)};
  memory.store[static_cast<int>(Ctype::f32)][static_cast<int>(dtype)](want.data(), dense, rounded.data());
  std::memcpy(stored.data(), got, n * sizeof(uint16_t));
  for (size_t i = 0; i < n; ++i)
    EXPECT_TRUE(rounded[i] == stored[i] || (IsNan(dtype, rounded[i]) && IsNan(dtype, stored[i])))
        << i << ": " << stored[i] << ", not " << rounded[i];
}

TEST(CpuMixed, BitsOfConversionsAndTheBody) {
  int count;
  const IsaKernels* const* isas = usable_isas(&count);
  for (int i = 0; i < count; ++i) {
    std::vector<Kernel> kernels;
    isas[i]->add_kernels({[](void* user, const Kernel& k) {
                            if (k.find(Loop::mixed)) static_cast<std::vector<Kernel>*>(user)->push_back(k);
                          },
                          &kernels});
    EXPECT_GT(kernels.size(), 20u);
    for (const Kernel& k : kernels) {
      const OpSpec* op = find_op(static_cast<tileops_op>(k.op));
      for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
        for (unsigned narrow = 0; narrow < 2u << k.num_in && !::testing::Test::HasFailure(); ++narrow) {
          SCOPED_TRACE(std::string(isas[i]->name) + ", " + (op ? op->name : std::to_string(k.op).c_str()) + " " +
                       std::to_string(k.body) + ", " + dtype_name(dtype) + ", forms " + std::to_string(narrow));
          for (const size_t n : {size_t{1}, size_t{31}, size_t{32}, size_t{65}, kMost})
            for (const bool non_temporal : {false, true})
              ExpectSame(*isas[i]->memory(), k, dtype, narrow, n, non_temporal);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tileops::cpu
