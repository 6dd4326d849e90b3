# The binding beside the plain C call: random operators and expressions, shapes, element types, views, absent operands,
# numbers, scalars, results in place in random places. Results are equal to the bit, in all of the memory that the arrays
# are in, and what the one refuses the other does. The same cases each time: TILEOPS_NET_SEED, TILEOPS_NET_CASES for others.
const T = TileOps
const SEED = parse(UInt64, get(ENV, "TILEOPS_NET_SEED", "1"))
const CASES = parse(Int, get(ENV, "TILEOPS_NET_CASES", "80"))

mutable struct Dice
    state::UInt64
end
function roll(d::Dice, n::Int)  # 1 to n; splitmix64
    d.state += 0x9e3779b97f4a7c15
    z = d.state
    z = (z ⊻ (z >> 30)) * 0xbf58476d1ce4e5b9
    z = (z ⊻ (z >> 27)) * 0x94d049bb133111eb
    1 + Int((z ⊻ (z >> 31)) % UInt64(n))
end
pick(d, list) = list[roll(d, length(list))]
chance(d, percent) = roll(d, 100) <= percent

# ------------------------------------------------------------------ the plain call ---------

# Descriptors from Julia's own pointer and strides. A number is a tensor of no dimensions.
function tensor(keep, x)
    A = x isa Number ? fill(x) : x
    shape = Int64[reverse(size(A))..., reverse(strides(A))...]
    t = Ref(R.DLTensor(pointer(A), R.CPU, ndims(A), R.datatype(eltype(A)), pointer(shape), pointer(shape) + 8 * ndims(A), 0))
    push!(keep, A, shape, t)
    Base.unsafe_convert(Ptr{R.DLTensor}, t)
end
tensor(keep, ::Nothing) = Ptr{R.DLTensor}(0)

# Status, and the argument at fault.
function outcome(status)
    status == 0 && return 0, ""
    message = unsafe_string(ccall(R.LIB.tileops_last_error, Cstring, ()))
    status, T.TileOpsError(R.Status(status), message).argument
end

function plain(create, outs, ins, scalars)
    keep = []
    inputs, outputs = [tensor(keep, x) for x in ins], [tensor(keep, y) for y in outs]
    plan = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve keep inputs outputs scalars begin
        status = create(inputs, outputs, plan)
        status == 0 || return outcome(status)
        args = Ref(R.CExecuteArgs(sizeof(R.CExecuteArgs), length(ins), length(outs), length(scalars), pointer(inputs),
                                  pointer(outputs), pointer(scalars), C_NULL, C_NULL, 0, C_NULL, C_NULL, C_NULL, 0, 0))
        result = outcome(ccall(R.LIB.tileops_execute_with, Int32, (Ptr{Cvoid}, Ref{R.CExecuteArgs}), plan[], args))
        ccall(R.LIB.tileops_plan_destroy, Cvoid, (Ptr{Cvoid},), plan[])
    end
    result
end

plain_operator(op, outs, ins) = plain(outs, ins, R.CNumber[]) do inputs, outputs, plan
    ccall(R.LIB.tileops_plan_create_like, Int32,
          (Ptr{Cvoid}, Int32, Ptr{Ptr{Cvoid}}, Csize_t, Ptr{Ptr{Cvoid}}, Csize_t, Ptr{Cvoid}, Csize_t, Ref{Ptr{Cvoid}}),
          C_NULL, op.id, inputs, length(inputs), outputs, length(outputs), C_NULL, 0, plan)
end

function plain_expression(text, outs, ins, scalars)
    e = Ref{Ptr{Cvoid}}(C_NULL)
    status = ccall(R.LIB.tileops_expr_parse, Int32, (Ptr{UInt8}, Csize_t, Ref{Ptr{Cvoid}}), text, sizeof(text), e)
    status == 0 || error("net: $text: $(outcome(status))")
    result = plain(outs, ins, scalars) do inputs, outputs, plan
        ccall(R.LIB.tileops_plan_create_like_expr, Int32,
              (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Csize_t, Ptr{Ptr{Cvoid}}, Csize_t, Ref{Ptr{Cvoid}}),
              C_NULL, e[], inputs, length(inputs), outputs, length(outputs), plan)
    end
    ccall(R.LIB.tileops_expr_destroy, Cvoid, (Ptr{Cvoid},), e[])
    result
end

c_scalar(::Nothing) = R.CNumber(0, 0, 0)
c_scalar(x::Integer) = R.CNumber(2, 0, reinterpret(UInt64, Int64(x)))
c_scalar(x) = R.CNumber(1, 0, reinterpret(UInt64, Float64(x)))

# ------------------------------------------------------------------ what is thrown ---------

const TYPES = (Float32, Float16, Float64, T.BFloat16, Int8, UInt8, Int32, Int64, UInt64, Bool)
const FLOATS = (0.0, -0.0, 1.0, -2.5, 0.3, 7.0, Inf, NaN)

element(d, ::Type{Bool}) = chance(d, 50)
element(d, ::Type{S}) where {S<:Integer} = chance(d, 20) ? pick(d, (typemin(S), typemax(S))) : S(roll(d, 6))
element(d, ::Type{S}) where {S} = S(pick(d, FLOATS))
memory(d, S, n...) = reshape(S[element(d, S) for _ in 1:prod(n)], n...)

# An array, or a view of a larger one: each second row, backwards, permuted.
function array(d, S, m, n)
    kind = roll(d, 6)
    kind == 1 && return view(memory(d, S, 2m, n + 1), 1:2:2m, 2:n+1)
    kind == 2 && return view(memory(d, S, m, n), m:-1:1, 1:n)
    kind == 3 && return PermutedDimsArray(memory(d, S, n, m), (2, 1))
    memory(d, S, m, n)
end
broadcast_array(d, S, m, n) = array(d, S, pick(d, (m, m, m, 1)), pick(d, (n, n, n, 1)))

# No Bool, and none for lerp: an operator takes numbers of dtypes that it takes alone, where an expression takes all.
integer(d) = pick(d, (0, 1, 2, -1, 127, 128, 255, 256, 300, -200, 2^31, -2^40, UInt8(200), Int8(-3)))
real_number(d) = pick(d, (0.5, 3.0, -1.5, 2.0f0, NaN))

bytes(A) = (P = A isa Array ? A : parent(A); copy(reinterpret(UInt8, vec(P))))
all_bytes(arrays) = [bytes(A) for A in arrays if A isa AbstractArray]

# The status of what the binding does; nothing where it is Julia that refuses to convert a result.
function safe(f)
    try
        f()
        0
    catch e
        e isa InexactError && return nothing
        e isa TileOpsError || rethrow()
        Int(e.status.value)
    end
end

# The same case twice: `build` throws the same dice each time, so that the arrays, and which of them are one, are the same.
# `ours` and `theirs` take one each and return a status; `seen` counts what was compared.
const seen = Dict{String,Int}()
function compare(kind, seed, build, ours, theirs)
    a, b = build(Dice(seed)), build(Dice(seed))
    status, expected = safe(() -> ours(a)), theirs(b)[1]
    status === nothing && return true
    seen["$kind $(expected == 0 ? "done" : "refused")"] = get(seen, "$kind $(expected == 0 ? "done" : "refused")", 0) + 1
    same = status == expected && (expected != 0 || all_bytes((a.outs..., a.ins...)) == all_bytes((b.outs..., b.ins...)))
    same || println("net: seed $seed: $kind $(a.what) of $(map(summary, a.ins)) to $(map(summary, a.outs)): ",
                    status == expected ? "other bits" : "status $status instead of $expected")
    same
end

full(ins, m, n) = [x for x in ins if x isa AbstractArray && size(x) == (m, n)]
function outputs(d, count, ins, types, m, n)
    free, outs = full(ins, m, n), Any[]
    for _ in 1:count
        at = chance(d, 45) && !isempty(free) ? roll(d, length(free)) : 0
        push!(outs, at == 0 ? array(d, pick(d, types), m, n) : free[at])
        at == 0 || deleteat!(free, at)
    end
    (outs...,)
end

# ------------------------------------------------------------------ operators --------------

const OPERATORS = (:add, :sub, :mul, :div, :remainder, :floor_divide, :pow, :maximum, :eq, :gt, :le, :bitwise_and, :bitwise_xor,
                   :logical_or, :lerp, :where, :clamp, :masked_fill, :abs, :neg, :relu, :exp, :silu_and_mul, :isnan)

function operator_case(d::Dice)
    op, m, n = R.find_operator(pick(d, OPERATORS)), roll(d, 3), roll(d, 3)
    S = pick(d, TYPES)
    types = (S, S, S, pick(d, TYPES))
    ins = Any[]
    for (i, operand) in enumerate(op.inputs)
        mask = operand.name in (:cond, :mask)
        push!(ins, i > 1 && operand.optional && chance(d, 30) ? nothing :
              mask ? broadcast_array(d, Bool, m, n) :
              i == 1 ? array(d, S, m, n) :
              op.size === :broadcast && op.name !== :lerp && chance(d, 40) ? (op.name === :masked_fill || chance(d, 80) ? integer(d) : real_number(d)) :
              broadcast_array(d, pick(d, types), m, n))
    end
    op.name === :clamp && ins[2] isa Number && ins[3] !== nothing && (ins[3] = integer(d))  # bounds of one kind
    op.name === :clamp && ins[3] isa Number && ins[2] !== nothing && (ins[2] = integer(d))
    (what=op.name, ins=(ins...,), outs=outputs(d, 1, ins, (S, S, Float32, Int64, Bool), m, n), way=roll(d, 5))
end

level(x) = R.category(x isa AbstractArray ? eltype(x) : typeof(x))
tensors(c) = [x for x in c.ins if x isa AbstractArray && !(c.what === :where && x === c.ins[1])]

# A number is a scalar of an expression, unless it raises the type: then it is a tensor.
function plain_case(c, outs=c.outs; dotted=false)
    op, numbers = R.find_operator(c.what), [x for x in c.ins if x isa Number]
    isempty(numbers) && return plain_operator(op, outs, c.ins)
    S = eltype(c.ins[1])
    fills = c.what === :masked_fill && (!(S <: Integer) || typemin(S) <= numbers[1] <= typemax(S))
    fills && return plain_operator(op, outs, c.ins)  # as a tensor, which has no dtype to say
    # An expression compares integers with any number; an operator's number is a tensor of its operand's dtype.
    beyond = S <: Integer && any(x -> x isa Integer && !(typemin(S) <= x <= typemax(S)), numbers)
    c.what in (:eq, :gt, :le) && beyond && !dotted && return (1, nothing)
    maximum(map(level, numbers)) > maximum([0; map(level, tensors(c))]) && return plain_operator(op, outs, c.ins)
    scalars = ["x$i = $(x isa Integer ? "0" : "0.0")" for (i, x) in enumerate(c.ins) if x isa Number]
    operands = ["x$i" for (i, x) in enumerate(c.ins) if x isa AbstractArray]
    arguments = ["$(any(isnothing, c.ins[1:i]) ? "$(op.inputs[i].name) = " : "")x$i" for (i, x) in enumerate(c.ins) if x !== nothing]
    plain_expression("($(join(operands, ", ")); $(join(scalars, ", "))) -> $(c.what)($(join(arguments, ", ")))", outs,
                     filter(x -> x isa AbstractArray, collect(c.ins)), map(c_scalar, numbers))
end

function run_case(c)
    f! = getproperty(T, Symbol(c.what, "!"))
    c.way == 1 ? f!(c.outs, c.ins...) : c.way == 2 ? T.call!(c.what, c.outs, c.ins...) :
        execute!(Plan(c.what, c.outs, c.ins...), c.outs, c.ins...)
end

# In new arrays, with dots and without: the result is as the plain call's of its type.
function new_case(seed)
    c, f = operator_case(Dice(seed)), nothing
    f = getproperty(T, c.what)
    y = nothing
    dotted = c.way == 4 && R.find_operator(c.what).size === :broadcast
    status = safe(() -> y = dotted ? f.(c.ins...) : f(c.ins...))
    z = y === nothing ? zeros(Float32, 1, 1) : similar(y)
    expected = plain_case(c, (z,); dotted=dotted)[1]
    same = y === nothing ? status != 0 && expected != 0 : expected == 0 && bytes(y) == bytes(z)
    same || println("net: seed $seed: new $(c.what) of $(map(summary, c.ins)), $([x for x in c.ins if x isa Number]): $status, $expected")
    same
end

# ------------------------------------------------------------------ expressions ------------

function text(d, operands, scalars, depth)
    inner() = text(d, operands, scalars, depth - 1)
    depth == 0 && return chance(d, 70) ? "x$(roll(d, operands))" : scalars > 0 && chance(d, 70) ? "s$(roll(d, scalars))" : "$(roll(d, 3))"
    k = roll(d, 9)
    k <= 4 ? "($(inner()) $(pick(d, ("+", "-", "*", "/"))) $(inner()))" : k == 5 ? "maximum($(inner()), $(inner()))" :
        k == 6 ? "abs($(inner()))" : k == 7 ? "where($(inner()) > $(inner()), $(inner()), $(inner()))" :
        k == 8 ? "cast($(inner()), $(pick(d, ("f32", "bf16", "i8"))))" : "clamp($(inner()), -1, 3)"
end

function expression_case(d::Dice)
    m, n, operands, scalars, results = roll(d, 3), roll(d, 3), roll(d, 4), roll(d, 3) - 1, roll(d, 3)
    S = pick(d, TYPES)
    ins = Any[i == 1 ? array(d, S, m, n) : broadcast_array(d, pick(d, (S, S, pick(d, TYPES))), m, n) for i in 1:operands]
    optional = operands > 1 && chance(d, 30)
    optional && chance(d, 60) && (ins[end] = nothing)
    names = join(["x$i$(optional && i == operands ? " = 2" : "")" for i in 1:operands], ", ")
    defaults = join(["s$i = $(chance(d, 50) ? "1" : "0.5")" for i in 1:scalars], ", ")
    body = join(["x1 $(pick(d, ("+", "*"))) $(text(d, operands, scalars, 2))" for _ in 1:results], ", ")
    given = [chance(d, 30) ? nothing : chance(d, 60) ? integer(d) : real_number(d) for _ in 1:scalars]
    (what="($names$(scalars > 0 ? "; " * defaults : "")) -> $body", ins=(ins...,), given=given,
     outs=outputs(d, results, ins, (S, S, Float32, Int64), m, n), way=roll(d, 2))
end

function run_expression(c)
    e = Expression(c.what)
    given = [Symbol(:s, i) => x for (i, x) in enumerate(c.given) if x !== nothing]
    c.way == 1 ? T.call!(e, c.outs, c.ins...; given...) : execute!(Plan(e, c.outs, c.ins...), c.outs, c.ins...; given...)
end

# ------------------------------------------------------------------ dotted expressions -----

# As a tree of lazy calls, and as a text in which each place of an array is an operand of its own.
function tree(d, S, arrays, used, scalars, depth)
    if depth == 0
        chance(d, 75) && (push!(used, pick(d, arrays)); return used[end], "x$(length(used))")
        push!(scalars, S === Bool ? chance(d, 50) : chance(d, 90) ? roll(d, 4) : 300)
        return scalars[end], "s$(length(scalars))"
    end
    name = pick(d, (:add, :mul, :maximum, :abs, :minimum))
    count = name === :abs ? 1 : 2
    parts = Any[tree(d, S, arrays, used, scalars, i == 1 ? depth - 1 : 0) for i in 1:count]
    # Numbers alone are Julia's.
    all(p -> p[1] isa Number, parts) && (push!(used, arrays[1]); parts[1] = (arrays[1], "x$(length(used))"))
    Base.Broadcast.broadcasted(getproperty(T, name), map(first, parts)...), "$name($(join(map(last, parts), ", ")))"
end

function dotted_case(d::Dice)
    m, n, S = roll(d, 3), roll(d, 3), pick(d, (Float32, T.BFloat16, Int8, Int64))
    arrays = Any[array(d, S, m, n), broadcast_array(d, S, m, n)]
    used, scalars = Any[arrays[1]], Any[]
    lazy, body = tree(d, S, arrays, used, scalars, 2)
    lazy = Base.Broadcast.broadcasted(T.add, arrays[1], lazy)
    names, defaults = join(["x$i" for i in 1:length(used)], ", "), join(["s$i = 0" for i in 1:length(scalars)], ", ")
    y = chance(d, 50) ? arrays[1] : array(d, S, m, n)
    (what="($names$(isempty(defaults) ? "" : "; " * defaults)) -> add(x1, $body)", ins=(used...,), outs=(y,), lazy=lazy, scalars=scalars)
end

@testset "operators" begin
    @test isempty(filter(k -> !compare("operator", SEED + k, operator_case, run_case, plain_case), 1:CASES))
    @test isempty(filter(k -> !new_case(SEED + k), 1:CASES ÷ 2))
end
@testset "expressions" begin
    @test isempty(filter(k -> !compare("expression", SEED + k, expression_case, run_expression,
                           c -> plain_expression(c.what, c.outs, c.ins, map(c_scalar, c.given))), 1:CASES ÷ 2))
end
@testset "dotted" begin
    @test isempty(filter(k -> !compare("dotted", SEED + k, dotted_case, c -> Base.materialize!(c.outs[1], c.lazy),
                           c -> plain_expression(c.what, c.outs, c.ins, map(c_scalar, c.scalars))), 1:CASES ÷ 8))
end
println("net: ", join(("$k $(seen[k])" for k in sort!(collect(keys(seen)))), ", "))
# Neither all done nor all refused.
@test all(k -> get(seen, k, 0) >= CASES ÷ 20, ("operator done", "operator refused", "expression done", "expression refused", "dotted done"))
