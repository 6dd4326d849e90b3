# Devices, memory and streams, for programs that have no CUDA.jl, and the library's caches and log.

"""
    TileOps.Device

A device that plans can be made for: `type` (`:cpu` or `:cuda`), `id`, `name`, `arch` (`"avx512"`,
`"sm_90"`), `memory_bytes`, and `units`, its CPU threads or multiprocessors.
"""
struct Device
    type::Symbol
    id::Int
    name::String
    arch::String
    memory_bytes::Int
    units::Int
end

Base.show(io::IO, d::Device) = print(io, d.type, ":", d.id, ", ", d.name, ", ", d.arch, ", ", d.units, " units")

# Where a device is asked for: :cpu, :cuda, (:cuda, 1) or a TileOps.Device.
dl_device(d::DLDevice) = d
dl_device(d::Device) = dl_device((d.type, d.id))
dl_device(type::Symbol) = dl_device((type, 0))
dl_device((type, id)::Tuple{Symbol,Integer}) =
    type === :cpu ? DLDevice(kDLCPU, id) : type === :cuda ? DLDevice(kDLCUDA, id) :
    invalid("TileOps: device: is unknown (got :$type, need :cpu or :cuda)")
dl_device(d) = invalid("TileOps: device: is unknown (got $(repr(d)), need :cpu, :cuda or (:cuda, id))")

"""
    TileOps.devices()

All devices, the CPU first.
"""
function devices()
    require_library()
    map(1:ccall(LIB.tileops_device_count, Csize_t, ())) do i
        out = sized_struct(CDeviceInfo)
        check(ccall(LIB.tileops_device_describe, Int32, (Csize_t, Ref{CDeviceInfo}), i - 1, out))
        d = out[]
        Device(d.device.type == kDLCPU ? :cpu : :cuda, d.device.id, field_text(d.name), field_text(d.arch),
               d.memory_bytes, d.units)
    end
end

field_text(bytes) = String(UInt8[b for b in Iterators.takewhile(!iszero, bytes)])

"""
    TileOps.undefined_tensor(T, size; device=:cpu, context=nothing) -> ManagedArray

Memory on a device, 64-byte aligned, contents undefined.
"""
function undefined_tensor(::Type{T}, dims::Dims{N}; device=:cpu, context=nothing) where {T,N}
    shape = Int64[reverse(dims)...]
    out = Ref{Ptr{Cvoid}}(C_NULL)
    place, dtype = dl_device(device), datatype(T)
    check(with_context(context) do ctx
        ccall(LIB.tileops_tensor_alloc, Int32, (Ptr{Cvoid}, DLDevice, DLDataType, Int32, Ptr{Int64}, Ref{Ptr{Cvoid}}),
              ctx, place, dtype, N, shape, out)
    end)
    from_dlpack(out[])
end

"""
    TileOps.copy_tensor!(dest, source; stream=nothing, context=nothing)

Copies between arrays of the same size and element type, of any devices and strides, on `stream`
where one of them is in CUDA memory. Returns `dest`.
"""
function copy_tensor!(dest, source; stream=nothing, context=nothing)
    outs, ins = (output(dest),), (operand(source),)
    s = stream_pointer(stream, device_of(dest) == CPU ? ins : outs)
    status = with_tensors(outs, ins) do inputs, _, outputs, _
        with_context(context) do ctx
            ccall(LIB.tileops_tensor_copy, Int32, (Ptr{Cvoid}, Ptr{DLTensor}, Ptr{DLTensor}, Ptr{Cvoid}),
                  ctx, unsafe_load(inputs), unsafe_load(outputs), s)
        end
    end
    check(status)
    dest
end

"""
    TileOps.create_stream(device; context=nothing) -> Ptr{Cvoid}

A stream of a CUDA device, to be given to `execute!`; release it with
`TileOps.destroy_stream(device, stream)`. The CPU's is `C_NULL`.
"""
function create_stream(device; context=nothing)
    out, place = Ref{Ptr{Cvoid}}(C_NULL), dl_device(device)
    check(with_context(context) do ctx
        ccall(LIB.tileops_stream_create, Int32, (Ptr{Cvoid}, DLDevice, Ref{Ptr{Cvoid}}), ctx, place, out)
    end)
    out[]
end

"""
    TileOps.destroy_stream(device, stream; context=nothing)

Destroys a stream of `TileOps.create_stream` once its work is done.
"""
function destroy_stream(device, stream::Ptr; context=nothing)
    place = dl_device(device)
    check(with_context(context) do ctx
        ccall(LIB.tileops_stream_destroy, Int32, (Ptr{Cvoid}, DLDevice, Ptr{Cvoid}), ctx, place, stream)
    end)
end

"""
    TileOps.synchronize_stream(device, stream; context=nothing)

Waits for all work on a stream.
"""
function synchronize_stream(device, stream::Ptr; context=nothing)
    place = dl_device(device)
    check(with_context(context) do ctx
        ccall(LIB.tileops_stream_synchronize, Int32, (Ptr{Cvoid}, DLDevice, Ptr{Cvoid}), ctx, place, stream)
    end)
end

"Counters of a context since its creation, see [`TileOps.cache_stats`](@ref)."
const CacheStats = NamedTuple{fieldnames(CCacheStats)[3:end],NTuple{12,Int}}

"""
    TileOps.cache_stats(context=nothing)

Counters of a context: `plan_hits`, `plan_misses`, `plan_evictions`, `plan_entries`,
`kernel_memory_hits`, `kernel_pack_hits`, `kernel_disk_hits`, `kernel_compiles`, `disk_bad_entries`;
`tables_made` and `tables_refused`, tables of results on CUDA devices and plans that do without one; and `device_bytes`,
what the library holds now of the memory of CUDA devices, for all contexts.
"""
function cache_stats(context=nothing)
    out = sized_struct(CCacheStats)
    check(with_context(context) do ctx
        ccall(LIB.tileops_cache_stats_get, Int32, (Ptr{Cvoid}, Ref{CCacheStats}), ctx, out)
    end)
    CacheStats(ntuple(i -> Int(getfield(out[], i + 2)), Val(12)))
end

"""
    TileOps.clear_cache!(context=nothing; plans=true, disk=false)

Empties caches of a context. Plans in use stay valid. The default context's plans include those that dotted
expressions keep.
"""
function clear_cache!(context=nothing; plans::Bool=true, disk::Bool=false)
    plans && context === nothing && forget_sites()
    which = UInt32(plans ? CACHE_PLANS : 0) | UInt32(disk ? CACHE_DISK : 0)
    check(with_context(ctx -> ccall(LIB.tileops_cache_clear, Int32, (Ptr{Cvoid}, UInt32), ctx, which), context))
end

"""
    TileOps.log_level!(level)

What the library writes to stderr, or to the file of `TILEOPS_LOG_FILE`: `:off`, `:error`, `:warn`,
`:info` (plans made, kernels chosen) or `:debug`.
"""
function log_level!(level::Symbol)
    require_library()
    index = findfirst(isequal(level), (:off, :error, :warn, :info, :debug))
    index === nothing && invalid("TileOps.log_level!: level: is unknown (got :$level, need :off to :debug)")
    check(ccall(LIB.tileops_log_set, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Int32), C_NULL, C_NULL, index - 1))
end
