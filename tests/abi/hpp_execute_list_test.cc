// Many sets of tensors by one call, Plan::execute_list of tileops.hpp: a step of AdamW over all parameters of a model.
#include <tileops/tileops.hpp>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "expect.h"

namespace {

using tileops::AddressItem;
using tileops::ListItem;
using tileops::View;

const char kAdamW[] = "(p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> {"
                      "  n = lerp(m, g, 1 - b1);  q = v * b2 + g * g * (1 - b2);"
                      "  p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + eps), n, q }";

// A parameter with its gradient and moments.
struct Parameter {
  explicit Parameter(int64_t size) : p(size), g(size), m(size), v(size) {
    for (int64_t i = 0; i < size; ++i) {
      p[i] = static_cast<float>(i % 7) - 3;
      g[i] = static_cast<float>((i + size) % 5) - 2;
      m[i] = static_cast<float>(i % 3) / 4;
      v[i] = static_cast<float>(i % 4 + 1) / 8;
    }
  }
  ListItem item() {
    View pv = view(&p), gv = view(&g), mv = view(&m), vv = view(&v);
    return {{pv, gv, mv, vv}, {pv, mv, vv}};
  }
  AddressItem addresses() {
    return {{p.data(), g.data(), m.data(), v.data()}, {p.data(), m.data(), v.data()}, {static_cast<int64_t>(p.size())}};
  }
  bool operator==(const Parameter& other) const { return p == other.p && m == other.m && v == other.v; }

  std::vector<float> p, g, m, v;

 private:
  static View view(std::vector<float>* x) { return View(x->data(), {x->size()}); }
};

// The plan of a text whose operands and results have one dimension of any length.
tileops::Plan plan_of(const char* text, int32_t num_inputs, int32_t num_outputs, uint32_t flags) {
  const tileops::Expr expr(text);
  const int64_t length = TILEOPS_OPEN;
  const std::vector<tileops_tensor_desc> all(8, {tileops::float32, 1, &length, nullptr});
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr.get();
  desc.flags = flags;
  desc.num_inputs = num_inputs;
  desc.num_outputs = num_outputs;
  desc.inputs = desc.outputs = all.data();
  return tileops::Plan(desc);
}

std::vector<Parameter> model() {
  std::vector<Parameter> parameters;
  for (const int64_t size : {96, 1, 7, 0, 64, 65, 1000, 3, 96, 96, 17, 31, 4096, 5, 128, 2, 33, 12, 70000, 8})
    parameters.emplace_back(size);
  return parameters;
}

void steps_of_a_model() {
  const tileops::Plan plan = plan_of(kAdamW, 4, 3, TILEOPS_PLAN_LIST);
  std::vector<Parameter> together = model(), by_address = model(), alone = model(), plain = model();
  std::vector<ListItem> items;
  std::vector<AddressItem> addresses;
  for (Parameter& parameter : together) items.push_back(parameter.item());
  for (Parameter& parameter : by_address) addresses.push_back(parameter.addresses());
  for (int t = 1; t <= 3; ++t) {
    const tileops::Scalars scalars{0.125, tileops::Number(), tileops::Number(), tileops::Number(), 0.25, t};
    plan.execute_list(items, scalars);
    plan.execute_list(addresses, scalars);
    for (Parameter& parameter : alone) {
      const ListItem item = parameter.item();
      plan.execute_with(item.inputs, item.outputs, scalars);
    }
    for (Parameter& x : plain)
      for (size_t i = 0; i < x.p.size(); ++i) {
        const double m = x.m[i] + (x.g[i] - x.m[i]) * 0.1, v = x.v[i] * 0.999 + x.g[i] * x.g[i] * 0.001;
        const double step = m / (1 - std::pow(0.9, t)) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
        x.p[i] = static_cast<float>(x.p[i] * (1 - 0.125 * 0.25) - 0.125 * step);
        x.m[i] = static_cast<float>(m);
        x.v[i] = static_cast<float>(v);
      }
  }
  EXPECT(together == alone && by_address == alone);
  float worst = 0;
  for (size_t k = 0; k < plain.size(); ++k)
    for (size_t i = 0; i < plain[k].p.size(); ++i) worst = std::max(worst, std::abs(together[k].p[i] - plain[k].p[i]));
  EXPECT(worst < 1e-5f);
  EXPECT(!(together == model()));
}

void items_in_braces() {
  const tileops::Plan plan = plan_of("(x; by = 2) -> x * by", 1, 1, TILEOPS_PLAN_LIST);
  float x[3] = {1, 2, 3}, y[2] = {5, 6}, z[5] = {};
  plan.execute_list({{{View(x, {3})}, {View(z, {3})}}, {{View(y, {2})}, {View(z + 3, {2})}}}, {3});
  const float want[] = {3, 6, 9, 15, 18};
  EXPECT(std::memcmp(z, want, sizeof z) == 0);
  plan.execute_list(std::vector<ListItem>());
}

// A list of items that have one shape, each with a workspace of its own.
void workspaces() {
  std::vector<float> x(64 * 64, 1);
  x[5] = 3;
  std::vector<std::vector<float>> results(3, std::vector<float>(x.size()));
  const View in(x.data(), {64, 64});
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  const tileops::Expr expr("(x) -> x / sum(x, axis = -2) * sum(x)");
  const int64_t shape[] = {64, 64};
  const tileops_tensor_desc tensor{tileops::float32, 2, shape, nullptr};
  desc.expr = expr.get();
  desc.flags = TILEOPS_PLAN_LIST;
  desc.num_inputs = desc.num_outputs = 1;
  desc.inputs = desc.outputs = &tensor;
  const tileops::Plan plan(desc);
  EXPECT(plan.workspace_bytes() > 0);
  std::vector<tileops::ManagedTensor> memory;
  for (int i = 0; i < 2; ++i) memory.push_back(plan.allocate_workspace());
  std::vector<ListItem> items;
  for (int i = 0; i < 2; ++i) items.push_back({{in}, {View(results[i].data(), {64, 64})}, memory[i]});
  plan.execute_list(items);
  plan.execute_with({in}, {View(results[2].data(), {64, 64})}, {}, nullptr, memory[0]);
  EXPECT(results[0] == results[2] && results[1] == results[2]);
  EXPECT(std::abs(results[0][5] - 3) < 1e-5f);
}

std::string refusal(uint32_t flags, const std::vector<ListItem>& items) {
  try {
    plan_of("(x) -> x * 2", 1, 1, flags).execute_list(items);
  } catch (const tileops::Error& e) {
    return e.what();
  }
  return "";
}

void refused() {
  float x[8] = {}, y[8] = {};
  const ListItem item{{View(x, {4})}, {View(y, {4})}}, over{{View(x + 4, {4})}, {View(y + 3, {4})}};
  EXPECT(refusal(0, {item}).find("plan: was made without TILEOPS_PLAN_LIST") != std::string::npos);
  EXPECT(refusal(TILEOPS_PLAN_LIST, {item, over}).find("items[1]: outputs[0] overlaps outputs[0] of items[0]") !=
         std::string::npos);
  EXPECT(refusal(TILEOPS_PLAN_LIST, {item, {{}, {View(y + 4, {4})}}}).find("items[1]: num_inputs") !=
         std::string::npos);
  EXPECT(refusal(TILEOPS_PLAN_LIST, {item}).empty());
}

}  // namespace

int hpp_execute_list_test() {
  steps_of_a_model();
  items_in_braces();
  workspaces();
  refused();
  return failures != 0;
}
