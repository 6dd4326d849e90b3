"""
    Context(; num_threads=0, cpu_isa=nothing, plan_capacity=0, cache=nothing, cache_dir=nothing,
            cache_max_bytes=0)

Options, caches and worker threads of plans. Few programs need one: without, plans use the process's
default context, which takes its options from the environment (`TILEOPS_NUM_THREADS` and others).

- `num_threads`: most CPU threads of one execute; 0 for as many as the process may run on
- `cpu_isa`: `"baseline"`, `"avx2"`, `"avx512"`, `"avx512vbmi"` or `"auto"`
- `plan_capacity`: most plans kept for reuse; 0 for 1024
- `cache`: kernel cache on disk, `:off`, `:readonly` or `:readwrite`; `cache_dir`, `cache_max_bytes`

`close` releases it, at the latest when it is garbage; plans made with it stay usable.
"""
mutable struct Context
    handle::Handle

    function Context(; num_threads::Integer=0, cpu_isa::Union{Nothing,AbstractString}=nothing,
                     plan_capacity::Integer=0, cache::Union{Nothing,Symbol}=nothing,
                     cache_dir::Union{Nothing,AbstractString}=nothing, cache_max_bytes::Integer=0)
        require_library()
        mode = findfirst(isequal(cache), (nothing, :off, :readonly, :readwrite))
        mode === nothing && invalid("Context: cache: is unknown (got :$cache, need :off, :readonly or :readwrite)")
        in_range("plan_capacity", plan_capacity, UInt32)
        in_range("num_threads", num_threads, Int32)
        in_range("cache_max_bytes", cache_max_bytes, UInt64)
        isa = cpu_isa === nothing ? nothing : c_text("cpu_isa", cpu_isa)
        dir = cache_dir === nothing ? nothing : c_text("cache_dir", cache_dir)
        out = Ref{Ptr{Cvoid}}(C_NULL)
        GC.@preserve isa dir begin
            options = Ref(CContextOptions(sizeof(CContextOptions), mode - 1,
                dir === nothing ? C_NULL : pointer(dir), cache_max_bytes, plan_capacity, num_threads,
                isa === nothing ? C_NULL : pointer(isa), 0, 0, C_NULL, C_NULL))
            check(ccall(LIB.tileops_context_create, Int32, (Ref{CContextOptions}, Ref{Ptr{Cvoid}}), options, out))
        end
        finalizer(close, new(Handle(out[])))
    end
end

function in_range(name, value, ::Type{T}) where {T}
    typemin(T) <= value <= typemax(T) || invalid("Context: $name: is out of range (got $value)")
end

# A C string; one with a NUL inside would be another text for the library.
function c_text(name, text)
    '\0' in text && invalid("Context: $name: has a NUL character")
    String(text)
end

noun(::Type{Context}) = "context"
destroy(::Type{Context}, p::Ptr{Cvoid}) = ccall(LIB.tileops_context_destroy, Cvoid, (Ptr{Cvoid},), p)
Base.close(c::Context) = close_handle(c.handle, Context)
Base.isopen(c::Context) = isopen_handle(c.handle)
Base.show(io::IO, c::Context) = print(io, "TileOps.Context(", state(c.handle), ")")

Serialization.serialize(::AbstractSerializer, ::Context) = cannot_serialize("context")
Base.deepcopy_internal(::Context, ::IdDict) =
    invalid("TileOps: context: cannot be copied; share it, or make another with Context(...)")

# Calls f with the pointer of a context, NULL for the default one. `f` returns a status: an exception
# out of it would leave the handle in use.
@inline function with_context(f::F, ::Nothing) where {F}
    require_library()
    f(C_NULL)
end
@inline function with_context(f::F, c::Context) where {F}
    GC.@preserve c begin
        p = acquire(c.handle, Context)
        status = f(p)
        release(c.handle, Context)
    end
    status
end
