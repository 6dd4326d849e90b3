// What stands between two layers of an int8 model, in one kernel: c++ -std=c++17 rows.cc $(pkg-config --cflags --libs tileops)
#include <cstdio>
#include <tileops/tileops.hpp>

int main() {
  float x[2][4] = {{1, 2, 3, 4}, {0, -6, 3, 9}}, residual[2][4] = {{1, 1, 1, 1}}, weight[4] = {1, 1, 2, 1};
  float h[2][4], scale[2];
  int8_t q[2][4];
  // h = x + residual; its RMS norm times weight; the largest magnitude of each row is 127, and the scale is what it stands for.
  tileops::run(tileops::named_expression("add_rms_norm_int8_token"),
               {tileops::View(*x, {2, 4}), tileops::View(*residual, {2, 4}), tileops::View(weight, {4})},
               {tileops::View(*q, {2, 4}), tileops::View(scale, {2, 1}), tileops::View(*h, {2, 4})});
  for (int i = 0; i < 2; ++i) std::printf("%4d %4d %4d %4d   times %.5f\n", q[i][0], q[i][1], q[i][2], q[i][3], scale[i]);
}
