/* tileops.h alone, as strict C99 without a warning; and that a C program links and calls it. */
#include <tileops/tileops.h>

static const tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
static const tileops_op_info op_info = TILEOPS_OP_INFO_INIT;
static const tileops_device_info device_info = TILEOPS_DEVICE_INFO_INIT;
static const tileops_plan_desc plan_desc = TILEOPS_PLAN_DESC_INIT;
static const tileops_expr_info expr_info = TILEOPS_EXPR_INFO_INIT;
static const tileops_execute_args execute_args = TILEOPS_EXECUTE_ARGS_INIT;
static const tileops_cache_stats cache_stats = TILEOPS_CACHE_STATS_INIT;

int main(void) {
  if (options.struct_size != sizeof options || op_info.struct_size != sizeof op_info ||
      device_info.struct_size != sizeof device_info || plan_desc.struct_size != sizeof plan_desc ||
      expr_info.struct_size != sizeof expr_info || execute_args.struct_size != sizeof execute_args ||
      cache_stats.struct_size != sizeof cache_stats)
    return 1;
  return tileops_version() == TILEOPS_VERSION && TILEOPS_OP_RELU != TILEOPS_OP_NONE ? 0 : 2;
}
