#include "call/foreach.h"

#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "arrays/operands.h"
#include "arrays/results.h"
#include "call/arguments.h"
#include "call/call.h"
#include "call/groups.h"
#include "errors.h"

namespace tileops_python {
namespace {

bool is_list(PyObject* object) { return PyList_Check(object) || PyTuple_Check(object); }

// "adamw: items[1]: p: ..." with the number that the item has in the call's lists.
std::string renumbered(std::string text, const Group& group) {
  static const std::string front = "items[";
  for (size_t at = text.find(front); at != std::string::npos; at = text.find(front, at + 1)) {
    const size_t begin = at + front.size(), end = text.find(']', begin);
    const size_t number = std::stoul(text.substr(begin, end - begin));
    if (number < group.size()) text.replace(begin, end - begin, std::to_string(group[number]));
  }
  return text;
}

class ForEach {
 public:
  ForEach(const Program& program, PyObject* const* arguments, size_t nargsf, PyObject* keywords)
      : program_(program), given_(program, arguments, nargsf, keywords) {
    find_items();
    const size_t most = items_.size() * (program.operands().size() + program.results().size());
    operands_ = std::make_unique<ManyOperands>(std::unique_ptr<OperandRoom[]>(new OperandRoom[most + given_.count]));
    for (int k = 0; k < given_.count; ++k) read_operand(k);
    num_outputs_ = given_.num_results ? given_.num_results : program.min_results();
    if (given_.out) read_out();
    else if (program.stores_parts())
      raise(PyExc_TypeError, "%s: out: is missing: the text stores parts of a result, and others stay as they are",
            name());
  }

  Owned run() {
    Group all(items_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    for (const Group& group : alike(all, Alike::kButExtents)) plan(group);
    results_.resize(given_.out ? 0 : items_.size() * static_cast<size_t>(num_outputs_));
    const ResultMaker maker(given_.out ? nullptr : example_type(), example_, name());
    for (Planned& planned : planned_) execute(planned, maker);
    return given_.out ? Owned::share(given_.out) : finished(maker);
  }

 private:
  // A group with its plan, and what its items bring to that.
  struct Planned {
    Group group;
    std::shared_ptr<const Entry> entry;
    void* stream = nullptr;
  };

  const char* name() const { return program_.name().c_str(); }
  const ArrayType* example_type() const { return example_ ? &example_type_ : nullptr; }
  std::vector<Group> alike(const Group& among, Alike how) const {
    return groups_of(items_, among, given_.count, given_.out ? num_outputs_ : 0, how);
  }

  // As many as the lists are long.
  void find_items() {
    const char* first = nullptr;
    size_t count = 0;
    for (int k = 0; k < given_.count; ++k) {
      PyObject* object = given_.operands[k];
      lists_.push_back(object && is_list(object) ? Owned::of(PySequence_Tuple(object)) : Owned());
      if (!lists_.back()) continue;
      const auto size = static_cast<size_t>(PyTuple_Size(lists_.back().get()));
      const char* operand = program_.operands()[static_cast<size_t>(k)].text.c_str();
      if (first && size != count)
        raise(PyExc_TypeError, "%s: %s: has %zu elements, and %s has %zu", name(), operand, size, first, count);
      if (!first) first = operand, count = size;
    }
    if (!first) raise(PyExc_TypeError, "%s: foreach takes lists of arrays", name());
    items_.resize(count);
  }

  // A list has an operand for each item; what is none is that of all.
  void read_operand(int k) {
    const auto place = static_cast<size_t>(k);
    PyObject* all = given_.operands[k];
    if (!all) return;
    if (!lists_[place]) {
      const DLTensor* shared = read(all, Access::kRead, program_.operands()[place].text.c_str());
      for (Item& item : items_) item.inputs[k] = shared;
      return;
    }
    for (size_t i = 0; i < items_.size(); ++i) {
      PyObject* object = PyTuple_GetItem(lists_[place].get(), static_cast<Py_ssize_t>(i));
      if (object != Py_None) items_[i].inputs[k] = read(object, Access::kRead, program_.operands()[place].text.c_str());
      else if (!program_.is_optional(place))
        raise(PyExc_TypeError, "%s: %s[%zu]: is missing", name(), program_.operands()[place].text.c_str(), i);
    }
  }

  DLTensor* read(PyObject* object, Access access, const char* argument) {
    const ArrayType& type = array_type(object);
    if (!example_ && type.way != Way::kNumber && type.way != Way::kNone) example_ = object, example_type_ = type;
    DLTensor* tensor = &operands_->add(object, type, access, Place{name(), argument}, given_.stream).tensor;
    tensor->strides = const_cast<int64_t*>(strides_of(*tensor));
    return tensor;
  }

  // A list, or a tuple of one for each result.
  void read_out() {
    if (given_.has_dtype) raise(PyExc_TypeError, "%s: dtype: that of out is taken where there is one", name());
    Owned lists = Owned::of(num_outputs_ == 1 ? PyTuple_Pack(1, given_.out) : PySequence_Tuple(given_.out));
    if (PyTuple_Size(lists.get()) != num_outputs_)
      raise(PyExc_TypeError, "%s: out: takes a tuple of %d lists (got %zd)", name(), num_outputs_,
            PyTuple_Size(lists.get()));
    for (int k = 0; k < num_outputs_; ++k) {
      PyObject* list = PyTuple_GetItem(lists.get(), k);
      if (!is_list(list)) raise(PyExc_TypeError, "%s: out: takes lists of arrays (got %R)", name(), list);
      lists_.push_back(Owned::of(PySequence_Tuple(list)));
      const Py_ssize_t size = PyTuple_Size(lists_.back().get());
      if (static_cast<size_t>(size) != items_.size())
        raise(PyExc_TypeError, "%s: out: has %zd elements, and the operands have %zu", name(), size, items_.size());
      for (size_t i = 0; i < items_.size(); ++i)
        items_[i].outputs[k] = read(PyTuple_GetItem(lists_.back().get(), static_cast<Py_ssize_t>(i)), Access::kWrite,
                                    "out");
    }
  }

  // One plan for a group; where the text cannot have those extents open, one for each shape.
  void plan(const Group& group) {
    Request like;
    like.inputs = nullptr, like.num_inputs = given_.count;
    like.outputs = given_.out ? items_[0].outputs : nullptr, like.num_outputs = num_outputs_;
    like.attrs = given_.attrs, like.num_attrs = given_.num_attrs, like.flags = TILEOPS_PLAN_LIST;
    if (given_.has_dtype) like.dtype = &given_.dtype;
    const GroupRequest asked(items_, group, like);
    try {
      planned_.push_back({group, entry_of(program_, asked.request(), PlanCache::Wanted::kOwn)});
      return;
    } catch (Failure& failure) {
      if (!asked.is_open()) {
        failure.text = naming_item(std::move(failure.text), group[0]);
        throw;
      }
    }
    for (const Group& same : alike(group, Alike::kWholly)) plan(same);
  }

  // "adamw: g: ..." as "adamw: items[3]: g: ..."
  std::string naming_item(std::string text, size_t item) const {
    const std::string front = program_.name() + ": ";
    if (text.rfind(front, 0) == 0) text.insert(front.size(), "items[" + std::to_string(item) + "]: ");
    return text;
  }

  void execute(Planned& planned, const ResultMaker& maker) {
    const Entry& entry = *planned.entry;
    planned.stream = given_.has_stream ? given_.stream : stream_of(entry);
    std::vector<tileops_execute_args> args(planned.group.size(), TILEOPS_EXECUTE_ARGS_INIT);
    const OpenExtents open(entry);
    uint64_t space = 0, moved = 0;
    for (size_t i = 0; i < args.size(); ++i) {
      Item& item = items_[planned.group[i]];
      const Extents extents = open.of(item.inputs);
      if (!given_.out) make_results(planned.group[i], entry, extents, maker);
      tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
      check(tileops_plan_at(entry.plan, extents.values, extents.count, &facts), &program_);
      args[i].num_inputs = static_cast<uint32_t>(given_.count), args[i].inputs = item.inputs;
      args[i].num_outputs = static_cast<uint32_t>(num_outputs_), args[i].outputs = item.outputs;
      args[i].workspace_bytes = (facts.workspace_bytes + 63) / 64 * 64;
      space += args[i].workspace_bytes, moved += facts.bytes_moved;
    }
    args[0].num_scalars = static_cast<uint32_t>(given_.num_scalars), args[0].scalars = given_.scalars;
    args[0].stream = planned.stream;
    // Items that need a workspace have one each, one behind the other.
    const Result memory = device_memory(space, entry.device, example_type(), example_, name());
    const Workspace own(entry, memory.object ? 0 : space, planned.stream);
    auto* at = static_cast<char*>(memory.object ? memory.tensor.data : own.data());
    for (tileops_execute_args& each : args) {
      if (each.workspace_bytes == 0) continue;
      each.workspace = at;
      at += each.workspace_bytes;
    }
    try {
      const Unlocked others(moved > kLockedBytes);
      check(tileops_execute_list(entry.plan, args.data(), args.size()), &program_);
    } catch (Failure& failure) {
      failure.text = renumbered(std::move(failure.text), planned.group);
      throw;
    }
  }

  void* stream_of(const Entry& entry) const {
    if (entry.device.device_type == kDLCPU || !example_) return nullptr;
    return ResultMaker(&example_type_, example_, name()).stream(entry.device);
  }

  void make_results(size_t item, const Entry& entry, const Extents& extents, const ResultMaker& maker) {
    for (int k = 0; k < num_outputs_; ++k) {
      const auto output = static_cast<size_t>(k);
      Layout layout;
      check(tileops_plan_result(entry.plan, extents.values, extents.count, output, &layout.dtype, &layout.ndim,
                                layout.shape),
            &program_);
      Result& made = results_[item * static_cast<size_t>(num_outputs_) + output];
      made = maker.make(layout, entry.device);
      shapes_.emplace_back(layout.shape, layout.shape + layout.ndim);
      made.tensor.shape = shapes_.back().data();
      items_[item].outputs[k] = &made.tensor;
    }
  }

  // A list for each result.
  Owned finished(const ResultMaker& maker) {
    std::vector<void*> streams(items_.size());
    for (const Planned& planned : planned_)
      for (const size_t i : planned.group) streams[i] = planned.stream;
    Owned lists = Owned::of(PyTuple_New(num_outputs_));
    for (int k = 0; k < num_outputs_; ++k) {
      Owned list = Owned::of(PyList_New(static_cast<Py_ssize_t>(items_.size())));
      for (size_t i = 0; i < items_.size(); ++i) {
        Result& result = results_[i * static_cast<size_t>(num_outputs_) + static_cast<size_t>(k)];
        if (PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i),
                           maker.finish(std::move(result), streams[i]).release()))
          throw PythonError{};
      }
      if (num_outputs_ == 1) return list;
      if (PyTuple_SetItem(lists.get(), k, list.release())) throw PythonError{};
    }
    return lists;
  }

  const Program& program_;
  const Arguments given_;
  std::vector<Owned> lists_;  // by operand; then those of out
  std::unique_ptr<ManyOperands> operands_;
  std::vector<Item> items_;
  int num_outputs_ = 0;
  ArrayType example_type_ = {};
  PyObject* example_ = nullptr;  // the first array: results are made as it is
  std::vector<Planned> planned_;
  std::vector<Result> results_;  // of each item, one behind the other
  std::deque<std::vector<int64_t>> shapes_;
};

}  // namespace

Owned call_for_each(const Program& program, PyObject* const* arguments, size_t nargsf, PyObject* keywords) {
  return ForEach(program, arguments, nargsf, keywords).run();
}

}  // namespace tileops_python
