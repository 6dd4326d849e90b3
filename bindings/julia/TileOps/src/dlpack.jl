# DLPack: arrays of other libraries in, Julia's arrays out, without a copy.

# ------------------------------------------------------------------ in ---------------------

# Calls the producer's deleter once, when closed or garbage.
mutable struct Owner
    tensor::Threads.Atomic{UInt}
    process::UInt128

    function Owner(p::Ptr{DLManagedTensorVersioned})
        Threads.atomic_add!(LIVE_HANDLES, 1)
        finalizer(close, new(Threads.Atomic{UInt}(UInt(p)), PROCESS[]))
    end
end

stale(o::Owner) = o.process != PROCESS[]

function Base.close(o::Owner)
    stale(o) && return nothing
    p = Ptr{DLManagedTensorVersioned}(Threads.atomic_xchg!(o.tensor, UInt(0)))
    p == C_NULL && return nothing
    Threads.atomic_sub!(LIVE_HANDLES, 1)
    delete_dlpack(p)
end

function delete_dlpack(p::Ptr{DLManagedTensorVersioned})
    deleter = unsafe_load(p).deleter
    deleter == C_NULL || ccall(deleter, Cvoid, (Ptr{DLManagedTensorVersioned},), p)
    nothing
end

"""
    TileOps.ManagedArray{T,N} <: AbstractArray{T,N}

Memory that another library or libtileops itself owns, on the CPU or on a CUDA device, with its
strides. Operand of every operator; on the CPU it is indexed like any array, `Array(A)` copies it.
`close` gives the memory back, at the latest when it is garbage: only when nothing uses it any more,
on CUDA not before the work on it is done.
"""
struct ManagedArray{T,N} <: AbstractArray{T,N}
    owner::Owner
    data::Ptr{T}
    size::NTuple{N,Int}
    strides::NTuple{N,Int}
    device::DLDevice
    readonly::Bool
end

Base.size(A::ManagedArray) = A.size
Base.strides(A::ManagedArray) = A.strides
Base.elsize(::Type{<:ManagedArray{T}}) where {T} = sizeof(T)
Base.close(A::ManagedArray) = close(A.owner)
Base.isopen(A::ManagedArray) = !stale(A.owner) && A.owner.tensor[] != 0
Base.dataids(A::ManagedArray) = (UInt(A.data),)
root_device(A::ManagedArray) = A.device
readonly(A::ManagedArray) = A.readonly
steps(A::ManagedArray) = A.strides
borrowable(::ManagedArray) = true

function address(A::ManagedArray)
    stale(A.owner) && of_another_process("array")
    isopen(A) || invalid("TileOps: array: is closed")
    Ptr{Cvoid}(A.data)
end

Serialization.serialize(::AbstractSerializer, ::Union{ManagedArray,Owner}) = cannot_serialize("array")
Base.deepcopy_internal(::Owner, ::IdDict) = invalid("TileOps: array: has one owner; deepcopy the array itself")

# Memory of its own on the same device, dense.
function Base.deepcopy_internal(A::ManagedArray{T,N}, seen::IdDict) where {T,N}
    haskey(seen, A) && return seen[A]::ManagedArray{T,N}
    address(A)
    B = copy_tensor!(undefined_tensor(T, size(A); device=A.device), A)
    synchronize_stream(A.device, C_NULL)
    seen[A] = B
end

allocate(model::ManagedArray, T, dims) =
    model.device == CPU ? Array{T}(undef, dims) : undefined_tensor(T, dims; device=model.device)

function Base.unsafe_convert(::Type{Ptr{T}}, A::ManagedArray{T}) where {T}
    on_host(A)
    Ptr{T}(address(A))
end

on_host(A) = A.device == CPU ||
    invalid("TileOps: array: is not in host memory (on device type $(A.device.type)); use copy_tensor!")

element(A::ManagedArray{T,N}, I) where {T,N} = pointer(A) + sizeof(T) * sum(ntuple(d -> (I[d] - 1) * A.strides[d], Val(N)))
element(A::ManagedArray{T,0}, I) where {T} = pointer(A)

function Base.getindex(A::ManagedArray{T,N}, I::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(A, I...)
    GC.@preserve A unsafe_load(element(A, I))
end

function Base.setindex!(A::ManagedArray{T,N}, x, I::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(A, I...)
    A.readonly && invalid("TileOps: array: is read-only")
    GC.@preserve A unsafe_store!(element(A, I), convert(T, x))
    A
end

"""
    TileOps.from_dlpack(p::Ptr)

A [`ManagedArray`](@ref) of the `DLManagedTensorVersioned` at `p`, whose owner it becomes: its deleter
is called once, also when this throws. Sizes and strides are reversed, so that a row-major tensor of
shape `(n, m)` is an `m x n` array. Tensors of DLPack 1.x, on CPU and CUDA devices.
"""
function from_dlpack(p::Ptr)
    p == C_NULL && invalid("TileOps.from_dlpack: tensor: is NULL")
    tensor = Ptr{DLManagedTensorVersioned}(p)
    owner = Owner(tensor)
    try
        adopt(owner, unsafe_load(tensor))
    catch
        close(owner)
        rethrow()
    end
end

function adopt(owner, managed::DLManagedTensorVersioned)
    managed.version.major == 1 || unsupported("TileOps.from_dlpack: tensor: is of another version of " *
        "DLPack (got $(managed.version.major).$(managed.version.minor), need 1)")
    t = managed.dl_tensor
    T, n = julia_type(t.dtype), Int(t.ndim)
    0 <= n <= 32 || invalid("TileOps.from_dlpack: tensor: has a wrong number of dimensions (got $n, need 0 to 32)")
    dims = ntuple(d -> Int(unsafe_load(t.shape, n + 1 - d)), n)
    all(>=(0), dims) || invalid("TileOps.from_dlpack: tensor: has a negative extent (got $dims)")
    steps = t.strides == C_NULL ? Base.size_to_strides(1, dims...) : ntuple(d -> Int(unsafe_load(t.strides, n + 1 - d)), n)
    ManagedArray{T,n}(owner, Ptr{T}(t.data + t.byte_offset), dims, n == 0 ? () : steps, t.device,
                      managed.flags & DLPACK_FLAG_READ_ONLY != 0)
end

# ------------------------------------------------------------------ out --------------------

# An exported array, kept until the consumer calls the deleter.
mutable struct Export
    array::AbstractArray
    extents::Vector{Int64}
    managed::Base.RefValue{DLManagedTensorVersioned}
    released::Threads.Atomic{Int}
end

const EXPORTS = Dict{Ptr{DLManagedTensorVersioned},Export}()
const EXPORTS_LOCK = Threads.SpinLock()
const RELEASES = Threads.Atomic{Int}(0)

"Exported arrays whose consumer has not called the deleter yet."
live_exports() = count(e -> e.released[] == 0, lock(() -> collect(values(EXPORTS)), EXPORTS_LOCK))

# The deleter may run in a finalizer that has interrupted the very task that holds the lock: it marks
# the entry and leaves the removal to whoever holds the lock.
function release_export(p::Ptr{DLManagedTensorVersioned})
    released = unsafe_pointer_to_objref(unsafe_load(p).manager_ctx)::Threads.Atomic{Int}
    released[] = 1
    Threads.atomic_add!(RELEASES, 1)
    sweep_exports()
    nothing
end

function sweep_exports()
    seen = -1
    while seen != RELEASES[] && trylock(EXPORTS_LOCK)
        seen = RELEASES[]
        filter!(entry -> entry.second.released[] == 0, EXPORTS)
        unlock(EXPORTS_LOCK)
    end
end

"""
    TileOps.to_dlpack(A) -> Ptr{DLManagedTensorVersioned}

The memory of an array for another library, which must call the deleter once; `TileOps.close_dlpack`
does it where nobody takes the tensor. Until then `A` is kept. An `m x n` array is a tensor of shape
`(n, m)`. Before Julia 1.9 the deleter must be called on a thread of Julia.

```jldoctest
julia> A = Float32[1 2 3; 4 5 6];

julia> B = TileOps.from_dlpack(TileOps.to_dlpack(A));

julia> B[2, 3] = 60; A[2, 3]
60.0f0

julia> close(B)
```
"""
function to_dlpack(A::AbstractArray)
    n = ndims(A)
    extents = Int64[reverse(size(A))..., reverse(steps(A))...]
    released = Threads.Atomic{Int}(0)
    managed = Ref(DLManagedTensorVersioned(
        DLPackVersion(1, 0), pointer_from_objref(released),
        @cfunction(release_export, Cvoid, (Ptr{DLManagedTensorVersioned},)),
        readonly(A) ? DLPACK_FLAG_READ_ONLY : 0,
        DLTensor(address(A), device_of(A), n, datatype(eltype(A)), pointer(extents), pointer(extents, n + 1), 0)))
    p = Ptr{DLManagedTensorVersioned}(pointer_from_objref(managed))
    entry = Export(A, extents, managed, released)
    lock(() -> EXPORTS[p] = entry, EXPORTS_LOCK)
    sweep_exports()
    p
end

"""
    TileOps.close_dlpack(p)

Calls the deleter of a tensor that `to_dlpack` made and that no consumer took.
"""
close_dlpack(p::Ptr) = delete_dlpack(Ptr{DLManagedTensorVersioned}(p))
