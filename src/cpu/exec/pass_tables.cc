// Tables of results that a pass looks up instead of computing.
#include <algorithm>
#include <cstring>

#include "cpu/exec/pass.h"

namespace tileops::cpu {

// One operand of few codes and an f32 body is a table of results: of 256 for 8-bit floats, always;
// of 65536 for 16-bit ones where the body is dear and the tensor larger than half the table (a
// lookup is 0.3 to 0.5 ns on a Zen 4 core for any body; with AVX2 exp takes 0.5 ns, gelu 1.2).
bool CpuPass::wants_table(const Pass& pass) const {
  if (pass.loads.size() != 1 || pass.stores.size() != 1 || kernel_.num_out != 1) return false;
  const View& in = pass.loads[0];
  if (in.kind != ViewKind::input || in.gather || kernel_.in[0] != Ctype::f32) return false;
  if (dtype_size(in.dtype) == 1) return true;
  const int fused = in.dtype == Dtype::bf16 ? kFusedBf16 : kFusedF16;
  if (in.dtype == pass.stores[0].dtype && kernel_.quick[fused]) return false;
  return is_narrow_float(in.dtype) && ulp_ > 0 && !kernel_.cheap && layout_.numel >= 32768;
}

std::string CpuPass::table_key(const Problem& problem, const Pass& pass) const {
  const Step& step = only_step(pass);
  std::string key(reinterpret_cast<const char*>(step.attrs.data()), step.attrs.size() * sizeof(AttrValue));
  for (const int64_t part : {int64_t{step.body->op}, int64_t{step.body->index},
                             int64_t(pass.loads[0].dtype), int64_t(pass.stores[0].dtype),
                             int64_t(problem.fp8), reinterpret_cast<int64_t>(&memory_)})
    key.append(reinterpret_cast<const char*>(&part), sizeof part);
  return key;
}

// Is a function of the first operand worth a table? It costs as much as 65536 results.
bool CpuPass::wants_gates() const {
  return fused_ >= 0 && fused_ != kFusedF32 && kernel_.gated[fused_].fn && layout_.numel >= 32768;
}
std::vector<uint8_t> CpuPass::make_gates() const {
  std::vector<uint8_t> table(65536 * sizeof(float));
  kernel_.gated[fused_].fill(reinterpret_cast<float*>(table.data()), attrs_);
  return table;
}

// By the pass itself, so that a table changes nothing but the speed.
std::vector<uint8_t> CpuPass::make_table() const {
  const size_t code_size = static_cast<size_t>(loads_[0].storage);
  const size_t codes = size_t{1} << (8 * code_size);
  const size_t element = static_cast<size_t>(stores_[0].storage);
  std::vector<uint8_t> table(codes * element);
  uint16_t code[kBlock];
  float x[kBlock];
  alignas(8) unsigned char y[kBlock * 8];
  for (size_t base = 0; base < codes; base += kBlock) {
    const size_t n = std::min(kBlock, codes - base);
    for (size_t i = 0; i < n; ++i) {
      const uint16_t c = static_cast<uint16_t>(base + i);
      std::memcpy(reinterpret_cast<uint8_t*>(code) + i * code_size, &c, code_size);
    }
    loads_[0].load(code, Tile{1, n, 0, loads_[0].storage}, x);
    const void* ins[] = {x};
    void* outs[] = {y};
    kernel_.fn(ins, outs, n, attrs_);
    store_block(0, ins, n, y, Tile{1, n, 0, stores_[0].storage}, table.data() + base * element);
  }
  return table;
}

}  // namespace tileops::cpu
