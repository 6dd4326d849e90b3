/* Sizes and offsets of every public struct, compared with this table. A line that has to change is
 * a break of the ABI; new members at the end of a struct with struct_size are new lines. The
 * numbers are those of 64-bit machines, where pointers are 8 bytes and 8-byte aligned. */
#include <stddef.h>
#include <stdio.h>

#include <tileops/tileops.h>

struct row {
  const char* what;
  size_t got, want;
};
#define SIZE(type, want) {"sizeof(" #type ")", sizeof(type), want}
#define AT(type, member, want) {#type "." #member, offsetof(type, member), want}

static const struct row rows[] = {
    SIZE(DLTensor, 48),
    SIZE(struct DLManagedTensorVersioned, 80),

    SIZE(tileops_status, 4),
    SIZE(tileops_op, 4),
    SIZE(tileops_attr_key, 4),
    SIZE(tileops_attr_kind, 4),
    SIZE(tileops_cache_mode, 4),
    SIZE(tileops_plan_prop, 4),
    SIZE(tileops_log_level, 4),
    SIZE(tileops_strategy, 4),

    SIZE(tileops_context_options, 64),
    AT(tileops_context_options, struct_size, 0),
    AT(tileops_context_options, cache_mode, 4),
    AT(tileops_context_options, cache_dir, 8),
    AT(tileops_context_options, cache_max_bytes, 16),
    AT(tileops_context_options, plan_capacity, 24),
    AT(tileops_context_options, num_threads, 28),
    AT(tileops_context_options, cpu_isa, 32),
    AT(tileops_context_options, keep_workspace, 40),
    AT(tileops_context_options, pack_dirs, 48),
    AT(tileops_context_options, nvrtc_path, 56),

    SIZE(tileops_attr, 16),
    AT(tileops_attr, key, 0),
    AT(tileops_attr, kind, 4),
    AT(tileops_attr, value, 8),

    SIZE(tileops_attr_info, 64),
    AT(tileops_attr_info, key, 0),
    AT(tileops_attr_info, kind, 4),
    AT(tileops_attr_info, name, 8),
    AT(tileops_attr_info, choices, 16),
    AT(tileops_attr_info, doc, 24),
    AT(tileops_attr_info, has_default, 32),
    AT(tileops_attr_info, reserved, 36),
    AT(tileops_attr_info, default_value, 40),
    AT(tileops_attr_info, min_value, 48),
    AT(tileops_attr_info, max_value, 56),

    SIZE(tileops_operand_info, 24),
    AT(tileops_operand_info, name, 0),
    AT(tileops_operand_info, optional, 8),
    AT(tileops_operand_info, dtypes, 12),
    AT(tileops_operand_info, dtype, 16),

    SIZE(tileops_op_info, 104),
    AT(tileops_op_info, struct_size, 0),
    AT(tileops_op_info, op, 4),
    AT(tileops_op_info, name, 8),
    AT(tileops_op_info, category, 16),
    AT(tileops_op_info, doc, 24),
    AT(tileops_op_info, dtypes, 32),
    AT(tileops_op_info, result, 40),
    AT(tileops_op_info, min_inputs, 48),
    AT(tileops_op_info, max_inputs, 52),
    AT(tileops_op_info, min_outputs, 56),
    AT(tileops_op_info, max_outputs, 60),
    AT(tileops_op_info, num_attrs, 64),
    AT(tileops_op_info, inputs, 72),
    AT(tileops_op_info, outputs, 80),
    AT(tileops_op_info, attrs, 88),
    AT(tileops_op_info, details, 96),

    SIZE(tileops_device_info, 192),
    AT(tileops_device_info, struct_size, 0),
    AT(tileops_device_info, reserved, 4),
    AT(tileops_device_info, device, 8),
    AT(tileops_device_info, name, 16),
    AT(tileops_device_info, arch, 144),
    AT(tileops_device_info, memory_bytes, 176),
    AT(tileops_device_info, units, 184),
    AT(tileops_device_info, reserved2, 188),

    SIZE(tileops_tensor_desc, 24),
    AT(tileops_tensor_desc, dtype, 0),
    AT(tileops_tensor_desc, ndim, 4),
    AT(tileops_tensor_desc, shape, 8),
    AT(tileops_tensor_desc, strides, 16),

    SIZE(tileops_plan_desc, 80),
    AT(tileops_plan_desc, struct_size, 0),
    AT(tileops_plan_desc, op, 4),
    AT(tileops_plan_desc, device, 8),
    AT(tileops_plan_desc, num_inputs, 16),
    AT(tileops_plan_desc, num_outputs, 20),
    AT(tileops_plan_desc, num_attrs, 24),
    AT(tileops_plan_desc, flags, 28),
    AT(tileops_plan_desc, inputs, 32),
    AT(tileops_plan_desc, outputs, 40),
    AT(tileops_plan_desc, attrs, 48),
    AT(tileops_plan_desc, strategy, 56),
    AT(tileops_plan_desc, threads, 60),
    AT(tileops_plan_desc, num_per_thread, 64),
    AT(tileops_plan_desc, reserved, 68),
    AT(tileops_plan_desc, expr, 72),

    SIZE(tileops_node, 4),
    SIZE(tileops_number_kind, 4),

    SIZE(tileops_number, 16),
    AT(tileops_number, kind, 0),
    AT(tileops_number, reserved, 4),
    AT(tileops_number, value, 8),

    SIZE(tileops_expr_operand_info, 32),
    AT(tileops_expr_operand_info, name, 0),
    AT(tileops_expr_operand_info, optional, 8),
    AT(tileops_expr_operand_info, reserved, 12),
    AT(tileops_expr_operand_info, default_value, 16),

    SIZE(tileops_node_info, 64),
    AT(tileops_node_info, struct_size, 0),
    AT(tileops_node_info, kind, 4),
    AT(tileops_node_info, index, 8),
    AT(tileops_node_info, function, 12),
    AT(tileops_node_info, on_host, 16),
    AT(tileops_node_info, offset, 20),
    AT(tileops_node_info, num_arguments, 24),
    AT(tileops_node_info, num_attrs, 28),
    AT(tileops_node_info, value, 32),
    AT(tileops_node_info, arguments, 48),
    AT(tileops_node_info, attrs, 56),
    SIZE(tileops_named_expr_info, 32),
    AT(tileops_named_expr_info, struct_size, 0),
    AT(tileops_named_expr_info, reserved, 4),
    AT(tileops_named_expr_info, name, 8),
    AT(tileops_named_expr_info, text, 16),
    AT(tileops_named_expr_info, doc, 24),

    SIZE(tileops_expr_info, 56),
    AT(tileops_expr_info, struct_size, 0),
    AT(tileops_expr_info, num_operands, 4),
    AT(tileops_expr_info, min_operands, 8),
    AT(tileops_expr_info, num_scalars, 12),
    AT(tileops_expr_info, num_results, 16),
    AT(tileops_expr_info, num_nodes, 20),
    AT(tileops_expr_info, num_host_nodes, 24),
    AT(tileops_expr_info, num_listed_nodes, 28),
    AT(tileops_expr_info, operands, 32),
    AT(tileops_expr_info, scalars, 40),
    AT(tileops_expr_info, results, 48),

    SIZE(tileops_execute_args, 96),
    AT(tileops_execute_args, struct_size, 0),
    AT(tileops_execute_args, num_inputs, 4),
    AT(tileops_execute_args, num_outputs, 8),
    AT(tileops_execute_args, num_scalars, 12),
    AT(tileops_execute_args, inputs, 16),
    AT(tileops_execute_args, outputs, 24),
    AT(tileops_execute_args, scalars, 32),
    AT(tileops_execute_args, stream, 40),
    AT(tileops_execute_args, workspace, 48),
    AT(tileops_execute_args, workspace_bytes, 56),
    AT(tileops_execute_args, input_ptrs, 64),
    AT(tileops_execute_args, output_ptrs, 72),
    AT(tileops_execute_args, extents, 80),
    AT(tileops_execute_args, num_extents, 88),
    AT(tileops_execute_args, reserved, 92),

    SIZE(tileops_plan_facts, 32),
    AT(tileops_plan_facts, struct_size, 0),
    AT(tileops_plan_facts, phases, 4),
    AT(tileops_plan_facts, parts, 8),
    AT(tileops_plan_facts, way, 12),
    AT(tileops_plan_facts, workspace_bytes, 16),
    AT(tileops_plan_facts, bytes_moved, 24),

    SIZE(tileops_tune_progress, 40),
    AT(tileops_tune_progress, struct_size, 0),
    AT(tileops_tune_progress, done, 4),
    AT(tileops_tune_progress, total, 8),
    AT(tileops_tune_progress, strategy, 12),
    AT(tileops_tune_progress, threads, 16),
    AT(tileops_tune_progress, num_per_thread, 20),
    AT(tileops_tune_progress, seconds, 24),
    AT(tileops_tune_progress, best_seconds, 32),

    SIZE(tileops_tune_result, 40),
    AT(tileops_tune_result, struct_size, 0),
    AT(tileops_tune_result, strategy, 4),
    AT(tileops_tune_result, threads, 8),
    AT(tileops_tune_result, num_per_thread, 12),
    AT(tileops_tune_result, seconds, 16),
    AT(tileops_tune_result, auto_seconds, 24),
    AT(tileops_tune_result, candidates, 32),
    AT(tileops_tune_result, reserved, 36),

    SIZE(tileops_cache_stats, 104),
    AT(tileops_cache_stats, struct_size, 0),
    AT(tileops_cache_stats, reserved, 4),
    AT(tileops_cache_stats, plan_hits, 8),
    AT(tileops_cache_stats, plan_misses, 16),
    AT(tileops_cache_stats, plan_evictions, 24),
    AT(tileops_cache_stats, plan_entries, 32),
    AT(tileops_cache_stats, kernel_memory_hits, 40),
    AT(tileops_cache_stats, kernel_pack_hits, 48),
    AT(tileops_cache_stats, kernel_disk_hits, 56),
    AT(tileops_cache_stats, kernel_compiles, 64),
    AT(tileops_cache_stats, disk_bad_entries, 72),
    AT(tileops_cache_stats, tables_made, 80),
    AT(tileops_cache_stats, tables_refused, 88),
    AT(tileops_cache_stats, device_bytes, 96),
};

int main(void) {
  int failures = 0;
  size_t i;
  if (sizeof(void*) != 8) return 77;
  for (i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    if (rows[i].got == rows[i].want) continue;
    fprintf(stderr, "%s: got %zu, need %zu\n", rows[i].what, rows[i].got, rows[i].want);
    ++failures;
  }
  return failures != 0;
}
