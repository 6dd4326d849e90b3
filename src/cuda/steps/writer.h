// The lines of a kernel's text that take packs of N values through steps, by the functions of
// tileops/device/cuda/forms/steps.h: what functions of a whole expression and of the stages of rows are made of.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "problem/rows/needs.h"

namespace tileops::cuda {

// Values are v0, v1 and so on by step, what was rounded to storage r0, r1; x are the loads, a the attributes.
class StepWriter {
 public:
  // `in_one_piece`: by view, loads and then stores, of those that are gathered or scattered: may a pack be one access?
  StepWriter(const Pass& pass, const PassInfo& info, std::vector<bool> in_one_piece, bool reproducible);

  // The step's lines; none of a conversion that changes nothing. Not of reductions.
  void write(size_t step);
  bool is_needed(size_t step) const { return tileops::is_needed(info_, step); }
  // The same value under the name that it has in the text: conversions that change nothing have none.
  Value resolved(const Value& v) const { return tileops::resolved(pass_, info_, v); }
  std::string name(const Value& v) const { return name_in("", v); }
  // As a member of what `from` ends with, "b.".
  std::string name_in(const std::string& from, const Value& v) const;
  // The name of a value in storage, which it is rounded to once. Lines before it make it.
  std::string rounded(const Value& v, Dtype to, Fp8Mode mode);
  // "float v3[N];", of a step with several results its list of them.
  std::string declaration(size_t step) const;
  void line(const std::string& text) { lines_ += "    " + text + "\n"; }
  // The lines since it was asked last.
  std::string take_lines();
  // What was rounded or gathered before is no longer there. `place`: what its elements' place is called.
  void begin_function(const std::string& place);

  // Reads a gathered load, as x, unless it is there; that may be said of one, too.
  void need(const Value& v);
  void is_there(size_t load) { there_.insert(load); }
  // A pack of such a load at `place`, as it lies in memory; `from` has its indices.
  std::string gathered(size_t load, const std::string& place, const std::string& from) const;
  // Stores what has been rounded where indices say.
  void scatter(size_t store, const std::string& y);

  // Attributes of steps, and behind them the words of indices.
  int num_attrs() const { return num_attrs_ + num_index_words_; }
  bool has_rounding_test() const { return has_rounding_test_; }
  int instructions() const;  // of one element, roughly

 private:
  const Step& step_of(const Value& v) const { return pass_.steps[static_cast<size_t>(v.index)]; }
  bool is_inner(size_t step) const;
  std::string policy(size_t step) const;
  std::string body(size_t step, const std::string& policy, Ctype type) const;
  std::string arguments(size_t step, const std::string& given) const;
  void write_body(size_t step);
  void write_conversion(size_t step);
  void need_arguments(size_t step);
  // The arguments of functions of core/gather.h: of the view, and its indices.
  std::string indexed(size_t view, const std::string& place, const std::string& from) const;
  const View& view(size_t v) const {
    return v < pass_.loads.size() ? pass_.loads[v] : pass_.stores[v - pass_.loads.size()];
  }

  const Pass& pass_;
  const PassInfo& info_;
  const bool reproducible_;
  bool calls_ = false;        // of long bodies
  std::vector<int> offsets_;  // of each step's attributes
  std::vector<bool> in_one_piece_;
  std::vector<int> index_words_;  // by view: where they begin, behind attributes
  int num_attrs_ = 0, num_index_words_ = 0, num_rounded_ = 0;
  std::string place_;
  std::set<size_t> there_;  // gathered loads that the function has
  bool has_rounding_test_ = false;
  std::string lines_;
  std::map<std::tuple<std::string, std::string, Rounding>, std::string> rounded_;  // by value and storage
};

// A function that is approximated, which takes some twenty instructions.
bool is_long(const Step& step);

}  // namespace tileops::cuda
