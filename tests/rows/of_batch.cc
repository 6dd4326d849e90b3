#include "of_batch.h"

#include <algorithm>

#include "../common/descriptors.h"
#include "base/error.h"
#include "expr/lower/formula.h"
#include "expr/parse/parser.h"
#include "lower/lower.h"
#include "lower/open.h"
#include "problem/request.h"

namespace rowtest {

const std::vector<int64_t>& Batches() {
  static const std::vector<int64_t> batches = [] {
    std::vector<int64_t> list;
    for (int64_t n = 1; n <= 32; ++n) list.push_back(n);
    for (const int64_t n : {33,   40,   48,   63,   64,   65,   96,   100,  127,  128,  129,  131,   160,  192,
                            200,  255,  256,  257,  300,  384,  500,  511,  512,  513,  640,  768,   1000, 1023,
                            1024, 1025, 1536, 2000, 2047, 2048, 3000, 3001, 4096, 5000, 8192, 16384, 16385})
      list.push_back(n);
    return list;
  }();
  return batches;
}

std::optional<tileops::Problem> ProblemOf(const RowText& text, std::vector<Shape> shapes, DLDevice device) {
  std::vector<tileops_tensor_desc> in;
  tileops::Descriptors out;
  for (size_t k = 0; k < shapes.size(); ++k) {
    Dtype dtype;
    if (!DtypeOf(text.operands[k].label, &dtype)) return std::nullopt;
    in.push_back({tileops::dtype_to_dl(dtype), static_cast<int32_t>(shapes[k].size()), shapes[k].data(), nullptr});
  }
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = device;
  desc.num_inputs = static_cast<int32_t>(in.size());
  desc.inputs = in.data();
  try {
    const auto formula = tileops::expr::make_formula(tileops::expr::parse(text.text));
    const auto request_of = [&](tileops::Outputs outputs) {
      tileops::Request request = tileops::make_request(desc, outputs, formula);
      tileops::settle_open_extents(&request);
      return request;
    };
    std::vector<tileops::TensorSpec> results = formula->infer(request_of(tileops::Outputs::optional));
    const std::vector<Tensor> scattered = ScatteredInto(text);
    for (size_t k = 0; k < results.size(); ++k) {
      tileops::TensorSpec& r = results[k];
      if (!r.present && k < scattered.size()) std::copy_n(scattered[k].shape.begin(), r.ndim, r.shape);
      out.add(r);
    }
    desc.num_outputs = out.size();
    desc.outputs = out.data();
    return tileops::lower(request_of(tileops::Outputs::needed));
  } catch (const tileops::Error&) {
    return std::nullopt;
  }
}

std::optional<tileops::Problem> ProblemOfBatch(const RowText& text, int64_t batch, DLDevice device) {
  std::vector<Shape> shapes;
  const int64_t rows = text.operands[0].shape.empty() ? 0 : text.operands[0].shape[0];
  for (const Declared& d : text.operands) {
    shapes.push_back(d.shape);
    if (!d.shape.empty() && d.shape[0] == rows) shapes.back()[0] = batch;
  }
  return ProblemOf(text, std::move(shapes), device);
}

}  // namespace rowtest
