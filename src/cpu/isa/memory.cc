// The table of loads and stores of one ISA.
#include "cpu/loops/memory/tiles.h"

#include "cpu/loops/turns.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {
namespace {

// Whole words in and out, put together by shifts: left to itself, g++ 12 builds vectors element by
// element, at half the speed, or words by masking.
template <class Code, class E>
constexpr size_t kPerWord = 8 / (sizeof(Code) > sizeof(E) ? sizeof(Code) : sizeof(E));
template <class Code, class E>
inline __attribute__((always_inline)) void look_up_word(const Code* src, const E* table, E* dst) {
  constexpr size_t kPer = kPerWord<Code, E>;
  typename word<kPer * sizeof(Code)>::integer codes;
  typename word<kPer * sizeof(E)>::integer results = 0;
  __builtin_memcpy(&codes, src, sizeof codes);
  for (size_t k = 0; k < kPer; ++k) {
    const decltype(results) result = table[static_cast<Code>(codes >> (8 * sizeof(Code) * k))];
    results |= result << (8 * sizeof(E) * k);
  }
  __builtin_memcpy(dst, &results, sizeof results);
}

template <class Code, class E>
void lookup(const void* src_, const void* table_, size_t n, void* dst_, bool non_temporal) {
  const Code* src = static_cast<const Code*>(src_);
  const E* table = static_cast<const E*>(table_);
  E* dst = static_cast<E*>(dst_);
  constexpr size_t kPer = kPerWord<Code, E>, kStep = kPer >= 4 ? kPer : 1, kTurn = 256 / sizeof(E);
  const auto step = [=](E* to, size_t at) {
    if constexpr (kStep > 1) look_up_word(src + at, table, to);
    else *to = table[src[at]];
  };
  const auto some = [=](E* to, size_t at, size_t m) {
    size_t i = 0;
    for (; i + kStep <= m; i += kStep) step(to + i, at + i);
    for (; kStep > 1 && i < m; ++i) to[i] = table[src[at + i]];
  };
  if (!non_temporal) return some(dst, 0, n);
  non_temporal_loop<kTurn>(
      dst, n,
      [=](E* to, size_t at) {
        prefetch<kTurn>(src + at);
        for (size_t i = 0; i < kTurn; i += kStep) step(to + i, at + i);
      },
      some);
}

template <class E>
void zip(const void* even_, const void* odd_, size_t n, void* dst_) {
  const E *even = static_cast<const E*>(even_), *odd = static_cast<const E*>(odd_);
  E* dst = static_cast<E*>(dst_);
#pragma omp simd
  for (size_t i = 0; i < n; ++i) {
    dst[2 * i] = even[i];
    dst[2 * i + 1] = odd[i];
  }
}

void non_temporal_copy(void* dst, const void* src, size_t n) { put_lines(dst, src, n); }

// Without prefetching, which makes it slower.
template <class S, class D>
void non_temporal_convert(const void* src_, size_t n, void* dst) {
  constexpr size_t kTurn = 64;
  const S* src = static_cast<const S*>(src_);
  non_temporal_loop<kTurn>(
      static_cast<D*>(dst), n,
      [=](D* to, size_t at) {
        if constexpr (is_half_v<D> && d::same_v<S, float>) narrow_dense<true>(src + at, kTurn, to);
        else convert_dense(src + at, kTurn, to);
      },
      [=](D* to, size_t at, size_t m) { convert_dense(src + at, m, to); });
}

void non_temporal_fence() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

// dst[r, c] = dst[0, c] + r * down.
template <class T, class Down>
TILEOPS_INLINE void fill_rows(const Tile& t, const Down& down, T* dst) {
  for (size_t r = 1; r < t.rows; ++r) {
    const T more = down(r * static_cast<uint64_t>(t.row_stride));
    T* row = dst + r * t.cols;
#pragma omp simd
    for (size_t c = 0; c < t.cols; ++c) row[c] = dst[c] + more;
  }
}

// Positions count modulo 2^64: an offset may be the largest number.
void fill_index(int64_t origin, const Tile& t, int64_t* dst_) {
  auto* dst = reinterpret_cast<uint64_t*>(dst_);
  const uint64_t right = static_cast<uint64_t>(t.col_stride);
  uint64_t at = static_cast<uint64_t>(origin);  // by sums: few processors multiply 64 bits in vectors
#pragma omp simd linear(at : right)
  for (size_t c = 0; c < t.cols; ++c) {
    dst[c] = at;
    at += right;
  }
  fill_rows(t, [](uint64_t down) { return down; }, dst);
}

// The sums are exact.
void fill_index_f32(int64_t origin, const Tile& t, float* dst) {
  const d::i32 step = static_cast<d::i32>(t.col_stride);
  d::i32 at = static_cast<d::i32>(origin);
#pragma omp simd linear(at : step)
  for (size_t c = 0; c < t.cols; ++c) {
    dst[c] = static_cast<float>(at);
    at += step;
  }
  fill_rows(t, [](uint64_t down) { return static_cast<float>(static_cast<int64_t>(down)); }, dst);
}

// Scales are loaded as f32 and stored from f32 alone: by cast, which makes them powers of two
// before.
template <class Storage, class T>
constexpr bool converts_v = !d::same_v<Storage, d::e8m0fnu> || d::same_v<T, float>;

template <class S, class D>
constexpr LoadFn load() {
  if constexpr (converts_v<S, D>) return load_tile<S, D>;
  else return nullptr;
}
template <class S, class D>
constexpr StoreFn store() {
  if constexpr (converts_v<D, S>) return store_tile<S, D>;
  else return nullptr;
}
template <class D>
constexpr TestedStoreFn tested() {
  if constexpr (d::is_narrow_v<D> && !d::same_v<D, d::e8m0fnu>) return tested_store<D>;
  else return nullptr;
}

template <class S>
constexpr void add_loads(Dtype from, MemoryKernels* t) {
  using namespace device;
#define TILEOPS_CTYPE(id, type) t->load[static_cast<int>(from)][static_cast<int>(Ctype::id)] = load<S, type>();
#include <tileops/dtypes.def>
}

template <class S>
constexpr void add_stores(Ctype from, MemoryKernels* t) {
  using namespace device;
  StoreFn* row = t->store[static_cast<int>(from)];
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                \
  row[static_cast<int>(Dtype::id)] = store<S, storage>();                                                           \
  row[kNumDtypes + static_cast<int>(Dtype::id)] = store<S, saturating>();
#include <tileops/dtypes.def>
}

template <class S, class D>
constexpr void add_stream(MemoryKernels* t, Dtype from, Dtype to) {
  t->non_temporal_convert[static_cast<int>(from)][static_cast<int>(to)] = non_temporal_convert<S, D>;
}

constexpr MemoryKernels make_table() {
  MemoryKernels t{};
  using namespace device;
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                \
  add_loads<storage>(Dtype::id, &t);                                                                                \
  t.tested_store[static_cast<int>(Dtype::id)] = tested<storage>();                                                  \
  t.tested_store[kNumDtypes + static_cast<int>(Dtype::id)] = tested<saturating>();
#define TILEOPS_CTYPE(id, type) add_stores<type>(Ctype::id, &t);
#include <tileops/dtypes.def>
  t.lookup[0] = lookup<d::u8, d::u8>;
  t.lookup[1] = lookup<d::u8, d::u16>;
  t.lookup[2] = lookup<d::u8, d::u32>;
  t.lookup[3] = lookup<d::u8, d::u64>;
  t.lookup16[0] = lookup<d::u16, d::u8>;
  t.lookup16[1] = lookup<d::u16, d::u16>;
  t.lookup16[2] = lookup<d::u16, d::u32>;
  t.lookup16[3] = lookup<d::u16, d::u64>;
  t.fill_index = fill_index;
  t.fill_index_f32 = fill_index_f32;
  t.zip[0] = zip<d::u8>;
  t.zip[1] = zip<d::u16>;
  t.zip[2] = zip<d::u32>;
  t.zip[3] = zip<d::u64>;
  t.non_temporal_copy = non_temporal_copy;
  t.non_temporal_fence = non_temporal_fence;
  add_stream<float, d::f16>(&t, Dtype::f32, Dtype::f16);
  add_stream<float, d::bf16>(&t, Dtype::f32, Dtype::bf16);
  add_stream<float, d::i32>(&t, Dtype::f32, Dtype::i32);
  add_stream<d::f16, float>(&t, Dtype::f16, Dtype::f32);
  add_stream<d::bf16, float>(&t, Dtype::bf16, Dtype::f32);
  add_stream<d::i32, float>(&t, Dtype::i32, Dtype::f32);
  add_stream<d::bool8, float>(&t, Dtype::boolean, Dtype::f32);
  add_stream<d::bool8, d::f16>(&t, Dtype::boolean, Dtype::f16);
  add_stream<d::bool8, d::bf16>(&t, Dtype::boolean, Dtype::bf16);
  add_stream<float, d::bool8>(&t, Dtype::f32, Dtype::boolean);
  return t;
}

constexpr MemoryKernels kMemory = make_table();

}  // namespace

#define TILEOPS_FAMILY(name) void add_##name(KernelSink sink);
#include "cpu/isa/families.def"
#undef TILEOPS_FAMILY

namespace {
void add_all(KernelSink sink) {
#define TILEOPS_FAMILY(name) add_##name(sink);
#include "cpu/isa/families.def"
#undef TILEOPS_FAMILY
}
}  // namespace

#define TILEOPS_STRING_(x) #x
#define TILEOPS_STRING(x) TILEOPS_STRING_(x)
bool find_reduction(Reduction by, Ctype type, const SumOrder& order, ReduceKernel* out);  // reduce.cc
bool find_scan(Reduction by, Ctype type, const ScanOrder& order, ScanKernel* out);        // scan.cc

extern const IsaKernels kIsa;
const IsaKernels kIsa = {TILEOPS_STRING(TILEOPS_ISA), add_all, [] { return &kMemory; }, find_reduction, find_scan};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
