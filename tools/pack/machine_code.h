// The instructions of a compiled kernel, out of the ELF file that NVRTC gives.
#pragma once

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/error.h"
#include "cuda/spec/kernel.h"

namespace tileops::cuda {

struct MachineCode {
  std::string bytes;  // the kernel, then functions that are out of line
  size_t kernel = 0;  // bytes of the kernel's own
};

template <class T>
T at(const std::string& image, uint64_t offset) {
  T value;
  std::memcpy(&value, image.data() + offset, sizeof value);
  return value;
}

inline MachineCode machine_code(const Kernel& kernel, const std::string& image) {
  const Error none{TILEOPS_STATUS_COMPILE, kernel.name + ": the machine code has no kernel"};
  if (image.size() < sizeof(Elf64_Ehdr) || image.compare(0, SELFMAG, ELFMAG) != 0) throw none;
  const auto head = at<Elf64_Ehdr>(image, 0);
  const auto section = [&](size_t i) { return at<Elf64_Shdr>(image, head.e_shoff + i * sizeof(Elf64_Shdr)); };
  const char* const names = image.data() + section(head.e_shstrndx).sh_offset;
  MachineCode code;
  size_t index = 0;
  for (size_t i = 0; i < head.e_shnum; ++i) {
    if (names + section(i).sh_name != std::string(".text.") + kKernelSymbol) continue;
    index = i;
    code.bytes = image.substr(section(i).sh_offset, section(i).sh_size);
    code.kernel = code.bytes.size();
  }
  if (code.bytes.empty()) throw none;
  for (size_t i = 0; i < head.e_shnum; ++i) {
    const Elf64_Shdr table = section(i);
    if (table.sh_type != SHT_SYMTAB) continue;
    for (uint64_t s = 0; s < table.sh_size; s += sizeof(Elf64_Sym)) {
      const auto symbol = at<Elf64_Sym>(image, table.sh_offset + s);
      if (symbol.st_shndx == index && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_value != 0)
        code.kernel = std::min<size_t>(code.kernel, symbol.st_value);
    }
  }
  return code;
}

// Coefficients lie elsewhere in constant memory (bank 3) where more of them are compiled: bits 38 to 53 of an
// instruction of 16 bytes say where, bits 54 to 58 in which bank (so do those of some immediates, a part of which is
// not compared).
inline std::string without_places_of_coefficients(std::string code) {
  for (size_t i = 0; i + 16 <= code.size(); i += 16) {
    auto low = at<uint64_t>(code, i);
    if ((low >> 54 & 31) == 3) low &= ~(uint64_t{0xffff} << 38);
    std::memcpy(&code[i], &low, sizeof low);
  }
  return code;
}

}  // namespace tileops::cuda
