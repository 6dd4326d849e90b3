#include "call.h"

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace bad_input {
namespace {

constexpr int64_t kMargin = 64;  // bytes before and after each tensor, which nobody may touch
constexpr int64_t kShared = 1024;

DLDataType parse_dtype(const std::string& text) {
  static const struct {
    const char* name;
    DLDataType dtype;
  } known[] = {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, ...) {label, {code, bits, lanes}},
#include <tileops/dtypes.def>
  };
  for (const auto& k : known)
    if (text == k.name) return k.dtype;
  int code, bits, lanes;
  if (std::sscanf(text.c_str(), "dl(%d/%d/%d)", &code, &bits, &lanes) != 3)
    throw std::logic_error("table: no dtype " + text);
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(bits), static_cast<uint16_t>(lanes)};
}

int64_t parse_number(const std::string& text) {
  const size_t power = text.find('^');
  if (power == std::string::npos) return std::strtoll(text.c_str(), nullptr, 10);
  const uint64_t value = uint64_t{1} << std::strtoul(text.c_str() + power + 1, nullptr, 10);
  const bool less_one = text.find("-1", power) != std::string::npos;
  const uint64_t magnitude = less_one ? value - 1 : value;
  return static_cast<int64_t>(text[0] == '-' ? 0 - magnitude : magnitude);
}

std::vector<int64_t> parse_list(const std::string& text) {
  std::vector<int64_t> list;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) list.push_back(parse_number(part));
  return list;
}

// The text between two brackets, or "" where there are none.
std::string between(const std::string& text, char open, char close, bool* found) {
  const size_t begin = text.find(open), end = text.find(close, begin);
  *found = begin != std::string::npos;
  return *found ? text.substr(begin + 1, end - begin - 1) : "";
}

Operand parse_operand(const std::string& text) {
  Operand t;
  if (text == "-") return t;
  t.present = true;
  t.dtype = parse_dtype(text.substr(0, text.find_first_of("[@+")));
  t.shape = parse_list(between(text, '[', ']', &t.has_shape));
  t.strides = parse_list(between(text, '{', '}', &t.has_strides));
  t.ndim = static_cast<int32_t>(t.shape.size());
  if (const size_t at = text.find('@'); at != std::string::npos) t.ndim = std::atoi(text.c_str() + at + 1);
  if (const size_t plus = text.find('+'); plus != std::string::npos) t.offset = std::atoll(text.c_str() + plus + 1);
  return t;
}

tileops_attr parse_attr(const std::string& text) {
  tileops_attr attr{};
  const size_t eq = text.find('='), colon = text.find(':');
  const std::string name = text.substr(0, std::min(eq, colon)), value = text.substr(eq + 1);
  if (name[0] == '#') attr.key = std::atoi(name.c_str() + 1);
#define TILEOPS_ATTR(id, NAME, attr_name, doc) \
  if (attr.key == 0 && name == #attr_name) attr.key = id;  // of two of one name, that of operators
#include <tileops/attrs.def>
#undef TILEOPS_ATTR
  const bool real = value.find_first_of(".n") != std::string::npos;  // nan, inf
  attr.kind = real ? TILEOPS_ATTR_F64 : TILEOPS_ATTR_I64;
  if (real) attr.value.f64 = std::strtod(value.c_str(), nullptr);
  else attr.value.i64 = parse_number(value);
  if (colon != std::string::npos) attr.kind = std::atoi(text.c_str() + colon + 1);
  return attr;
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list;
  std::stringstream stream(text);
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

}  // namespace

tileops_tensor_desc Operand::desc() const {
  tileops_tensor_desc d{};
  if (!present) return d;
  d.dtype = dtype;
  d.ndim = ndim;
  d.shape = has_shape ? shape.data() : nullptr;
  d.strides = has_strides ? strides.data() : nullptr;
  return d;
}

DLTensor Operand::tensor() const {
  const tileops_tensor_desc d = desc();
  DLTensor t{};
  t.device = {kDLCPU, 0};
  t.dtype = d.dtype;
  t.ndim = d.ndim;
  t.shape = const_cast<int64_t*>(d.shape);
  t.strides = const_cast<int64_t*>(d.strides);
  return t;
}

int64_t Operand::low() const {
  int64_t low = 0;
  for (size_t d = 0; has_strides && d < shape.size(); ++d)
    if (shape[d] > 1 && strides[d] < 0) low += strides[d] * (shape[d] - 1);
  return low * (dtype.bits * dtype.lanes / 8);
}

int64_t Operand::high() const {
  int64_t high = 1, numel = 1;
  for (int64_t n : shape) numel *= n;
  if (numel == 0) return 0;
  for (size_t d = 0; has_strides && d < shape.size(); ++d)
    if (strides[d] > 0) high += strides[d] * (shape[d] - 1);
  return (has_strides ? high : numel) * (dtype.bits * dtype.lanes / 8);
}

Call::Call(const char* op_name, const char* operands, const char* attributes) : op(tileops_op_from_name(op_name)) {
  if (op == TILEOPS_OP_NONE) throw std::logic_error(std::string("table: no operator ") + op_name);
  bool output = false;
  for (const std::string& word : words(operands)) {
    if (word == "->") output = true;
    else (output ? outputs : inputs).push_back(parse_operand(word));
  }
  for (const std::string& word : words(attributes)) attrs.push_back(parse_attr(word));
}

Desc::Desc(const Call& call) : attrs(call.attrs) {
  for (const Operand& t : call.inputs) inputs.push_back(t.desc());
  for (const Operand& t : call.outputs) outputs.push_back(t.desc());
  desc.op = call.op;
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.num_outputs = static_cast<int32_t>(outputs.size());
  desc.num_attrs = static_cast<int32_t>(attrs.size());
  desc.inputs = inputs.data();
  desc.outputs = outputs.data();
  desc.attrs = attrs.data();
}

Execution::Execution(const Call& call, const char* text)
    : num_inputs(call.inputs.size()), num_outputs(call.outputs.size()), call_(call) {
  Desc desc(call_);
  tileops_expr* expr = nullptr;
  tileops_status status = TILEOPS_STATUS_OK;
  if (text) {
    tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
    options.keep_workspace = 1;
    status = tileops_context_create(&options, &context_);
    if (status == TILEOPS_STATUS_OK) status = tileops_expr_parse(text, std::strlen(text), &expr);
    desc.desc.op = TILEOPS_OP_NONE;
    desc.desc.expr = expr;
  }
  if (status == TILEOPS_STATUS_OK) status = tileops_plan_create(context_, &desc.desc, &plan);
  tileops_expr_destroy(expr);
  if (status != TILEOPS_STATUS_OK) throw std::logic_error(std::string("table: ") + tileops_last_error());
  memory_.push_back(std::string(kShared, '\0'));
  const auto add = [&](const std::vector<Operand>& operands, std::vector<DLTensor>* tensors) {
    for (const Operand& t : operands) {
      if (t.offset < 0) memory_.push_back(std::string(t.high() - t.low() + 2 * kMargin, '\0'));
      tensors->push_back(t.tensor());
    }
  };
  add(call_.inputs, &in);
  add(call_.outputs, &out);
  size_t next = 1;
  const auto place = [&](const std::vector<Operand>& operands, std::vector<DLTensor>* tensors) {
    for (size_t i = 0; i < operands.size(); ++i) {
      const Operand& t = operands[i];
      if (t.offset >= 0) (*tensors)[i].data = &memory_[0][kMargin + t.offset];
      else (*tensors)[i].data = &memory_[next++][kMargin - t.low()];
    }
  };
  place(call_.inputs, &in);
  place(call_.outputs, &out);
  for (size_t i = 0; i < in.size(); ++i) inputs.push_back(call_.inputs[i].present ? &in[i] : nullptr);
  for (size_t i = 0; i < out.size(); ++i) outputs.push_back(call_.outputs[i].present ? &out[i] : nullptr);
  fill();
}

Execution::~Execution() {
  tileops_plan_destroy(plan);
  tileops_context_destroy(context_);
}

// Bytes 0 to 3 are finite in every dtype, and small integers.
void Execution::fill() {
  for (std::string& bytes : memory_)
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>((i / 3) % 4);
}

std::string Execution::bytes_of_output(size_t i) const {
  const Operand& t = call_.outputs[i];
  const char* data = static_cast<const char*>(out[i].data);
  const size_t size = t.dtype.bits * t.dtype.lanes / 8u;
  std::string bytes;
  std::vector<int64_t> index(t.shape.size(), 0);
  for (bool more = t.high() != 0; more;) {
    int64_t at = 0, row_major = 1;
    for (size_t d = t.shape.size(); d-- > 0; row_major *= t.shape[d])
      at += index[d] * (t.has_strides ? t.strides[d] : row_major);
    bytes.append(data + at * static_cast<int64_t>(size), size);
    more = false;
    for (size_t d = t.shape.size(); d-- > 0 && !more; index[d] = more ? index[d] : 0) more = ++index[d] < t.shape[d];
  }
  return bytes;
}

tileops_status Execution::execute() const {
  return tileops_execute(plan, inputs.data(), num_inputs, outputs.data(), num_outputs, stream);
}

const char* still_works() {
  float a[2] = {1, 2}, b[2] = {30, 40}, y[2] = {0, 0};
  int64_t shape[1] = {2};
  DLTensor ta{a, {kDLCPU, 0}, 1, {2, 32, 1}, shape, nullptr, 0}, tb = ta, ty = ta;
  tb.data = b;
  ty.data = y;
  const DLTensor* in[] = {&ta, &tb};
  DLTensor* out[] = {&ty};
  tileops_plan* plan = nullptr;
  if (tileops_plan_create_like(nullptr, TILEOPS_OP_ADD, in, 2, out, 1, nullptr, 0, &plan)) return tileops_last_error();
  const tileops_status status = tileops_execute(plan, in, 2, out, 1, nullptr);
  tileops_plan_destroy(plan);
  if (status) return tileops_last_error();
  return y[0] == 31 && y[1] == 42 ? nullptr : "1 + 30 and 2 + 40 gave other values";
}

}  // namespace bad_input
