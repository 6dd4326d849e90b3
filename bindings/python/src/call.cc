#include "call.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "arrays/dtypes.h"
#include "arrays/operands.h"
#include "arrays/results.h"
#include "errors.h"

namespace tileops_python {
namespace {

// Calls that move less keep the interpreter's lock: to let it go and take it again costs as much as some thousand
// bytes.
constexpr uint64_t kLockedBytes = 256 << 10;

// What a caller gave, by its places. Borrowed.
class Arguments {
 public:
  Arguments(const Program& program, PyObject* const* arguments, size_t nargsf, PyObject* keywords) : program_(program) {
    const auto given = static_cast<size_t>(PyVectorcall_NARGS(static_cast<size_t>(nargsf)));
    const size_t most = program.operands().size();
    if (given > most) raise(PyExc_TypeError, "%s: takes %zu operands (got %zu)", name(), most, given);
    for (size_t i = 0; i < given; ++i) set_operand(i, arguments[i]);
    const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
    for (Py_ssize_t i = 0; i < named; ++i)
      set_named(PyTuple_GetItem(keywords, i), arguments[given + static_cast<size_t>(i)]);
    for (size_t i = 0; i < most; ++i)
      if (!operands[i] && !program.is_optional(i))
        raise(PyExc_TypeError, "%s: %s: is missing", name(), program.operands()[i].text.c_str());
    count = static_cast<int>(most);
    while (count > program.min_operands() && !operands[count - 1]) --count;
  }

  PyObject* operands[TILEOPS_MAX_EXPR_INPUTS] = {};
  int count = 0;  // of the operands; those behind are absent
  tileops_number scalars[TILEOPS_MAX_EXPR_SCALARS];
  int num_scalars = 0;
  tileops_attr attrs[TILEOPS_MAX_ATTRS];
  int num_attrs = 0;
  PyObject* out = nullptr;
  DLDataType dtype;
  bool has_dtype = false;
  int64_t shape[TILEOPS_MAX_NDIM];
  int ndim = -1;        // -1: none given
  int num_results = 0;  // 0: not said
  void* stream = nullptr;
  bool has_stream = false;

 private:
  const char* name() const { return program_.name().c_str(); }

  void set_operand(size_t i, PyObject* value) {
    if (value == Py_None) return;
    if (operands[i]) raise(PyExc_TypeError, "%s: %s: is given twice", name(), program_.operands()[i].text.c_str());
    // A bound of clamp, say, is an attribute where it is a number.
    if (!program_.expr() && (PyFloat_Check(value) || PyLong_Check(value) || PyUnicode_Check(value))) {
      for (size_t k = 0; k < program_.numbers().size(); ++k)
        if (program_.numbers()[k].object == program_.operands()[i].object) return set_attribute(k, value);
    }
    operands[i] = value;
  }

  void set_attribute(size_t i, PyObject* value) {
    if (value == Py_None) return;
    attrs[num_attrs++] = program_.attribute(i, value);
  }

  void set_scalar(size_t i, PyObject* value) {
    while (num_scalars <= static_cast<int>(i)) scalars[num_scalars++] = tileops_number{};
    if (!number_of(value, &scalars[i]))
      raise(PyExc_TypeError, "%s: %s: is a number (got %R)", name(), program_.numbers()[i].text.c_str(), value);
  }

  void set_named(PyObject* keyword, PyObject* value) {
    if (set_known(keyword, value)) return;
    Py_INCREF(keyword);  // the rare one that is not interned, of a call with **
    PyUnicode_InternInPlace(&keyword);
    const Owned name_of = Owned::of(keyword);
    if (!set_known(keyword, value)) raise(PyExc_TypeError, "%s: there is no argument %R", name(), keyword);
  }

  // An argument by its interned name; those of the program come before the binding's own.
  bool set_known(PyObject* keyword, PyObject* value) {
    static PyObject* const out_name = interned("out");
    static PyObject* const dtype_name = interned("dtype");
    static PyObject* const stream_name = interned("stream");
    static PyObject* const shape_name = interned("shape");
    static PyObject* const results_name = interned("results");
    const std::vector<Name>&operands = program_.operands(), &numbers = program_.numbers();
    for (size_t i = 0; i < operands.size(); ++i)
      if (operands[i].object == keyword) return set_operand(i, value), true;
    for (size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i].object == keyword) return program_.expr() ? set_scalar(i, value) : set_attribute(i, value), true;
    if (keyword == out_name) out = value == Py_None ? nullptr : value;
    else if (keyword == dtype_name) set_dtype(value);
    else if (keyword == stream_name) set_stream(value);
    else if (keyword == shape_name && program_.min_operands() == 0) set_shape(value);
    else if (keyword == results_name) set_results(value);
    else return false;
    return true;
  }

  void set_dtype(PyObject* value) {
    if (value == Py_None) return;
    dtype = dtype_from(value);
    has_dtype = true;
  }

  void set_stream(PyObject* value) {
    if (value == Py_None) return;
    stream = PyLong_AsVoidPtr(value);
    if (!stream && PyErr_Occurred()) throw PythonError{};
    has_stream = true;
  }

  void set_shape(PyObject* value) {
    if (value == Py_None) return;
    ndim = 0;
    const Py_ssize_t extents = PySequence_Size(value);
    if (extents < 0) throw PythonError{};
    if (extents > TILEOPS_MAX_NDIM) raise(invalid_argument(), "%s: shape: has more than 32 dimensions", name());
    for (; ndim < extents; ++ndim) {
      Owned item = Owned::of(PySequence_GetItem(value, ndim));
      shape[ndim] = PyLong_AsLongLong(item.get());
      if (shape[ndim] == -1 && PyErr_Occurred()) throw PythonError{};
    }
  }

  void set_results(PyObject* value) {
    num_results = static_cast<int>(PyLong_AsLong(value));
    if (PyErr_Occurred()) throw PythonError{};
    const int most = static_cast<int>(program_.results().size());
    if (num_results < program_.min_results() || num_results > most)
      raise(invalid_argument(), "%s: results: there are %d to %d (got %d)", name(), program_.min_results(), most,
            num_results);
  }

  const Program& program_;
};

// A call between its arguments and its execute.
class Call {
 public:
  Call(const Program& program, PyObject* const* arguments, size_t nargsf, PyObject* keywords)
      : program_(program), given_(program, arguments, nargsf, keywords) {
    find_example();
    for (int i = 0; i < given_.count; ++i) {
      PyObject* object = given_.operands[i];
      if (!object) {
        inputs_[i] = nullptr;
        continue;
      }
      const Place place = {program.name().c_str(), program.operands()[static_cast<size_t>(i)].text.c_str()};
      inputs_[i] = &operands_.add(object, array_type(object), Access::kRead, place, given_.stream).tensor;
    }
    num_outputs_ = given_.num_results ? given_.num_results : program.min_results();
    if (given_.out) read_out();
    else if (program.stores_parts())
      raise(PyExc_TypeError, "%s: out: is missing: the text stores parts of a result, and others stay as they are",
            program.name().c_str());
  }

  Request request(uint32_t flags) const {
    Request r = {inputs_, given_.count, given_.out ? outputs_ : nullptr, num_outputs_};
    r.attrs = given_.attrs, r.num_attrs = given_.num_attrs, r.flags = flags;
    if (given_.has_dtype) r.dtype = &given_.dtype;
    if (given_.ndim >= 0) r.shape = given_.shape, r.ndim = given_.ndim;
    return r;
  }

  // What a plan has settled cannot be said again with a call of it.
  void refuse_of_plan() const {
    if (given_.num_attrs || given_.has_dtype || given_.ndim >= 0)
      raise(PyExc_TypeError, "%s: attributes, dtype and shape are said when the plan is made", program_.name().c_str());
  }

  Owned run(const Entry& entry) {
    if (static_cast<int>(entry.results.size()) != num_outputs_)
      raise(invalid_argument(), "%s: the plan is of %zu results (got %d)", program_.name().c_str(),
            entry.results.size(), num_outputs_);
    const ResultMaker maker(given_.out ? nullptr : example_type_, example_, program_.name().c_str());
    void* stream = given_.has_stream ? given_.stream : stream_of(entry);
    Result made[TILEOPS_MAX_EXPR_OUTPUTS];
    if (!given_.out) {
      for (int i = 0; i < num_outputs_; ++i) {
        made[i] = maker.make(entry.results[static_cast<size_t>(i)], entry.device);
        outputs_[i] = &made[i].tensor;
      }
    }
    execute(entry, stream);
    if (given_.out) return Owned::share(given_.out);
    if (num_outputs_ == 1) return maker.finish(std::move(made[0]), stream);
    Owned tuple = Owned::of(PyTuple_New(num_outputs_));
    for (int i = 0; i < num_outputs_; ++i)
      if (PyTuple_SetItem(tuple.get(), i, maker.finish(std::move(made[i]), stream).release())) throw PythonError{};
    return tuple;
  }

 private:
  // The first operand that is an array: results are made as it is.
  void find_example() {
    for (int i = 0; i < given_.count; ++i) {
      if (!given_.operands[i]) continue;
      const ArrayType& type = array_type(given_.operands[i]);
      if (type.way == Way::kNumber || type.way == Way::kNone) continue;
      types_ = type;
      example_type_ = &types_;
      example_ = given_.operands[i];
      return;
    }
  }

  void read_out() {
    const bool several = PyTuple_Check(given_.out) || PyList_Check(given_.out);
    if (several) {
      const Py_ssize_t count = PySequence_Size(given_.out);
      const auto most = static_cast<Py_ssize_t>(program_.results().size());
      if (count < program_.min_results() || count > most)
        raise(PyExc_TypeError, "%s: out: takes %d arrays (got %zd)", program_.name().c_str(), program_.min_results(),
              count);
      num_outputs_ = static_cast<int>(count);
    } else if (num_outputs_ != 1) {
      raise(PyExc_TypeError, "%s: out: takes a tuple of %d arrays", program_.name().c_str(), num_outputs_);
    }
    if (given_.has_dtype)
      raise(PyExc_TypeError, "%s: dtype: that of out is taken where there is one", program_.name().c_str());
    for (int i = 0; i < num_outputs_; ++i) {
      Owned item = several ? Owned::of(PySequence_GetItem(given_.out, i)) : Owned::share(given_.out);
      outputs_[i] = &results_
                         .add(item.get(), array_type(item.get()), Access::kWrite, Place{program_.name().c_str(), "out"},
                              given_.stream)
                         .tensor;
    }
  }

  void* stream_of(const Entry& entry) const {
    if (entry.device.device_type == kDLCPU) return nullptr;
    if (example_type_) return ResultMaker(example_type_, example_, program_.name().c_str()).stream(entry.device);
    return nullptr;
  }

  void execute(const Entry& entry, void* stream) {
    tileops_execute_args arguments = TILEOPS_EXECUTE_ARGS_INIT;
    arguments.num_inputs = static_cast<uint32_t>(given_.count), arguments.inputs = inputs_;
    arguments.num_outputs = static_cast<uint32_t>(num_outputs_), arguments.outputs = outputs_;
    arguments.num_scalars = static_cast<uint32_t>(given_.num_scalars), arguments.scalars = given_.scalars;
    arguments.stream = stream;
    Result memory;
    if (entry.workspace_bytes && entry.device.device_type != kDLCPU && example_type_ && example_type_->api) {
      // The workspace is an array of the library that made the operands: its allocator does not give the memory to
      // others before the stream has done its work.
      Layout bytes;
      bytes.dtype = {kDLUInt, 8, 1}, bytes.ndim = 1, bytes.shape[0] = static_cast<int64_t>(entry.workspace_bytes);
      memory = ResultMaker(example_type_, example_, program_.name().c_str()).make(bytes, entry.device);
    }
    const Workspace own(entry, memory.object ? 0 : entry.workspace_bytes, stream);
    arguments.workspace = memory.object ? memory.tensor.data : own.data();
    arguments.workspace_bytes = entry.workspace_bytes;
    const Unlocked others(entry.bytes_moved > kLockedBytes);
    check(tileops_execute_with(entry.plan, &arguments), &program_);
  }

  const Program& program_;
  const Arguments given_;
  Operands<TILEOPS_MAX_EXPR_INPUTS> operands_;
  Operands<TILEOPS_MAX_EXPR_OUTPUTS> results_;
  const DLTensor* inputs_[TILEOPS_MAX_EXPR_INPUTS];
  DLTensor* outputs_[TILEOPS_MAX_EXPR_OUTPUTS];
  int num_outputs_ = 0;
  ArrayType types_ = {};
  const ArrayType* example_type_ = nullptr;
  PyObject* example_ = nullptr;
};

std::shared_ptr<const Entry> entry_of(const Program& program, const Request& request) {
  const Unlocked others(request.device().device_type != kDLCPU);  // a compiler may run
  return program.plans().get(program, request);
}

}  // namespace

Owned call(const Program& program, const Entry* fixed, PyObject* const* arguments, size_t nargsf, PyObject* keywords) {
  Call made(program, arguments, nargsf, keywords);
  if (fixed) {
    made.refuse_of_plan();
    return made.run(*fixed);
  }
  const std::shared_ptr<const Entry> entry = entry_of(program, made.request(0));
  return made.run(*entry);
}

std::shared_ptr<const Entry> plan_for(const Program& program, PyObject* const* arguments, size_t nargsf,
                                      PyObject* keywords, uint32_t flags) {
  const Call made(program, arguments, nargsf, keywords);
  return entry_of(program, made.request(flags));
}

}  // namespace tileops_python
