//! The structs of DLPack (`dlpack/dlpack.h`, ABI version 1). They are written here because the ABI
//! is frozen, whereas the header that bindgen would read differs from machine to machine.

use core::ffi::c_void;

/// Kind of a device. A newtype: DLPack adds kinds from time to time.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DLDeviceType(pub u32);

#[allow(non_upper_case_globals)] // the names of the C header
impl DLDeviceType {
    /// Host memory.
    pub const kDLCPU: Self = Self(1);
    /// CUDA device memory.
    pub const kDLCUDA: Self = Self(2);
    /// Pinned host memory.
    pub const kDLCUDAHost: Self = Self(3);
    /// CUDA managed memory.
    pub const kDLCUDAManaged: Self = Self(13);
}

/// A device: kind and index.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DLDevice {
    /// Kind of the device.
    pub device_type: DLDeviceType,
    /// Index among the devices of that kind; 0 for the CPU.
    pub device_id: i32,
}

/// Type codes of [`DLDataType`] that libtileops knows.
#[allow(non_upper_case_globals)]
pub mod code {
    /// Signed integer.
    pub const kDLInt: u8 = 0;
    /// Unsigned integer.
    pub const kDLUInt: u8 = 1;
    /// IEEE floating point.
    pub const kDLFloat: u8 = 2;
    /// bfloat16.
    pub const kDLBfloat: u8 = 4;
    /// Bool, one byte.
    pub const kDLBool: u8 = 6;
    /// OCP float8 e4m3 without infinities.
    pub const kDLFloat8_e4m3fn: u8 = 10;
    /// OCP float8 e5m2.
    pub const kDLFloat8_e5m2: u8 = 12;
    /// OCP scale of a block: an exponent alone.
    pub const kDLFloat8_e8m0fnu: u8 = 14;
    /// OCP float4, two in a byte.
    pub const kDLFloat4_e2m1fn: u8 = 17;
}

/// Element type.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DLDataType {
    /// One of [`code`].
    pub code: u8,
    /// Bits of one element.
    pub bits: u8,
    /// Elements of a vector type; 1 for all that libtileops takes.
    pub lanes: u16,
}

/// A tensor: memory that somebody else owns, and its layout.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLTensor {
    /// Start of the memory.
    pub data: *mut c_void,
    /// Where the memory is.
    pub device: DLDevice,
    /// Number of dimensions.
    pub ndim: i32,
    /// Element type.
    pub dtype: DLDataType,
    /// `ndim` extents.
    pub shape: *mut i64,
    /// `ndim` strides in elements; NULL: row-major.
    pub strides: *mut i64,
    /// Bytes from `data` to element 0.
    pub byte_offset: u64,
}

/// Version of the DLPack ABI.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DLPackVersion {
    /// Another major version has another layout: only the deleter may be called.
    pub major: u32,
    /// Minor versions add values, no fields.
    pub minor: u32,
}

/// The tensor must not be written to.
pub const DLPACK_FLAG_BITMASK_READ_ONLY: u64 = 1;

/// A tensor that owns its memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLManagedTensorVersioned {
    /// Version of this struct.
    pub version: DLPackVersion,
    /// For the deleter's use.
    pub manager_ctx: *mut c_void,
    /// Frees everything, this struct included; may be NULL.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
    /// `DLPACK_FLAG_BITMASK_*`.
    pub flags: u64,
    /// The tensor.
    pub dl_tensor: DLTensor,
}

#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<DLTensor>() == 48 && size_of::<DLManagedTensorVersioned>() == 80);
    assert!(core::mem::offset_of!(DLTensor, shape) == 24);
    assert!(core::mem::offset_of!(DLManagedTensorVersioned, flags) == 24);
    assert!(core::mem::offset_of!(DLManagedTensorVersioned, dl_tensor) == 32);
};
