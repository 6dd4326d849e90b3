# Written by bindings/julia/generate.py from the C library's tables; `./dev bindings` writes it anew.

const HEADER_VERSION = 100

# The library's functions; all NULL until it is open.
mutable struct Symbols
    tileops_status_name::Ptr{Cvoid}
    tileops_last_error::Ptr{Cvoid}
    tileops_last_driver_error::Ptr{Cvoid}
    tileops_version::Ptr{Cvoid}
    tileops_version_string::Ptr{Cvoid}
    tileops_build_info::Ptr{Cvoid}
    tileops_context_create::Ptr{Cvoid}
    tileops_context_destroy::Ptr{Cvoid}
    tileops_op_count::Ptr{Cvoid}
    tileops_op_at::Ptr{Cvoid}
    tileops_op_from_name::Ptr{Cvoid}
    tileops_op_describe::Ptr{Cvoid}
    tileops_device_count::Ptr{Cvoid}
    tileops_device_describe::Ptr{Cvoid}
    tileops_plan_check::Ptr{Cvoid}
    tileops_plan_infer::Ptr{Cvoid}
    tileops_plan_create::Ptr{Cvoid}
    tileops_plan_create_like::Ptr{Cvoid}
    tileops_plan_create_like_expr::Ptr{Cvoid}
    tileops_plan_retain::Ptr{Cvoid}
    tileops_plan_destroy::Ptr{Cvoid}
    tileops_plan_query::Ptr{Cvoid}
    tileops_plan_extent::Ptr{Cvoid}
    tileops_plan_at::Ptr{Cvoid}
    tileops_plan_result::Ptr{Cvoid}
    tileops_expr_parse::Ptr{Cvoid}
    tileops_expr_named_count::Ptr{Cvoid}
    tileops_expr_named_at::Ptr{Cvoid}
    tileops_expr_named::Ptr{Cvoid}
    tileops_last_error_offset::Ptr{Cvoid}
    tileops_expr_retain::Ptr{Cvoid}
    tileops_expr_destroy::Ptr{Cvoid}
    tileops_expr_describe::Ptr{Cvoid}
    tileops_expr_text::Ptr{Cvoid}
    tileops_plan_device_function::Ptr{Cvoid}
    tileops_expr_gradient::Ptr{Cvoid}
    tileops_builder_create::Ptr{Cvoid}
    tileops_builder_destroy::Ptr{Cvoid}
    tileops_build_operand::Ptr{Cvoid}
    tileops_build_scalar::Ptr{Cvoid}
    tileops_build_constant::Ptr{Cvoid}
    tileops_build_op::Ptr{Cvoid}
    tileops_build_expr::Ptr{Cvoid}
    tileops_build_result::Ptr{Cvoid}
    tileops_builder_finish::Ptr{Cvoid}
    tileops_expr_node::Ptr{Cvoid}
    tileops_expr_result::Ptr{Cvoid}
    tileops_function_count::Ptr{Cvoid}
    tileops_function_at::Ptr{Cvoid}
    tileops_function_from_name::Ptr{Cvoid}
    tileops_function_describe::Ptr{Cvoid}
    tileops_tune::Ptr{Cvoid}
    tileops_execute::Ptr{Cvoid}
    tileops_execute_ptrs::Ptr{Cvoid}
    tileops_execute_with::Ptr{Cvoid}
    tileops_execute_part::Ptr{Cvoid}
    tileops_execute_list::Ptr{Cvoid}
    tileops_tensor_alloc::Ptr{Cvoid}
    tileops_tensor_copy::Ptr{Cvoid}
    tileops_stream_create::Ptr{Cvoid}
    tileops_stream_destroy::Ptr{Cvoid}
    tileops_stream_synchronize::Ptr{Cvoid}
    tileops_cache_stats_get::Ptr{Cvoid}
    tileops_cache_clear::Ptr{Cvoid}
    tileops_cache_dir::Ptr{Cvoid}
    tileops_log_set::Ptr{Cvoid}
    Symbols() = new(ntuple(_ -> C_NULL, fieldcount(Symbols))...)
end

"""
    TileOps.Status

Status of a call; values that a newer library adds are kept as they are. The constants are
`TileOps.Runtime.STATUS_OK`, `STATUS_INVALID_ARGUMENT` and so on, as in tileops.h.
"""
struct Status
    value::Int32
end

const STATUS_OK = Status(0)
const STATUS_INVALID_ARGUMENT = Status(1)
const STATUS_UNSUPPORTED = Status(2)
const STATUS_OUT_OF_MEMORY = Status(3)
const STATUS_DEVICE = Status(4)
const STATUS_COMPILE = Status(5)
const STATUS_IO = Status(6)
const STATUS_VERSION = Status(7)
const STATUS_BUFFER_TOO_SMALL = Status(8)
const STATUS_NO_DEVICE = Status(9)
const STATUS_INTERNAL = Status(10)
const PLAN_REPRODUCIBLE = Int32(1)
const PLAN_NO_JIT = Int32(2)
const PLAN_NO_CACHE = Int32(4)
const PLAN_NO_PDL = Int32(8)
const PLAN_LIST = Int32(16)
const PLAN_BYTES_MOVED = Int32(1)
const PLAN_KERNEL_NAME = Int32(2)
const PLAN_STRATEGY = Int32(3)
const PLAN_CACHE_ORIGIN = Int32(4)
const PLAN_SOURCE = Int32(5)
const PLAN_LAYOUT = Int32(6)
const PLAN_DEVICE = Int32(7)
const PLAN_WORKSPACE_BYTES = Int32(8)
const PLAN_NUM_ELEMENTS = Int32(9)
const PLAN_COMPUTE_DTYPE = Int32(10)
const PLAN_THREADS = Int32(11)
const PLAN_NUM_PER_THREAD = Int32(12)
const PLAN_STRATEGY_ORIGIN = Int32(13)
const PLAN_NUM_PASSES = Int32(14)
const PLAN_NUM_PARTS = Int32(15)
const PLAN_NUM_EXTENTS = Int32(16)
const CACHE_PLANS = Int32(1)
const CACHE_DISK = Int32(2)

const STATUS_NAMES = Dict(Int32(0) => "OK",
    Int32(1) => "INVALID_ARGUMENT",
    Int32(2) => "UNSUPPORTED",
    Int32(3) => "OUT_OF_MEMORY",
    Int32(4) => "DEVICE",
    Int32(5) => "COMPILE",
    Int32(6) => "IO",
    Int32(7) => "VERSION",
    Int32(8) => "BUFFER_TOO_SMALL",
    Int32(9) => "NO_DEVICE",
    Int32(10) => "INTERNAL")
