# f.(x, y) and z .= f.(x, y) for elementwise operators: one kernel for each operator in a dotted
# expression, over whole arrays; what Julia functions do around them is fused as usual.

using Base.Broadcast: AbstractArrayStyle, Broadcasted, DefaultArrayStyle, broadcasted, materialize, materialize!

"An operator with its attributes, as it stands in a dotted expression."
struct Attributed{O<:OpInfo,V<:Tuple,D}
    op::O
    values::V
    dtype::D
end

Attributed(op::OpInfo; dtype=nothing, attributes...) = attributed(op, attributes, dtype)

# The type tells of the attributes only whether there are any, which is what the compiler can know.
attributed(op::OpInfo, given::NoKeywords, dtype) = Attributed(op, values_of(op, given), dtype)
attributed(op::OpInfo, given, dtype) = Attributed{typeof(op),Tuple,typeof(dtype)}(op, values_of(op, given), dtype)

# Of numbers alone, where there is no array to dot over.
(f::Attributed)(numbers...) = apply(f.op, numbers, f.values; dtype=f.dtype)

struct TileOpsStyle <: AbstractArrayStyle{Any} end

function Broadcast.broadcasted(::DefaultArrayStyle{N}, f::Attributed, args...) where {N}
    N == 0 ? Broadcasted{DefaultArrayStyle{0}}(f, args) : Broadcasted{TileOpsStyle}(f, args)
end
Broadcast.broadcasted(::TileOpsStyle, f::Attributed, args...) = Broadcasted{TileOpsStyle}(f, args)

const Lazy = Broadcasted{TileOpsStyle}

Base.copy(bc::Lazy) = bc.f isa Attributed ? bc.f(map(argument, bc.args)...) : materialize(plain(bc))

function Base.copyto!(dest::AbstractArray, bc::Lazy)
    if bc.f isa Attributed
        f, args = bc.f, map(argument, bc.args)
        ins = operands(f.op, args)
        if writes_directly(f, dest, ins)
            run_once(f.op, (output(dest),), ins, encode_all(f.op, f.values, ndims(dest)), nothing,
                     stream_pointer(nothing, (dest,)))
            return dest
        end
        return materialize!(dest, broadcasted(identity, f(args...)))
    end
    materialize!(dest, plain(bc))
end

# Only where the kernel does exactly what Julia would: the result's own size and element type, and
# no operand that overlaps the destination in another way than being it.
function writes_directly(f::Attributed, dest, ins)
    borrowable(dest) && result_size(f.op, ins) == size(dest) &&
        eltype(dest) === result_type(f.op, ins, f.values, f.dtype) &&
        all(x -> !Base.mightalias(dest, x) || same_memory(dest, x), ins)
end

same_memory(a, b) = address(a) == address(b) && size(a) == size(b) && steps(a) == steps(b) &&
    sizeof(eltype(a)) == sizeof(eltype(b))

# The expression with every operator in it carried out, for Julia to do the rest.
plain(x) = x
plain(bc::Lazy) = bc.f isa Attributed ? copy(bc) : broadcasted(bc.f, map(plain, bc.args)...)

# Operands of an operator in a dotted expression may be anything that broadcasts; what has no memory
# to borrow (ranges, bit arrays, inner expressions) is computed into an array.
argument(x::Real) = x
argument(x::Broadcasted) = argument(materialize(plain(x)))
argument(x::Ref) = x[]
argument(x::Tuple) = collect(promote(x...))
argument(x::AbstractArray) = borrowable(x) ? x : collect(x)
argument(x) = x

borrowable(A::AbstractArray) = false
borrowable(A::StridedArray) = true
borrowable(A::Union{PermutedDimsArray,Transpose,Adjoint{<:Real}}) = borrowable(parent(A))
