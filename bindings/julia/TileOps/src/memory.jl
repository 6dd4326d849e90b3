# Operands as the library sees them. Nothing here copies elements: an array of Julia is described by
# its address, its sizes and its strides, the last two reversed, since Julia's first index runs
# fastest and a tensor's last.

# ------------------------------------------------------------------ what an operand is -----

# Types of operands have methods of these functions; a package for another kind of memory adds
# `root_device` for the array that owns the memory, and `raw_address` for its pointers.

"The array that owns the memory of a view."
root(A::AbstractArray) = A
root(A::Union{SubArray,Base.ReshapedArray,Base.ReinterpretArray,PermutedDimsArray,Adjoint,Transpose}) =
    root(parent(A))

"The device of an array that owns memory."
root_device(::Array) = CPU
root_device(A::AbstractArray) = no_memory(A)
device_of(A::AbstractArray) = root_device(root(A))

raw_address(p::Ptr) = Ptr{Cvoid}(p)

address(A::AbstractArray) = no_memory(A)
address(A::StridedArray) = raw_address(pointer(A))
address(A::PermutedDimsArray) = address(parent(A))
address(A::Transpose) = address(parent(A))
address(A::Adjoint{<:Real}) = address(parent(A))  # of complex numbers it is another value

steps(A::AbstractArray) = no_memory(A)
steps(A::StridedArray) = strides(A)
steps(A::PermutedDimsArray{T,N,perm}) where {T,N,perm} =
    (s = steps(parent(A)); ntuple(d -> s[perm[d]], Val(N)))
steps(A::Union{Transpose{<:Any,<:AbstractMatrix},Adjoint{<:Real,<:AbstractMatrix}}) = reverse(steps(parent(A)))
steps(A::Union{Transpose{<:Any,<:AbstractVector},Adjoint{<:Real,<:AbstractVector}}) =
    (s = steps(parent(A)); (s[1] * length(parent(A)), s[1]))

readonly(A::AbstractArray) = false

@noinline no_memory(A) =
    unsupported("TileOps: operand: has no memory with strides to borrow (got $(typeof(A)), need an Array, " *
                "a view of one with ranges, a reshaped, permuted or transposed one); Array(x) makes one")

@noinline no_operand(x) =
    invalid("TileOps: operand: is no array and no real number (got $(typeof(x)))")

"""
    TileOps.UpTo(most)

A size in a [`TileOps.TensorSpec`](@ref) that each execute brings: any from 0 to `most`, which is at least 1.
"""
struct UpTo
    most::Int
    UpTo(most::Integer) = most >= 1 ? new(min(most, MOST_BOUND)) : invalid("UpTo: most: is out of range (got $most, need at least 1)")
end

const MOST_BOUND = 1 << 62  # beyond all arrays
const OPEN = -1             # TILEOPS_OPEN
const ROW_MAJOR = typemin(Int)  # in the place of strides: dense, whatever the sizes

"""
    TileOps.TensorSpec(T, size, strides=nothing; device=TileOps.Device(:cpu))

Element type, size and strides (in elements) of an operand without memory, to make a plan for.

A size may be open: `:` for any, [`TileOps.UpTo`](@ref)`(n)` for any up to n. Each execute brings it, and one plan does for
all of them: see [`Plan`](@ref). Without strides the arrays are dense. With strides, which are numbers, a result may have one
open size, the outermost.

```jldoctest
julia> TileOps.TensorSpec(Float32, (1024, TileOps.UpTo(512)))
TileOps.TensorSpec(Float32, (1024, TileOps.UpTo(512)))
```
"""
struct TensorSpec{T,N}
    size::NTuple{N,Int}  # open ones as the library has them
    strides::NTuple{N,Int}
    device::DLDevice
end

function TensorSpec(::Type{T}, size::Dims{N}, strides=nothing; device=CPU) where {T,N}
    datatype(T)
    steps = strides === nothing ? Base.size_to_strides(1, size...) : Tuple{Vararg{Int}}(strides)
    length(steps) == N || invalid("TensorSpec: strides: are of another number (got $(length(steps)), need $N)")
    TensorSpec{T,N}(size, steps, dl_device(device))
end

function TensorSpec(::Type{T}, size::Tuple{Vararg{Union{Integer,Colon,UpTo}}}, strides=nothing; device=CPU) where {T}
    sizes = map(raw_extent, size)
    any(is_open_size, sizes) || return TensorSpec(T, sizes, strides; device=device)
    closed = TensorSpec(T, map(n -> is_open_size(n) ? 1 : n, sizes), strides; device=device)
    TensorSpec{T,length(size)}(sizes, strides === nothing ? map(n -> ROW_MAJOR, sizes) : closed.strides, closed.device)
end

raw_extent(n::Integer) = n >= 0 ? Int(n) : invalid("TensorSpec: size: is negative (got $n; `:` is an open one)")
raw_extent(::Colon) = OPEN
raw_extent(n::UpTo) = n.most == MOST_BOUND ? OPEN : typemin(Int) + n.most

is_open_size(n::Int) = n < 0
extent(n::Int) = n == OPEN ? Colon() : is_open_size(n) ? UpTo(n - typemin(Int)) : n

is_open(A) = false
is_open(s::TensorSpec) = any(is_open_size, s.size)

Base.ndims(::Type{TensorSpec{T,N}}) where {T,N} = N
Base.ndims(::TensorSpec{T,N}) where {T,N} = N
Base.size(s::TensorSpec) = map(extent, s.size)
Base.eltype(::Type{TensorSpec{T,N}}) where {T,N} = T
Base.eltype(::TensorSpec{T,N}) where {T,N} = T
raw_size(A) = size(A)
raw_size(s::TensorSpec) = s.size
steps(s::TensorSpec) = s.strides
device_of(s::TensorSpec) = s.device
address(::TensorSpec) = C_NULL
readonly(::TensorSpec) = false

function Base.show(io::IO, s::TensorSpec{T}) where {T}
    sizes = join(map(n -> n === Colon() ? ":" : string(n), size(s)), ", ") * (ndims(s) == 1 ? "," : "")
    print(io, "TileOps.TensorSpec(", T, ", (", sizes, ")")
    is_dense(s) || print(io, ", ", s.strides)
    print(io, s.device == CPU ? ")" : "; device=$(s.device))")
end
Base.show(io::IO, n::UpTo) = print(io, "TileOps.UpTo(", n.most, ")")

is_dense(s::TensorSpec) = is_open(s) ? ROW_MAJOR in s.strides : s.strides == Base.size_to_strides(1, s.size...)

operand(x::Union{AbstractArray,TensorSpec,Nothing}) = x
operand(x::BitArray) = Array(x)  # what `x .> 0` gives; its bits are no memory of the library's
operand(x) = no_operand(x)

# `values`: of the operator's attributes.
function operands(op::OpInfo, inputs::Tuple, values::Tuple)
    refuse_absent(op, 1, inputs)
    ins = map(operand, inputs)
    fitted(limits(op, ins, values), ins)
end

refuse_absent(op, i, ::Tuple{}) = nothing
refuse_absent(op, i, inputs::Tuple) = refuse_absent(op, i + 1, Base.tail(inputs))
function refuse_absent(op, i, inputs::Tuple{Nothing,Vararg{Any}})
    i <= length(op.inputs) && !op.inputs[i].optional &&
        invalid("TileOps.$(op.name): inputs[$(i - 1)]: $(op.inputs[i].name) is absent, and not optional")
    refuse_absent(op, i + 1, Base.tail(inputs))
end

# Outputs are written to, so they cannot be numbers.
output(x::Union{AbstractArray,TensorSpec,Nothing}) =
    x !== nothing && readonly(x) ? invalid("TileOps: output: is read-only (a DLPack tensor whose producer forbids writing)") : x
output(x) = invalid("TileOps: output: is no array (got $(typeof(x)))")

# ------------------------------------------------------------------ descriptors ------------

# One piece of memory that holds the pointers, DLTensors, shapes and strides of a call:
#   pointers of all operands, then for each its DLTensor (6 words), ndim sizes, ndim strides.
# The length is a constant of the operands' types; where they are known, nothing else is allocated,
# and the compiler mostly keeps the frame on the stack. A frame belongs to one call, so that any
# number of tasks can execute one plan.
mutable struct Frame{K}
    words::NTuple{K,UInt}
    Frame{K}() where {K} = new{K}()
end

const WORD = sizeof(UInt)
const TENSOR_WORDS = sizeof(DLTensor) ÷ WORD

rank(::Type{Nothing}) = 0
rank(::Type{T}) where {T<:AbstractArray} = ndims(T)
rank(::Type{TensorSpec{T,N}}) where {T,N} = N

words(::Type{T}) where {T} = TENSOR_WORDS + 2 * rank(T)

# With `more` words behind the operands.
@generated function frame_for(operands::Tuple, ::Val{more}=Val(0)) where {more}
    all = more + sum(Int[1 + words(T) for T in operands.parameters])
    :(Frame{$all}())
end

# Writes the operands from word `at` on, and their addresses from word `slot` on; returns the next free word.
@inline fill_frame(base, slot, at, ::Tuple{}) = at
@inline function fill_frame(base, slot, at, operands::Tuple)
    at = write_tensor(base, slot, at, operands[1])
    fill_frame(base, slot + 1, at, Base.tail(operands))
end

@inline function write_tensor(base, slot, at, ::Nothing)
    unsafe_store!(base, UInt(0), slot + 1)
    at
end

@inline function write_tensor(base, slot, at, A)
    n = ndims(A)
    shape = Ptr{Int64}(base + WORD * (at + TENSOR_WORDS))
    strides = shape + WORD * n
    extents, distances = raw_size(A), steps(A)
    for d in 1:n
        unsafe_store!(shape, extents[d], n + 1 - d)
        unsafe_store!(strides, distances[d], n + 1 - d)
    end
    tensor = Ptr{DLTensor}(base + WORD * at)
    unsafe_store!(tensor, DLTensor(address(A), device_of(A), Int32(n), datatype(eltype(A)), shape, strides, 0))
    unsafe_store!(base, UInt(tensor), slot + 1)
    at + TENSOR_WORDS + 2n
end

# Calls f(inputs, num_inputs, outputs, num_outputs) with the arrays of DLTensor pointers that the
# library takes. `outputs` and `inputs` are tuples of arrays, TensorSpecs or nothing.
@inline function with_tensors(f::F, outputs::Tuple, inputs::Tuple) where {F}
    operands = (outputs..., inputs...)
    frame = frame_for(operands)
    GC.@preserve frame operands begin
        base = Ptr{UInt}(pointer_from_objref(frame))
        fill_frame(base, 0, length(operands), operands)
        pointers = Ptr{Ptr{DLTensor}}(base)
        f(pointers + WORD * length(outputs), length(inputs), pointers, length(outputs))
    end
end
