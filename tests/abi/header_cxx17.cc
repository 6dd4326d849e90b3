// tileops.h and tileops.hpp as strict C++17 without a warning. The tests are in hpp_*test.cc, which show that the
// header may be included by several.
#include <tileops/tileops.hpp>

int hpp_test();
int hpp_expr_test();
int hpp_lists_test();
int hpp_values_test();
int hpp_random_test();
int hpp_rows_test();
int hpp_execute_list_test();

int main() {
  if (tileops_version() != TILEOPS_VERSION) return 2;
  return hpp_test() || hpp_expr_test() || hpp_lists_test() || hpp_values_test() || hpp_random_test() ||
         hpp_rows_test() || hpp_execute_list_test();
}
