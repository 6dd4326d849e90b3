"""
    Context(; num_threads=0, cpu_isa=nothing, plan_capacity=0, cache=nothing, cache_dir=nothing,
            cache_max_bytes=0, pack_dirs=(), nvrtc_path=nothing)

Options, caches and worker threads of plans. Few programs need one: without, plans use the process's
default context, which takes its options from the environment (`TILEOPS_NUM_THREADS` and others).

- `num_threads`: most CPU threads of one execute; 0 for as many as the process may run on
- `cpu_isa`: `"baseline"`, `"avx2"`, `"avx512"`, `"avx512vbmi"` or `"auto"`
- `plan_capacity`: most plans kept for reuse; 0 for 1024
- `cache`: kernel cache on disk, `:off`, `:readonly` or `:readwrite`; `cache_dir`, `cache_max_bytes`
- `pack_dirs`: folders of prebuilt packs of CUDA kernels (`kernels-sm_90.pack`), which are looked in before the one beside the
  library
- `nvrtc_path`: the file of the run-time compiler NVRTC, of which a process opens one: a context that names another one than
  is open is refused

`close` releases it, at the latest when it is garbage; plans made with it stay usable.
"""
mutable struct Context
    handle::Handle

    function Context(; num_threads::Integer=0, cpu_isa::Union{Nothing,AbstractString}=nothing,
                     plan_capacity::Integer=0, cache::Union{Nothing,Symbol}=nothing,
                     cache_dir::Union{Nothing,AbstractString}=nothing, cache_max_bytes::Integer=0,
                     pack_dirs=(), nvrtc_path::Union{Nothing,AbstractString}=nothing)
        require_library()
        mode = findfirst(isequal(cache), (nothing, :off, :readonly, :readwrite))
        mode === nothing && invalid("Context: cache: is unknown (got :$cache, need :off, :readonly or :readwrite)")
        in_range("plan_capacity", plan_capacity, UInt32)
        in_range("num_threads", num_threads, Int32)
        in_range("cache_max_bytes", cache_max_bytes, UInt64)
        texts = (cache_dir=c_text("cache_dir", cache_dir), cpu_isa=c_text("cpu_isa", cpu_isa),
                 packs=c_text("pack_dirs", joined_dirs(pack_dirs)), nvrtc=c_text("nvrtc_path", nvrtc_path))
        out = Ref{Ptr{Cvoid}}(C_NULL)
        GC.@preserve texts begin
            cache_text, isa_text, pack_text, nvrtc_text = map(text -> text === nothing ? Ptr{UInt8}(C_NULL) : pointer(text), texts)
            options = Ref(CContextOptions(sizeof(CContextOptions), mode - 1, cache_text, cache_max_bytes, plan_capacity, num_threads,
                                          isa_text, 0, 0, pack_text, nvrtc_text))
            check(ccall(LIB.tileops_context_create, Int32, (Ref{CContextOptions}, Ref{Ptr{Cvoid}}), options, out))
        end
        finalizer(close, new(Handle(out[])))
    end
end

function in_range(name, value, ::Type{T}) where {T}
    typemin(T) <= value <= typemax(T) || invalid("Context: $name: is out of range (got $value)")
end

# A C string; one with a NUL inside would be another text for the library.
c_text(name, ::Nothing) = nothing
function c_text(name, text)
    '\0' in text && invalid("Context: $name: has a NUL character")
    String(text)
end

# Folders with ':' between them; nothing if there are none.
function joined_dirs(dirs)
    dirs isa AbstractString && invalid("Context: pack_dirs: is a string (need a collection of folders)")
    any(dir -> ':' in dir, dirs) && invalid("Context: pack_dirs: has a folder with ':', which stands between folders")
    isempty(dirs) ? nothing : join(dirs, ":")
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
