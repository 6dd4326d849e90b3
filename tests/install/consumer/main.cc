// The same as main.c, through tileops.hpp; and a failure that arrives as an exception.
#include <cstdio>
#include <vector>

#include <tileops/tileops.hpp>

int main() try {
  std::vector<float> a{1, 2, 3, 4, 5, 6}, row{10, 20, 30}, y(6);
  tileops::run(tileops::op("add"), {tileops::View(a.data(), {2, 3}), tileops::View(row.data(), {3})},
               {tileops::View(y.data(), {2, 3})});
  if (y != std::vector<float>{11, 22, 33, 14, 25, 36}) return std::puts("wrong result"), 1;

  try {
    tileops::run(tileops::op("add"), {tileops::View(a.data(), {6})}, {tileops::View(y.data(), {6})});
    return std::puts("an input too few was accepted"), 1;
  } catch (const tileops::Error& error) {
    if (error.status() != TILEOPS_STATUS_INVALID_ARGUMENT) throw;
  }
  std::printf("tileops %s: ok from C++\n", tileops_version_string());
} catch (const tileops::Error& error) {
  std::fprintf(stderr, "%s: %s\n", error.status_name(), error.what());
  return 1;
}
