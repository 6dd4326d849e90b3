// What is checked: a wrong call ends the builder with a message, and finish tells it; the canonical text gives the same
// expression, whatever its names are; what is inferred can be planned. An execution works on memory that ends, or
// begins, where a page begins that may not be touched, with strides of any kind; it writes the elements of its results
// and no byte more, gives the same bits as on dense memory, and with a result in the memory of an operand the same bits
// or an error that leaves all as it was.
#include "expr_calls.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "../common/guarded.h"
#include "../expr/clashing_names.h"

namespace fuzz {
namespace {

using guarded::Guarded;
using tileops::expr::kClashingNames;
using tileops::expr::kNumClashingNames;

#define REQUIRE(condition, text)                                                                      \
  do {                                                                                                \
    if (!(condition)) {                                                                               \
      std::fprintf(stderr, "%s:%d: not so: %s\nlast error: %s\n%s\n", __FILE__, __LINE__, #condition, \
                   tileops_last_error(), (text).c_str());                                             \
      std::abort();                                                                                   \
    }                                                                                                 \
  } while (false)

void require_orderly(tileops_status status, const std::string& text) {
  REQUIRE(
      status == TILEOPS_STATUS_OK || status == TILEOPS_STATUS_INVALID_ARGUMENT || status == TILEOPS_STATUS_UNSUPPORTED,
      text);
  REQUIRE(status == TILEOPS_STATUS_OK || std::strlen(tileops_last_error()) > 10, text);
}

bool is_nan(DLDataType t, const char* p) {
  if (t.bits == 64 && t.code == kDLFloat) {
    double v;
    std::memcpy(&v, p, 8);
    return std::isnan(v);
  }
  if (t.bits == 32 && t.code == kDLFloat) {
    float v;
    std::memcpy(&v, p, 4);
    return std::isnan(v);
  }
  if (t.bits > 16) return false;
  uint16_t v = 0;
  std::memcpy(&v, p, unit_bytes(t));
  if (t.code == kDLFloat) return (v & 0x7fff) > 0x7c00;
  if (t.code == kDLBfloat) return (v & 0x7fff) > 0x7f80;
  if (t.code == kDLFloat8_e5m2) return (v & 0x7f) > 0x7c;
  return t.code == kDLFloat8_e4m3fn && (v & 0x7f) == 0x7f;
}

std::string elements(const Tensor& t, const char* element0) {
  std::string all;
  const size_t size = unit_bytes(t.dtype);
  for (int64_t i = 0; i < t.numel; ++i) {
    const char* p = element0 + t.element_offset(i);
    all += is_nan(t.dtype, p) ? std::string(size, 'N') : std::string(p, size);
  }
  return all;
}

Tensor copy_of(const Tensor& t, bool dense) {
  Tensor c;
  c.present = t.present;
  c.dtype = t.dtype;
  c.set(Extents(t.shape.get(), t.shape.get() + t.ndim));
  if (!dense && t.strides) c.set_strides(Extents(t.strides.get(), t.strides.get() + t.ndim));
  return c;
}

// The calls. NULL if one of them was wrong, or there was nothing to build.
tileops_expr* build(Bytes* b) {
  tileops_builder* builder = nullptr;
  REQUIRE(tileops_builder_create(&builder) == TILEOPS_STATUS_OK, std::string());
  const auto number = [&]() -> tileops_number {
    const int kind = b->below(16);
    if (kind < 8) return tileops_number_i64(kind - 2);
    if (kind < 14) return tileops_number_f64(b->u8() / 16.0 - 4);
    return kind == 14 ? tileops_number_bool(b->below(2)) : tileops_number_f64(b->below(2) ? INFINITY : NAN);
  };
  tileops_node last = tileops_build_operand(builder, "x", nullptr), made = 0;
  bool wrong = false;
  const auto pick = [&]() -> tileops_node {
    if (b->rarely(64)) return static_cast<int8_t>(b->u8());
    return b->below(3) ? last : 1 + b->below(last > 0 ? last : 1);
  };
  const int calls = 1 + b->below(24);
  for (int i = 0; i < calls && !wrong; ++i) {
    // A name that is taken ends it all: mostly there are new ones.
    const std::string name = b->rarely(4) ? kClashingNames[b->below(kNumClashingNames)] : "v" + std::to_string(i);
    switch (b->below(18)) {
      case 17: {
        tileops_named_expr_info named = TILEOPS_NAMED_EXPR_INFO_INIT;
        tileops_expr* text = nullptr;
        tileops_expr_named_at(b->u8() % tileops_expr_named_count(), &named);
        REQUIRE(tileops_expr_named(named.name, &text) == TILEOPS_STATUS_OK, std::string());
        tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
        tileops_expr_describe(text, &info);
        std::vector<tileops_node> arguments(static_cast<size_t>(info.num_operands));
        for (tileops_node& a : arguments) a = b->rarely(16) ? 0 : pick();
        std::vector<tileops_node> results(static_cast<size_t>(info.num_results), -1);
        tileops_build_expr(builder, text, arguments.data(), arguments.size(), results.data());
        tileops_expr_destroy(text);
        made = results[b->u8() % results.size()];
        break;
      }
      case 16: tileops_build_result(builder, last, b->below(2) ? name.c_str() : nullptr); continue;
      case 0:
      case 1: made = tileops_build_constant(builder, number()); break;
      case 2:
        made = tileops_build_scalar(builder, name.c_str(),
                                    b->below(2) ? tileops_number_i64(2) : tileops_number_f64(0.5));
        break;
      case 3:
      case 4: made = tileops_build_operand(builder, name.c_str(), nullptr); break;
      case 5: {
        const tileops_number n = number();
        made = tileops_build_operand(builder, name.c_str(), &n);
        break;
      }
      default: {
        const tileops_op op = tileops_function_at(b->u8() % tileops_function_count());
        tileops_op_info info = TILEOPS_OP_INFO_INIT;
        REQUIRE(tileops_function_describe(op, &info) == TILEOPS_STATUS_OK, std::string());
        const std::string category = info.category;
        // What is refused ends it all: rarely.
        static const char* const refused[] = {"rope", "fused_gated", "dropout", "position"};
        bool skip = op == TILEOPS_OP_PRELU || op >= TILEOPS_OP_SUM;
        for (const char* r : refused) skip = skip || category == r;
        if (skip && !b->rarely(32)) continue;
        std::vector<tileops_node> arguments;
        const bool variadic = op == TILEOPS_OP_CONCAT || op == TILEOPS_OP_INTERLEAVE;
        const int count = variadic ? 2 + b->below(2)
                                   : info.min_inputs + b->below(info.max_inputs - info.min_inputs + 1);
        for (int k = 0; k < count; ++k) arguments.push_back(b->rarely(32) ? 0 : pick());
        std::vector<tileops_attr> attrs;
        if (op == TILEOPS_OP_CAST) {
          arguments.resize(1);
          const DLDataType t = any_dtype(b);
          attrs.push_back(tileops_attr_i64(TILEOPS_ATTR_DTYPE, t.code * 256 + t.bits));
        }
        if (op == TILEOPS_OP_CHUNK || op == TILEOPS_OP_EVERY) {
          arguments = {1};
          const int parts = 1 + b->below(3);
          attrs = {tileops_attr_i64(TILEOPS_ATTR_PART, b->below(parts)), tileops_attr_i64(TILEOPS_ATTR_PARTS, parts)};
        }
        if (op == TILEOPS_OP_INDEX || op == TILEOPS_OP_EXTENT)
          attrs = {tileops_attr_i64(TILEOPS_ATTR_AXIS, -1 - b->below(2))};
        if (b->rarely(6) && info.num_attrs > 0) {
          const tileops_attr_info& a = info.attrs[b->below(info.num_attrs)];
          attrs.push_back(a.kind == TILEOPS_ATTR_I64 ? tileops_attr_i64(a.key, b->below(4))
                                                     : tileops_attr_f64(a.key, b->u8() / 32.0));
        }
        made = tileops_build_op(builder, op, arguments.data(), arguments.size(), attrs.data(), attrs.size());
        if (made > 0 && variadic) {
          tileops_build_result(builder, made, nullptr);
          continue;
        }
      }
    }
    wrong = made == 0;
    if (made > 0) last = made;
  }
  tileops_build_result(builder, last, b->rarely(2) ? kClashingNames[b->below(kNumClashingNames)].c_str() : nullptr);
  if (b->below(2)) tileops_build_result(builder, pick(), nullptr);
  auto* expr = reinterpret_cast<tileops_expr*>(builder);
  const tileops_status status = tileops_builder_finish(builder, &expr);
  require_orderly(status, std::string());
  REQUIRE((status == TILEOPS_STATUS_OK) == (expr != nullptr), std::string());
  REQUIRE(!wrong || !expr, std::string());
  REQUIRE(tileops_last_error_offset() == -1 || expr, std::string());
  tileops_builder_destroy(builder);
  return expr;
}

std::string text_of(const tileops_expr* expr) {
  size_t size = 0;
  REQUIRE(tileops_expr_text(expr, nullptr, &size) == TILEOPS_STATUS_OK, std::string());
  std::string text(size, '\0');
  REQUIRE(tileops_expr_text(expr, &text[0], &size) == TILEOPS_STATUS_OK, std::string());
  text.pop_back();
  return text;
}

// An expression's plan on tensors, and memory for them.
class Run {
 public:
  Run(const tileops_expr* expr, const std::vector<Tensor>& in, const std::vector<Tensor>& out, uint32_t flags,
      const std::vector<tileops_number>& scalars, const std::string& text)
      : in_(in), out_(out), scalars_(scalars), text_(text) {
    std::vector<tileops_tensor_desc> ins, outs;
    for (const Tensor& t : in) ins.push_back(t.desc());
    for (const Tensor& t : out) outs.push_back(t.desc());
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.expr = expr;
    desc.flags = flags;
    desc.num_inputs = static_cast<int32_t>(ins.size());
    desc.inputs = ins.data();
    desc.num_outputs = static_cast<int32_t>(outs.size());
    desc.outputs = outs.data();
    const tileops_status checked = tileops_plan_check(nullptr, &desc);
    status_ = tileops_plan_create(nullptr, &desc, &plan_);
    require_orderly(status_, text_);
    REQUIRE(checked == status_ || status_ == TILEOPS_STATUS_UNSUPPORTED, text_);
    REQUIRE((status_ == TILEOPS_STATUS_OK) == (plan_ != nullptr), text_);
    if (!plan_) return;
    size_t size = sizeof workspace_bytes_;
    REQUIRE(tileops_plan_query(plan_, TILEOPS_PLAN_WORKSPACE_BYTES, &workspace_bytes_, &size) == TILEOPS_STATUS_OK,
            text_);
    if (workspace_bytes_ == 0) return;
    workspace_.reset(static_cast<char*>(::operator new(workspace_bytes_, kAlignment)));
    std::memset(workspace_.get(), 0xa5, workspace_bytes_);
  }
  Run(const Run&) = delete;
  ~Run() { tileops_plan_destroy(plan_); }
  bool planned() const { return plan_ != nullptr; }

  void allocate(Bytes* b) {
    for (const Tensor& t : in_) add(t, b, &in_memory_, &in_dl_);
    for (const Tensor& t : out_) add(t, b, &out_memory_, &out_dl_);
  }

  // Its operands, and what lies where its results will be, become another's.
  void take_elements(const Run& other) {
    for (size_t i = 0; i < in_.size(); ++i)
      if (in_[i].present) take(in_[i], in_dl_[i], other.in_[i], other.in_dl_[i]);
    for (size_t k = 0; k < out_.size(); ++k) take(out_[k], out_dl_[k], other.out_[k], other.out_dl_[k]);
  }

  tileops_status execute() {
    std::vector<const DLTensor*> in;
    std::vector<DLTensor*> out;
    for (size_t i = 0; i < in_dl_.size(); ++i) in.push_back(in_[i].present ? &in_dl_[i] : nullptr);
    for (DLTensor& t : out_dl_) out.push_back(&t);
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.num_inputs = static_cast<uint32_t>(in.size());
    args.inputs = in.data();
    args.num_outputs = static_cast<uint32_t>(out.size());
    args.outputs = out.data();
    args.num_scalars = static_cast<uint32_t>(scalars_.size());
    args.scalars = scalars_.data();
    args.workspace = workspace_.get();
    args.workspace_bytes = workspace_bytes_;
    const tileops_status status = tileops_execute_with(plan_, &args);
    require_orderly(status, text_);
    return status;
  }

  // False if the scalars are refused.
  bool plain() {
    std::vector<std::string> in, out;
    for (const Guarded& m : in_memory_) in.push_back(m.copy());
    for (const Guarded& m : out_memory_) out.push_back(m.copy());
    const tileops_status status = execute();
    REQUIRE(status == TILEOPS_STATUS_OK || !scalars_.empty(), text_);
    for (size_t i = 0; i < in.size(); ++i) REQUIRE(in_memory_[i].copy() == in[i], text_);
    for (size_t k = 0; k < out.size(); ++k) {
      std::string after = out_memory_[k].copy();
      if (status == TILEOPS_STATUS_OK)
        for (int64_t i = 0; i < out_[k].numel; ++i) {
          const auto at = static_cast<size_t>(static_cast<char*>(out_dl_[k].data) - out_memory_[k].at() +
                                              out_[k].element_offset(i));
          std::memcpy(&after[at], &out[k][at], unit_bytes(out_[k].dtype));
        }
      REQUIRE(after == out[k], text_);  // the gaps are as they were
    }
    return status == TILEOPS_STATUS_OK;
  }

  std::vector<std::string> results() const {
    std::vector<std::string> all;
    for (size_t k = 0; k < out_.size(); ++k)
      all.push_back(elements(out_[k], static_cast<const char*>(out_dl_[k].data)));
    return all;
  }

  // A result somewhere in the memory of an operand.
  void overlapping(Bytes* b, const std::vector<std::string>& want) {
    const size_t i = b->below(static_cast<int>(in_.size())), k = b->below(static_cast<int>(out_.size()));
    Guarded& m = in_memory_[i];
    const Tensor& y = out_[k];
    const int64_t room = static_cast<int64_t>(m.size()) - (y.high - y.low);
    if (!in_[i].present || room < 0 || y.numel == 0 || in_[i].numel == 0) return;
    int64_t at = static_cast<char*>(in_dl_[i].data) - m.at();
    if (b->below(2)) at = b->u8() % (room + 1) - y.low;
    if (at + y.low < 0 || at + y.high > static_cast<int64_t>(m.size())) return;
    const DLTensor own = out_dl_[k];
    out_dl_[k].data = m.at() + at;
    std::vector<std::string> outs;
    for (const Guarded& o : out_memory_) outs.push_back(o.copy());
    const std::string before = m.copy();
    if (execute() == TILEOPS_STATUS_OK) {
      REQUIRE(results() == want, text_);
    } else {
      REQUIRE(m.copy() == before, text_);
      for (size_t o = 0; o < outs.size(); ++o) REQUIRE(out_memory_[o].copy() == outs[o], text_);
    }
    m.restore(before);
    out_dl_[k] = own;
  }

 private:
  static void take(const Tensor& t, const DLTensor& to, const Tensor& other, const DLTensor& from) {
    for (int64_t i = 0; i < t.numel; ++i)
      std::memcpy(static_cast<char*>(to.data) + t.element_offset(i),
                  static_cast<const char*>(from.data) + other.element_offset(i), unit_bytes(t.dtype));
  }

  void add(const Tensor& t, Bytes* b, std::vector<Guarded>* memory, std::vector<DLTensor>* dl) {
    const bool at_end = b->below(2);
    memory->emplace_back(static_cast<size_t>(t.high - t.low), at_end);
    uint32_t state = b->u8() + 1u;
    for (size_t i = 0; i < memory->back().size(); ++i)
      memory->back().at()[i] = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    dl->push_back(t.tensor());
    dl->back().data = memory->back().at() - t.low;
  }

  const std::vector<Tensor>&in_, &out_;
  const std::vector<tileops_number>& scalars_;
  const std::string& text_;
  tileops_plan* plan_ = nullptr;
  tileops_status status_;
  std::vector<Guarded> in_memory_, out_memory_;
  std::vector<DLTensor> in_dl_, out_dl_;
  static constexpr std::align_val_t kAlignment{64};
  struct Release {
    void operator()(char* p) const { ::operator delete(p, kAlignment); }
  };
  std::unique_ptr<char, Release> workspace_;
  uint64_t workspace_bytes_ = 0;
};

// `again` is the text of `expr` parsed: a plan of it gives the same bits.
bool run(const tileops_expr* expr, const tileops_expr* again, const std::string& text, Bytes* b) {
  tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
  REQUIRE(tileops_expr_describe(expr, &info) == TILEOPS_STATUS_OK, text);
  for (tileops_node node = 1; node <= info.num_listed_nodes; ++node) {
    tileops_node_info read = TILEOPS_NODE_INFO_INIT;
    REQUIRE(tileops_expr_node(expr, node, &read) == TILEOPS_STATUS_OK, text);
    for (int32_t i = 0; i < read.num_arguments; ++i) REQUIRE(read.arguments[i] < node, text);
  }
  const Extents x = base_shape(b, 1);
  std::vector<Tensor> in, out, dense_in, dense_out;
  const DLDataType main = any_dtype(b);
  for (int i = 0; i < info.num_operands; ++i) {
    Tensor t;
    t.dtype = b->rarely(3) ? any_dtype(b) : main;
    t.present = !info.operands[i].optional || b->below(4);
    Extents shape = i == 0 ? x : operand_shape(b, x);
    count_pairs(&t.dtype, &shape);
    t.set(shape);
    choose_strides(b, shape, &t);
    in.push_back(std::move(t));
  }
  std::vector<tileops_tensor_desc> descs;
  for (const Tensor& t : in) descs.push_back(t.desc());
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr;
  desc.num_inputs = info.num_operands;
  desc.inputs = descs.data();
  for (int k = 0; k < info.num_results; ++k) {
    Tensor t;
    int64_t shape[TILEOPS_MAX_NDIM];
    int32_t ndim = 0;
    const tileops_status status = tileops_plan_infer(&desc, static_cast<size_t>(k), &t.dtype, &ndim, shape);
    require_orderly(status, text);
    if (status != TILEOPS_STATUS_OK) return false;
    if (b->rarely(4)) t.dtype = any_dtype(b);
    Extents extents(shape, shape + ndim);
    count_pairs(&t.dtype, &extents);
    t.set(extents);
    choose_strides(b, extents, &t);
    out.push_back(std::move(t));
  }
  for (std::vector<Tensor>* list : {&in, &out})
    for (Tensor& t : *list)
      if (t.present && (t.dtype.bits == 0 || t.dtype.bits * t.dtype.lanes % 8 || !t.measure())) return false;
  for (const Tensor& t : in) dense_in.push_back(copy_of(t, true));
  for (const Tensor& t : out) dense_out.push_back(copy_of(t, true));
  for (std::vector<Tensor>* list : {&dense_in, &dense_out})
    for (Tensor& t : *list)
      if (t.present) t.measure();
  std::vector<tileops_number> scalars;
  for (int i = b->below(info.num_scalars + 1); i > 0; --i)
    scalars.push_back(b->below(3)   ? tileops_number_i64(b->below(5))
                      : b->below(2) ? tileops_number_f64(b->u8() / 8.0)
                                    : tileops_number{});
  const uint32_t flags = (b->below(2) ? TILEOPS_PLAN_REPRODUCIBLE : 0) | (b->below(2) ? TILEOPS_PLAN_NO_CACHE : 0);
  Run any(expr, in, out, flags, scalars, text);
  Run dense(again, dense_in, dense_out, flags | TILEOPS_PLAN_NO_CACHE, scalars, text);
  REQUIRE(!any.planned() || dense.planned(), text);
  if (!any.planned()) return false;
  any.allocate(b);
  dense.allocate(b);
  dense.take_elements(any);
  const bool worked = any.plain();
  REQUIRE(dense.plain() == worked, text);
  if (!worked) return true;
  const std::vector<std::string> want = dense.results();
  REQUIRE(any.results() == want, text);
  // What is stored in part keeps what lies there: in an operand's memory something else.
  const bool in_part = text.find("store_if(") != std::string::npos || text.find("scatter(") != std::string::npos;
  for (int i = 0; i < 3 && !in_part; ++i) any.overlapping(b, want);
  return true;
}

bool same(const tileops_number& a, const tileops_number& b) {
  return a.kind == b.kind && std::memcmp(&a.value, &b.value, sizeof a.value) == 0;
}

void require_same_names(const tileops_expr* a, const tileops_expr* b, const std::string& text) {
  tileops_expr_info x = TILEOPS_EXPR_INFO_INIT, y = TILEOPS_EXPR_INFO_INIT;
  REQUIRE(tileops_expr_describe(a, &x) == TILEOPS_STATUS_OK && tileops_expr_describe(b, &y) == TILEOPS_STATUS_OK, text);
  REQUIRE(x.num_operands == y.num_operands && x.num_scalars == y.num_scalars && x.num_results == y.num_results, text);
  REQUIRE(x.num_nodes == y.num_nodes && x.num_host_nodes == y.num_host_nodes, text);
  const auto same_values = [](const tileops_expr_operand_info& p, const tileops_expr_operand_info& q) {
    return std::strcmp(p.name, q.name) == 0 && p.optional == q.optional && same(p.default_value, q.default_value);
  };
  for (int i = 0; i < x.num_operands; ++i) REQUIRE(same_values(x.operands[i], y.operands[i]), text);
  for (int i = 0; i < x.num_scalars; ++i) REQUIRE(same_values(x.scalars[i], y.scalars[i]), text);
  for (int i = 0; i < x.num_results; ++i) REQUIRE(std::strcmp(x.results[i], y.results[i]) == 0, text);
}

}  // namespace

bool expression(Bytes* b) {
  const tileops_expr* expr = build(b);
  if (!expr) return false;
  const std::string text = text_of(expr);
  tileops_expr* again = nullptr;
  REQUIRE(tileops_expr_parse(text.data(), text.size(), &again) == TILEOPS_STATUS_OK, text);
  REQUIRE(text_of(again) == text, text);
  require_same_names(expr, again, text);
  bool executed = run(expr, again, text, b);
  const int32_t operand = b->below(3);
  tileops_expr* gradient = nullptr;
  if (b->below(2)) require_orderly(tileops_expr_gradient(again, &operand, 1, &gradient), text);
  tileops_expr_destroy(expr);
  tileops_expr_destroy(again);
  if (gradient) executed = run(gradient, gradient, text_of(gradient), b) || executed;
  tileops_expr_destroy(gradient);
  REQUIRE(tileops_expr_retain(expr) == TILEOPS_STATUS_INVALID_ARGUMENT, text);
  return executed;
}

}  // namespace fuzz
