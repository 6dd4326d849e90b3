// AdamW in C++: the expression of expression.c, by its name. A step updates p, m and v where they are, in one pass over
// memory: c++ -std=c++17 expression.cc $(pkg-config --cflags --libs tileops)
#include <cstdio>
#include <tileops/tileops.hpp>
#include <vector>

int main() try {
  const std::vector<float> goal{1, -2, 0.5f};
  const size_t n = goal.size();
  std::vector<float> p(n), g(n), m(n), v(n);
  const auto view = [n](std::vector<float>& values) { return tileops::View(values.data(), {n}); };
  const tileops::Inputs in{view(p), view(g), view(m), view(v)};
  const tileops::Outputs out{view(p), view(m), view(v)};

  const tileops::Expr adamw = tileops::named_expression("adamw");  // or tileops::Expr("(p, g, m, v; lr = 1e-3, ...) -> ...")
  const tileops::Plan plan(adamw, in, out);
  const int steps = 300;
  for (int t = 1; t <= steps; ++t) {
    for (size_t i = 0; i < n; ++i) g[i] = 2 * (p[i] - goal[i]);  // of the loss |p - goal|^2
    plan.execute_with(in, out, adamw.scalars({{"lr", 0.1 * (steps - t) / steps}, {"wd", 0.0}, {"t", t}}));
  }
  std::printf("%.3f %.3f %.3f\n", p[0], p[1], p[2]);
} catch (const tileops::Error& error) {  // status, and what was got and is needed
  std::fprintf(stderr, "%s: %s\n", error.status_name(), error.what());
  return 1;
}
