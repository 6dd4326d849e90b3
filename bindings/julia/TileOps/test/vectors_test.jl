# Results that the C library's runner wrote and checked: the same bits, by every way to call.
include("json.jl")

const DTYPES = Dict("float16" => Float16, "float32" => Float32, "float64" => Float64,
    "bfloat16" => TileOps.BFloat16, "float8_e4m3fn" => TileOps.Float8_E4M3FN, "float8_e5m2" => TileOps.Float8_E5M2,
    "float8_e8m0fnu" => TileOps.Float8_E8M0FNU,
    "int8" => Int8, "int16" => Int16, "int32" => Int32, "int64" => Int64,
    "uint8" => UInt8, "uint16" => UInt16, "uint32" => UInt32, "uint64" => UInt64, "bool" => Bool)

# A row-major tensor of shape (n, m) is an m x n array.
tensor(::Nothing) = nothing
function tensor(t::Dict)
    T, bytes = DTYPES[t["dtype"]], hex2bytes(t["data"])
    A = Array{T}(undef, reverse(Int.(t["shape"]))...)
    sizeof(A) == length(bytes) || error("vectors: $(length(bytes)) bytes for $(sizeof(A))")
    GC.@preserve A unsafe_copyto!(Ptr{UInt8}(pointer(A)), pointer(bytes), length(bytes))
    A
end

same_element(x, y) = x === y || (x isa AbstractFloat && isnan(x) && isnan(y))
same(A, B) = eltype(A) === eltype(B) && size(A) == size(B) && all(same_element.(A, B))

# The library's axes count from the slowest dimension, from 0 or, if negative, from the end.
function julia_attributes(op, attrs, x)
    map(collect(attrs)) do (name, value)
        a = op.attributes[findfirst(a -> a.name === Symbol(name), op.attributes)]
        a.kind === :axis && return a.name => ndims(x) - mod(value, ndims(x))
        a.kind === :choice && return a.name => a.choices[value + 1]
        a.name => value
    end
end

# Operators, with their attributes, that were called in every way.
const seen = Set{Tuple{String,Vector{String}}}()

function check_vector(v)
    op = R.find_operator(v["op"])
    ins, expected = map(tensor, Tuple(v["inputs"])), map(tensor, Tuple(v["outputs"]))
    attrs = julia_attributes(op, v["attrs"], isempty(ins) ? nothing : ins[1])
    outs = map(similar, expected)
    plan = Plan(op.name, outs, ins...; attrs...)
    execute!(plan, outs, ins...)
    close(plan)
    all(map(same, outs, expected)) || return "plan"

    # The other ways differ in Julia's code alone, which is the same for all dtypes but compiled for
    # each: they are tried once for each operator and set of attributes.
    (v["op"], sort(collect(keys(v["attrs"])))) in seen && return nothing
    push!(seen, (v["op"], sort(collect(keys(v["attrs"])))))

    outs = map(similar, expected)
    TileOps.call!(op.name, outs, ins...; attrs...)
    all(map(same, outs, expected)) || return "by name, in place"

    outs = map(similar, expected)
    getproperty(TileOps, Symbol(op.name, "!"))(outs, ins...; attrs...)
    all(map(same, outs, expected)) || return "typed, in place"

    f = getproperty(TileOps, op.name)
    y = if op.name === :cast
        return same(f(ins...; dtype=eltype(expected[1]), attrs...), expected[1]) ? nothing : "typed"
    elseif op.size === :given
        f(size(expected[1]), ins...; dtype=eltype(expected[1]), attrs...)
    elseif length(expected) == 2
        all(map(same, f(ins...; mask=true, attrs...), expected)) || return "typed, with mask"
        f(ins...; attrs...)
    else
        f(ins...; attrs...)
    end
    same(y, expected[1]) || return "typed: $(summary(y))"
    if op.size === :broadcast
        same(f.(ins...; attrs...), expected[1]) || return "dotted"
    end
    nothing
end

# The bytes are a reproducible plan's; otherwise results of 32 and 64 bits may be `ulp` away.
function check_expression(v)
    e = Expression(v["expr"])
    ins, expected = map(tensor, Tuple(v["inputs"])), map(tensor, Tuple(v["outputs"]))
    scalars = [Symbol(name) => value for (name, value) in v["scalars"]]
    TileOps.infer(e, ins...) == [(eltype(y), size(y)) for y in expected] || return "inference"
    [o["name"] for o in v["outputs"]] == map(String, TileOps.expression_info(e).results) || return "names of results"
    Expression(string(e)) == e || return "canonical text"
    outs = map(similar, expected)
    plan = Plan(e, outs, ins...; reproducible=true)
    execute!(plan, outs, ins...; scalars...)
    close(plan)
    all(map(same, outs, expected)) || return "plan"
    results = e(ins...; scalars...)
    all(map((a, b) -> near(a, b, v["ulp"]), results isa Tuple ? results : (results,), expected)) || return "call"
    nothing
end

near(A, B, ulp) = same(A, B) || eltype(A) <: Union{Float32,Float64} && all(near_element.(A, B, ulp))
near_element(x, y, ulp) = same_element(x, y) || abs(ordered(x) - ordered(y)) <= ulp
ordered(x::Float32) = (i = reinterpret(Int32, x); Int(i < 0 ? typemin(Int32) - i : i))
ordered(x::Float64) = (i = reinterpret(Int64, x); i < 0 ? typemin(Int64) - i : i)

path = get(ENV, "TILEOPS_VECTORS", "")
if isempty(path)
    println("vectors: skipped, since TILEOPS_VECTORS names no file")
else
    ops, failures, lines, expressions = Set{String}(), String[], readlines(path), 0
    for line in lines
        v = parse_json(line)
        if haskey(v, "expr")
            global expressions += 1
            failure = check_expression(v)
            failure === nothing || push!(failures, "$(v["expr"]): $failure")
            continue
        end
        push!(ops, v["op"])
        failure = check_vector(v)
        failure === nothing || push!(failures, "$(v["op"]) $(first(line, 200)): $failure")
    end
    println("vectors: $(length(lines) - expressions) of $(length(ops)) operators, $expressions expressions")
    foreach(println, failures[1:min(10, end)])
    @test isempty(failures)
    @test length(ops) == length(TileOps.operators())
    @test expressions >= 20
end
