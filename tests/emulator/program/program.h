// A PTX program as the emulator runs it. All operands are registers: constants, special registers and addresses of
// variables have registers of their own, which are filled before a thread's first instruction.
#ifndef TILEOPS_TESTS_EMULATOR_PROGRAM_H_
#define TILEOPS_TESTS_EMULATOR_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace emulator {

constexpr int kLanes = 32;
using Mask = uint32_t;  // a bit for each lane of a warp

// What stops a kernel: an access outside memory, a deadlock, an instruction that the emulator does not know.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An instruction's name in its parts: of "ld.global.v4.f32", "ld" and the rest.
struct Mnemonic {
  explicit Mnemonic(const std::string& text);
  bool has(const char* part) const;
  // The n-th part that is the name of a type, "" where there are fewer.
  const std::string& type(size_t n = 0) const;
  // Is its first operand what it writes, or are all of them sources?
  bool has_result() const;

  std::string text, op;
  std::vector<std::string> parts, types;
};

class Warp;
struct Instruction;
using Handler = void (*)(Warp& warp, const Instruction& i, Mask lanes);

// What the scheduler of a warp does itself.
enum class Control : uint8_t { none, branch, exit, barrier, arrive, cluster_arrive, cluster_wait, together };

struct Source {
  int reg = 0;
  int64_t offset = 0;  // of an address
};

struct Instruction {
  Handler run = nullptr;
  Control control = Control::none;
  int guard = -1;  // a predicate's register
  bool guard_is = true;
  int target = -1;        // of a branch
  uint8_t space = 0;      // Space of memory.h
  uint8_t bytes = 0;      // of one element in memory
  uint8_t modifiers = 0;  // of a conversion, a comparison and so on: see there
  std::vector<int> to;
  std::vector<Source> from;
  std::string text;
};

enum class Special : uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  cluster_ctarank,
  cluster_nctarank,
  smid,
  clock,
  dynamic_shared,
  zero,
};

// How many bytes a PTX type has, such as "f32" or "f16x2"; 0 where the type does not say.
size_t bytes_of(const std::string& type);

// By their names: "%tid.x".
const std::map<std::string, Special>& specials();

struct Function {
  std::string name;
  std::vector<Instruction> code;
  int num_registers = 0;
  std::vector<std::pair<int, uint64_t>> constants;
  std::vector<std::pair<int, Special>> specials;
  size_t param_bytes = 0, shared_bytes = 0, local_bytes = 0;
  unsigned cluster = 1;  // blocks
};

struct Module {
  ~Module();
  std::vector<Function> functions;
  std::vector<std::pair<std::unique_ptr<std::byte[]>, std::byte*>> variables;  // global and constant: where each begins
};

std::unique_ptr<Module> parse(const std::string& ptx);

// Which handler an instruction has; nullptr where this part of the emulator does not know it.
Handler integer_handler(const Mnemonic& m, Instruction* i);
Handler bits_handler(const Mnemonic& m, Instruction* i);
Handler float_handler(const Mnemonic& m, Instruction* i);
Handler convert_handler(const Mnemonic& m, Instruction* i);
Handler compare_handler(const Mnemonic& m, Instruction* i);
Handler memory_handler(const Mnemonic& m, Instruction* i);
Handler warp_handler(const Mnemonic& m, Instruction* i);

}  // namespace emulator

#endif  // TILEOPS_TESTS_EMULATOR_PROGRAM_H_
