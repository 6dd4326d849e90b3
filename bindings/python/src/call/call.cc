#include "call/call.h"

#include <utility>

#include "arrays/operands.h"
#include "arrays/results.h"
#include "call/arguments.h"
#include "errors.h"

namespace tileops_python {
namespace {

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
    const Result memory = device_memory(entry.workspace_bytes, entry.device, example_type_, example_,
                                        program_.name().c_str());
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

}  // namespace

std::shared_ptr<const Entry> entry_of(const Program& program, const Request& request, PlanCache::Wanted wanted) {
  const Unlocked others(request.device().device_type != kDLCPU);  // a compiler may run
  return program.plans().get(program, request, wanted);
}

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
  return entry_of(program, made.request(flags), PlanCache::Wanted::kOwn);  // which refuses what it was not made for
}

}  // namespace tileops_python
