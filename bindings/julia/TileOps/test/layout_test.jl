# The structs of the C ABI, as the C compiler lays them out (dlpack.h, tileops.h; 64-bit).
@test sizeof(R.DLDevice) == 8
@test sizeof(R.DLDataType) == 4
@test sizeof(R.DLTensor) == 48 && fieldoffset(R.DLTensor, 7) == 40
@test sizeof(R.DLManagedTensorVersioned) == 80 && fieldoffset(R.DLManagedTensorVersioned, 5) == 32
@test sizeof(R.CAttr) == 16
@test sizeof(R.CTensorDesc) == 24
@test sizeof(R.CPlanDesc) == 80
@test sizeof(R.CNumber) == 16
@test sizeof(R.CExprOperandInfo) == 32
@test sizeof(R.CExprInfo) == 56
@test sizeof(R.CExecuteArgs) == 64
@test sizeof(R.CContextOptions) == 40
@test sizeof(R.CDeviceInfo) == 192
@test sizeof(R.CCacheStats) == 96

# The compiler agrees, where there is one and the headers are installed.
include_dir = joinpath(get(ENV, "TILEOPS_PREFIX", ""), "include")
compiler = Sys.which(get(ENV, "CC", "cc"))
if compiler !== nothing && isfile(joinpath(include_dir, "tileops", "tileops.h"))
    third_party = joinpath(include_dir, "tileops", "third_party")
    source = """
        #include <tileops/tileops.h>
        #define SAME(T, n) _Static_assert(sizeof(T) == n, #T)
        SAME(DLTensor, $(sizeof(R.DLTensor)));
        SAME(struct DLManagedTensorVersioned, $(sizeof(R.DLManagedTensorVersioned)));
        SAME(tileops_attr, $(sizeof(R.CAttr)));
        SAME(tileops_tensor_desc, $(sizeof(R.CTensorDesc)));
        SAME(tileops_plan_desc, $(sizeof(R.CPlanDesc)));
        SAME(tileops_number, $(sizeof(R.CNumber)));
        SAME(tileops_expr_operand_info, $(sizeof(R.CExprOperandInfo)));
        SAME(tileops_expr_info, $(sizeof(R.CExprInfo)));
        SAME(tileops_execute_args, $(sizeof(R.CExecuteArgs)));
        SAME(tileops_context_options, $(sizeof(R.CContextOptions)));
        SAME(tileops_device_info, $(sizeof(R.CDeviceInfo)));
        SAME(tileops_cache_stats, $(sizeof(R.CCacheStats)));
        """
    mktempdir() do dir
        file = joinpath(dir, "sizes.c")
        write(file, source)
        @test success(pipeline(`$compiler -std=c11 -fsyntax-only -I$include_dir -I$third_party $file`; stderr=stderr))
    end
else
    println("layout: no C compiler or no installed headers, so sizes are compared with constants alone")
end
