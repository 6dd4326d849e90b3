# A status that is not OK becomes a TileOpsError.

Base.show(io::IO, s::Status) = print(io, get(STATUS_NAMES, s.value, "Status($(s.value))"))

"""
    TileOpsError

What a call of the library was refused for.

- `status`: a `TileOps.Status` such as `TileOps.Runtime.STATUS_INVALID_ARGUMENT`
- `argument`: the argument at fault, such as `"inputs[0]"`; `""` if the message names none
- `message`: the whole text, "function: argument: what (got X, need Y)"
- `offset`: number of bytes of an [`Expression`](@ref)'s text before what is wrong in it; -1 if no text is

Indices in texts of the library count from 0, and shapes are row-major: Julia's sizes reversed.
"""
struct TileOpsError <: Exception
    status::Status
    argument::String
    message::String
    offset::Int
end

# "tileops_execute: inputs[1]: ..." names inputs[1]; finishing a builder names the call that failed before that.
function TileOpsError(status::Status, message::AbstractString, offset=-1)
    m = match(r"^(?:tileops_builder_finish: )?[\w.!]+: (\w+(?:\[\d+\])?)(?: '\w+')?:? ", message)
    TileOpsError(status, m === nothing ? "" : String(m.captures[1]), String(message), offset)
end

function Base.showerror(io::IO, e::TileOpsError)
    print(io, "TileOpsError (", e.status, "): ", e.message)
end

# Not inlined: the way without an error stays short. The text belongs to this thread, and there is
# no point between the failing call and this one where the task could move to another.
@noinline function throw_last_error(status::Int32)
    offset = ccall(LIB.tileops_last_error_offset, Int32, ())
    throw(TileOpsError(Status(status), unsafe_string(ccall(LIB.tileops_last_error, Cstring, ())), offset))
end

@inline check(status::Int32) = status == 0 ? nothing : throw_last_error(status)

@noinline invalid(message) = throw(TileOpsError(STATUS_INVALID_ARGUMENT, message))
@noinline unsupported(message) = throw(TileOpsError(STATUS_UNSUPPORTED, message))
