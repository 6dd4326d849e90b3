#include <cctype>

#include "program/parser.h"

namespace emulator {
namespace {

void find_handler(const Mnemonic& m, Instruction* i) {
  if (m.op == "ret" || m.op == "exit") {
    i->control = Control::exit;
    return;
  }
  for (const auto find :
       {integer_handler, bits_handler, float_handler, convert_handler, compare_handler, memory_handler, warp_handler})
    if ((i->run = find(m, i))) return;
  if (i->control != Control::none) return;
  throw Fault("PTX: the emulator does not know " + i->text);
}

}  // namespace

void Parser::statements() {
  names_.emplace_back();
  for (size_t depth = 1; depth > 0;) {
    const std::string t = lex_.next();
    if (t == "{") {
      ++depth;
      names_.emplace_back();
    } else if (t == "}") {
      --depth;
      names_.pop_back();
    } else if (t == ".reg") {
      registers();
    } else if (t == ".shared" || t == ".local") {
      local_variable(t);
    } else if (t == ".param") {
      declare_parameter();
    } else if (t == ".pragma") {
      lex_.skip_statement();
    } else if (lex_.peek() == ":") {
      lex_.next();
      labels_[t + instance_] = static_cast<int>(f_->code.size());
    } else {
      instruction(t);
    }
  }
}

void Parser::instruction(std::string t) {
  const size_t begin = lex_.begin_of_last();
  Instruction i;
  parameter_ = nullptr;
  if (t == "@") {
    if (lex_.peek() == "!") {
      lex_.next();
      i.guard_is = false;
    }
    i.guard = operand(lex_.next());
    t = lex_.next();
  }
  const Mnemonic m(t);
  if (m.op == "call") return call(i);
  if (m.op == "bra") {
    const std::string label = lex_.next();
    lex_.expect(";");
    return branch_to(label + instance_, i.guard, i.guard_is);
  }
  if (m.op == "ret" && !instance_.empty()) {
    lex_.expect(";");
    return branch_to("ret" + instance_, i.guard, i.guard_is);
  }
  operands(m, &i);
  i.text = lex_.text_from(begin);
  if (parameter_) return move_parameter(m, i);
  find_handler(m, &i);
  f_->code.push_back(std::move(i));
}

void Parser::operands(const Mnemonic& m, Instruction* i) {
  bool result = m.has_result();
  while (lex_.peek() != ";") {
    const std::string o = lex_.next();
    if (o == ",") continue;
    if (o == "{") {
      for (bool more = true; more; more = lex_.next() == ",") {
        const std::string element = lex_.next();
        if (result) i->to.push_back(operand(element));
        else i->from.push_back(source(element));
      }
    } else if (result) {
      i->to.push_back(operand(o));
      if (lex_.peek() == "|") {
        lex_.next();
        i->to.push_back(operand(lex_.next()));
      }
    } else {
      i->from.push_back(source(o));
    }
    result = false;
  }
  lex_.expect(";");
}

const Parser::Name* Parser::find(const std::string& name) const {
  for (auto scope = names_.rbegin(); scope != names_.rend(); ++scope) {
    const auto at = scope->find(name);
    if (at != scope->end()) return &at->second;
  }
  return nullptr;
}

int Parser::constant(uint64_t value) {
  const auto [at, is_new] = constants_.emplace(value, 0);
  if (is_new) {
    at->second = new_register();
    f_->constants.emplace_back(at->second, value);
  }
  return at->second;
}

// The register of an operand that is not in brackets.
int Parser::operand(const std::string& t) {
  if (t == "-" || std::isdigit(static_cast<unsigned char>(t[0]))) {
    const uint64_t n = t == "-" ? ~number_of(lex_.next()) + 1 : number_of(t);
    return constant(n);
  }
  if (t == "_") return new_register();
  if (const Name* name = find(t)) {
    if (name->kind == Name::reg) return static_cast<int>(name->value);
    if (name->kind == Name::dynamic) return dynamic_ = dynamic_ < 0 ? new_register() : dynamic_;
    if (name->kind == Name::parameter) parameter_ = name;
    return constant(name->value);
  }
  const auto special = specials().find(t);
  if (special == specials().end()) throw Fault("PTX: '" + t + "' is no operand");
  const auto [at, is_new] = special_regs_.emplace(special->second, 0);
  if (is_new) {
    at->second = new_register();
    f_->specials.emplace_back(at->second, special->second);
  }
  return at->second;
}

Source Parser::source(std::string t) {
  const bool bracket = t == "[";
  if (bracket) t = lex_.next();
  if (t == "!") {  // a predicate that is turned round has a register of its own
    Instruction negate;
    negate.run = bits_handler(Mnemonic("not.pred"), &negate);
    negate.from = {{operand(lex_.next()), 0}};
    negate.to = {new_register()};
    negate.text = "!";
    f_->code.push_back(negate);
    return {f_->code.back().to[0], 0};
  }
  Source s{operand(t), 0};
  while (lex_.peek() == "+" || (bracket && lex_.peek() == "-")) {
    const bool minus = lex_.next() == "-";
    const auto n = static_cast<int64_t>(number());
    s.offset += minus ? -n : n;
  }
  if (bracket) lex_.expect("]");
  if (parameter_) parameter_offset_ = s.offset;
  return s;
}

}  // namespace emulator
