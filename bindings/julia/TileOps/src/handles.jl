# Handles of the C library. A handle may be closed by one task while others use it: those that are
# inside a call keep it alive, later ones get an error. Nothing here locks, waits or prints, so that
# the same code serves as a finalizer.

mutable struct Handle
    pointer::Threads.Atomic{UInt}
    # Calls in flight, plus CLOSED once it is closed.
    uses::Threads.Atomic{Int}
    process::UInt128
    Handle(p::Ptr) = (Threads.atomic_add!(LIVE_HANDLES, 1);
                      new(Threads.Atomic{UInt}(UInt(p)), Threads.Atomic{Int}(0), PROCESS[]))
end

# A random number of this process. Constants of a precompiled module are read from a file in another
# process than the one that made them, where their addresses mean nothing: they have another number.
# (The process's id would not do, since ids are used again.)
const PROCESS = Ref{UInt128}(0)

begin_process() = (PROCESS[] = rand(Random.RandomDevice(), UInt128); nothing)

stale(h::Handle) = h.process != PROCESS[]

const CLOSED = typemin(Int) ÷ 2
const LIVE_HANDLES = Threads.Atomic{Int}(0)

"Handles of the C library that are not released yet; tests look for leaks with it."
live_handles() = LIVE_HANDLES[]

@inline function acquire(h::Handle, what)
    stale(h) && of_another_process(noun(what))
    if Threads.atomic_add!(h.uses, 1) < 0
        release(h, what)
        closed(what)
    end
    Ptr{Cvoid}(h.pointer[])
end

@inline function release(h::Handle, what)
    Threads.atomic_sub!(h.uses, 1) == CLOSED + 1 && destroy(h, what)
    nothing
end

function close_handle(h::Handle, what)
    stale(h) && return nothing
    uses = h.uses[]
    while uses >= 0
        seen = Threads.atomic_cas!(h.uses, uses, uses + CLOSED)
        seen == uses && return uses == 0 ? destroy(h, what) : nothing
        uses = seen
    end
    nothing
end

# Only ever called when the handle is closed and no call is in flight; that may be seen by several
# tasks, of which one gets the pointer.
@noinline function destroy(h::Handle, what)
    p = Threads.atomic_xchg!(h.pointer, UInt(0))
    p == 0 && return nothing
    Threads.atomic_sub!(LIVE_HANDLES, 1)
    destroy(what, Ptr{Cvoid}(p))
end

isopen_handle(h::Handle) = !stale(h) && h.uses[] >= 0

# How a handle's state is shown.
state(h::Handle) = stale(h) ? "stale" : isopen_handle(h) ? "open" : "closed"

@noinline closed(what) = invalid("TileOps: $(noun(what)): is closed")

@noinline of_another_process(name) =
    invalid("TileOps: $name: is of another process (a constant of a precompiled module keeps it no longer " *
            "than precompilation lasts); make it where the program runs, such as in the module's __init__")

@noinline cannot_serialize(name) =
    invalid("TileOps: $name: cannot be serialized, since it belongs to this process; make it where it is needed")

# Copied bit by bit there would be two owners of one reference.
Serialization.serialize(::AbstractSerializer, ::Handle) = cannot_serialize("handle")
Base.deepcopy_internal(::Handle, ::IdDict) = invalid("TileOps: handle: cannot be copied; deepcopy the plan itself")
