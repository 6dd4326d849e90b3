#include "problem/request.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "op/strategy.h"
#include "problem/device.h"
#include "problem/overlap.h"
#include "problem/packed.h"

namespace tileops {

static constexpr int64_t kMaxBytes = int64_t{1} << 62;  // and positions with an offset of 4e18 (alibi) fit 64 bits

namespace {

constexpr int64_t kMostStep = int64_t{1} << 37;  // bytes from one element along an open extent to the next

// `given`: strides in elements, INT64_MIN where they are too large; NULL: row-major. What is open is looked at by each
// execute.
void set_strides(const Extent* given, const char* what, TensorSpec* t) {
  const int64_t size = static_cast<int64_t>(dtype_size(t->dtype));
  const bool empty = std::find(t->shape, t->shape + t->ndim, Extent(0)) != t->shape + t->ndim;
  t->row_major = given == nullptr;
  Extent row_major = 1;
  int64_t reach = 0;
  for (int d = t->ndim - 1; d >= 0; --d) {
    const Extent n = t->shape[d];
    // Without elements there are no addresses, and any strides are as good as none.
    t->strides[d] = n == 1 || empty ? Extent(0) : given ? given[d] : row_major;
    if (empty) continue;
    if (!multiply(row_major, n, &row_major) || (!row_major.is_open() && row_major > kMaxBytes / size))
      invalid("%s: shape %s overflows 64-bit sizes", what, shape_text(t->shape, t->ndim).c_str());
    if (t->strides[d].is_open()) continue;
    if (n.is_open()) {
      const int64_t most = kMostStep / size, step = t->strides[d];
      if (step < -most || step > most)
        invalid("%s: strides[%d] is too large for an open extent (got %lld, need at most %lld)", what, d,
                static_cast<long long>(step), static_cast<long long>(most));
      continue;
    }
    const int64_t stride = t->strides[d], magnitude = stride == INT64_MIN ? 0 : stride < 0 ? -stride : stride;
    int64_t span;
    // n, not n - 1: loops may step once past the end.
    if (stride == INT64_MIN || __builtin_mul_overflow(magnitude, int64_t{n}, &span) ||
        __builtin_add_overflow(reach, span, &reach) || reach > kMaxBytes / size) {
      invalid("%s: strides[%d] overflows 64-bit addresses (got %lld for extent %lld)", what, d,
              static_cast<long long>(stride), static_cast<long long>(n));
    }
  }
}

}  // namespace

TensorSpec row_major_tensor(Dtype dtype, const Extent* shape, int ndim, const char* what) {
  TensorSpec t;
  if (ndim > TILEOPS_MAX_NDIM) invalid("%s: ndim is out of range (got %d, need 0 to %d)", what, ndim, TILEOPS_MAX_NDIM);
  t.present = true;
  t.dtype = dtype;
  t.ndim = ndim;
  std::copy_n(shape, ndim, t.shape);
  set_strides(nullptr, what, &t);
  return t;
}

namespace {

// TILEOPS_OPEN or TILEOPS_UP_TO: the most that the extent may be; of other numbers 0.
int64_t most_of_open(int64_t n) {
  constexpr int64_t kUpTo = int64_t{1} << 62;
  if (n == TILEOPS_OPEN) return INT64_MAX;
  return n > INT64_MIN && n <= INT64_MIN + kUpTo ? n - INT64_MIN : 0;
}

// `open`: gives an open extent its number.
template <class Open>
void read_tensor_of(const tileops_tensor_desc& desc, const char* what, TensorSpec* out, const Open& open) {
  if (!dtype_from_dl(desc.dtype, &out->dtype)) {
    unsupported("%s: dtype is not supported (got %s)", what, dl_dtype_name(desc.dtype).c_str());
  }
  if (desc.ndim < 0 || desc.ndim > TILEOPS_MAX_NDIM) {
    invalid("%s: ndim is out of range (got %d, need 0 to %d)", what, desc.ndim, TILEOPS_MAX_NDIM);
  }
  if (desc.ndim > 0 && !desc.shape) invalid("%s: shape is NULL (need %d extents)", what, desc.ndim);
  out->present = true;
  out->ndim = desc.ndim;
  Extent strides[TILEOPS_MAX_NDIM];
  for (int d = 0; d < desc.ndim; ++d) {  // open ones are numbered from the left
    int64_t n = desc.shape[d], stride = 0;
    const int64_t most = most_of_open(n);
    if (most) {
      if (is_packed(out->dtype) && d + 1 == desc.ndim)
        unsupported("%s: extent %d is open, and along the last one elements of %s share bytes", what, d,
                    dtype_name(out->dtype));
      out->shape[d] = open(d, most);
    } else if (n == TILEOPS_UP_TO(0)) {
      invalid("%s: shape[%d] is negative (got %lld, which is TILEOPS_UP_TO(0), of which at least 1 is needed)", what, d,
              static_cast<long long>(n));
    } else if (n < 0) {
      invalid("%s: shape[%d] is negative (got %lld; TILEOPS_OPEN is -1)", what, d, static_cast<long long>(n));
    } else if (!elements_of_extent(desc.dtype, desc.ndim, desc.shape, d, &n)) {
      invalid("%s: shape[%d] overflows 64-bit sizes (got %lld)", what, d, static_cast<long long>(n));
    } else {
      out->shape[d] = n;
    }
    const bool fits = !desc.strides || elements_of_stride(desc.dtype, desc.ndim, desc.shape, desc.strides, d, &stride);
    strides[d] = fits ? stride : INT64_MIN;
  }
  set_strides(desc.strides ? strides : nullptr, what, out);
}

void read_input(const tileops_tensor_desc& desc, int i, Request* r) {
  const std::string what = strf("inputs[%d]", i);
  read_tensor_of(desc, what.c_str(), &r->inputs[static_cast<size_t>(i)], [&](int axis, int64_t most) {
    if (r->open.size() == Extent::kMostOpen)
      unsupported("%s: more than %d extents are open", what.c_str(), Extent::kMostOpen);
    r->open.push_back({i, axis, most});
    return Extent::open(static_cast<int>(r->open.size()) - 1);
  });
  require_whole_bytes(r->inputs[static_cast<size_t>(i)], what.c_str());
}

void read_output(const tileops_tensor_desc& desc, int i, Request* r) {
  const std::string what = strf("outputs[%d]", i);
  TensorSpec& t = r->outputs[static_cast<size_t>(i)];
  read_tensor_of(desc, what.c_str(), &t, [](int, int64_t) { return Extent::of_result(); });
  require_whole_bytes(t, what.c_str());
}

// `read`: read_input or read_output.
void read_operands(const OpSpec& op, const char* list, const tileops_tensor_desc* descs, int count,
                   const std::vector<OperandSpec>& specs, int min_count,
                   void (*read)(const tileops_tensor_desc&, int, Request*), Request* r) {
  const int max_count = static_cast<int>(specs.size());
  if (count < 0 || count < min_count || count > max_count) {
    const std::string range = min_count == max_count ? std::to_string(max_count)
                                                     : strf("%d to %d", min_count, max_count);
    invalid("num_%s: wrong number for %s (got %d, need %s)", list, op.name, count, range.c_str());
  }
  if (count > 0 && !descs) invalid("%s: is NULL (need %d descriptors)", list, count);
  for (int i = 0; i < count; ++i) {
    if (descs[i].dtype.bits == 0) {  // absent
      if (specs[i].optional) continue;
      invalid("%s[%d]: is absent, but %s of %s is not optional", list, i, specs[i].name.c_str(), op.name);
    }
    read(descs[i], i, r);
  }
}

}  // namespace

void read_tensor(const tileops_tensor_desc& desc, const char* what, TensorSpec* out) {
  read_tensor_of(desc, what, out, [&](int d, int64_t) -> Extent {
    invalid("%s: shape[%d] is negative (got %lld)", what, d, static_cast<long long>(desc.shape[d]));
  });
}

AttrValue read_attr(const tileops_attr& attr, const tileops_attr_info& info, const std::string& place) {
  const char* at = place.c_str();
  AttrValue v{};
  if (attr.kind != TILEOPS_ATTR_F64 && attr.kind != TILEOPS_ATTR_I64) {
    invalid("%s'%s' has an unknown kind (got %d, need TILEOPS_ATTR_F64 or "
            "TILEOPS_ATTR_I64)",
            at, info.name, attr.kind);
  }
  double number;
  if (info.kind == TILEOPS_ATTR_F64) {
    number = v.f64 = attr.kind == TILEOPS_ATTR_F64 ? attr.value.f64 : static_cast<double>(attr.value.i64);
    if (attr.kind == TILEOPS_ATTR_I64 && (number >= 0x1p63 || static_cast<int64_t>(number) != attr.value.i64)) {
      invalid("%s'%s' does not convert to a double exactly (got %lld)", at, info.name,
              static_cast<long long>(attr.value.i64));
    }
  } else if (attr.kind == TILEOPS_ATTR_I64) {
    v.i64 = attr.value.i64;
    number = static_cast<double>(v.i64);
  } else {
    number = attr.value.f64;
    if (!(number >= -0x1p63 && number < 0x1p63) || number != std::floor(number)) {
      invalid("%s'%s' must be an integer (got %.10g)", at, info.name, number);
    }
    v.i64 = static_cast<int64_t>(number);
  }
  const bool bounded = std::isfinite(info.min_value) || std::isfinite(info.max_value);
  if (bounded && !(number >= info.min_value && number <= info.max_value)) {
    if (info.choices) {
      invalid("%s'%s' is not a choice (got %.10g, need 0 to %.10g for %s)", at, info.name, number, info.max_value,
              info.choices);
    }
    invalid("%s'%s' is out of range (got %.10g, need %.10g to %.10g)", at, info.name, number, info.min_value,
            info.max_value);
  }
  return v;
}

Call::Call(const OpSpec& spec) : op(&spec), inputs(spec.inputs.size()), outputs(spec.outputs.size()) {
  for (size_t i = 0; i < spec.attrs.size(); ++i) {
    const tileops_attr_info& info = spec.attrs[i].info;
    if (info.kind == TILEOPS_ATTR_F64) attrs[i].f64 = info.default_value.f64;
    else attrs[i].i64 = info.default_value.i64;
  }
}

bool Call::has(tileops_attr_key key) const {
  const int i = op->attr_index(key);
  return i >= 0 && (attr_given[i] || op->attrs[i].info.has_default);
}

double Call::number(tileops_attr_key key) const {
  const int i = op->attr_index(key);
  return op->attrs[i].info.kind == TILEOPS_ATTR_F64 ? attrs[i].f64 : static_cast<double>(attrs[i].i64);
}

int64_t Call::integer(tileops_attr_key key) const { return attrs[op->attr_index(key)].i64; }

std::string Call::place(tileops_attr_key key) const {
  const int i = op->attr_index(key);
  const std::string index = attr_given[i] ? strf("[%d]", attr_place[i]) : "";
  return strf("attrs%s: '%s'", index.c_str(), attr_name(key));
}

int Call::number_of(tileops_attr_key key) const {
  return attr_numbers.empty() ? -1 : attr_numbers[op->attr_index(key)];
}

const char* Request::name() const { return op ? op->name : "expression"; }

bool Call::given(tileops_attr_key key) const {
  const int i = op->attr_index(key);
  return i >= 0 && attr_given[i];
}

std::string Request::key() const {
  std::string k;
  k.reserve(256);
  const auto put = [&k](const auto& value) { k.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(op ? op->op : TILEOPS_OP_NONE);
  if (formula) k += formula->key();
  put(device);
  put(flags);
  put(hint.strategy);
  put(hint.threads);
  put(hint.num_per_thread);
  const auto put_tensor = [&](const TensorSpec& t) {
    put(t.present);
    if (!t.present) return;
    put(t.dtype);
    put(t.ndim);
    k.append(reinterpret_cast<const char*>(t.shape), sizeof(Extent) * t.ndim);
    k.append(reinterpret_cast<const char*>(t.strides), sizeof(Extent) * t.ndim);
  };
  put(num_inputs);
  put(num_outputs);
  for (const Open& e : open) put(e.most);
  for (int i = 0; i < num_inputs; ++i) put_tensor(inputs[i]);
  for (int i = 0; i < num_outputs; ++i) put_tensor(outputs[i]);
  for (size_t i = 0; op && i < op->attrs.size(); ++i) {
    put(attr_given[i]);
    put(attrs[i]);
  }
  return k;
}

namespace {

// Operands and results of a formula, which may each be of any dtype.
void read_formula_operands(const tileops_plan_desc& desc, Outputs outputs, Request* r) {
  const auto check = [](const char* list, int count, int most, const void* descs) {
    if (count < 0 || count > most) invalid("num_%s: is out of range (got %d, need 0 to %d)", list, count, most);
    if (count > 0 && !descs) invalid("%s: is NULL (need %d descriptors)", list, count);
  };
  check("inputs", desc.num_inputs, kMaxInputs, desc.inputs);
  check("outputs", desc.num_outputs, kMaxOutputs, desc.outputs);
  if (desc.num_attrs != 0) invalid("num_attrs: an expression has none (got %d)", desc.num_attrs);
  r->num_inputs = desc.num_inputs;
  r->num_outputs = desc.num_outputs;
  r->inputs.resize(static_cast<size_t>(desc.num_inputs));
  r->outputs.resize(static_cast<size_t>(desc.num_outputs));
  if (outputs == Outputs::needed) r->formula->check_counts(*r);
  for (int i = 0; i < desc.num_inputs; ++i)
    if (desc.inputs[i].dtype.bits) read_input(desc.inputs[i], i, r);
  for (int i = 0; i < desc.num_outputs; ++i)
    if (desc.outputs[i].dtype.bits) read_output(desc.outputs[i], i, r);
}

void read_operator(const tileops_plan_desc& desc, Outputs outputs, Request* request) {
  Request& r = *request;
  const OpSpec& op = *find_op(desc.op);
  static_cast<Call&>(r) = Call(op);
  read_operands(op, "inputs", desc.inputs, desc.num_inputs, op.inputs, op.min_inputs, read_input, &r);
  read_operands(op, "outputs", desc.outputs, desc.num_outputs, op.outputs,
                outputs == Outputs::needed ? op.min_outputs : 0, read_output, &r);
  r.num_inputs = desc.num_inputs;
  r.num_outputs = desc.num_outputs;
  if (desc.num_attrs < 0) invalid("num_attrs: is negative (got %d)", desc.num_attrs);
  if (desc.num_attrs > 0 && !desc.attrs) invalid("attrs: is NULL (need %d)", desc.num_attrs);
  for (int i = 0; i < desc.num_attrs; ++i) {
    const tileops_attr_key key = desc.attrs[i].key;
    const int at = op.attr_index(key);
    if (at < 0) {
      const char* name = attr_name(key);
      invalid("attrs[%d]: %s has no attribute '%s' (key %d)", i, op.name, name ? name : "?", key);
    }
    if (r.attr_given[at]) invalid("attrs[%d]: '%s' is given twice", i, op.attrs[at].info.name);
    r.attrs[at] = read_attr(desc.attrs[i], op.attrs[at].info, strf("attrs[%d]: ", i));
    r.attr_given[at] = true;
    r.attr_place[at] = i;
  }
}

}  // namespace

Request make_request(const tileops_plan_desc& desc, Outputs outputs, std::shared_ptr<const Formula> formula) {
  Request r;
  r.formula = std::move(formula);
  if (r.formula && desc.op != TILEOPS_OP_NONE)
    invalid("op: is given beside expr (got %d, need TILEOPS_OP_NONE)", desc.op);
  if (!r.formula && !find_op(desc.op)) invalid("op: unknown operator (got %d)", desc.op);
  r.device = home_of(desc.device);
  r.flags = desc.flags;
  constexpr uint32_t known = TILEOPS_PLAN_REPRODUCIBLE | TILEOPS_PLAN_NO_JIT | TILEOPS_PLAN_NO_CACHE |
                             TILEOPS_PLAN_NO_PDL | TILEOPS_PLAN_LIST;
  if (desc.flags & ~known) invalid("flags: unknown bits (got 0x%x)", desc.flags & ~known);
  r.hint = {desc.strategy, desc.threads, desc.num_per_thread};
  check_launch_hint(r.hint);
  if (desc.reserved) invalid("reserved: is not 0 (got %d)", desc.reserved);
  if (r.hint.strategy != TILEOPS_STRATEGY_AUTO && is_cpu(r.device))
    unsupported("strategy: is for CUDA plans (got %s on the CPU, need auto)", strategy_name(r.hint.strategy));

  if (r.formula) read_formula_operands(desc, outputs, &r);
  else read_operator(desc, outputs, &r);
  for (int i = 0; i < r.num_outputs; ++i) {
    const TensorSpec& t = r.outputs[i];
    if (t.present && !t.is_open() && self_overlaps(t)) {
      invalid("outputs[%d]: two elements share an address (shape %s, strides %s)", i,
              shape_text(t.shape, t.ndim).c_str(), shape_text(t.strides, t.ndim).c_str());
    }
  }
  return r;
}

}  // namespace tileops
