// What CUDA would run for texts: the kernels that are chosen, how they are launched, and how they reach memory. Needs
// no GPU.
//
// usage: tileops_gate_kernels FOLDER < CASES
//
// A case is a line of a name, a text and its operands, with tabs between them; an operand is "dtype extent extent ...",
// with commas between operands. Prints a line of JSON of the compiler's options, and one for each case, and writes each
// kernel's source into FOLDER, once.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "../common/descriptors.h"
#include "base/error.h"
#include "base/split.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/select/choose.h"
#include "cuda/select/rows/plan.h"
#include "cuda/tuning/tuning.h"
#include "expr/lower/formula.h"
#include "expr/parse/parser.h"
#include "lower/lower.h"
#include "problem/request.h"
#include "problem/rows/needs.h"
#include "problem/rows/stages.h"

using namespace tileops;
using namespace tileops::cuda;

namespace {

constexpr int kArch = 90, kMultiprocessors = 132;
constexpr int64_t kRun = 32;  // elements of a column that a thread takes at a time

struct Operand {
  Dtype dtype = Dtype::f32;
  std::vector<int64_t> shape;
  tileops_tensor_desc desc() const {
    return {dtype_to_dl(dtype), static_cast<int32_t>(shape.size()), shape.data(), nullptr};
  }
};

std::vector<Operand> read_operands(const std::string& line) {
  std::vector<Operand> operands;
  for (const std::string_view one : split(line, ',')) {
    std::istringstream in{std::string(one)};
    std::string name;
    in >> name;
    Operand o;
    if (!dtype_from_name(name, &o.dtype)) invalid("operands: no dtype has this name (got '%s')", name.c_str());
    for (int64_t n; in >> n;) o.shape.push_back(n);
    operands.push_back(std::move(o));
  }
  return operands;
}

Problem problem_of(const std::string& text, const std::vector<Operand>& operands) {
  const auto formula = expr::make_formula(expr::parse(text));
  std::vector<tileops_tensor_desc> inputs;
  for (const Operand& o : operands) inputs.push_back(o.desc());
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = DLDevice{kDLCUDA, 0};
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.inputs = inputs.data();
  const std::vector<TensorSpec> results = formula->infer(make_request(desc, Outputs::optional, formula));
  Descriptors outputs;
  for (const TensorSpec& r : results) outputs.add(r);
  desc.num_outputs = outputs.size();
  desc.outputs = outputs.data();
  return lower(make_request(desc, Outputs::needed, formula));
}

const char* name_of(Template t) {
  switch (t) {
    case Template::rows: return "rows";
    case Template::columns: return "columns";
    case Template::elementwise: return "elementwise";
    default: return "other";
  }
}

const char* name_of(ViewKind kind) {
  switch (kind) {
    case ViewKind::input:
    case ViewKind::output: return "operand";
    case ViewKind::temporary: return "temporary";
    default: return "none";
  }
}

std::string name_of(const Step& step) {
  if (step.body) return step.body->name;
  if (step.converts()) return "convert";
  return std::string(step.scans ? "scan " : "") + reduction_name(step.reduction) + (step.low_parts ? " low" : "");
}

// Does an extent number parts of blocks, which have the elements of the row's extents between them?
bool numbers_parts(const Pass& pass, size_t d) {
  return pass.split_elements && d + 1 + pass.row_rank == pass.extents.size();
}

// Distinct elements that a view reaches in a pass, as bytes; of a gathered one as many as are asked for: `once`, if
// that is once for each of the pass's blocks.
int64_t bytes_of(const Pass& pass, const View& view, bool once) {
  int64_t n = static_cast<int64_t>(dtype_size(view.dtype));
  for (size_t d = 0; d < pass.extents.size(); ++d) {
    const bool asked = !view.indices.empty() && !numbers_parts(pass, d) &&
                       !(once && d + pass.row_rank >= pass.extents.size());
    if (view.strides[d] != 0 || asked) n *= pass.extents[d];
  }
  return n;
}

int64_t block_elements(const Pass& pass) {
  int64_t n = 1;
  for (size_t d = pass.extents.size() - pass.row_rank; d < pass.extents.size(); ++d) n *= pass.extents[d];
  return n;
}

int64_t elements_of(const Pass& pass) {
  int64_t n = 1;
  for (size_t d = 0; d < pass.extents.size(); ++d) n *= numbers_parts(pass, d) ? Extent(1) : pass.extents[d];
  return n;
}

// Does it have neighbours in memory along some extent that is more than one element?
bool is_in_one_piece(const Pass& pass, const View& view) {
  for (size_t d = 0; d < pass.extents.size(); ++d)
    if (pass.extents[d] > 1 && view.strides[d] == static_cast<int64_t>(dtype_size(view.dtype))) return true;
  return false;
}

// The extent that lies innermost in a view's memory, in bytes of it; 0: there is none.
int64_t innermost_bytes(const Pass& pass, const View& view, bool* reduced) {
  const int64_t size = static_cast<int64_t>(dtype_size(view.dtype));
  for (size_t d = 0; d < pass.extents.size(); ++d) {
    if (pass.extents[d] <= 1 || view.strides[d] != size) continue;
    *reduced = d + pass.row_rank >= pass.extents.size();
    return pass.extents[d] * size;
  }
  return 0;
}

class Writer {
 public:
  explicit Writer(std::string folder) : folder_(std::move(folder)) {}

  void write(const std::string& name, const Problem& problem) {
    std::printf("{\"name\": \"%s\", \"workspace\": %zu, \"passes\": [", name.c_str(), problem.workspace_bytes);
    for (size_t i = 0; i < problem.passes.size(); ++i) {
      std::printf("%s", i ? ", " : "");
      pass(problem, i);
    }
    std::printf("]}\n");
  }

 private:
  void pass(const Problem& problem, size_t i) {
    const Pass& p = problem.passes[i];
    ChooseOptions options;
    options.arch = kArch;
    options.multiprocessors = kMultiprocessors;
    const Choice c = choose_pass(problem, i, make_layout(p), options);
    const TraversalSpec& t = c.spec.traversal;
    const bool rows = c.spec.has_rows();
    const int turn = !rows              ? t.vec * std::max(1, t.vecs_per_thread) * t.rows_per_thread
                     : t.row.in_columns ? t.row.columns * static_cast<int>(std::min<int64_t>(kRun, block_elements(p)))
                                        : t.vec * t.row.packs;
    std::printf("{\"source\": \"%s\", \"label\": \"%s\", \"template\": \"%s\", \"blocks\": %llu, \"threads\": %u, "
                "\"elements\": %lld, \"turn\": %d, \"vec\": %d, \"both_paths\": %s, \"sums_of_blocks\": %s",
                source(c.kernel).c_str(), c.kernel.label.c_str(), name_of(t.kernel_template),
                static_cast<unsigned long long>(c.launch.blocks), c.launch.threads,
                static_cast<long long>(elements_of(p)), turn, t.vec, rows && t.row.aligned ? "true" : "false",
                p.is_of_rows() && sums_blocks(p) ? "true" : "false");
    if (rows) row_facts(problem, p, options);
    else std::printf(", \"rows\": 0, \"length\": 0, \"stages\": 1, \"kept\": true, \"readings\": [], \"views\": [");
    views(p, c);
    std::printf("], \"steps\": [");
    for (size_t s = 0; s < p.steps.size(); ++s) std::printf("%s\"%s\"", s ? ", " : "", name_of(p.steps[s]).c_str());
    std::printf("]}");
  }

  // How often each load is read, and how rows lie.
  static void row_facts(const Problem& problem, const Pass& p, const ChooseOptions& options) {
    const PassInfo info(p, {});
    const RowShape shape(problem, p, info, options.way);
    const RowPlan plan = row_plan_of(shape, options, tuning_of(options.arch));
    const std::vector<uint64_t> stages = stages_of_loads(p, needs_of_elements(p, info, scans_of(p)));
    std::printf(", \"rows\": %lld, \"length\": %lld, \"stages\": %d, \"kept\": %s, \"readings\": [",
                static_cast<long long>(shape.blocks), static_cast<long long>(int64_t{shape.groups * shape.inner}),
                info.stages(), plan.spec.kept || plan.spec.staged ? "true" : "false");
    for (size_t l = 0; l < p.loads.size(); ++l) {
      const bool once = plan.kept[l] || shape.levels[l] != Level::element;
      std::printf("%s%d", l ? ", " : "", once ? 1 : std::max(1, __builtin_popcountll(stages[l])));
    }
    std::printf("], \"views\": [");
  }

  static void views(const Pass& p, const Choice& c) {
    const bool rows = c.spec.has_rows();
    const PassInfo info(p, {});
    bool first = true;
    const auto one = [&](const View& view, const AccessSpec& a, bool is_store, Level level) {
      const int64_t size = static_cast<int64_t>(dtype_size(view.dtype));
      const bool in_packs = a.pattern == AccessPattern::dense || a.pattern == AccessPattern::row ||
                            a.pattern == AccessPattern::gathered_row || a.pattern == AccessPattern::tile;
      const bool aligned = !rows || c.spec.traversal.row.aligned;
      bool reduced = false;
      const int64_t inner = innermost_bytes(p, view, &reduced);
      std::printf(
          "%s{\"store\": %s, \"kind\": \"%s\", \"slot\": %d, \"dtype\": \"%s\", \"bytes\": %lld, \"access\": %lld, "
          "\"in_one_piece\": %s, "
          "\"gathered\": %s, \"inner_bytes\": %lld, \"inner_is_reduced\": %s}",
          first ? "" : ", ", is_store ? "true" : "false", name_of(view.kind), view.slot, dtype_label(view.dtype),
          static_cast<long long>(bytes_of(p, view, level == Level::block)),
          static_cast<long long>(in_packs && aligned ? std::min<int64_t>(16, c.spec.traversal.vec * size) : size),
          is_in_one_piece(p, view) ? "true" : "false", view.indices.empty() ? "false" : "true",
          static_cast<long long>(inner), reduced ? "true" : "false");
      first = false;
    };
    for (size_t l = 0; l < std::min(p.loads.size(), c.spec.access.loads.size()); ++l)
      one(p.loads[l], c.spec.access.loads[l], false, info.of(load_value(l)).level);
    for (size_t k = 0; k < p.stores.size(); ++k)
      one(p.stores[k], c.spec.access.stores[k], true, level_of_stored(p, info, k));
  }

  // The file of a kernel's source, which is written when it is first met.
  std::string source(const Kernel& kernel) {
    const auto [at, is_new] = files_.try_emplace(kernel.text, "k" + std::to_string(files_.size()) + ".cu");
    if (is_new) std::ofstream(folder_ + "/" + at->second) << full_source(kernel);
    return at->second;
  }

  const std::string folder_;
  std::map<std::string, std::string> files_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: tileops_gate_kernels FOLDER < CASES\n");
    return 2;
  }
  Writer writer(argv[1]);
  std::printf("[");
  for (const std::string& option : options_of({kArch, false}))
    std::printf("%s\"%s\"", option == options_of({kArch, false})[0] ? "" : ", ", option.c_str());
  std::printf("]\n");
  for (std::string line; std::getline(std::cin, line);) {
    const auto parts = split(line, '\t');
    if (parts.size() != 3) {
      std::fprintf(stderr, "a line of %zu parts (need 3)\n", parts.size());
      return 2;
    }
    try {
      writer.write(std::string(parts[0]), problem_of(std::string(parts[1]), read_operands(std::string(parts[2]))));
    } catch (const Error& e) {
      std::fprintf(stderr, "%s: %s\n", std::string(parts[0]).c_str(), e.message.c_str());
      return 1;
    }
  }
}
