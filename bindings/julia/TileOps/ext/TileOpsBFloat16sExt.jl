module TileOpsBFloat16sExt

using BFloat16s: BFloat16s
using TileOps: TileOps

const R = TileOps.Runtime

# The same 16 bits as TileOps.BFloat16. Results of such operands are TileOps's type where no operand
# of the result's dtype lends its own.
R.datatype(::Type{BFloat16s.BFloat16}) = R.datatype(TileOps.BFloat16)
R.is_dtype(::Type{BFloat16s.BFloat16}) = true
R.category(::Type{BFloat16s.BFloat16}) = 3

BFloat16s.BFloat16(x::TileOps.BFloat16) = reinterpret(BFloat16s.BFloat16, reinterpret(UInt16, x))
TileOps.BFloat16(x::BFloat16s.BFloat16) = reinterpret(TileOps.BFloat16, reinterpret(UInt16, x))

end
