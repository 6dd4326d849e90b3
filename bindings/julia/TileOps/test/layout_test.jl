# The structs of the C ABI, as the C compiler lays them out (dlpack.h, tileops.h; 64-bit).
sizes = [
    ("DLDevice", R.DLDevice, 8),
    ("DLDataType", R.DLDataType, 4),
    ("DLTensor", R.DLTensor, 48),
    ("struct DLManagedTensorVersioned", R.DLManagedTensorVersioned, 80),
    ("tileops_attr", R.CAttr, 16),
    ("tileops_tensor_desc", R.CTensorDesc, 24),
    ("tileops_plan_desc", R.CPlanDesc, 80),
    ("tileops_number", R.CNumber, 16),
    ("tileops_expr_operand_info", R.CExprOperandInfo, 32),
    ("tileops_expr_info", R.CExprInfo, 56),
    ("tileops_node_info", R.CNodeInfo, 64),
    ("tileops_op_info", R.COpInfo, sizeof(R.COpInfo)),
    ("tileops_attr_info", R.CAttrInfo, 64),
    ("tileops_named_expr_info", R.CNamedExprInfo, 32),
    ("tileops_execute_args", R.CExecuteArgs, 96),
    ("tileops_plan_facts", R.CPlanFacts, 32),
    ("tileops_context_options", R.CContextOptions, 64),
    ("tileops_device_info", R.CDeviceInfo, 192),
    ("tileops_cache_stats", R.CCacheStats, 104),
]
@testset "$name" for (name, T, size) in sizes
    @test sizeof(T) == size
end
@test fieldoffset(R.DLTensor, 7) == 40 && fieldoffset(R.DLManagedTensorVersioned, 5) == 32

# The compiler agrees, where there is one and the headers are installed.
include_dir = joinpath(get(ENV, "TILEOPS_PREFIX", ""), "include")
compiler = Sys.which(get(ENV, "CC", "cc"))
if compiler !== nothing && isfile(joinpath(include_dir, "tileops", "tileops.h"))
    third_party = joinpath(include_dir, "tileops", "third_party")
    source = "#include <tileops/tileops.h>\n" *
        join("_Static_assert(sizeof($name) == $(sizeof(T)), \"$name\");\n" for (name, T, _) in sizes)
    mktempdir() do dir
        file = joinpath(dir, "sizes.c")
        write(file, source)
        @test success(pipeline(`$compiler -std=c11 -fsyntax-only -I$include_dir -I$third_party $file`; stderr=stderr))
    end
else
    println("layout: no C compiler or no installed headers, so sizes are compared with constants alone")
end
