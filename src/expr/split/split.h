// Which passes an expression becomes. Results of one shape are one pass; so are reductions over the same axes of values
// of one shape, with what is stored of them. What a pass reduces and another one takes is left in the workspace. A scan
// is of a pass whose blocks are what it goes along, beside reductions of these blocks; scans from the last element to
// the first are of passes whose blocks are mirrored.
#pragma once

#include "expr/frame/reduced.h"

namespace tileops::expr {

// What a pass stores: a result, one of the parts that it is joined of, or a value that is left for later passes.
struct Target {
  int node;   // whose value it takes
  View view;  // strides by its own dimensions
  std::vector<Extent> extents;
  // What scatters a result: a node that says where along an axis, in which view has a stride of 0; or whether at all.
  struct Along {
    int node;
    Extent stride, extent;
    bool is_mask = false;
  };
  std::vector<Along> scattered = {};
  bool adds = false;  // to what is there
  bool rest = false;  // not the value, but what its rounding took (Split::rests)
};

struct PassPlan {
  std::vector<Extent> shape;  // of its values, before axes are cut into groups
  Blocking block;             // of its reductions, if it has any
  std::vector<Target> targets;
  // Reductions of which it leaves what groups, its blocks or chunks of them come to.
  std::vector<int> partial = {};
  std::vector<int> firsts = {};  // variances of which it leaves the first element of each block
  bool scans = false;            // it has scans, which take its blocks whole
  int64_t split_elements = 0;    // its blocks are reduced in parts of so many elements (Pass::split_elements); 0: whole
  bool mirrored = false;         // its blocks go from their last element to the first: of scans in reverse alone
  // What it computes (members.h): nodes, each behind those that it takes, and the sizes of groups by axis.
  std::vector<int> members = {};
  std::map<int, int64_t> cuts = {};
};

struct Split {
  std::vector<PassPlan> passes;  // in the order in which they run
  std::vector<int> pass_of;      // by node: the pass that reduces it, or has it from what it reduces; -1
  std::vector<View> left;        // by node: where the workspace has its value, for other passes than that
  // By node: of a reduction or scan of very many elements, or of a pass's blocks, what its parts come to, which the
  // pass that it is of reduces once more, or scans elements behind.
  struct Partial {
    int pass = -1;  // that leaves them
    // One of these says what a part is: a group, or a block of that pass; so many elements of a block; or what chunks
    // of that pass's blocks add up to (View::sum_of_blocks), where so many of the last axes are a block's.
    Blocking blocks = {};
    int64_t split_elements = 0;
    size_t block_axes = 0;
    std::vector<Extent> shape;
    // Some leave two sums: a variance those of differences and of their squares, a mean in halves those of the high
    // halves and of the low ones. A float sum with low parts is left in `words`, of both parts, or, of float64, as
    // `highs_and_lows`, a view of each.
    std::vector<View> views;
    bool words = false, highs_and_lows = false;
    View first;  // of each block, from which a variance takes differences: an earlier pass leaves it here
  };
  std::vector<Partial> partials;
  std::vector<Extent> temporaries;  // bytes of each that the workspace has
  std::vector<bool> low_parts;      // by node: of float sums
  // By node: of means, and what brings them back, of which what rounding took is needed as well (reduced.h), and where
  // the workspace has that for other passes.
  std::vector<bool> rests;
  std::vector<View> left_rests;
};

// Does the pass take the node's value from the workspace?
bool is_left_to(const Split& split, int node, int pass);
// Does the pass that has the node's value make it of elements? Not where it reduces parts that another pass has left.
bool takes_elements(const Inference& inference, const Split& split, int node);

// `last`, bits by result: those that passes behind all others store, which reduce nothing. What they are made of by
// reductions and scans they take from the workspace.
Split split_into_passes(const Request& request, const Inference& inference, uint32_t last = 0);

}  // namespace tileops::expr
