// What a pass of an expression loads: operands and parts of them, positions, constants, numbers of the host. Equal
// views that are taken in one type are one load.
#pragma once

#include "expr/frame/frame.h"
#include "expr/lower/numbers.h"

namespace tileops::expr {

// An operand, or a part of one.
bool is_view(const Graph& graph, int node);
// Makes the view of a whole value, and its shape, those of the part that a node takes.
void take_part(const Node& node, View* view, std::vector<Extent>* shape);

class Loads {
 public:
  Loads(const Request& request, const Inference& inference, const Frame& frame, Problem* problem, NumberTable* numbers)
      : request_(request), inference_(inference), frame_(frame), problem_(problem), numbers_(numbers) {}

  // An operand or a part of one, taken as a type.
  Value operand(int node, Ctype as);
  // The same in its own dimensions, and its shape.
  View operand_view(int node, std::vector<Extent>* shape) const;
  // The index of each element along an axis of a node's argument.
  Value index(const Node& node);
  // A number: of the attribute that stands for it, if one does; rounded to the dtype that it is compared with, if it
  // is, or brought to the ends of the type.
  Value number(int node, Ctype as, const AttrSpec* attr = nullptr, Dtype compared = Dtype::f64, bool saturates = false);
  // So many elements, an open number of them, less a correction; a float.
  Value count(const Extent& elements, double correction, Ctype as);
  // Any other view of the space.
  Value add(View v, Ctype as);

  const Frame& frame() const { return frame_; }
  Ctype type_of(const Value& load) const { return types_[load.index]; }
  // Gives the loads to the pass, in the order that kernels read them best in, and renumbers its values.
  void finish(Pass* pass);

 private:
  const Node& node(int i) const { return inference_.graph->nodes[i]; }
  const TensorSpec& spec_of(int i) const { return inference_.nodes[i].spec; }
  Value constant(const AttrValue& value, Dtype dtype, Ctype as);

  const Request& request_;
  const Inference& inference_;
  const Frame& frame_;
  Problem* problem_;
  NumberTable* numbers_;
  std::vector<View> views_;
  std::vector<Ctype> types_;  // that each is taken in
};

}  // namespace tileops::expr
