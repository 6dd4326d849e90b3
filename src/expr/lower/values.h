// The values of an expression's nodes in a pass: loads, or results of steps. Each node is lowered as the operator that
// it is, by the operator's own lowering, whose step takes other nodes' values where an operator has loads.
#pragma once

#include <map>
#include <optional>

#include "expr/lower/loads.h"
#include "expr/split/split.h"

namespace tileops::expr {

class Values {
 public:
  Values(const Inference& inference, const Split& split, int pass, Loads* loads, Problem* problem,
         NumberTable* numbers);

  // The value of a node, in the compute type of its dtype. Ask for the nodes that it takes first: if each value asked
  // for the one before it, a long chain would take more stack than a thread may have.
  Value of(int node);
  // What rounding took from the value, if it is a mean that is subtracted, or brings one back.
  std::optional<Value> rest_of(int node);
  // The value rounded to a dtype.
  Value convert(const Value& v, Dtype to, Fp8Mode fp8);
  // Was it loaded as the dtype, rounded to it, or selected among such and constants within its range? Then nothing but
  // an infinity is beyond the largest number, and stays one.
  bool is_of(int node, Dtype dtype) const;
  // What each group of a reduction comes to, that another pass reduces once more: a float sum's in two parts; of a
  // variance a sum and one of squares, of differences from the first element of each block; of a mean of integers of 64
  // bits the sums of their halves.
  std::vector<Value> parts_of(int node);
  Value first_of(int node);
  // What is added up over blocks.
  Value summed_over_blocks(int node);
  // The value of a node as an index.
  Value index_of(int node);
  // A mask as one along an axis of one element: 0 where it is true, and elsewhere outside.
  Value index_if(int mask);
  // What becomes of numbers that a cast's fp8 dtype does not hold.
  static Fp8Mode fp8_of(const Node& cast, Dtype dtype);

  std::vector<Step> take_steps() { return std::move(steps_); }
  bool has_steps() const { return !steps_.empty(); }

 private:
  const Node& node(int i) const { return inference_.graph->nodes[i]; }
  const NodeType& type(int i) const { return inference_.nodes[i]; }

  Value compute(int node);
  Value taken(int node, Ctype wanted);
  Value cast(int node);
  Value of_one_element(int node);
  Value only_element(int node);
  Value reduce(int node);
  Value scan(int node);
  // `of`: the value and, of a float sum, what rounding took from it, if that is known.
  Value reduction_of(const std::vector<Value>& of, const Reduced& r, Reduction by, bool low_parts);
  Value reduction_of(const Value& v, const Reduced& r, Reduction by, bool low_parts) {
    return reduction_of(std::vector<Value>{v}, r, by, low_parts);
  }
  std::vector<Value> summed_in_two(const std::vector<Value>& of, const Reduced& r);
  Value finished(int node, Value v, const Reduced& r, const Frame& counted);
  std::vector<Value> summed_in_halves(const Value& v, const Reduced& r);
  Value sum_of_halves(const std::vector<Value>& sums);
  Value mean_of_parts(int node, const Value& high, const Value& low, const Reduced& r, const Frame& counted);
  void keep_rest(int node, const Value& mean, const Value& rest);
  bool is_extreme_of_nothing(int node, const Reduced& r) const;
  Value least_or_largest(const Reduced& r, Dtype dtype);
  Value count_of(const Reduced& r, const Frame& counted, Ctype ctype);
  Value over_count(const Value& sum, const Reduced& r, const Frame& counted);
  Value over_parts(int node, const Reduced& r);
  Value squared_deviations(const Value& sum, const Value& squares, const Reduced& whole, const Frame& counted);
  Value apply_plainly(tileops_op op, Ctype ctype, std::vector<Value> arguments);
  Value number(double value, Ctype ctype);
  Value log_sum_exp_with_rest(int i, const Value& v, const Reduced& r);
  Value less_rests(const Node& difference, Value v);
  Value apply(int node, const Call& call);
  View readable(int node, std::vector<Extent>* shape) const;
  Value part_of_left(int node);
  Value gather(int node);
  Value tiled(int node);
  Call inner_call(int node, Call call) const;
  Call with_numbers(const Node& n, Call call);
  Value argument(const Node& n, const Pass& own, const Step& step, size_t k);
  Value compared(const Node& n, size_t k, Ctype wanted);
  Ctype wide_enough(const Node& comparison, Ctype ctype) const;
  Value beside_negative(const Node& comparison, const Value& v);
  Value add(Step step);

  struct Computed {
    bool there = false;
    Value value;
  };

  const Inference& inference_;
  const Split& split_;
  const int pass_;
  Loads* loads_;
  Problem* problem_;
  NumberTable* numbers_;
  std::vector<Step> steps_;
  std::vector<Computed> computed_;  // by node
  std::map<int, Value> rests_;      // likewise
  std::map<int, Value> masks_;      // likewise, as indices
};

}  // namespace tileops::expr
