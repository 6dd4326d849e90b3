# What a dotted expression keeps from call to call: for each type of its tree the expressions of the library, mostly
# one, and the plans for the last few layouts of its operands. So a call neither builds nor looks up anything.

"The last few values for keys. Reading takes no lock: `entries` is replaced, never changed."
mutable struct Recent{K,V}
    process::UInt128  # see PROCESS: what a precompiled module has kept is nothing here
    entries::Vector{Pair{K,V}}
    Recent{K,V}() where {K,V} = new{K,V}(0, Pair{K,V}[])
end

const MOST_RECENT = 8

function find(recent::Recent{K}, key::K) where {K}
    recent.process == PROCESS[] || return nothing
    for entry in recent.entries
        entry.first === key && return entry.second
    end
    nothing
end

const SITES = Recent[]
const SITES_LOCK = ReentrantLock()

function remember(recent::Recent{K,V}, key::K, value::V) where {K,V}
    lock(SITES_LOCK) do
        kept = recent.process == PROCESS[] ? recent.entries : Pair{K,V}[]
        any(r -> r === recent, SITES) || push!(SITES, recent)
        recent.entries = Pair{K,V}[key => value; kept[1:min(end, MOST_RECENT - 1)]]
        recent.process = PROCESS[]
    end
    value
end

function forget_sites()
    lock(SITES_LOCK) do
        for recent in SITES
            recent.entries = similar(recent.entries, 0)
        end
        empty!(SITES)
    end
end

# One for each type: the object is part of the generated code.
@generated expressions_of(::Type{C}, ::K) where {C<:Call,K} = Recent{K,Expression}()
@generated plans_of(::Type{D}, ::Type{C}, ::K) where {D,C,K} = Recent{K,Plan}()

# ------------------------------------------------------------------ keys -------------------

# For each array, which operand it is: an array that comes twice is one operand.
@generated function operand_numbers(arrays::Tuple)
    n = length(arrays.parameters)
    code = Expr(:block, :(count = 0))
    for i in 1:n
        number = :(count += 1)
        for j in i-1:-1:1
            number = :(arrays[$i] === arrays[$j] ? $(Symbol(:number, j)) : $number)
        end
        push!(code.args, :($(Symbol(:number, i)) = $number))
    end
    push!(code.args, Expr(:tuple, (Symbol(:number, i) for i in 1:n)...))
    code
end

layout(::Nothing) = nothing
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
        plan = remember(recent, key, new_tree_plan(output(dest), t, arrays, numbers, constants))
    end
    run_plan(plan, dest, arrays, numbers, numbers_in(t), stream_pointer(nothing, (dest,)))
    dest
end

# An operator alone; with attributes, whose values may be others each time, its plan is looked up in the library.
run_alone!(dest, f::Attributed, ins::Tuple, attrs) =
    run_once(f.op, (dest,), ins, attrs, nothing, stream_pointer(nothing, (dest,)))
function run_alone!(dest, f::Attributed{name,O,NamedTuple{(),Tuple{}}}, ins::Tuple, attrs) where {name,O<:OpInfo}
    require_library()
    key = (layout(dest), map(layout, ins))
    recent = plans_of(typeof(dest), Tuple{typeof(f),typeof(ins)}, key)
    plan = find(recent, key)
    if plan === nothing
        plan = remember(recent, key, Plan(f.op, dest, ins...))
    end
    run_plan(plan, (dest,), ins, stream_pointer(nothing, (dest,)))
end

@noinline function new_tree_plan(dest, t::Call, arrays, numbers, constants)
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
                                         pointers + WORD, pointers, values, stream, C_NULL, 0))
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
