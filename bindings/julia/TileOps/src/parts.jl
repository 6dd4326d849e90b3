# Expressions made of others: each is called on values and written out as a part of what is built.

"A value in an expression that [`TileOps.build`](@ref) makes."
struct Part
    builder::Ptr{Cvoid}
    id::Int32
end

"""
    TileOps.build(f, operands...; scalars...)

An [`Expression`](@ref) of others. `f` gets a value for each operand, a `Symbol` or `name => default`, and then for each
scalar. An expression that is called on such values is written out: it gives its result, or a tuple of them; numbers
stand as constants, `nothing` is an operand's default, and keywords are scalars. What `f` gives is the result, or a tuple of
them, or a `NamedTuple` of them with names.

```jldoctest
julia> TileOps.build(:x, :r; eps=1e-5) do x, r, eps
           y, h = TileOps.named(:add_rms_norm)(x, r; eps=eps)
           (y=TileOps.named(:softcap)(y), h=h)
       end
Expression("(x[..b, n], r[..b, n]; eps = 1e-05) -> { h = 1.0 * x + r; y = 30.0 * tanh(h * rsqrt(mean(h * h) + eps) * 1 / 30.0); y, h }")
```
"""
function build(f, operands::Union{Symbol,Pair{Symbol,<:Real}}...; scalars...)
    require_library()
    made = Ref{Ptr{Cvoid}}(C_NULL)
    check(ccall(LIB.tileops_builder_create, Int32, (Ref{Ptr{Cvoid}},), made))
    builder = made[]
    try
        values = Part[declared(builder, o) for o in operands]
        for (name, value) in scalars
            push!(values, Part(builder, ccall(LIB.tileops_build_scalar, Int32, (Ptr{Cvoid}, Cstring, CNumber),
                                              builder, name, c_number(value))))
        end
        give_results(builder, f(values...))
        out = Ref{Ptr{Cvoid}}(C_NULL)
        check(ccall(LIB.tileops_builder_finish, Int32, (Ptr{Cvoid}, Ref{Ptr{Cvoid}}), builder, out))
        own_expression(out[])
    finally
        ccall(LIB.tileops_builder_destroy, Cvoid, (Ptr{Cvoid},), builder)
    end
end

declared(builder, name::Symbol) =
    Part(builder, ccall(LIB.tileops_build_operand, Int32, (Ptr{Cvoid}, Cstring, Ptr{CNumber}), builder, name, C_NULL))
declared(builder, (name, default)::Pair) =
    Part(builder, ccall(LIB.tileops_build_operand, Int32, (Ptr{Cvoid}, Cstring, Ref{CNumber}), builder, name, part_number(default)))

part_number(x::Bool) = CNumber(NUMBER_BOOL, 0, UInt64(x))
part_number(x) = c_number(x)

# The library's number of an argument; that of another builder's value is no node of this one.
part_id(builder, ::Nothing) = Int32(0)
part_id(builder, x::Part) = x.builder == builder ? x.id : Int32(-1)
part_id(builder, x::Real) = ccall(LIB.tileops_build_constant, Int32, (Ptr{Cvoid}, CNumber), builder, part_number(x))

function (e::Expression)(first::Part, rest::Union{Part,Real,Nothing}...; scalars...)
    arguments = zeros(Int32, max(length(e.operands) + length(e.scalars), 1 + length(rest)))
    for (i, x) in enumerate((first, rest...))
        arguments[i] = part_id(first.builder, x)
    end
    for (name, x) in scalars
        i = length(e.operands) + scalar_index(e, name)
        arguments[i] == 0 || invalid("TileOps.build: scalars: '$name' is given twice")
        arguments[i] = part_id(first.builder, x)
    end
    results = zeros(Int32, length(e.results))
    with_pointer(e) do p
        ccall(LIB.tileops_build_expr, Cvoid, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Int32}, Csize_t, Ptr{Int32}),
              first.builder, p, arguments, length(arguments), results)
    end
    parts = ((Part(first.builder, id) for id in results)...,)
    length(parts) == 1 ? parts[1] : parts
end

give_results(builder, x) = give_result(builder, x, C_NULL)
give_results(builder, all::Tuple) = foreach(x -> give_result(builder, x, C_NULL), all)
give_results(builder, all::NamedTuple) = foreach((name, x) -> give_result(builder, x, String(name)), keys(all), values(all))

give_result(builder, x, name::Ptr) =
    ccall(LIB.tileops_build_result, Cvoid, (Ptr{Cvoid}, Int32, Cstring), builder, part_id(builder, x), name)
give_result(builder, x, name::String) =
    ccall(LIB.tileops_build_result, Cvoid, (Ptr{Cvoid}, Int32, Cstring), builder, part_id(builder, x), name)
