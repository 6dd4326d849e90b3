# What calls without a plan object keep from one to the next: for each type of a call the plans for the last layouts of
# its operands, and for each type of a dotted expression's tree the expressions of the library, mostly one. So a call
# neither builds nor looks up anything in the library.

mutable struct Entry{K,V}
    key::K
    value::V
end

"""
The last values for keys: the newest ones in a list, others in sets by their hash. Reading takes no lock: the list is
replaced, never changed, and an entry of a set is one pointer.
"""
mutable struct Recent{K,V}
    process::UInt128  # see PROCESS: what a precompiled module has kept is nothing here
    newest::Vector{Entry{K,V}}
    older::Vector{Union{Nothing,Entry{K,V}}}  # SETS sets, once there are any
    asked::UInt  # see `asked_again`
    Recent{K,V}() where {K,V} = new{K,V}(0, Entry{K,V}[], Union{Nothing,Entry{K,V}}[], 0)
end

const NEWEST = 8
const SETS, SET_SIZE = 128, 8  # some 500 keys find room

function find(recent::Recent{K}, key::K) where {K}
    recent.process == PROCESS[] || return nothing
    for entry in recent.newest
        entry.key === key && return entry.value
    end
    older = recent.older
    isempty(older) && return nothing
    first = set_of(key)
    for i in first:first+SET_SIZE-1
        entry = older[i]
        entry !== nothing && entry.key === key && return entry.value
    end
    nothing
end

set_of(key) = 1 + SET_SIZE * Int(hash_of(key) % SETS)

# A hash of what is in the tuples of a key, one after the other: Julia's own hash of nested tuples allocates.
@generated function hash_of(key::Tuple)
    code = Expr(:block, :(h = UInt(0)))
    add(T, x) = T <: Tuple ? foreach(i -> add(T.parameters[i], :($x[$i])), 1:length(T.parameters)) :
        push!(code.args, :(h = hash($x, h)))
    add(key, :key)
    push!(code.args, :h)
    code
end

const SITES = Recent[]
const SITES_LOCK = ReentrantLock()

function remember(recent::Recent{K,V}, key::K, value::V) where {K,V}
    lock(SITES_LOCK) do
        recent.process == PROCESS[] || forget(recent)
        any(r -> r === recent, SITES) || push!(SITES, recent)
        kept = recent.newest
        length(kept) == NEWEST && remember_older(recent, kept[end])
        recent.newest = Entry{K,V}[Entry{K,V}(key, value); kept[1:min(end, NEWEST - 1)]]
        recent.process = PROCESS[]
    end
    value
end

# First in its set, from which the last one falls.
function remember_older(recent::Recent{K,V}, entry) where {K,V}
    isempty(recent.older) && (recent.older = Vector{Union{Nothing,Entry{K,V}}}(nothing, SETS * SET_SIZE))
    first = set_of(entry.key)
    for i in first+SET_SIZE-1:-1:first+1
        recent.older[i] = recent.older[i - 1]
    end
    recent.older[first] = entry
end

function forget(recent::Recent)
    recent.newest, recent.older = similar(recent.newest, 0), similar(recent.older, 0)
end

function forget_sites()
    lock(SITES_LOCK) do
        foreach(forget, SITES)
        empty!(SITES)
    end
end

# Whether this key was the last one that was asked for in vain. A seed that is another one each time is not worth a plan
# that is kept.
function asked_again(recent::Recent, key)
    code = hash_of(key)
    recent.asked == code || (recent.asked = code; return false)
    true
end

# One for each type: the object is part of the generated code.
@generated expressions_of(::Type{C}, ::K) where {C<:Call,K} = Recent{K,Expression}()
@generated plans_of(::Type{D}, ::Type{C}, ::K) where {D,C,K} = Recent{K,Plan}()
@generated results_of(::Type{I}, ::K) where {I,K} = Recent{K,Results}()

"Element types and sizes of the results of an expression."
struct Results
    e::Expression
    list::Vector{Tuple{DataType,Tuple{Vararg{Int}}}}
end

# ------------------------------------------------------------------ keys -------------------

# For each array, which operand it is: an array that comes twice is one operand, a number that comes twice is two.
@generated function operand_numbers(arrays::Tuple)
    n = length(arrays.parameters)
    code = Expr(:block, :(count = 0))
    for i in 1:n
        number = :(count += 1)
        arrays.parameters[i] <: Single || for j in i-1:-1:1
            number = :(same_array(arrays[$i], arrays[$j]) ? $(Symbol(:number, j)) : $number)
        end
        push!(code.args, :($(Symbol(:number, i)) = $number))
    end
    push!(code.args, Expr(:tuple, (Symbol(:number, i) for i in 1:n)...))
    code
end

same_array(a, b) = false
same_array(a::A, b::A) where {A<:Array} = a === b
same_array(a::A, b::A) where {A<:AbstractArray} = same_memory(a, b) && device_of(a) == device_of(b)

layout(::Union{Nothing,Single}) = nothing
layout(A::Array) = size(A)
layout(A::AbstractArray) = (size(A), steps(A), device_of(A))

# ------------------------------------------------------------------ runs -------------------

# Writes the tree's result to `dest`, which has its size.
@inline function run_tree!(dest, t::Call)
    require_library()
    arrays = arrays_in(t)
    numbers, constants = operand_numbers(arrays), constants_in(t)
    key = (numbers, constants, layout(dest), map(layout, arrays))
    recent = plans_of(typeof(dest), typeof(t), key)
    plan = find(recent, key)
    if plan === nothing
        plan = remember(recent, key, new_tree_plan(output(dest), without_arrays(t), numbers, constants, arrays...))
    end
    run_plan(plan, dest, arrays, numbers, numbers_in(t), stream_pointer(nothing, (dest,)))
    dest
end

# An operator.
@inline function run_operator!(op::OpInfo, outs::Tuple, ins::Tuple, values::Tuple, stream::Ptr{Cvoid},
                               ::Nothing=nothing)
    require_library()
    key = (op.id, values, map(layout, outs), map(layout, ins))
    recent = plans_of(typeof(outs), typeof(ins), key)
    plan = find(recent, key)
    if plan === nothing
        all_default(1, op.attributes, values) || asked_again(recent, key) ||
            return run_once(op, outs, ins, values, nothing, stream)
        plan = remember(recent, key, operator_plan(nothing, op, outs, ins, values, UInt32(0)))
    end
    run_plan(plan, outs, ins, stream)
end
# Nothing is kept of a call in a context of its own.
run_operator!(op::OpInfo, outs::Tuple, ins::Tuple, values::Tuple, stream::Ptr{Cvoid}, context::Context) =
    run_once(op, outs, ins, values, context, stream)

# An expression, known by its address: what is kept holds it, so that the address is that of no other one meanwhile.
@inline function run_expression!(e::Expression, outs::Tuple, ins::Tuple, scalars::NamedTuple, stream::Ptr{Cvoid}, ::Nothing)
    require_library()
    key = (UInt(pointer_from_objref(e)), map(layout, outs), map(layout, ins))
    recent = plans_of(typeof(outs), typeof(ins), key)
    plan = find(recent, key)
    if plan === nothing
        plan = remember(recent, key, expression_plan(nothing, e, outs, ins, UInt32(0)))
    end
    run_plan(plan, outs, ins, scalars, stream)
end
function run_expression!(e::Expression, outs::Tuple, ins::Tuple, scalars::NamedTuple, stream::Ptr{Cvoid}, context::Context)
    plan = expression_plan(context, e, outs, ins, UInt32(0))
    run_plan(plan, outs, ins, scalars, stream)
    close(plan)
end

function results(e::Expression, ins::Tuple)
    key = (UInt(pointer_from_objref(e)), map(layout, ins))
    recent = results_of(typeof(ins), key)
    known = find(recent, key)
    known === nothing ? remember(recent, key, Results(e, infer(e, ins...))).list : known.list
end

@noinline function new_tree_plan(dest, t::Call, numbers, constants, arrays...)
    recent = expressions_of(typeof(t), (numbers, constants))
    e = find(recent, (numbers, constants))
    if e === nothing
        e = remember(recent, (numbers, constants), Expression(text_of(t, numbers)))
    end
    operands = [arrays[findfirst(isequal(k), numbers)] for k in 1:maximum(numbers)]
    Plan(e, dest, operands...)
end

@inline function run_plan(plan::Plan, dest, arrays::Tuple, numbers::Tuple, scalars::Tuple, stream::Ptr{Cvoid})
    frame = frame_for((dest, arrays...), Val(2 * length(scalars) + sizeof(CExecuteArgs) ÷ WORD))
    status = GC.@preserve plan frame dest arrays begin
        base = Ptr{UInt}(pointer_from_objref(frame))
        at = write_tensor(base, 0, 1 + length(arrays), dest)
        count, at = write_operands(base, at, arrays, numbers)
        values = base + WORD * at
        write_numbers(values, scalars)
        args = Ptr{CExecuteArgs}(values + sizeof(CNumber) * length(scalars))
        pointers = Ptr{Ptr{DLTensor}}(base)
        unsafe_store!(args, CExecuteArgs(sizeof(CExecuteArgs), count % UInt32, 1, length(scalars) % UInt32,
                                         pointers + WORD, pointers, values, stream, C_NULL, 0, C_NULL, C_NULL,
                                         C_NULL, UInt32(0), UInt32(0)))
        p = acquire(plan.handle, Plan)
        s = ccall(LIB.tileops_execute_with, Int32, (Ptr{Cvoid}, Ptr{CExecuteArgs}), p, args)
        release(plan.handle, Plan)
        s
    end
    check(status)
end

# Each operand once; returns how many there are, and the next free word.
@generated function write_operands(base, at, arrays::Tuple, numbers::Tuple)
    code = Expr(:block, :(count = 0))
    for i in 1:length(arrays.parameters)
        push!(code.args, :(numbers[$i] > count && (count += 1; at = write_tensor(base, count, at, arrays[$i]))))
    end
    push!(code.args, :((count, at)))
    code
end

@inline write_numbers(p, ::Tuple{}) = nothing
@inline function write_numbers(p, numbers::Tuple)
    unsafe_store!(Ptr{CNumber}(p), c_number(numbers[1]))
    write_numbers(p + sizeof(CNumber), Base.tail(numbers))
end
