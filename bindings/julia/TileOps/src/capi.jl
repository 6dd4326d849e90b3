# The structs of dlpack.h and tileops.h, field by field. Enumerations are 32-bit integers, so that
# values that a newer library adds are no error.

const kDLCPU = Int32(1)
const kDLCUDA = Int32(2)

struct DLDevice
    type::Int32
    id::Int32
end

const CPU = DLDevice(kDLCPU, 0)
Base.hash(d::DLDevice, h::UInt) = hash(d.id, hash(d.type, h))  # Julia's own allocates

struct DLDataType
    code::UInt8
    bits::UInt8
    lanes::UInt16
end

struct DLTensor
    data::Ptr{Cvoid}
    device::DLDevice
    ndim::Int32
    dtype::DLDataType
    shape::Ptr{Int64}
    strides::Ptr{Int64}
    byte_offset::UInt64
end

struct DLPackVersion
    major::UInt32
    minor::UInt32
end

struct DLManagedTensorVersioned
    version::DLPackVersion
    manager_ctx::Ptr{Cvoid}
    deleter::Ptr{Cvoid}
    flags::UInt64
    dl_tensor::DLTensor
end

const DLPACK_FLAG_READ_ONLY = UInt64(1)

# `bits` is the union of a double and an int64_t.
struct CAttr
    key::Int32
    kind::Int32
    bits::UInt64
end

struct CTensorDesc
    dtype::DLDataType
    ndim::Int32
    shape::Ptr{Int64}
    strides::Ptr{Int64}
end

struct CPlanDesc
    struct_size::UInt32
    op::Int32
    device::DLDevice
    num_inputs::Int32
    num_outputs::Int32
    num_attrs::Int32
    flags::UInt32
    inputs::Ptr{CTensorDesc}
    outputs::Ptr{CTensorDesc}
    attrs::Ptr{CAttr}
    strategy::Int32
    threads::Int32
    num_per_thread::Int32
    reserved::Int32
    expr::Ptr{Cvoid}
end

# `bits` is the union of a double and an int64_t.
struct CNumber
    kind::Int32
    reserved::Int32
    bits::UInt64
end

const NUMBER_DEFAULT = Int32(0)
const NUMBER_F64 = Int32(1)
const NUMBER_I64 = Int32(2)
const NUMBER_BOOL = Int32(3)

struct CExprOperandInfo
    name::Cstring
    optional::Int32
    reserved::Int32
    default::CNumber
end

struct CExprInfo
    struct_size::UInt32
    num_operands::Int32
    min_operands::Int32
    num_scalars::Int32
    num_results::Int32
    num_nodes::Int32
    num_host_nodes::Int32
    num_listed_nodes::Int32
    operands::Ptr{CExprOperandInfo}
    scalars::Ptr{CExprOperandInfo}
    results::Ptr{Cstring}
end

struct CNodeInfo
    struct_size::UInt32
    kind::Int32
    index::Int32
    func::Int32
    on_host::Int32
    offset::Int32
    num_arguments::Int32
    num_attrs::Int32
    value::CNumber
    arguments::Ptr{Int32}
    attrs::Ptr{CAttr}
end

struct CAttrInfo
    key::Int32
    kind::Int32
    name::Cstring
    choices::Cstring
    doc::Cstring
    has_default::Int32
    reserved::Int32
    default::UInt64
    least::Float64
    most::Float64
end

struct COpInfo
    struct_size::UInt32
    op::Int32
    name::Cstring
    category::Cstring
    doc::Cstring
    dtypes::UInt32
    result::Cstring
    min_inputs::Int32
    max_inputs::Int32
    min_outputs::Int32
    max_outputs::Int32
    num_attrs::Int32
    inputs::Ptr{Cvoid}
    outputs::Ptr{Cvoid}
    attrs::Ptr{CAttrInfo}
    details::Cstring
end

struct CNamedExprInfo
    struct_size::UInt32
    reserved::UInt32
    name::Cstring
    text::Cstring
    doc::Cstring
end

struct CExecuteArgs
    struct_size::UInt32
    num_inputs::UInt32
    num_outputs::UInt32
    num_scalars::UInt32
    inputs::Ptr{Ptr{DLTensor}}
    outputs::Ptr{Ptr{DLTensor}}
    scalars::Ptr{CNumber}
    stream::Ptr{Cvoid}
    workspace::Ptr{Cvoid}
    workspace_bytes::UInt64
    input_ptrs::Ptr{Ptr{Cvoid}}
    output_ptrs::Ptr{Ptr{Cvoid}}
    extents::Ptr{Int64}
    num_extents::UInt32
    reserved::UInt32
end

struct CPlanFacts
    struct_size::UInt32
    phases::UInt32
    parts::UInt32
    way::UInt32
    workspace_bytes::UInt64
    bytes_moved::UInt64
end

struct CContextOptions
    struct_size::UInt32
    cache_mode::Int32
    cache_dir::Ptr{UInt8}
    cache_max_bytes::UInt64
    plan_capacity::UInt32
    num_threads::Int32
    cpu_isa::Ptr{UInt8}
    keep_workspace::Int32
    reserved::Int32
    pack_dirs::Ptr{UInt8}
    nvrtc_path::Ptr{UInt8}
end

struct CDeviceInfo
    struct_size::UInt32
    reserved::Int32
    device::DLDevice
    name::NTuple{128,UInt8}
    arch::NTuple{32,UInt8}
    memory_bytes::UInt64
    units::Int32
    reserved2::Int32
end

struct CCacheStats
    struct_size::UInt32
    reserved::UInt32
    plan_hits::UInt64
    plan_misses::UInt64
    plan_evictions::UInt64
    plan_entries::UInt64
    kernel_memory_hits::UInt64
    kernel_pack_hits::UInt64
    kernel_disk_hits::UInt64
    kernel_compiles::UInt64
    disk_bad_entries::UInt64
    tables_made::UInt64
    tables_refused::UInt64
    device_bytes::UInt64
end

# Storage for a struct that the library fills; its first member says how large it is.
function sized_struct(::Type{T}) where {T}
    ref = Ref{T}()
    GC.@preserve ref begin
        p = Ptr{UInt8}(pointer_from_objref(ref))
        ccall(:memset, Ptr{Cvoid}, (Ptr{Cvoid}, Cint, Csize_t), p, 0, sizeof(T))
        unsafe_store!(Ptr{UInt32}(p), UInt32(sizeof(T)))
    end
    ref
end
