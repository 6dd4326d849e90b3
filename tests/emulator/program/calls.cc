#include "program/parser.h"

namespace emulator {
// "(.param .b64 a, .param .b64 b)", which may be left out.
std::vector<std::string> Parser::parameter_names() {
  std::vector<std::string> names;
  if (lex_.peek() != "(") return names;
  lex_.next();
  while (lex_.peek() != ")") {
    if (lex_.peek() == ",") lex_.next();
    lex_.expect(".param");
    names.push_back(declared().name);
  }
  lex_.next();
  return names;
}

void Parser::function() {
  Callee callee;
  callee.result = parameter_names();
  const std::string name = lex_.next();
  callee.parameters = parameter_names();
  while (lex_.peek() != "{" && lex_.peek() != ";") lex_.next();
  if (lex_.peek() == ";") {  // its text comes later
    lex_.next();
    return;
  }
  callee.body = lex_.position();
  skip_body();
  callees_[name] = callee;
}

void Parser::skip_body() {
  lex_.expect("{");
  for (size_t depth = 1; depth > 0;) {
    const std::string t = lex_.next();
    if (t == "{") ++depth;
    if (t == "}") --depth;
  }
}

void Parser::declare_parameter() {
  names_.back()[declared().name] = {Name::parameter, num_parameters_++};
  lex_.expect(";");
}

// "call (result), name, (arguments);". The function's text is read here, with labels of this call's own.
void Parser::call(const Instruction& guarded) {
  std::vector<std::vector<Name>> lists(1);
  std::string name;
  for (std::string t = lex_.next(); t != ";"; t = lex_.next()) {
    if (t == "(") lists.emplace_back();
    else if (t == ")" || t == ",") continue;
    else if (const Name* parameter = find(t)) lists.back().push_back(*parameter);
    else name = t;
  }
  const auto callee = callees_.find(name);
  if (callee == callees_.end()) throw Fault("PTX: no function " + name);
  const Callee& c = callee->second;
  std::vector<Name> given;
  for (const auto& list : lists) given.insert(given.end(), list.begin(), list.end());
  std::vector<std::string> wanted = c.result;
  wanted.insert(wanted.end(), c.parameters.begin(), c.parameters.end());
  if (given.size() != wanted.size()) throw Fault("PTX: a call of " + name + " with other parameters than it has");

  const std::string instance = "#" + std::to_string(calls_++);
  if (guarded.guard >= 0) branch_to("ret" + instance, guarded.guard, !guarded.guard_is);
  const size_t behind = lex_.position();
  std::vector<std::unordered_map<std::string, Name>> names{names_[0], {}};
  for (size_t k = 0; k < wanted.size(); ++k) names[1][wanted[k]] = given[k];
  std::swap(names_, names);
  const std::string caller = std::exchange(instance_, instance);
  lex_.go_to(c.body);
  lex_.expect("{");
  statements();
  lex_.go_to(behind);
  std::swap(names_, names);
  instance_ = caller;
  labels_["ret" + instance] = static_cast<int>(f_->code.size());
}

int Parser::part_of(uint64_t parameter, int64_t offset, size_t bytes) {
  const auto [at, is_new] = parts_.emplace(std::make_pair(parameter, offset), std::make_pair(0, bytes));
  if (is_new) at->second.first = new_register();
  if (at->second.second != bytes) throw Fault("PTX: a parameter is stored and loaded in pieces of different sizes");
  return at->second.first;
}

// ld.param and st.param of a call's parameter move between registers.
void Parser::move_parameter(const Mnemonic& m, const Instruction& i) {
  const uint64_t parameter = parameter_->value;
  const size_t bytes = bytes_of(m.type()), count = m.op == "ld" ? i.to.size() : i.from.size() - 1;
  for (size_t k = 0; k < count; ++k) {
    const int part = part_of(parameter, parameter_offset_ + static_cast<int64_t>(k * bytes), bytes);
    Instruction move = i;
    move.run = integer_handler(Mnemonic("mov.b64"), &move);
    move.to = {m.op == "ld" ? i.to[k] : part};
    move.from = {m.op == "ld" ? Source{part, 0} : i.from[1 + k]};
    f_->code.push_back(std::move(move));
  }
}

void Parser::branch_to(const std::string& label, int guard, bool guard_is) {
  Instruction i;
  i.control = Control::branch;
  i.guard = guard;
  i.guard_is = guard_is;
  i.text = "bra " + label;
  jumps_.emplace_back(f_->code.size(), label);
  f_->code.push_back(std::move(i));
}

}  // namespace emulator
