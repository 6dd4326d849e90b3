// The one way to make an expression, for the parser as for callers. Handles are above 0. The first error sticks: every
// call after it returns 0, and finish() tells it. A builder is used by one thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "expr/graph/graph.h"
#include "expr/nodes/host.h"

namespace tileops::expr {

using NodeHandle = int32_t;  // 0: none

// A value given to a function; a handle of 0 leaves the place empty.
struct Use {
  NodeHandle node = 0;
  Offset offset = -1;
};

// An attribute given by its key: a constant, which for choices and dtypes is a number.
struct Given {
  tileops_attr_key key = TILEOPS_ATTR_NONE;
  Number value;
  Offset offset = -1;
};

// Throws Error(INVALID_ARGUMENT) with its place.
[[noreturn]] void refuse_at(Offset offset, std::string message);

// Throws Error(UNSUPPORTED) for operators that no expression can have.
void require_usable(const Function& function, Offset offset);

// The set of one axis that is given as texts have it (-2) and not by its key.
int64_t one_axis(const Number& axis, const Function& function, Offset offset);

class Builder {
 public:
  NodeHandle operand(std::string_view name, Offset offset = -1);
  NodeHandle operand(std::string_view name, const Number& value, Offset offset = -1);  // an optional one
  NodeHandle scalar(std::string_view name, const Number& value, Offset offset = -1);
  NodeHandle constant(const Number& value);
  // Arguments fill the function's slots in order, then its attributes. A number in a slot that an attribute stands
  // in for is that attribute, unless all arguments are numbers: then the function is computed on the host.
  NodeHandle op(tileops_op id, const std::vector<Use>& arguments, const std::vector<Given>& attributes = {},
                Offset offset = -1);
  NodeHandle op(const Function& function, const std::vector<Use>& arguments, const std::vector<Given>& attributes = {},
                Offset offset = -1);
  // The results of another text, written out here: its operands and then its scalars are `uses`, of which 0 leaves one
  // out. `name` is what messages call it. Empty after an error.
  std::vector<NodeHandle> text(const Graph& text, const std::string& name, const std::vector<Use>& uses,
                               Offset offset = -1);
  // What a text says of shapes. The number of a name of extents, which is a new one where nothing has that name yet;
  int extent(std::string_view name, bool leading, Offset offset);
  // what a value's shape must be, of such numbers;
  void shape(NodeHandle value, SaidShape shape);
  // the number that a name is, or 0 if no shape has it;
  NodeHandle extent_value(std::string_view name, Offset offset);
  // the shapes of another text that is written out here, with names of their own where they say something else.
  void shapes_of(const Graph& text, const std::vector<NodeHandle>& inputs, const std::vector<NodeHandle>& handles);
  // An empty name: y0, y1, ...
  bool result(NodeHandle node, std::string_view name = {}, Offset offset = -1);

  // Throws the first error. The builder can do nothing more then. `source` is kept for messages.
  std::shared_ptr<const Graph> finish(std::string source = {});
  const Error* error() const { return failed_ ? &error_ : nullptr; }
  const Node& node(NodeHandle handle) const { return nodes_[handle - 1]; }

 private:
  template <class F>
  auto guarded(F&& body) -> decltype(body()) {
    if (failed_) return {};
    try {
      if (finished_) invalid("builder: is finished");
      return body();
    } catch (const Error& e) {
      error_ = e;
      failed_ = true;
      return {};
    }
  }
  NodeHandle add_operand(std::string_view name, const Number* value, Offset offset);
  void bind_name(std::string_view name, Offset offset);
  NodeHandle make(const Function& f, const std::vector<Use>& arguments, const std::vector<Given>& attributes,
                  Offset offset);
  int index_of(const Use& use, const Function& f, size_t place, Offset offset) const;
  void place_arguments(const std::vector<Use>& uses, Node* node) const;
  void place_attribute(const Parameter& p, const Use& use, Node* node) const;
  void place_given(const std::vector<Given>& given, Node* node) const;
  void check_attribute(Attribute* a, const Node& node) const;
  bool is_number(int node) const;
  void split_numbers(Node* node);
  void check_complete(const Node& node) const;
  void check_views(const Node& node) const;
  void complete_axes(Node* node) const;
  void check_rows(const Node& node) const;
  void check_row_values(const Node& node) const;
  NodeHandle of_number(const Node& node);
  void drop_defaults(Node* node) const;
  std::vector<NodeHandle> write_text(const Graph& text, const std::string& name, const std::vector<Use>& uses,
                                     Offset offset);
  int known_name(const SaidExtent& d, NodeHandle value, size_t from_end) const;
  void keep_shapes(const std::vector<int>& place, Graph* graph) const;
  NodeHandle operand_of(const Operand& operand, const std::string& text, const Use& use);
  NodeHandle scalar_of(const Scalar& scalar, const std::string& text, const Use& use);
  NodeHandle add_constant(const Number& value);
  NodeHandle add(Node node);  // or the same one that is there
  bool fold(const Node& node, Number* value) const;
  void check_live(const Graph& graph) const;

  int num_functions_ = 0;
  bool failed_ = false, finished_ = false;
  Error error_{};
  std::vector<Operand> operands_;
  std::vector<Scalar> scalars_;
  std::vector<Node> nodes_;
  std::vector<Number> values_;  // of constants; of other numbers, one of their type
  std::vector<Result> results_;
  std::vector<ExtentName> extents_;
  std::vector<SaidShape> shapes_;  // of nodes, operands among them
  std::map<std::string, NodeHandle> known_;
  std::map<std::string, NodeHandle, std::less<>> names_;
};

}  // namespace tileops::expr
