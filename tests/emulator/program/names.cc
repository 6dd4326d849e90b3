// Names of instructions and of special registers.
#include <algorithm>

#include "program/program.h"

namespace emulator {

Mnemonic::Mnemonic(const std::string& t) : text(t) {
  static const char* const kinds[] = {"pred", "b8",  "b16",   "b32",   "b64",    "b128",   "u8",     "u16",  "u32",
                                      "u64",  "s8",  "s16",   "s32",   "s64",    "f16",    "f16x2",  "bf16", "bf16x2",
                                      "f32",  "f64", "u16x2", "s16x2", "e4m3x2", "e5m2x2", "e2m1x2", "tf32"};
  for (size_t begin = 0, end; begin <= t.size(); begin = end + 1) {
    end = std::min(t.find('.', begin), t.size());
    const std::string part = t.substr(begin, end - begin);
    if (begin == 0) op = part;
    else parts.push_back(part);
    if (begin > 0 && std::any_of(std::begin(kinds), std::end(kinds), [&](const char* k) { return part == k; }))
      types.push_back(part);
  }
}

bool Mnemonic::has(const char* part) const { return std::find(parts.begin(), parts.end(), part) != parts.end(); }

const std::string& Mnemonic::type(size_t n) const {
  static const std::string none;
  return n < types.size() ? types[n] : none;
}

bool Mnemonic::has_result() const {
  static const char* const none[] = {"st", "red", "bra",  "bar",  "barrier", "membar",         "fence",     "prefetch",
                                     "cp", "ret", "exit", "trap", "discard", "griddepcontrol", "nanosleep", "pragma"};
  return std::none_of(std::begin(none), std::end(none), [&](const char* o) { return op == o; });
}

size_t bytes_of(const std::string& type) {
  const size_t digit = type.find_first_of("0123456789");
  if (digit == std::string::npos) return 0;
  return std::stoul(type.substr(digit)) * (type.find("x2") == std::string::npos ? 1 : 2) / 8;
}

const std::map<std::string, Special>& specials() {
  static const std::map<std::string, Special> names = {
      {"%tid.x", Special::tid_x},
      {"%tid.y", Special::tid_y},
      {"%tid.z", Special::tid_z},
      {"%ntid.x", Special::ntid_x},
      {"%ntid.y", Special::ntid_y},
      {"%ntid.z", Special::ntid_z},
      {"%ctaid.x", Special::ctaid_x},
      {"%ctaid.y", Special::ctaid_y},
      {"%ctaid.z", Special::ctaid_z},
      {"%nctaid.x", Special::nctaid_x},
      {"%nctaid.y", Special::nctaid_y},
      {"%nctaid.z", Special::nctaid_z},
      {"%laneid", Special::laneid},
      {"%warpid", Special::warpid},
      {"%nwarpid", Special::nwarpid},
      {"%lanemask_eq", Special::lanemask_eq},
      {"%lanemask_lt", Special::lanemask_lt},
      {"%lanemask_le", Special::lanemask_le},
      {"%lanemask_gt", Special::lanemask_gt},
      {"%lanemask_ge", Special::lanemask_ge},
      {"%cluster_ctarank", Special::cluster_ctarank},
      {"%cluster_nctarank", Special::cluster_nctarank},
      {"%dynamic_smem_size", Special::dynamic_shared},
      {"%smid", Special::smid},
      {"%clock", Special::clock},
      {"%clock64", Special::clock},
      {"%globaltimer", Special::clock},
  };
  return names;
}

}  // namespace emulator
