// Lists of items (tileops_execute_list): each item is checked as an execute is, then all together; only then they run.
#include <algorithm>

#include "base/error.h"
#include "plan/plan.h"

namespace tileops {

// What an item reads or writes: an operand, a result or its workspace.
struct MemoryOfItem {
  enum class Kind : uint8_t { input, output, workspace };
  uintptr_t begin, end;
  uint32_t item;
  Kind kind;
  uint8_t number;

  bool is_written() const { return kind != Kind::input; }
};

namespace {

// Calls f(a, b) for memory of different items that meets, of which some is written.
template <class F>
void for_each_meeting(std::vector<MemoryOfItem>* all, const F& f) {
  std::sort(all->begin(), all->end(), [](const MemoryOfItem& a, const MemoryOfItem& b) { return a.begin < b.begin; });
  std::vector<const MemoryOfItem*> written, read;  // that may reach to where the next one begins
  const auto meet = [&](std::vector<const MemoryOfItem*>* open, const MemoryOfItem& m) {
    const auto ended = [&](const MemoryOfItem* o) { return o->end <= m.begin; };
    open->erase(std::remove_if(open->begin(), open->end(), ended), open->end());
    for (const MemoryOfItem* o : *open)
      if (o->item != m.item) f(*o, m);
  };
  for (const MemoryOfItem& m : *all) {
    meet(&written, m);
    if (m.is_written()) meet(&read, m);
    (m.is_written() ? written : read).push_back(&m);
  }
}

const char* name_of(MemoryOfItem::Kind kind) {
  return kind == MemoryOfItem::Kind::input ? "inputs" : kind == MemoryOfItem::Kind::output ? "outputs" : "workspace";
}

std::string text_of(const MemoryOfItem& m) {
  return m.kind == MemoryOfItem::Kind::workspace ? name_of(m.kind) : strf("%s[%d]", name_of(m.kind), m.number);
}

}  // namespace

// What is known of a list's items, one behind the other.
class Plan::List {
 public:
  List(const Plan& plan, const std::vector<tileops_execute_args>& items) : plan_(plan), items_(items) {
    const Request& r = plan.request_;
    num_inputs_ = static_cast<size_t>(r.num_inputs);
    num_outputs_ = static_cast<size_t>(r.num_outputs);
    inputs_.resize(items.size() * num_inputs_);
    outputs_.resize(items.size() * num_outputs_);
    extents_.resize(items.size() * r.open.size());
    executions_.reserve(items.size());
    for (size_t i = 0; i < items.size(); ++i) naming_item(i, [&] { add(i); });
    check_apart();
    compute_numbers();
  }

  const std::vector<Execution>& executions() const { return executions_; }

 private:
  const int64_t* extents(size_t i) const {
    return plan_.is_open() ? extents_.data() + i * plan_.request_.open.size() : nullptr;
  }

  void add(size_t i) {
    const tileops_execute_args& args = items_[i];
    plan_.check_args(args);
    if (i > 0) check_as_first(args);
    Operands operands;
    if (!plan_.is_open()) return add(i, plan_.shapes_, plan_.bind(args, nullptr, plan_.shapes_, &operands));
    int64_t extents[Extent::kMostOpen];
    Shapes shapes;
    plan_.find_extents(args, extents);
    plan_.check_not_empty(extents);
    plan_.find_shapes(extents, &shapes);
    std::copy_n(extents, plan_.request_.open.size(), extents_.data() + i * plan_.request_.open.size());
    add(i, shapes, plan_.bind(args, this->extents(i), shapes, &operands));
  }

  // What items have in common is the first one's, and others have nothing or the same there.
  void check_as_first(const tileops_execute_args& args) const {
    const tileops_execute_args& first = items_[0];
    if (args.stream && args.stream != first.stream) invalid("stream: is another one than that of items[0]");
    if (args.num_scalars && (args.scalars != first.scalars || args.num_scalars != first.num_scalars))
      invalid("scalars: are others than those of items[0]: what differs is an operand of one element");
  }

  void add(size_t i, const Shapes& shapes, Execution execution) {
    const size_t need = execution.workspace ? 0 : plan_.workspace_bytes(execution.extents);
    if (need > 0) plan_.refuse_without_workspace(need);
    if (i > 0 && execution.host_inputs != executions_[0].host_inputs)
      invalid("inputs: are scalars in host memory where those of items[0] are not, or the other way round");
    if (!items_[i].input_ptrs && !items_[i].output_ptrs) note_memory(i, shapes, execution);
    const void** const inputs = inputs_.data() + i * num_inputs_;
    void** const outputs = outputs_.data() + i * num_outputs_;
    std::copy_n(execution.inputs, num_inputs_, inputs);
    std::copy_n(execution.outputs, num_outputs_, outputs);
    execution.inputs = inputs;
    execution.outputs = outputs;
    execution.stream = items_[0].stream;
    executions_.push_back(execution);
  }

  void note_memory(size_t i, const Shapes& shapes, const Execution& e) {
    const auto note = [&](const void* p, int64_t begin, int64_t end, MemoryOfItem::Kind kind, size_t number) {
      const uintptr_t at = reinterpret_cast<uintptr_t>(p);
      if (p && begin != end)
        memory_.push_back({at + static_cast<uintptr_t>(begin), at + static_cast<uintptr_t>(end),
                           static_cast<uint32_t>(i), kind, static_cast<uint8_t>(number)});
    };
    for (size_t o = 0; o < num_outputs_; ++o)
      note(e.outputs[o], shapes.range_out[o].begin, shapes.range_out[o].end, MemoryOfItem::Kind::output, o);
    for (size_t k = 0; k < num_inputs_; ++k) {
      bool noted = e.host_inputs >> k & 1;
      for (size_t o = 0; o < num_outputs_; ++o) noted = noted || (e.outputs[o] == e.inputs[k] && plan_.in_place_[o][k]);
      if (!noted) note(e.inputs[k], shapes.range_in[k].begin, shapes.range_in[k].end, MemoryOfItem::Kind::input, k);
    }
    if (e.workspace)
      note(e.workspace, 0, static_cast<int64_t>(plan_.workspace_bytes(e.extents)), MemoryOfItem::Kind::workspace, 0);
  }

  // No item writes what another one reads or writes.
  void check_apart() {
    for_each_meeting(&memory_, [&](const MemoryOfItem& a, const MemoryOfItem& b) {
      if (a.kind != MemoryOfItem::Kind::workspace && b.kind != MemoryOfItem::Kind::workspace &&
          !overlaps(tensor(a), address(a), tensor(b), address(b)))
        return;
      const MemoryOfItem& later = a.item > b.item ? a : b;
      const MemoryOfItem& earlier = a.item > b.item ? b : a;
      invalid("items[%u]: %s overlaps %s of items[%u]", later.item, text_of(later).c_str(), text_of(earlier).c_str(),
              earlier.item);
    });
  }
  TensorSpec tensor(const MemoryOfItem& m) const {
    const Request& r = plan_.request_;
    const TensorSpec& spec = m.kind == MemoryOfItem::Kind::input ? r.inputs[m.number] : r.outputs[m.number];
    return plan_.is_open() ? spec.at(extents(m.item)) : spec;
  }
  uintptr_t address(const MemoryOfItem& m) const {
    const Execution& e = executions_[m.item];
    return reinterpret_cast<uintptr_t>(m.kind == MemoryOfItem::Kind::input ? e.inputs[m.number] : e.outputs[m.number]);
  }

  // Once, or where extents are among what they are made of, for each item.
  void compute_numbers() {
    const tileops_execute_args& first = items_[0];
    plan_.check_scalars(first.scalars, first.num_scalars);
    if (!plan_.numbers_) return;
    const size_t each = plan_.num_numbers_;
    bool differ = false;
    for (size_t n = 0; n < each; ++n) differ = differ || plan_.numbers_->source_of(n).of_extents;
    numbers_.resize(differ ? each * items_.size() : each);
    for (size_t i = 0; i < items_.size(); ++i) {
      AttrValue* const numbers = numbers_.data() + (differ ? i * each : 0);
      if (differ || i == 0) plan_.numbers_->compute(first.scalars, first.num_scalars, extents(i), numbers);
      executions_[i].numbers = numbers;
    }
  }

  const Plan& plan_;
  const std::vector<tileops_execute_args>& items_;
  size_t num_inputs_, num_outputs_;
  std::vector<const void*> inputs_;
  std::vector<void*> outputs_;
  std::vector<int64_t> extents_;
  std::vector<AttrValue> numbers_;
  std::vector<MemoryOfItem> memory_;
  std::vector<Execution> executions_;
};

void Plan::execute_list(const std::vector<tileops_execute_args>& items) const {
  if (!(request_.flags & TILEOPS_PLAN_LIST)) invalid("plan: was made without TILEOPS_PLAN_LIST");
  if (items.empty()) return;
  const List list(*this, items);
  executable_->run_list(list.executions().data(), list.executions().size());
}

}  // namespace tileops
