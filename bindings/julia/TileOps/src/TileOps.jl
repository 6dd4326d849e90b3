"""
Tensor operators, fused expressions and row reductions on CPU and CUDA memory, of libtileops on Julia arrays.

```jldoctest
julia> using TileOps

julia> TileOps.add(Float32[1, 2, 3], Float32[10, 20, 30])
3-element Vector{Float32}:
 11.0
 22.0
 33.0

julia> TileOps.relu.([-1.0, 2.0])
2-element Vector{Float64}:
 0.0
 2.0
```

Every operator `f` has an allocating form `f(x...)`, one that writes to given arrays, `f!(y, x...)`,
and is reachable by name, `TileOps.call(:f, x...)`. A dotted expression of them and of Base's operators,
`@. y = TileOps.silu(g) * u + r`, is one kernel, as is an [`Expression`](@ref) of a text. A [`Plan`](@ref)
checks and prepares either once and is executed often. Arrays are borrowed, never copied: an `m x n` array of Julia, whose first
index runs fastest, is for the library a row-major tensor of shape `(n, m)`.
"""
module TileOps

include("Runtime.jl")

using .Runtime: BFloat16, CacheStats, Context, Device, Expression, Float4_E2M1FN_x2, Float8_E4M3FN, Float8_E5M2, Float8_E8M0FNU,
    LibraryError, ManagedArray, OpInfo, Plan, Status, TensorSpec, TileOpsError, UpTo,
    build, cache_stats, call, call!, clear_cache!, close_dlpack, copy_tensor!, create_stream, devices,
    destroy_stream, execute!, execute_list!, execute_list_pointers!, execute_parts!, execute_pointers!, expression_info, from_dlpack, functional, gradient, infer, libpath,
    libversion, log_level!, named, named_expressions, nodes, operators,
    open_sizes, plan_at, plan_info, plan_result, result_nodes, set_library!, synchronize_stream, to_dlpack, undefined_tensor, versioninfo, workspace

export Context, Expression, Plan, TileOpsError, execute!

# A function for each row of the tables. They shadow names of Base (exp, round, isnan...), which is why they alone live here.
for definition in Runtime.definitions()
    @eval $definition
end

# Those that `f.(x)` is one kernel for, and those of whole arrays, for which it is refused.
const Elementwise = Union{(typeof(getfield(TileOps, row.name)) for row in Runtime.elementwise_rows())...}
const OfArrays = Union{(typeof(getfield(TileOps, name)) for name in Runtime.whole_names())...}

# f.(x): see broadcast.jl. Numbers alone have no array to be one kernel over.
using Base.Broadcast: DefaultArrayStyle

Base.Broadcast.broadcasted(style::DefaultArrayStyle{N}, f::Elementwise, args...) where {N} =
    Base.Broadcast.broadcasted(style, Runtime.Attributed(f), args...)
Base.Broadcast.broadcasted(style::Runtime.TileOpsStyle, f::Elementwise, args...) =
    Base.Broadcast.broadcasted(style, Runtime.Attributed(f), args...)
Base.Broadcast.broadcasted_kwsyntax(f::Elementwise, args...; attributes...) =
    Base.Broadcast.broadcasted(Runtime.Attributed(f; attributes...), args...)
Base.Broadcast.broadcasted(style::Base.Broadcast.BroadcastStyle, f::OfArrays, args...) = Runtime.broadcasted_whole(style, f, args...)
Base.Broadcast.broadcasted_kwsyntax(f::OfArrays, args...; given...) = Runtime.keywords_whole(f, args...; given...)

include("precompile.jl")

function __init__()
    Runtime.begin_process()
    Runtime.load()
end

end
