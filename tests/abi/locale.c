/* A host program whose locale writes numbers with a decimal comma: the table of operators and the
 * messages stay what they are. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tileops/tileops.h>

static double default_of(tileops_op op, tileops_attr_key key, double* least) {
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  if (tileops_op_describe(op, &info) != TILEOPS_STATUS_OK) return NAN;
  for (int i = 0; i < info.num_attrs; ++i) {
    if (info.attrs[i].key != key) continue;
    *least = info.attrs[i].min_value;
    return info.attrs[i].default_value.f64;
  }
  return NAN;
}

int main(void) {
  if (!setlocale(LC_ALL, "") || strcmp(localeconv()->decimal_point, ",") != 0) {
    printf("skipped: this machine has no locale with a decimal comma\n");
    return 77;
  }
  double least = 0;
  int failures = 0;
  failures += default_of(TILEOPS_OP_LEAKY_RELU, TILEOPS_ATTR_NEGATIVE_SLOPE, &least) != 0.01;
  failures += default_of(TILEOPS_OP_LERP, TILEOPS_ATTR_WEIGHT, &least) != 0.5;
  failures += default_of(TILEOPS_OP_ROPE_YARN, TILEOPS_ATTR_SCALE_FACTOR, &least) != 16;
  failures += least != 1e-300;

  const int64_t shape[] = {2};
  const tileops_tensor_desc x = {{kDLFloat, 32, 1}, 1, shape, NULL};
  const tileops_attr p = tileops_attr_f64(TILEOPS_ATTR_P, 1.5);
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = TILEOPS_OP_DROPOUT;
  desc.num_inputs = desc.num_outputs = desc.num_attrs = 1;
  desc.inputs = desc.outputs = &x;
  desc.attrs = &p;
  failures += tileops_plan_check(NULL, &desc) != TILEOPS_STATUS_INVALID_ARGUMENT;
  failures += strstr(tileops_last_error(), "got 1.5,") == NULL;
  if (failures) fprintf(stderr, "%d failures; %s\n", failures, tileops_last_error());
  return failures != 0;
}
