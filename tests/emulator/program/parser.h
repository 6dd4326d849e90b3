// Reads a PTX module. Functions that a kernel calls become a part of it, each time that it calls them.
#ifndef TILEOPS_TESTS_EMULATOR_PROGRAM_PARSER_H_
#define TILEOPS_TESTS_EMULATOR_PROGRAM_PARSER_H_

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/lexer.h"
#include "program/program.h"

namespace emulator {

class Parser {
 public:
  explicit Parser(const std::string& text) : lex_(text), module_(new Module) {}
  std::unique_ptr<Module> whole();

 private:
  // What a name stands for: a register; a number, such as the address of a variable; the address of dynamic shared
  // memory; or one of the parameters that a call hands over, which are registers, by their number.
  struct Name {
    enum Kind { reg, constant, dynamic, parameter } kind;
    uint64_t value;
  };
  // ".align 16 .b8 name[4096] = {..}": its name, place for it and what it begins with.
  struct Declared {
    std::string name, type;
    size_t align = 1, bytes = 0;
    std::vector<uint64_t> values;
  };
  // A function that may be called: names of its result and parameters, and where its text is.
  struct Callee {
    std::vector<std::string> result, parameters;
    size_t body = 0;
  };

  // ---- parse.cc: the module, variables and entries
  Declared declared();
  uint64_t number();
  void variable(const std::string& space);
  void local_variable(const std::string& space);
  void registers();
  void entry();

  // ---- statements.cc: what a body has
  void statements();  // up to the brace that closes it
  void instruction(std::string t);
  void operands(const Mnemonic& m, Instruction* i);
  int operand(const std::string& t);
  Source source(std::string t);
  const Name* find(const std::string& name) const;
  int new_register() { return f_->num_registers++; }
  int constant(uint64_t value);

  // ---- calls.cc
  std::vector<std::string> parameter_names();
  void function();
  void skip_body();
  void call(const Instruction& guarded);
  void declare_parameter();
  // The register of what lies so many bytes within a parameter, of so many bytes.
  int part_of(uint64_t parameter, int64_t offset, size_t bytes);
  void move_parameter(const Mnemonic& m, const Instruction& i);
  void branch_to(const std::string& label, int guard, bool guard_is);

  Lexer lex_;
  std::unique_ptr<Module> module_;
  std::vector<std::unordered_map<std::string, Name>> names_{1};
  std::unordered_map<std::string, Callee> callees_;
  bool is_extern_ = false;
  size_t shared_ = 0, dynamic_align_ = 16;

  // The kernel that is being read.
  Function* f_ = nullptr;
  std::unordered_map<uint64_t, int> constants_;
  std::map<Special, int> special_regs_;
  std::unordered_map<std::string, int> labels_;
  std::vector<std::pair<size_t, std::string>> jumps_;
  int dynamic_ = -1;  // the register with the address of dynamic shared memory
  // Parameters of calls: parts of each, by offset, with their sizes.
  uint64_t num_parameters_ = 0;
  std::map<std::pair<uint64_t, int64_t>, std::pair<int, size_t>> parts_;
  const Name* parameter_ = nullptr;  // which the instruction that is read loads or stores
  int64_t parameter_offset_ = 0;
  std::string instance_;  // of the call that is read: behind its labels; "" in the entry itself
  int calls_ = 0;
};

}  // namespace emulator

#endif  // TILEOPS_TESTS_EMULATOR_PROGRAM_PARSER_H_
