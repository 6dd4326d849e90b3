// Rows in tileops.hpp: their attributes by key, workspaces of the caller's, and calls that have one by themselves.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <tileops/tileops.hpp>

#include "expect.h"

namespace {

using tileops::all_axes;
using tileops::attr;
using tileops::axes;
using tileops::ConstView;
using tileops::Expr;
using tileops::ExprBuilder;
using tileops::group;
using tileops::Plan;
using tileops::View;
using tileops::Workspace;

template <class F>
std::string refusal(F&& call) {
  try {
    call();
  } catch (const tileops::Error& error) {
    return error.status() == TILEOPS_STATUS_INVALID_ARGUMENT ? error.what() : "another status";
  }
  return "";
}
bool has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

template <class F>
std::string built(F&& build) {
  ExprBuilder b;
  build(b);
  return b.finish().text();
}

void attributes() {
  const std::string text = built([](ExprBuilder& b) {
    const auto x = b.operand("x"), t = b.operand("t"), i = b.operand("i");
    b.result(sum(x));
    b.result(mean(x, axes(-2)));
    b.result(var(x, axes({-1, -3}), attr("correction", 1)));
    b.result(argmax(x, all_axes()));
    b.result(amax(x, group(128)));
    b.result(amin(x, group({16, 128})));
    b.result(spread(amax(x, axes(-2), group(4)), x, axes(-2), group(4)));
    b.result(gather(t, i, axes(-2)));
    b.result(gather(t, i, 3, axes({-4, -2})));
    b.result(scatter(x, i, axes(-2)));
    b.result(cumsum(x, axes(-2), attr("reverse", true), attr("exclusive", true)));
    b.result(tiled(t, attr("rows", 8)));
  });
  EXPECT(text == Expr("(x, t, i) -> sum(x), mean(x, axis = -2), var(x, axis = (-3, -1), correction = 1), "
                      "argmax(x, axis = all), amax(x, group = 128), amin(x, group = (16, 128)), "
                      "spread(amax(x, axis = -2, group = 4), x, axis = -2, group = 4), gather(t, i, axis = -2), "
                      "gather(t, i, 3, axis = (-4, -2)), scatter(x, i, axis = -2), "
                      "cumsum(x, axis = -2, reverse = true, exclusive = true), tiled(t, rows = 8)")
                     .text());
  EXPECT(has(refusal([] { axes(0); }), "axes count from the end (got 0, need -1 to -32)"));
  EXPECT(has(refusal([] { axes({-33}); }), "got -33"));
  EXPECT(has(refusal([] { axes({-1, -2, -1}); }), "given twice: -1"));
  EXPECT(has(refusal([] { axes({}); }), "are none"));
  EXPECT(has(refusal([] { group(0); }), "out of range (got 0"));
  EXPECT(has(refusal([] { group({1, 2, 3}); }), "one number or two (got 3)"));
  EXPECT(has(refusal([] { built([](ExprBuilder& b) { b.result(sum(b.operand("x"), attr("reverse", true))); }); }),
             "reverse"));
}

// Each element as a part of its column's sum, times its row's: one of the sums is left from pass to pass.
struct Shares {
  static constexpr size_t rows = 8, columns = 96;
  std::vector<float> x = std::vector<float>(rows * columns), y = x;
  std::vector<float> sums = std::vector<float>(columns);
  Expr expr{"(x; scale = 1.0) -> { s = sum(x, axis = -2);  x / s * sum(x) * scale, s }"};
  explicit Shares(float first = 1) {
    for (size_t i = 0; i < x.size(); ++i) x[i] = first + static_cast<float>(i % 5);
  }
  tileops::Inputs in() const { return {ConstView(x.data(), {rows, columns})}; }
  tileops::Outputs out() { return {View(y.data(), {rows, columns}), View(sums.data(), {1, columns})}; }
  // Are y and sums right? They are nothing afterwards.
  bool right(double scale = 1) {
    bool all = true;
    for (size_t i = 0; i < x.size(); ++i) {
      double column = 0, row = 0;
      for (size_t k = 0; k < rows; ++k) column += x[k * columns + i % columns];
      for (size_t k = 0; k < columns; ++k) row += x[i / columns * columns + k];
      const double want = x[i] / column * row * scale;
      all &= std::fabs(y[i] - want) < 1e-6 * want && sums[i % columns] == column;
    }
    y.assign(y.size(), 0);
    return all;
  }
};

void workspaces() {
  Shares shares;
  const Plan plan(shares.expr, shares.in(), shares.out());
  const uint64_t bytes = plan.workspace_bytes();
  EXPECT(bytes > 0);
  const tileops::ManagedTensor memory = plan.allocate_workspace(), more(tileops::float64, {bytes, 2});
  EXPECT(Workspace(memory).bytes == bytes && Workspace(more).bytes == 16 * bytes && Workspace().data == nullptr);
  plan.execute_with(shares.in(), shares.out(), {}, nullptr, memory);
  EXPECT(shares.right());
  plan.execute_with(shares.in(), shares.out(), {2.0}, nullptr, more);
  EXPECT(shares.right(2));
  std::vector<char> own(bytes + 64);
  char* aligned = own.data() + (64 - reinterpret_cast<uintptr_t>(own.data()) % 64) % 64;
  plan.execute_with(shares.in(), shares.out(), {}, nullptr, {aligned, bytes});
  EXPECT(shares.right());
  const void* const inputs[] = {shares.x.data()};
  void* const outputs[] = {shares.y.data(), shares.sums.data()};
  plan.execute_ptrs_with(inputs, 1, outputs, 2, {2.0}, nullptr, memory);
  EXPECT(shares.right(2));
  EXPECT(
      has(refusal([&] { plan.execute_ptrs_with(inputs, 2, outputs, 2, {}, nullptr, memory); }), "num_inputs: differs"));

  const auto execute = [&](const Workspace& workspace) {
    return refusal([&] { plan.execute_with(shares.in(), shares.out(), {}, nullptr, workspace); });
  };
  EXPECT(has(execute({}), "workspace: is NULL, and the plan needs"));
  EXPECT(has(execute({nullptr, bytes}), "workspace: is NULL"));
  EXPECT(has(execute({aligned, bytes - 1}), "workspace_bytes: is too small"));
  EXPECT(has(execute({aligned + 1, bytes}), "workspace: is not aligned"));
  EXPECT(has(refusal([&] { plan.execute(shares.in(), shares.out()); }), "workspace: is NULL"));

  // A plan without one: there is none to give, and one that is given is left alone.
  float y[2] = {1, 4};
  const Plan plain(Expr("(x) -> sqrt(x)"), {View(y, {2})}, {View(y, {2})});
  const tileops::ManagedTensor nothing = plain.allocate_workspace();
  EXPECT(plain.workspace_bytes() == 0 && Workspace(nothing).bytes == 0);
  plain.execute_with({View(y, {2})}, {View(y, {2})}, {}, nullptr, memory);
  EXPECT(y[0] == 1 && y[1] == 2);

  // A context that keeps one for each plan, and a call that has its own.
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.keep_workspace = 1;
  const tileops::Context keeping(options);
  const Plan kept(shares.expr, shares.in(), shares.out(), keeping);
  kept.execute(shares.in(), shares.out());
  EXPECT(shares.right());
  tileops::run(shares.expr, shares.in(), shares.out(), {3.0});
  EXPECT(shares.right(3));
}

// rms_norm with its gradient: that of the weights is a sum over rows.
void norm() {
  const size_t rows = 9, n = 64;
  std::vector<float> x(rows * n), w(n, 2), g(rows * n, 1), y(rows * n), dx(rows * n), dw(n);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7) - 3;
  ExprBuilder b;
  const auto ox = b.operand("x"), ow = b.operand("w");
  b.result(ox * rsqrt(mean(ox * ox) + 1e-6) * ow);
  const Expr norm = b.finish(), gradient = norm.gradient({"x", "w"});
  tileops::run(norm, {ConstView(x.data(), {rows, n}), ConstView(w.data(), {n})}, {View(y.data(), {rows, n})});
  tileops::run(gradient, {ConstView(x.data(), {rows, n}), ConstView(w.data(), {n}), ConstView(g.data(), {rows, n})},
               {View(dx.data(), {rows, n}), View(dw.data(), {n})});
  std::vector<double> weights(n);
  for (size_t r = 0; r < rows; ++r) {
    double squares = 0, products = 0;
    for (size_t i = 0; i < n; ++i) squares += double{x[r * n + i]} * x[r * n + i];
    const double scale = 1 / std::sqrt(squares / static_cast<double>(n) + 1e-6);
    for (size_t i = 0; i < n; ++i) products += 2.0 * x[r * n + i];
    for (size_t i = 0; i < n; ++i) {
      const double value = x[r * n + i];
      weights[i] += value * scale;
      EXPECT(std::fabs(y[r * n + i] - 2 * value * scale) < 1e-5);
      EXPECT(std::fabs(dx[r * n + i] -
                       (2 * scale - value * products * scale * scale * scale / static_cast<double>(n))) < 1e-5);
    }
  }
  for (size_t i = 0; i < n; ++i) EXPECT(std::fabs(dw[i] - weights[i]) < 1e-5);
}

// On threads of the caller's.
void parts() {
  Shares shares;
  const Plan plan(shares.expr, shares.in(), shares.out());
  const tileops::ManagedTensor memory = plan.allocate_workspace();
  size_t pools = 0;
  const auto pool = [&](size_t parts, const auto& work) {
    std::vector<std::thread> all;
    for (size_t part = 0; part < parts; ++part) all.emplace_back([&, part] { work(part); });
    for (std::thread& thread : all) thread.join();
    ++pools;
  };
  plan.execute_parts(pool, shares.in(), shares.out(), {2.0}, memory);
  EXPECT(shares.right(2));
  EXPECT(plan.num_parts() == 1 && pools == static_cast<size_t>(plan.query<int32_t>(TILEOPS_PLAN_NUM_PASSES)));
  EXPECT(has(refusal([&] { plan.execute_parts(pool, shares.in(), shares.out()); }), "workspace: is NULL"));
  const auto beyond = [](size_t parts, const auto& work) { work(parts); };
  EXPECT(has(refusal([&] { plan.execute_parts(beyond, shares.in(), shares.out(), {}, memory); }),
             "part: is out of range (got 1, need less than parts, 1)"));
  std::vector<float> x(1 << 18, 3), y(x.size());
  const Plan large(tileops::op("neg"), {ConstView(x.data(), {x.size()})}, {View(y.data(), {x.size()})});
  EXPECT(large.num_parts() == 8);
  large.execute_parts(pool, {ConstView(x.data(), {x.size()})}, {View(y.data(), {x.size()})});
  EXPECT(y.front() == -3 && y.back() == -3);
}

// One plan, and a workspace for each thread.
void threads() {
  Shares first;
  const Plan plan(first.expr, first.in(), first.out());
  std::vector<std::thread> all;
  std::vector<int> wrong(4);
  for (size_t t = 0; t < wrong.size(); ++t) {
    all.emplace_back([&, t] {
      Shares own(static_cast<float>(t + 1));
      const tileops::ManagedTensor memory = plan.allocate_workspace();
      for (int i = 0; i < 20; ++i) {
        plan.execute_with(own.in(), own.out(), {}, nullptr, memory);
        wrong[t] += !own.right();
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  for (int n : wrong) EXPECT(n == 0);
}

}  // namespace

int hpp_rows_test() {
  try {
    attributes();
    workspaces();
    norm();
    parts();
    threads();
  } catch (const tileops::Error& error) {
    std::fprintf(stderr, "%s: %s\n", error.status_name(), error.what());
    ++failures;
  }
  return failures != 0;
}
