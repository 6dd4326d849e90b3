# DLPack in and out. The C library's own allocator plays the foreign producer.
A = Float32[1 2 3; 4 5 6]

# Out: sizes reversed, strides given, the array kept until the deleter.
p = TileOps.to_dlpack(view(A, :, 1:2:3))
managed = unsafe_load(p)
t = managed.dl_tensor
@test managed.version == R.DLPackVersion(1, 0) && managed.flags == 0
@test t.ndim == 2 && t.dtype == R.datatype(Float32) && t.device == R.CPU && t.byte_offset == 0
@test [unsafe_load(t.shape, i) for i in 1:2] == [2, 2] && [unsafe_load(t.strides, i) for i in 1:2] == [4, 1]
@test Ptr{Float32}(t.data) == pointer(A)
@test R.live_exports() == 1
TileOps.close_dlpack(p)
@test R.live_exports() == 0

# In: the same memory.
B = TileOps.from_dlpack(TileOps.to_dlpack(A))
@test B isa TileOps.ManagedArray{Float32,2} && B == A && strides(B) == (1, 2)
B[2, 3] = 60
@test A[2, 3] == 60 && TileOps.neg(B) == -A && TileOps.neg.(B) == -A
@test TileOps.neg!(B, A) === B && A[1, 1] == -1
@test_throws BoundsError B[3, 1]
close(B)
close(B)
@test !isopen(B) && R.live_exports() == 0
@test_throws TileOpsError B[1, 1]
@test_throws TileOpsError TileOps.neg(B)

# Garbage is released too.
make() = (TileOps.from_dlpack(TileOps.to_dlpack(rand(3))); nothing)
foreach(_ -> make(), 1:10)
GC.gc()
@test R.live_exports() == 0

# The library's tensors.
C = TileOps.undefined_tensor(Float64, (3, 2))
TileOps.copy_tensor!(C, [1.0 2; 3 4; 5 6])
@test C == [1.0 2; 3 4; 5 6] && UInt(pointer(C)) % 64 == 0 && isopen(C)
@test TileOps.add(C, 1) == [2.0 3; 4 5; 6 7]
close(C)
@test size(TileOps.undefined_tensor(Int8, ())) == () && size(TileOps.undefined_tensor(Bool, (0, 3))) == (0, 3)
D = TileOps.undefined_tensor(Int32, ())
D[] = 5
@test D[] === Int32(5) && TileOps.neg(D)[] === Int32(-5)

# Tensors as foreign producers make them; `deleted` counts calls of the deleter.
const DELETED = Ref(0)
count_deletion(p::Ptr{R.DLManagedTensorVersioned}) = (DELETED[] += 1; nothing)
function foreign(; version=R.DLPackVersion(1, 1), flags=0, data=Float32[1, 2, 3, 4, 5, 6], shape=Int64[2, 3], strides=Int64[],
                 dtype=R.datatype(eltype(data)), offset=0, ndim=length(shape))
    deleter = @cfunction(count_deletion, Cvoid, (Ptr{R.DLManagedTensorVersioned},))
    ref = Ref(R.DLManagedTensorVersioned(version, C_NULL, deleter, flags,
        R.DLTensor(pointer(data), R.CPU, ndim, dtype, isempty(shape) ? C_NULL : pointer(shape),
                   isempty(strides) ? C_NULL : pointer(strides), offset)))
    ref, (data, shape, strides)
end
function adopt(; options...)
    ref, keep = foreign(; options...)
    GC.@preserve ref keep begin
        A = TileOps.from_dlpack(Ptr{Cvoid}(pointer_from_objref(ref)))
        value = Array(A)
        close(A)
        value
    end
end
DELETED[] = 0
@test adopt() == Float32[1 4; 2 5; 3 6]  # no strides: row-major
@test adopt(strides=Int64[1, 2]) == Float32[1 2; 3 4; 5 6]
@test adopt(shape=Int64[2, 2], strides=Int64[0, 1], offset=8) == Float32[3 3; 4 4]
@test adopt(shape=Int64[]) == fill(1.0f0)
@test DELETED[] == 4
for wrong in ((version=R.DLPackVersion(2, 0),), (version=R.DLPackVersion(0, 8),), (dtype=R.DLDataType(2, 32, 2),),
              (dtype=R.DLDataType(5, 64, 1),), (dtype=R.DLDataType(6, 1, 1),), (shape=Int64[2, -1],), (ndim=33,), (ndim=-1,))
    DELETED[] = 0
    @test_throws TileOpsError adopt(; wrong...)
    @test DELETED[] == 1
end

# Read-only tensors are inputs only.
ref, keep = foreign(flags=R.DLPACK_FLAG_READ_ONLY)
GC.@preserve ref keep begin
    E = TileOps.from_dlpack(Ptr{Cvoid}(pointer_from_objref(ref)))
    @test TileOps.neg(E) == -Array(E)
    @test_throws TileOpsError TileOps.neg!(E, Array(E))
    @test_throws TileOpsError E[1, 1] = 0
    @test_throws TileOpsError E .= TileOps.neg.(Array(E))
    p = TileOps.to_dlpack(E)
    @test unsafe_load(p).flags == R.DLPACK_FLAG_READ_ONLY
    TileOps.close_dlpack(p)
    close(E)
end
