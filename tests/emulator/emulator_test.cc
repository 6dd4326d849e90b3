// The emulator itself: numbers against a search among all there are, small kernels, and what it has to refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "instructions/numbers.h"
#include "machine/machine.h"

namespace emulator {
namespace {

// The nearest of all numbers of a format; of two the one with an even last bit.
uint32_t Nearest(const Format& f, double x) {
  const uint32_t count = 1u << (1 + f.exponent_bits + f.mantissa_bits);
  uint32_t best = 0;
  double distance = INFINITY;
  for (uint32_t bits = 0; bits < count; ++bits) {
    const double y = decode(f, bits);
    if (!std::isfinite(y) || std::signbit(y) != std::signbit(x)) continue;
    const double d = std::fabs(y - x);
    if (d < distance || (d == distance && bits % 2 == 0)) {
      best = bits;
      distance = d;
    }
  }
  return best;
}

TEST(Numbers, AreTheNearestOfAll) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (const Format* f : {&kE4m3, &kE5m2, &kE2m1, &kF16})
    for (int k = 0; k < (f == &kF16 ? 50 : 2000); ++k) {
      const double x = normal(random) * std::ldexp(1.0, static_cast<int>(random() % 24) - 16);
      if (std::fabs(x) > f->largest) continue;
      EXPECT_EQ(encode(*f, x), Nearest(*f, x)) << x;
    }
}

TEST(Numbers, OfEveryPatternComeBack) {
  for (const Format* f : {&kE4m3, &kE5m2, &kE2m1, &kF16, &kBf16})
    for (uint32_t bits = 0; bits < 1u << (1 + f->exponent_bits + f->mantissa_bits); ++bits) {
      const double x = decode(*f, bits);
      if (std::isnan(x)) continue;
      EXPECT_EQ(encode(*f, x), bits) << x;
    }
  EXPECT_EQ(encode(kF16, 65520), 0x7c00u);
  EXPECT_EQ(encode(kF16, 65519.99), 0x7bffu);
  EXPECT_EQ(encode(kF16, 1e9, FE_TOWARDZERO), 0x7bffu);
  EXPECT_EQ(encode(kE4m3, 1e9), 0x7fu);
  EXPECT_EQ(encode(kE4m3, -1e9, FE_TONEAREST, true), 0xfeu);
  EXPECT_EQ(encode(kE5m2, INFINITY, FE_TONEAREST, true), 0x7bu);
}

// 1 + 2^-8 lies in the middle of two of bf16, of which 1 is even; with the least more it does not.
TEST(Numbers, AreRoundedOnce) {
  const double middle = 1 + 0x1p-8;
  EXPECT_EQ(encode(kBf16, odd_fma(middle, 1, 0)), 0x3f80u);
  EXPECT_EQ(encode(kBf16, odd_fma(middle, 1, 0x1p-100)), 0x3f81u);
  EXPECT_EQ(encode(kBf16, odd_fma(middle, 1, -0x1p-100)), 0x3f80u);
}

// A kernel with one parameter, the address of its results.
std::vector<uint32_t> RunKernel(const std::string& ptx, unsigned threads, size_t room) {
  const std::unique_ptr<Module> module = parse(ptx);
  std::vector<uint32_t> results(std::max<size_t>(threads, room));
  const auto address = reinterpret_cast<uint64_t>(results.data());
  add_range(results.data(), room ? room : 4 * results.size());
  Launch launch{&module->functions.at(0), {1, 1, 1}, {threads, 1, 1}, 0, std::vector<std::byte>(8)};
  std::memcpy(launch.params.data(), &address, 8);
  try {
    run(launch);
  } catch (...) {
    remove_range(results.data());
    throw;
  }
  remove_range(results.data());
  return results;
}

// The same with this as its body: each thread stores %result to %out.
std::vector<uint32_t> Results(const std::string& body, unsigned threads = 32, size_t room = 0) {
  return RunKernel(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 where)
{
  .reg .b64 %out, %rd<8>; .reg .b32 %result, %lane, %r<16>; .reg .pred %p<4>;
  .shared .align 16 .b8 memory[256];
  mov.u32 %lane, %tid.x;
  ld.param.u64 %out, [where];
  mad.wide.u32 %out, %lane, 4, %out;
)" + body + "\n  st.global.u32 [%out], %result;\n  ret;\n}\n",
                   threads, room);
}

std::string FaultOf(const std::string& body, unsigned threads = 32, size_t room = 0) {
  try {
    Results(body, threads, room);
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "none";
}

TEST(Kernels, LanesThatPartMeetAgain) {
  // Each lane loops as often as its number says; then all sum what they have counted.
  const auto r = Results(R"(
  mov.u32 %r1, 0; mov.u32 %r2, 0;
again:
  setp.ge.u32 %p0, %r1, %lane;
  @%p0 bra done;
  add.u32 %r1, %r1, 1;
  add.u32 %r2, %r2, 2;
  bra again;
done:
  redux.sync.add.s32 %result, %r2, 0xffffffff;
)");
  for (const uint32_t x : r) EXPECT_EQ(x, 2u * 31 * 32 / 2);
}

TEST(Kernels, ShufflesReadTheirSegment) {
  const auto up = Results("shfl.sync.up.b32 %result|%p0, %lane, 3, 0, 0xffffffff;\n@!%p0 mov.u32 %result, 99;");
  const auto idx = Results("shfl.sync.idx.b32 %result, %lane, 5, 0x181f, 0xffffffff;");  // segments of 8
  const auto down = Results("shfl.sync.down.b32 %result, %lane, 1, 31, 0xffffffff;");
  for (uint32_t l = 0; l < 32; ++l) {
    EXPECT_EQ(up[l], l < 3 ? 99 : l - 3);
    EXPECT_EQ(idx[l], l / 8 * 8 + 5);
    EXPECT_EQ(down[l], std::min(l + 1, 31u));
  }
}

// A function that a kernel calls twice, with a loop of its own and a return from its middle.
TEST(Kernels, CallFunctions) {
  const std::string ptx = R"(.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 back) twice_up_to(.param .b32 x, .param .b32 most);
.visible .entry kernel(.param .u64 where)
{
  .reg .b64 %out; .reg .b32 %r<4>;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %out, [where];
  mad.wide.u32 %out, %r0, 4, %out;
  { .param .b32 p0; .param .b32 p1; .param .b32 got;
    st.param.b32 [p0+0], %r0; st.param.b32 [p1+0], 20;
    call.uni (got), twice_up_to, (p0, p1);
    ld.param.b32 %r1, [got+0]; }
  { .param .b32 p0; .param .b32 p1; .param .b32 got;
    st.param.b32 [p0+0], %r1; st.param.b32 [p1+0], 30;
    call.uni (got), twice_up_to, (p0, p1);
    ld.param.b32 %r2, [got+0]; }
  st.global.u32 [%out], %r2;
  ret;
}
.func (.param .b32 back) twice_up_to(.param .b32 x, .param .b32 most)
{
  .reg .b32 %r<4>; .reg .pred %p;
  ld.param.b32 %r0, [x]; ld.param.b32 %r1, [most];
  add.u32 %r2, %r0, %r0;
  st.param.b32 [back+0], %r2;
  setp.le.u32 %p, %r2, %r1;
  @%p ret;
again:
  sub.u32 %r2, %r2, 1;
  setp.gt.u32 %p, %r2, %r1;
  @%p bra again;
  st.param.b32 [back+0], %r2;
  ret;
}
)";
  const auto r = RunKernel(ptx, 32, 0);
  for (uint32_t l = 0; l < 32; ++l) EXPECT_EQ(r[l], std::min(2 * std::min(2 * l, 20u), 30u));
}

TEST(Kernels, BitsAndBytes) {
  const auto lop = Results("lop3.b32 %result, 0xff00ff00, 0xf0f0f0f0, %lane, 0xca;");  // a ? b : c
  const auto prmt = Results("prmt.b32 %result, 0x33221180, 0x77665544, 0x8053;");
  const auto bfe = Results("bfe.s32 %result, 0x00000f00, 8, 4;");
  const auto shf = Results("shf.r.wrap.b32 %result, 0x89abcdef, 0x01234567, 8;");
  const auto high = Results("mul.hi.s32 %result, -3, 0x40000000;");
  for (uint32_t l = 0; l < 32; ++l) EXPECT_EQ(lop[l], (0xff00ff00u & 0xf0f0f0f0u) | (~0xff00ff00u & l));
  EXPECT_EQ(prmt[0], 0xff805533u);
  EXPECT_EQ(bfe[0], 0xffffffffu);
  EXPECT_EQ(shf[0], 0x6789abcdu);
  EXPECT_EQ(high[0], 0xffffffffu);
}

// What was copied is there when it has been waited for.
TEST(Kernels, CopiesArriveWhenTheyAreWaitedFor) {
  const std::string copy = R"(
  st.global.u32 [%out], 7;
  mov.u64 %rd1, memory;
  mad.wide.u32 %rd1, %lane, 4, %rd1;
  cp.async.ca.shared.global [%rd1], [%out], 4;
  cp.async.commit_group;
)";
  EXPECT_EQ(Results(copy + "cp.async.wait_group 0;\nld.shared.u32 %result, [%rd1];")[3], 7u);
  EXPECT_NE(Results(copy + "ld.shared.u32 %result, [%rd1];")[3], 7u);
}

TEST(Kernels, BarriersOfAPartOfTheWarps) {
  // The second warp waits for what the first one stores.
  const auto r = Results(R"(
  setp.lt.u32 %p0, %lane, 32;
  @!%p0 bra second;
  st.shared.u32 [memory], 5;
  bar.arrive 1, 64;
  mov.u32 %result, 1;
  bra both;
second:
  bar.sync 1, 64;
  ld.shared.u32 %result, [memory];
both:
)",
                         64);
  EXPECT_EQ(r[0], 1u);
  EXPECT_EQ(r[63], 5u);
}

TEST(Faults, SayWhatIsWrongAndWhere) {
  const std::string store = "mov.u32 %result, 1;";
  EXPECT_EQ(FaultOf(store), "none");
  EXPECT_NE(FaultOf(store, 32, 100).find("4 bytes beyond the end of 100 bytes"), std::string::npos);
  EXPECT_NE(FaultOf(store, 32, 100).find("st.global.u32 [%out], %result;"), std::string::npos);
  EXPECT_NE(FaultOf("add.u64 %out, %out, 2;").find("no multiple of 4"), std::string::npos);
  EXPECT_NE(FaultOf("ld.shared.u32 %result, [memory+256];").find("offset 256 of 256 bytes"), std::string::npos);
  EXPECT_NE(FaultOf("setp.eq.u32 %p0, %lane, 3;\n@%p0 ret;\nbar.sync 0, 64;").find("no thread can go on"),
            std::string::npos);
  EXPECT_NE(
      FaultOf("setp.eq.u32 %p0, %lane, 3;\n@%p0 bra a;\nshfl.sync.bfly.b32 %result, %lane, 1, 31, 0xffffffff;\na:")
          .find("no thread can go on"),
      std::string::npos)
      << "the other lanes leave out the shuffle";
  EXPECT_NE(FaultOf("wgmma.fence.sync.aligned;").find("does not know wgmma"), std::string::npos);
}

TEST(Faults, RacesAreFound) {
  const std::string store = "mov.u32 %result, 1;\n@%p0 st.shared.u32 [memory], 5;\n", barrier = "bar.sync 0;\n",
                    load = "ld.shared.u32 %result, [memory];\n";
  const std::string first = "setp.eq.u32 %p0, %lane, 0;\n";
  EXPECT_EQ(FaultOf(first + store + barrier + load, 64), "none");
  EXPECT_NE(FaultOf(first + store + load, 64).find("a race: warp 1 loads byte 0"), std::string::npos);
  EXPECT_NE(FaultOf(first + load + store, 64).find("a race: warp 1 loads"), std::string::npos);
  const std::string last = "setp.eq.u32 %p0, %lane, 63;\n";
  EXPECT_NE(FaultOf(last + load + store, 64).find("a race: warp 1 stores"), std::string::npos);
  EXPECT_EQ(FaultOf(last + load + barrier + store, 64), "none");
}

}  // namespace
}  // namespace emulator

int main(int argc, char** argv) {
  setenv("TILEOPS_EMULATOR_RACES", "1", 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
