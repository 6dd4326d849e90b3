module TileOpsCUDAExt

using CUDA: CUDA, CuArray, CuPtr, CuStream
using TileOps: TileOps

const R = TileOps.Runtime

# Views, reshaped and permuted arrays reach these through their parent (memory.jl).
R.root_device(A::CuArray) = R.DLDevice(R.kDLCUDA, CUDA.deviceid(CUDA.device(A)))
R.raw_address(p::CuPtr) = reinterpret(Ptr{Cvoid}, p)

# Work goes to the task's stream, so that CUDA.jl's memory pool frees operands in stream order.
R.default_stream(::CuArray) = stream_pointer(CUDA.stream())
R.stream_pointer(stream::CuStream, ::Tuple) = stream_pointer(stream)
stream_pointer(stream::CuStream) = reinterpret(Ptr{Cvoid}, stream.handle)

# f.(x) of GPU arrays is one kernel of the library as well; the rest of a dotted expression is CUDA.jl's.
function Base.Broadcast.broadcasted(::CUDA.CuArrayStyle, f::R.Attributed, args...)
    Base.Broadcast.Broadcasted{R.TileOpsStyle}(f, args)
end
Base.Broadcast.broadcasted(style::CUDA.CuArrayStyle, f::TileOps.Elementwise, args...) =
    Base.Broadcast.broadcasted(style, R.Attributed(f), args...)
Base.Broadcast.BroadcastStyle(style::R.TileOpsStyle, ::CUDA.CuArrayStyle) = style

end
