#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "machine/memory.h"
#include "program/parser.h"

namespace emulator {
namespace {

size_t up_to(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

std::unique_ptr<Module> Parser::whole() {
  std::vector<size_t> entries;  // read when all functions are known
  while (!lex_.ended()) {
    const std::string t = lex_.next();
    if (t == ".version" || t == ".target" || t == ".address_size") lex_.skip_line();
    else if (t == ".visible" || t == ".weak" || t == ".extern") is_extern_ = t == ".extern";
    else if (t == ".global" || t == ".const" || t == ".shared") variable(t);
    else if (t == ".func") function();
    else if (t == ".entry") {
      entries.push_back(lex_.position());
      while (lex_.peek() != "{") lex_.next();
      skip_body();
    } else {
      throw Fault("PTX: '" + t + "' is not known at the module's level");
    }
  }
  for (const size_t at : entries) {
    lex_.go_to(at);
    entry();
  }
  return std::move(module_);
}

Parser::Declared Parser::declared() {
  Declared d;
  for (std::string t = lex_.next();; t = lex_.next()) {
    if (t == ".align") d.align = std::stoul(lex_.next());
    else if (t == ".ptr" || t == ".global") continue;
    else if (t[0] == '.') d.type = t.substr(1);
    else {
      d.name = t;
      break;
    }
  }
  const size_t size = bytes_of(d.type);
  d.align = std::max(d.align, size);
  d.bytes = size;
  while (lex_.peek() == "[") {
    lex_.next();
    d.bytes *= lex_.peek() == "]" ? 0 : std::stoul(lex_.next());
    lex_.expect("]");
  }
  if (lex_.peek() == "=") {
    lex_.next();
    if (lex_.peek() != "{") d.values.push_back(number());
    for (bool more = d.values.empty(); more; more = lex_.next() == ",") {
      if (d.values.empty()) lex_.expect("{");
      d.values.push_back(number());
    }
  }
  return d;
}

uint64_t Parser::number() {
  const bool minus = lex_.peek() == "-";
  if (minus) lex_.next();
  const uint64_t n = number_of(lex_.next());
  return minus ? ~n + 1 : n;
}

void Parser::variable(const std::string& space) {
  const Declared d = declared();
  lex_.expect(";");
  if (space == ".shared" && is_extern_) {
    names_.front()[d.name] = {Name::dynamic, 0};
    dynamic_align_ = std::max(dynamic_align_, d.align);
  } else if (space == ".shared") {
    shared_ = up_to(shared_, d.align);
    names_.front()[d.name] = {Name::constant, shared_};
    shared_ += d.bytes;
  } else {
    std::unique_ptr<std::byte[]> memory(new std::byte[up_to(d.bytes + 256, 256)]());
    std::byte* begin = memory.get() + (-reinterpret_cast<uintptr_t>(memory.get()) & 255);
    const size_t size = bytes_of(d.type);
    for (size_t k = 0; k < d.values.size(); ++k) std::memcpy(begin + k * size, &d.values[k], size);
    names_.front()[d.name] = {Name::constant, reinterpret_cast<uint64_t>(begin)};
    add_range(begin, d.bytes);
    module_->variables.emplace_back(std::move(memory), begin);
  }
  is_extern_ = false;
}

void Parser::local_variable(const std::string& space) {
  const Declared d = declared();
  lex_.expect(";");
  size_t& end = space == ".shared" ? f_->shared_bytes : f_->local_bytes;
  end = up_to(end, d.align);
  names_.back()[d.name] = {Name::constant, end};
  end += d.bytes;
  if (space == ".local") end = up_to(end, 16);
}

void Parser::registers() {
  lex_.next();  // the type: a register is 64 bits for all of them
  for (bool more = true; more; more = lex_.next() == ",") {
    const std::string name = lex_.next();
    if (lex_.peek() != "<") {
      names_.back()[name] = {Name::reg, static_cast<uint64_t>(new_register())};
      continue;
    }
    lex_.next();
    const int count = std::stoi(lex_.next());
    lex_.expect(">");
    for (int k = 0; k < count; ++k)
      names_.back()[name + std::to_string(k)] = {Name::reg, static_cast<uint64_t>(new_register())};
  }
}

void Parser::entry() {
  Function f;
  f_ = &f;
  constants_.clear();
  special_regs_.clear();
  labels_.clear();
  jumps_.clear();
  dynamic_ = -1;
  parts_.clear();
  instance_.clear();
  f.name = lex_.next();
  names_.resize(1);
  if (lex_.peek() == "(") {
    lex_.next();
    while (lex_.peek() != ")") {
      if (lex_.peek() == ",") lex_.next();
      lex_.expect(".param");
      const Declared d = declared();
      f.param_bytes = up_to(f.param_bytes, d.align);
      names_[0][d.name] = {Name::constant, f.param_bytes};
      f.param_bytes += d.bytes;
    }
    lex_.expect(")");
  }
  while (lex_.peek() != "{") {
    if (lex_.next() == ".reqnctapercluster") f.cluster = static_cast<unsigned>(std::stoul(lex_.peek()));
  }
  lex_.expect("{");
  f.shared_bytes = shared_;
  statements();
  // The end is an end for all that come there.
  Instruction end;
  end.control = Control::exit;
  end.text = "}";
  f.code.push_back(end);
  if (dynamic_ >= 0) {
    f.shared_bytes = up_to(f.shared_bytes, dynamic_align_);
    f.constants.emplace_back(dynamic_, f.shared_bytes);
  }
  for (const auto& [instruction, label] : jumps_) {
    const auto at = labels_.find(label);
    if (at == labels_.end()) throw Fault("PTX: no label " + label);
    f.code[instruction].target = at->second;
  }
  module_->functions.push_back(std::move(f));
}

Module::~Module() {
  for (const auto& [memory, begin] : variables) remove_range(begin);
}

std::unique_ptr<Module> parse(const std::string& ptx) { return Parser(ptx).whole(); }

}  // namespace emulator
