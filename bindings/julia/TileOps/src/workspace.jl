# What plans work in besides their operands: memory for what one pass over them leaves for later ones, such as sums along
# all axes.

# One that no execute has. Work on the stream begins when the work before has ended, which had it.
mutable struct Kept
    stream::Ptr{Cvoid}
    data::Ptr{Cvoid}
    bytes::Int
    memory::Any  # an array that owns it
end

# Those of a plan. The lock is held for a few instructions, and never by a finalizer.
struct Workspaces
    bytes::Int  # AT_EXTENTS: as many as the sizes of an execute need
    device::DLDevice
    lock::Threads.SpinLock
    free::Vector{Kept}
end

Workspaces(bytes, device) = Workspaces(bytes, device, Threads.SpinLock(), Kept[])

const AT_EXTENTS = -1
const MOST_KEPT = 64  # beyond that the oldest one is freed
const STREAM_PER_THREAD = Ptr{Cvoid}(2)  # cudaStreamPerThread: one handle, which is another stream on each thread

# One that no other execute has: even on one stream the passes of two that are enqueued at once would mix.
function borrow_workspace(own::Workspaces, stream::Ptr{Cvoid}, bytes::Int=own.bytes)
    kept = free_workspace(own, stream)
    kept === nothing && return new_kept(own, stream, bytes)
    kept.bytes >= bytes && return kept
    close(kept.memory)  # it makes room for the one that will be
    new_kept(own, stream, bytes)
end

function free_workspace(own::Workspaces, stream)
    kept = nothing
    lock(own.lock)
    for i in length(own.free):-1:1
        if own.free[i].stream == stream
            kept = own.free[i]
            deleteat!(own.free, i)
            break
        end
    end
    unlock(own.lock)
    kept
end

@noinline function new_kept(own::Workspaces, stream, bytes)
    stream == STREAM_PER_THREAD &&
        invalid("execute!: stream: the plan needs a workspace, and cudaStreamPerThread is another stream on each thread " *
                "(need a stream of its own, or the keyword workspace)")
    own.bytes == AT_EXTENTS && (bytes = nextpow(2, bytes))  # where sizes grow, not each of them allocates
    memory = undefined_tensor(UInt8, (bytes,); device=own.device)
    Kept(stream, address(memory), bytes, memory)
end

function give_back(own::Workspaces, kept::Kept)
    oldest = nothing
    lock(own.lock)
    if length(own.free) == MOST_KEPT
        oldest = own.free[1]
        deleteat!(own.free, 1)
    end
    push!(own.free, kept)
    unlock(own.lock)
    # The driver frees memory when the device's work that may read it has ended.
    oldest === nothing || close(oldest.memory)
    nothing
end

# When a plan is closed; what executes in flight have is freed as garbage.
forget_workspaces(::Nothing) = nothing
function forget_workspaces(own::Workspaces)
    lock(own.lock)
    all = copy(own.free)
    empty!(own.free)
    unlock(own.lock)
    foreach(kept -> close(kept.memory), all)
end

own_workspaces(::Nothing) = nothing
own_workspaces(own::Workspaces) = Workspaces(own.bytes, own.device)

# Address and size of one that is given.
@inline given_workspace(::Nothing, workspace) = (C_NULL, UInt64(0))
@inline function given_workspace(own::Workspaces, workspace::AbstractArray)
    device_of(workspace) == own.device || misplaced_workspace(workspace, own)
    dense = steps(workspace) == Base.size_to_strides(1, size(workspace)...)
    dense && !readonly(workspace) || unfit_workspace(workspace)
    address(workspace), UInt64(length(workspace) * sizeof(eltype(workspace)))
end
given_workspace(::Workspaces, workspace) = invalid("execute!: workspace: is no array (got $(typeof(workspace)))")

@noinline misplaced_workspace(workspace, own) =
    invalid("execute!: workspace: is on another device (got $(device_of(workspace)), need $(own.device))")
@noinline unfit_workspace(workspace) =
    invalid("execute!: workspace: is read-only or not dense (got $(summary(workspace)))")
