// Written by `cargo run -p xtask -- bindgen` from tileops/tileops.h; do not edit.

use crate::dlpack::*;
use crate::enums::*;

pub const TILEOPS_VERSION_MAJOR: u32 = 0;
pub const TILEOPS_VERSION_MINOR: u32 = 1;
pub const TILEOPS_VERSION_PATCH: u32 = 0;
pub const TILEOPS_VERSION: u32 = 100;
pub const TILEOPS_MAX_NDIM: u32 = 32;
pub const TILEOPS_MAX_INPUTS: u32 = 8;
pub const TILEOPS_MAX_OUTPUTS: u32 = 2;
pub const TILEOPS_MAX_ATTRS: u32 = 12;
pub const TILEOPS_MAX_EXPR_INPUTS: u32 = 32;
pub const TILEOPS_MAX_EXPR_OUTPUTS: u32 = 16;
pub const TILEOPS_MAX_EXPR_SCALARS: u32 = 32;
pub const TILEOPS_MAX_EXPR_NODES: u32 = 256;
pub const TILEOPS_MAX_EXPR_BYTES: u32 = 65536;
unsafe extern "C" {
    /** The constant's name, such as "TILEOPS_STATUS_DEVICE"; "?" for an unknown value. Never NULL.
 Static storage. Since 0.1.*/
    pub fn tileops_status_name(status: tileops_status) -> *const ::core::ffi::c_char;
}
unsafe extern "C" {
    /** Text of the last failure on this thread; "" if there was none. Never NULL. Valid until the next
 failing call on this thread; success does not clear it. Since 0.1.*/
    pub fn tileops_last_error() -> *const ::core::ffi::c_char;
}
unsafe extern "C" {
    /** CUresult, nvrtcResult or errno behind the last failure on this thread; 0 if there is none.
 Since 0.1.*/
    pub fn tileops_last_driver_error() -> i32;
}
unsafe extern "C" {
    /// Version of the loaded library, coded like TILEOPS_VERSION. Since 0.1.
    pub fn tileops_version() -> u32;
}
unsafe extern "C" {
    /// "major.minor.patch" of the loaded library. Static storage. Since 0.1.
    pub fn tileops_version_string() -> *const ::core::ffi::c_char;
}
unsafe extern "C" {
    /** One line: version, compiler, backends, and CPU instruction sets compiled in. Static storage.
 Since 0.1.*/
    pub fn tileops_build_info() -> *const ::core::ffi::c_char;
}
/** Options, caches and worker threads shared by plans. Wherever a context is asked for, NULL means
 the process default context, which is made on first use from the environment.*/
#[repr(C)]
#[derive(Debug)]
pub struct tileops_context {
    _unused: [u8; 0],
}
/// Options win over the environment; a zero field asks the environment, then the default.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_context_options {
    /// sizeof(tileops_context_options)
    pub struct_size: u32,
    /// kernel cache on disk; env TILEOPS_CACHE = off | ro | rw
    pub cache_mode: tileops_cache_mode,
    /// kernel cache directory; env TILEOPS_CACHE_DIR, XDG_CACHE_HOME
    pub cache_dir: *const ::core::ffi::c_char,
    /// its size cap in bytes; env TILEOPS_CACHE_MAX_MB; 512 MiB
    pub cache_max_bytes: u64,
    /// most plans kept for reuse; env TILEOPS_PLAN_CAPACITY; 1024
    pub plan_capacity: u32,
    /** most CPU threads per execute; env TILEOPS_NUM_THREADS; at most,
and by default, as many as the process may run on*/
    pub num_threads: i32,
    /** best CPU instruction set to use: "baseline", "avx2", "avx512",
"avx512vbmi", "auto"; env TILEOPS_CPU_ISA; auto*/
    pub cpu_isa: *const ::core::ffi::c_char,
    /** 1: a plan that needs a workspace keeps one of its own (each handle does that
a create gives), which an execute without one takes; of such executes
of one handle only one may be under way, so they are for one stream or
one thread, and that of a second thread is refused. Freed with the
handle, on CUDA when the device has come so far. 0: none*/
    pub keep_workspace: i32,
    /// 0
    pub reserved: i32,
    /** folders, with ':' between them, in which prebuilt packs (kernels-sm_90.pack) are looked
for before the one beside the library; env TILEOPS_PACK_DIRS*/
    pub pack_dirs: *const ::core::ffi::c_char,
    /** the file of the run-time compiler NVRTC, of which a process opens one: a context
that names another one than is open is refused; env TILEOPS_NVRTC*/
    pub nvrtc_path: *const ::core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_context_options",
    ][::core::mem::size_of::<tileops_context_options>() - 64usize];
    [
        "Alignment of tileops_context_options",
    ][::core::mem::align_of::<tileops_context_options>() - 8usize];
    [
        "Offset of field: tileops_context_options::struct_size",
    ][::core::mem::offset_of!(tileops_context_options, struct_size) - 0usize];
    [
        "Offset of field: tileops_context_options::cache_mode",
    ][::core::mem::offset_of!(tileops_context_options, cache_mode) - 4usize];
    [
        "Offset of field: tileops_context_options::cache_dir",
    ][::core::mem::offset_of!(tileops_context_options, cache_dir) - 8usize];
    [
        "Offset of field: tileops_context_options::cache_max_bytes",
    ][::core::mem::offset_of!(tileops_context_options, cache_max_bytes) - 16usize];
    [
        "Offset of field: tileops_context_options::plan_capacity",
    ][::core::mem::offset_of!(tileops_context_options, plan_capacity) - 24usize];
    [
        "Offset of field: tileops_context_options::num_threads",
    ][::core::mem::offset_of!(tileops_context_options, num_threads) - 28usize];
    [
        "Offset of field: tileops_context_options::cpu_isa",
    ][::core::mem::offset_of!(tileops_context_options, cpu_isa) - 32usize];
    [
        "Offset of field: tileops_context_options::keep_workspace",
    ][::core::mem::offset_of!(tileops_context_options, keep_workspace) - 40usize];
    [
        "Offset of field: tileops_context_options::reserved",
    ][::core::mem::offset_of!(tileops_context_options, reserved) - 44usize];
    [
        "Offset of field: tileops_context_options::pack_dirs",
    ][::core::mem::offset_of!(tileops_context_options, pack_dirs) - 48usize];
    [
        "Offset of field: tileops_context_options::nvrtc_path",
    ][::core::mem::offset_of!(tileops_context_options, nvrtc_path) - 56usize];
};
unsafe extern "C" {
    /** Makes a context. `options` may be NULL (all defaults). The environment is read here, once.
 Errors: INVALID_ARGUMENT (out NULL, negative thread count, unknown ISA or mode), UNSUPPORTED
 (an ISA this CPU lacks), VERSION, OUT_OF_MEMORY. Since 0.1.*/
    pub fn tileops_context_create(
        options: *const tileops_context_options,
        out: *mut *mut tileops_context,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Frees a context; NULL is ignored. Must not run while another thread passes the same handle to
 the library. Plans made with it stay usable. Since 0.1.*/
    pub fn tileops_context_destroy(ctx: *mut tileops_context);
}
/** An attribute value: 16 bytes, by value. Attributes with named choices (approximate, rounding,
 fp8_overflow...) take a choice as TILEOPS_ATTR_I64: one of the constants below, its index in
 tileops_attr_info.choices.*/
#[repr(C)]
#[derive(Copy, Clone)]
pub struct tileops_attr {
    pub key: tileops_attr_key,
    pub kind: tileops_attr_kind,
    pub value: tileops_attr__bindgen_ty_1,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union tileops_attr__bindgen_ty_1 {
    pub f64_: f64,
    pub i64_: i64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_attr__bindgen_ty_1",
    ][::core::mem::size_of::<tileops_attr__bindgen_ty_1>() - 8usize];
    [
        "Alignment of tileops_attr__bindgen_ty_1",
    ][::core::mem::align_of::<tileops_attr__bindgen_ty_1>() - 8usize];
    [
        "Offset of field: tileops_attr__bindgen_ty_1::f64_",
    ][::core::mem::offset_of!(tileops_attr__bindgen_ty_1, f64_) - 0usize];
    [
        "Offset of field: tileops_attr__bindgen_ty_1::i64_",
    ][::core::mem::offset_of!(tileops_attr__bindgen_ty_1, i64_) - 0usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of tileops_attr"][::core::mem::size_of::<tileops_attr>() - 16usize];
    ["Alignment of tileops_attr"][::core::mem::align_of::<tileops_attr>() - 8usize];
    [
        "Offset of field: tileops_attr::key",
    ][::core::mem::offset_of!(tileops_attr, key) - 0usize];
    [
        "Offset of field: tileops_attr::kind",
    ][::core::mem::offset_of!(tileops_attr, kind) - 4usize];
    [
        "Offset of field: tileops_attr::value",
    ][::core::mem::offset_of!(tileops_attr, value) - 8usize];
};
#[repr(C)]
#[derive(Copy, Clone)]
pub struct tileops_attr_info {
    pub key: tileops_attr_key,
    pub kind: tileops_attr_kind,
    pub name: *const ::core::ffi::c_char,
    /// "none|tanh" for named choices (index from 0), else NULL
    pub choices: *const ::core::ffi::c_char,
    pub doc: *const ::core::ffi::c_char,
    /// 0: absent unless given; the operator's text says what that means
    pub has_default: i32,
    pub reserved: i32,
    pub default_value: tileops_attr_info__bindgen_ty_1,
    /// inclusive range; -inf and inf where there is none
    pub min_value: f64,
    /// inclusive range; -inf and inf where there is none
    pub max_value: f64,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union tileops_attr_info__bindgen_ty_1 {
    pub f64_: f64,
    pub i64_: i64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_attr_info__bindgen_ty_1",
    ][::core::mem::size_of::<tileops_attr_info__bindgen_ty_1>() - 8usize];
    [
        "Alignment of tileops_attr_info__bindgen_ty_1",
    ][::core::mem::align_of::<tileops_attr_info__bindgen_ty_1>() - 8usize];
    [
        "Offset of field: tileops_attr_info__bindgen_ty_1::f64_",
    ][::core::mem::offset_of!(tileops_attr_info__bindgen_ty_1, f64_) - 0usize];
    [
        "Offset of field: tileops_attr_info__bindgen_ty_1::i64_",
    ][::core::mem::offset_of!(tileops_attr_info__bindgen_ty_1, i64_) - 0usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of tileops_attr_info"][::core::mem::size_of::<tileops_attr_info>() - 64usize];
    [
        "Alignment of tileops_attr_info",
    ][::core::mem::align_of::<tileops_attr_info>() - 8usize];
    [
        "Offset of field: tileops_attr_info::key",
    ][::core::mem::offset_of!(tileops_attr_info, key) - 0usize];
    [
        "Offset of field: tileops_attr_info::kind",
    ][::core::mem::offset_of!(tileops_attr_info, kind) - 4usize];
    [
        "Offset of field: tileops_attr_info::name",
    ][::core::mem::offset_of!(tileops_attr_info, name) - 8usize];
    [
        "Offset of field: tileops_attr_info::choices",
    ][::core::mem::offset_of!(tileops_attr_info, choices) - 16usize];
    [
        "Offset of field: tileops_attr_info::doc",
    ][::core::mem::offset_of!(tileops_attr_info, doc) - 24usize];
    [
        "Offset of field: tileops_attr_info::has_default",
    ][::core::mem::offset_of!(tileops_attr_info, has_default) - 32usize];
    [
        "Offset of field: tileops_attr_info::reserved",
    ][::core::mem::offset_of!(tileops_attr_info, reserved) - 36usize];
    [
        "Offset of field: tileops_attr_info::default_value",
    ][::core::mem::offset_of!(tileops_attr_info, default_value) - 40usize];
    [
        "Offset of field: tileops_attr_info::min_value",
    ][::core::mem::offset_of!(tileops_attr_info, min_value) - 48usize];
    [
        "Offset of field: tileops_attr_info::max_value",
    ][::core::mem::offset_of!(tileops_attr_info, max_value) - 56usize];
};
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_operand_info {
    pub name: *const ::core::ffi::c_char,
    /// may be absent
    pub optional: i32,
    /// TILEOPS_DTYPES_\* bits that this operand accepts
    pub dtypes: u32,
    /** a fixed dtype such as "bool", "int32|int64", "float32"; else NULL: takes
part in the promotion of the operator*/
    pub dtype: *const ::core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_operand_info",
    ][::core::mem::size_of::<tileops_operand_info>() - 24usize];
    [
        "Alignment of tileops_operand_info",
    ][::core::mem::align_of::<tileops_operand_info>() - 8usize];
    [
        "Offset of field: tileops_operand_info::name",
    ][::core::mem::offset_of!(tileops_operand_info, name) - 0usize];
    [
        "Offset of field: tileops_operand_info::optional",
    ][::core::mem::offset_of!(tileops_operand_info, optional) - 8usize];
    [
        "Offset of field: tileops_operand_info::dtypes",
    ][::core::mem::offset_of!(tileops_operand_info, dtypes) - 12usize];
    [
        "Offset of field: tileops_operand_info::dtype",
    ][::core::mem::offset_of!(tileops_operand_info, dtype) - 16usize];
};
/// What an operator is. All pointers are static.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_op_info {
    /// set by the caller: sizeof(tileops_op_info)
    pub struct_size: u32,
    pub op: tileops_op,
    /// "gelu"
    pub name: *const ::core::ffi::c_char,
    /// "activation"
    pub category: *const ::core::ffi::c_char,
    /// one line: what it computes
    pub doc: *const ::core::ffi::c_char,
    /// TILEOPS_DTYPES_\* bits accepted by the main operands
    pub dtypes: u32,
    /** dtype of output 0 unless the caller asks for another: "promoted" (inputs
promoted by PyTorch's rules), "promoted_float" (integers and bool give
float32), "bool", "source" (cast)*/
    pub result: *const ::core::ffi::c_char,
    pub min_inputs: i32,
    pub max_inputs: i32,
    pub min_outputs: i32,
    pub max_outputs: i32,
    pub num_attrs: i32,
    /// max_inputs of them, in order
    pub inputs: *const tileops_operand_info,
    /// max_outputs of them
    pub outputs: *const tileops_operand_info,
    /// num_attrs of them
    pub attrs: *const tileops_attr_info,
    /** documentation beyond `doc`: shapes, attributes, dtypes, special values,
accuracy, source. Plain text; a blank line ends a paragraph, each other
line is one to be wrapped, and those that begin with "- " are a list*/
    pub details: *const ::core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of tileops_op_info"][::core::mem::size_of::<tileops_op_info>() - 104usize];
    [
        "Alignment of tileops_op_info",
    ][::core::mem::align_of::<tileops_op_info>() - 8usize];
    [
        "Offset of field: tileops_op_info::struct_size",
    ][::core::mem::offset_of!(tileops_op_info, struct_size) - 0usize];
    [
        "Offset of field: tileops_op_info::op",
    ][::core::mem::offset_of!(tileops_op_info, op) - 4usize];
    [
        "Offset of field: tileops_op_info::name",
    ][::core::mem::offset_of!(tileops_op_info, name) - 8usize];
    [
        "Offset of field: tileops_op_info::category",
    ][::core::mem::offset_of!(tileops_op_info, category) - 16usize];
    [
        "Offset of field: tileops_op_info::doc",
    ][::core::mem::offset_of!(tileops_op_info, doc) - 24usize];
    [
        "Offset of field: tileops_op_info::dtypes",
    ][::core::mem::offset_of!(tileops_op_info, dtypes) - 32usize];
    [
        "Offset of field: tileops_op_info::result",
    ][::core::mem::offset_of!(tileops_op_info, result) - 40usize];
    [
        "Offset of field: tileops_op_info::min_inputs",
    ][::core::mem::offset_of!(tileops_op_info, min_inputs) - 48usize];
    [
        "Offset of field: tileops_op_info::max_inputs",
    ][::core::mem::offset_of!(tileops_op_info, max_inputs) - 52usize];
    [
        "Offset of field: tileops_op_info::min_outputs",
    ][::core::mem::offset_of!(tileops_op_info, min_outputs) - 56usize];
    [
        "Offset of field: tileops_op_info::max_outputs",
    ][::core::mem::offset_of!(tileops_op_info, max_outputs) - 60usize];
    [
        "Offset of field: tileops_op_info::num_attrs",
    ][::core::mem::offset_of!(tileops_op_info, num_attrs) - 64usize];
    [
        "Offset of field: tileops_op_info::inputs",
    ][::core::mem::offset_of!(tileops_op_info, inputs) - 72usize];
    [
        "Offset of field: tileops_op_info::outputs",
    ][::core::mem::offset_of!(tileops_op_info, outputs) - 80usize];
    [
        "Offset of field: tileops_op_info::attrs",
    ][::core::mem::offset_of!(tileops_op_info, attrs) - 88usize];
    [
        "Offset of field: tileops_op_info::details",
    ][::core::mem::offset_of!(tileops_op_info, details) - 96usize];
};
unsafe extern "C" {
    /// Number of operators. Since 0.1.
    pub fn tileops_op_count() -> usize;
}
unsafe extern "C" {
    /// The i-th operator in table order, or TILEOPS_OP_NONE if i is out of range. Since 0.1.
    pub fn tileops_op_at(i: usize) -> tileops_op;
}
unsafe extern "C" {
    /// The operator of that name, or TILEOPS_OP_NONE if there is none or name is NULL. Since 0.1.
    pub fn tileops_op_from_name(name: *const ::core::ffi::c_char) -> tileops_op;
}
unsafe extern "C" {
    /** Describes an operator; needs no device and creates nothing. `out-\>struct_size` must be set.
 Errors: INVALID_ARGUMENT (unknown op, out NULL), VERSION. Since 0.1.*/
    pub fn tileops_op_describe(
        op: tileops_op,
        out: *mut tileops_op_info,
    ) -> tileops_status;
}
/// ------------------------------------------------------------------ devices ---------------
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_device_info {
    /// set by the caller
    pub struct_size: u32,
    pub reserved: i32,
    /// kDLCPU or kDLCUDA, and its index
    pub device: DLDevice,
    /// product name
    pub name: [::core::ffi::c_char; 128usize],
    /// "avx512", "sm_90"
    pub arch: [::core::ffi::c_char; 32usize],
    pub memory_bytes: u64,
    /// CPU threads or GPU multiprocessors
    pub units: i32,
    pub reserved2: i32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_device_info",
    ][::core::mem::size_of::<tileops_device_info>() - 192usize];
    [
        "Alignment of tileops_device_info",
    ][::core::mem::align_of::<tileops_device_info>() - 8usize];
    [
        "Offset of field: tileops_device_info::struct_size",
    ][::core::mem::offset_of!(tileops_device_info, struct_size) - 0usize];
    [
        "Offset of field: tileops_device_info::reserved",
    ][::core::mem::offset_of!(tileops_device_info, reserved) - 4usize];
    [
        "Offset of field: tileops_device_info::device",
    ][::core::mem::offset_of!(tileops_device_info, device) - 8usize];
    [
        "Offset of field: tileops_device_info::name",
    ][::core::mem::offset_of!(tileops_device_info, name) - 16usize];
    [
        "Offset of field: tileops_device_info::arch",
    ][::core::mem::offset_of!(tileops_device_info, arch) - 144usize];
    [
        "Offset of field: tileops_device_info::memory_bytes",
    ][::core::mem::offset_of!(tileops_device_info, memory_bytes) - 176usize];
    [
        "Offset of field: tileops_device_info::units",
    ][::core::mem::offset_of!(tileops_device_info, units) - 184usize];
    [
        "Offset of field: tileops_device_info::reserved2",
    ][::core::mem::offset_of!(tileops_device_info, reserved2) - 188usize];
};
unsafe extern "C" {
    /// Devices that plans can be made for: the CPU, then the CUDA devices. Since 0.1.
    pub fn tileops_device_count() -> usize;
}
unsafe extern "C" {
    /** Describes the i-th device. Errors: INVALID_ARGUMENT (i out of range, out NULL), VERSION.
 Since 0.1.*/
    pub fn tileops_device_describe(
        i: usize,
        out: *mut tileops_device_info,
    ) -> tileops_status;
}
/// One operator prepared for given shapes, strides, dtypes, attributes and device.
#[repr(C)]
#[derive(Debug)]
pub struct tileops_plan {
    _unused: [u8; 0],
}
/// Shape and dtype of an operand, without memory.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_tensor_desc {
    pub dtype: DLDataType,
    pub ndim: i32,
    /// ndim extents, \>= 0, TILEOPS_OPEN or TILEOPS_UP_TO(n); may be NULL if ndim == 0
    pub shape: *const i64,
    /// ndim strides in elements; NULL: row-major
    pub strides: *const i64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_tensor_desc",
    ][::core::mem::size_of::<tileops_tensor_desc>() - 24usize];
    [
        "Alignment of tileops_tensor_desc",
    ][::core::mem::align_of::<tileops_tensor_desc>() - 8usize];
    [
        "Offset of field: tileops_tensor_desc::dtype",
    ][::core::mem::offset_of!(tileops_tensor_desc, dtype) - 0usize];
    [
        "Offset of field: tileops_tensor_desc::ndim",
    ][::core::mem::offset_of!(tileops_tensor_desc, ndim) - 4usize];
    [
        "Offset of field: tileops_tensor_desc::shape",
    ][::core::mem::offset_of!(tileops_tensor_desc, shape) - 8usize];
    [
        "Offset of field: tileops_tensor_desc::strides",
    ][::core::mem::offset_of!(tileops_tensor_desc, strides) - 16usize];
};
/// An expression over operators, see below.
#[repr(C)]
#[derive(Debug)]
pub struct tileops_expr {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_plan_desc {
    pub struct_size: u32,
    pub op: tileops_op,
    pub device: DLDevice,
    pub num_inputs: i32,
    pub num_outputs: i32,
    pub num_attrs: i32,
    /// TILEOPS_PLAN_\*
    pub flags: u32,
    pub inputs: *const tileops_tensor_desc,
    /// the dtype may be any: results are converted once
    pub outputs: *const tileops_tensor_desc,
    pub attrs: *const tileops_attr,
    /// CUDA plans only; all 0 (the choice is the library's) unless a strategy is given.
    pub strategy: tileops_strategy,
    /// of a block: a power of two from 32 to 1024; 0: the library's choice
    pub threads: i32,
    /// elements of a thread: a power of two up to 128; 0: likewise
    pub num_per_thread: i32,
    /// 0
    pub reserved: i32,
    /// instead of an operator: op is TILEOPS_OP_NONE, num_attrs is 0
    pub expr: *const tileops_expr,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of tileops_plan_desc"][::core::mem::size_of::<tileops_plan_desc>() - 80usize];
    [
        "Alignment of tileops_plan_desc",
    ][::core::mem::align_of::<tileops_plan_desc>() - 8usize];
    [
        "Offset of field: tileops_plan_desc::struct_size",
    ][::core::mem::offset_of!(tileops_plan_desc, struct_size) - 0usize];
    [
        "Offset of field: tileops_plan_desc::op",
    ][::core::mem::offset_of!(tileops_plan_desc, op) - 4usize];
    [
        "Offset of field: tileops_plan_desc::device",
    ][::core::mem::offset_of!(tileops_plan_desc, device) - 8usize];
    [
        "Offset of field: tileops_plan_desc::num_inputs",
    ][::core::mem::offset_of!(tileops_plan_desc, num_inputs) - 16usize];
    [
        "Offset of field: tileops_plan_desc::num_outputs",
    ][::core::mem::offset_of!(tileops_plan_desc, num_outputs) - 20usize];
    [
        "Offset of field: tileops_plan_desc::num_attrs",
    ][::core::mem::offset_of!(tileops_plan_desc, num_attrs) - 24usize];
    [
        "Offset of field: tileops_plan_desc::flags",
    ][::core::mem::offset_of!(tileops_plan_desc, flags) - 28usize];
    [
        "Offset of field: tileops_plan_desc::inputs",
    ][::core::mem::offset_of!(tileops_plan_desc, inputs) - 32usize];
    [
        "Offset of field: tileops_plan_desc::outputs",
    ][::core::mem::offset_of!(tileops_plan_desc, outputs) - 40usize];
    [
        "Offset of field: tileops_plan_desc::attrs",
    ][::core::mem::offset_of!(tileops_plan_desc, attrs) - 48usize];
    [
        "Offset of field: tileops_plan_desc::strategy",
    ][::core::mem::offset_of!(tileops_plan_desc, strategy) - 56usize];
    [
        "Offset of field: tileops_plan_desc::threads",
    ][::core::mem::offset_of!(tileops_plan_desc, threads) - 60usize];
    [
        "Offset of field: tileops_plan_desc::num_per_thread",
    ][::core::mem::offset_of!(tileops_plan_desc, num_per_thread) - 64usize];
    [
        "Offset of field: tileops_plan_desc::reserved",
    ][::core::mem::offset_of!(tileops_plan_desc, reserved) - 68usize];
    [
        "Offset of field: tileops_plan_desc::expr",
    ][::core::mem::offset_of!(tileops_plan_desc, expr) - 72usize];
};
unsafe extern "C" {
    /** Would tileops_plan_create succeed? Checks everything, prepares and compiles nothing.
 Errors: as tileops_plan_create, less OUT_OF_MEMORY, DEVICE and COMPILE. Since 0.1.*/
    pub fn tileops_plan_check(
        ctx: *mut tileops_context,
        desc: *const tileops_plan_desc,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Shape and dtype of a result, before there is memory for it.
   desc     as for tileops_plan_create. Of its outputs nothing is needed (num_outputs may be 0), but
            for operators whose result may have any shape (alibi, sinusoidal), where outputs\[0\] says
            it. The device need not exist.
   output   which result
   dtype    receives the dtype that the result has unless the caller asks for another
   ndim     receives the number of dimensions
   shape    receives the extents; has room for TILEOPS_MAX_NDIM
 Operands and attributes are checked as for a plan. Errors: INVALID_ARGUMENT, UNSUPPORTED, VERSION;
 nothing is written then. Since 0.1.*/
    pub fn tileops_plan_infer(
        desc: *const tileops_plan_desc,
        output: usize,
        dtype: *mut DLDataType,
        ndim: *mut i32,
        shape: *mut i64,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Prepares an operator. Everything that can fail or take long happens here: checks, kernel choice,
 and on CUDA compilation and loading. A plan that the context knows already is shared.
   desc   operator, device, operands, attributes; copied. Outputs must have the result's shape.
   out    receives a reference; release it with tileops_plan_destroy.
 Errors: INVALID_ARGUMENT (NULL, counts, shapes, strides, attributes, strategy), UNSUPPORTED (dtype
 for this operator, dtypes without a common one, a strategy that these operands cannot have),
 NO_DEVICE, VERSION, OUT_OF_MEMORY, DEVICE, COMPILE.
 May be called while a stream is being captured.
 Memory: a CUDA plan of 8- and 16-bit floats may need all results of its operator, up to 128 KiB on
 the device and 0.7 MiB of gated forms; plans of the same operator, attributes and dtype share them.
 They stay until the process ends, since captured graphs may read them after the plan is gone; a
 device has at most 256 of them, and plans that would need another do without, with the same results
 but slower (logged once a device; tileops_cache_stats counts both). Constants of an operator, such as
 RoPE's frequencies, are on the device as long as a plan needs them; of those that no plan needs 64 to
 128 are kept for reuse, and those that a captured execute may read stay until the process ends.
 May wait for the GPU: for the library's own copies and kernels, on a stream of its own, and, when
 constants are freed, for all work of the device. Since 0.1.*/
    pub fn tileops_plan_create(
        ctx: *mut tileops_context,
        desc: *const tileops_plan_desc,
        out: *mut *mut tileops_plan,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** As tileops_plan_create, with shapes, strides, dtypes and device taken from tensors; their data
 is not touched. Absent optional inputs are NULL. Since 0.1.*/
    pub fn tileops_plan_create_like(
        ctx: *mut tileops_context,
        op: tileops_op,
        inputs: *const *const DLTensor,
        num_inputs: usize,
        outputs: *const *mut DLTensor,
        num_outputs: usize,
        attrs: *const tileops_attr,
        num_attrs: usize,
        out: *mut *mut tileops_plan,
    ) -> tileops_status;
}
unsafe extern "C" {
    /// The same for an expression. Since 0.1.
    pub fn tileops_plan_create_like_expr(
        ctx: *mut tileops_context,
        expr: *const tileops_expr,
        inputs: *const *const DLTensor,
        num_inputs: usize,
        outputs: *const *mut DLTensor,
        num_outputs: usize,
        out: *mut *mut tileops_plan,
    ) -> tileops_status;
}
unsafe extern "C" {
    /// Adds a reference. Errors: INVALID_ARGUMENT (NULL, or a handle already destroyed). Since 0.1.
    pub fn tileops_plan_retain(plan: *mut tileops_plan) -> tileops_status;
}
unsafe extern "C" {
    /** Drops one reference; NULL is ignored, and so is a handle already destroyed as long as its place
 has not been reused. Never blocks. CUDA work already enqueued is not affected. Since 0.1.*/
    pub fn tileops_plan_destroy(plan: *mut tileops_plan);
}
unsafe extern "C" {
    /** Reads a property. \*size is the size of buf in bytes on entry and the size of the value on return;
 buf NULL asks for the size alone. Errors: INVALID_ARGUMENT (plan, size NULL, unknown property),
 BUFFER_TOO_SMALL. Since 0.1.*/
    pub fn tileops_plan_query(
        plan: *const tileops_plan,
        prop: tileops_plan_prop,
        buf: *mut ::core::ffi::c_void,
        size: *mut usize,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Open extent i of a plan: the first input and axis (from 0) that it stands at, and the most that it may be (INT64_MAX:
 any). They are numbered as they stand in the inputs, axes from the left. Each pointer may be NULL.
 Errors: INVALID_ARGUMENT (i is not less than TILEOPS_PLAN_NUM_EXTENTS). Since 0.1.*/
    pub fn tileops_plan_extent(
        plan: *const tileops_plan,
        i: usize,
        input: *mut i32,
        axis: *mut i32,
        most: *mut i64,
    ) -> tileops_status;
}
/// What an execute is at given extents.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_plan_facts {
    pub struct_size: u32,
    /// TILEOPS_PLAN_NUM_PASSES
    pub phases: u32,
    /// TILEOPS_PLAN_NUM_PARTS at these extents
    pub parts: u32,
    /// which of the plan's ways: for another one passes have other kernels, made with the plan
    pub way: u32,
    /// never less where no extent is less, so that those of a bound do for all below it
    pub workspace_bytes: u64,
    /// TILEOPS_PLAN_BYTES_MOVED at these extents
    pub bytes_moved: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_plan_facts",
    ][::core::mem::size_of::<tileops_plan_facts>() - 32usize];
    [
        "Alignment of tileops_plan_facts",
    ][::core::mem::align_of::<tileops_plan_facts>() - 8usize];
    [
        "Offset of field: tileops_plan_facts::struct_size",
    ][::core::mem::offset_of!(tileops_plan_facts, struct_size) - 0usize];
    [
        "Offset of field: tileops_plan_facts::phases",
    ][::core::mem::offset_of!(tileops_plan_facts, phases) - 4usize];
    [
        "Offset of field: tileops_plan_facts::parts",
    ][::core::mem::offset_of!(tileops_plan_facts, parts) - 8usize];
    [
        "Offset of field: tileops_plan_facts::way",
    ][::core::mem::offset_of!(tileops_plan_facts, way) - 12usize];
    [
        "Offset of field: tileops_plan_facts::workspace_bytes",
    ][::core::mem::offset_of!(tileops_plan_facts, workspace_bytes) - 16usize];
    [
        "Offset of field: tileops_plan_facts::bytes_moved",
    ][::core::mem::offset_of!(tileops_plan_facts, bytes_moved) - 24usize];
};
unsafe extern "C" {
    /** For num_extents extents in the plan's order; of a plan without open ones NULL and 0. Allocates nothing.
 Errors: INVALID_ARGUMENT (num_extents, an extent out of range), VERSION. Since 0.1.*/
    pub fn tileops_plan_at(
        plan: *const tileops_plan,
        extents: *const i64,
        num_extents: usize,
        out: *mut tileops_plan_facts,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Dtype and shape that outputs\[output\] has for these extents. `shape` has room for TILEOPS_MAX_NDIM extents. Allocates
 nothing. Errors: as tileops_plan_at, output out of range, or a pointer NULL. Since 0.1.*/
    pub fn tileops_plan_result(
        plan: *const tileops_plan,
        extents: *const i64,
        num_extents: usize,
        output: usize,
        dtype: *mut DLDataType,
        ndim: *mut i32,
        shape: *mut i64,
    ) -> tileops_status;
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct tileops_number {
    /// DEFAULT: the value that the expression gives, where there is one
    pub kind: tileops_number_kind,
    pub reserved: i32,
    pub value: tileops_number__bindgen_ty_1,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union tileops_number__bindgen_ty_1 {
    pub f64_: f64,
    /// BOOL: 0 or 1
    pub i64_: i64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_number__bindgen_ty_1",
    ][::core::mem::size_of::<tileops_number__bindgen_ty_1>() - 8usize];
    [
        "Alignment of tileops_number__bindgen_ty_1",
    ][::core::mem::align_of::<tileops_number__bindgen_ty_1>() - 8usize];
    [
        "Offset of field: tileops_number__bindgen_ty_1::f64_",
    ][::core::mem::offset_of!(tileops_number__bindgen_ty_1, f64_) - 0usize];
    [
        "Offset of field: tileops_number__bindgen_ty_1::i64_",
    ][::core::mem::offset_of!(tileops_number__bindgen_ty_1, i64_) - 0usize];
};
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of tileops_number"][::core::mem::size_of::<tileops_number>() - 16usize];
    ["Alignment of tileops_number"][::core::mem::align_of::<tileops_number>() - 8usize];
    [
        "Offset of field: tileops_number::kind",
    ][::core::mem::offset_of!(tileops_number, kind) - 0usize];
    [
        "Offset of field: tileops_number::reserved",
    ][::core::mem::offset_of!(tileops_number, reserved) - 4usize];
    [
        "Offset of field: tileops_number::value",
    ][::core::mem::offset_of!(tileops_number, value) - 8usize];
};
unsafe extern "C" {
    /** Parses a text of `length` bytes, ASCII; it need not end with NUL. Release it with tileops_expr_destroy.
 Errors: INVALID_ARGUMENT (NULL, a text that is wrong: the message says what, shows the line with a caret, and
 tileops_last_error_offset() is the place), UNSUPPORTED (a function that is not there yet), OUT_OF_MEMORY.
 Since 0.1.*/
    pub fn tileops_expr_parse(
        text: *const ::core::ffi::c_char,
        length: usize,
        out: *mut *mut tileops_expr,
    ) -> tileops_status;
}
/** Expressions that the library knows by name, one per row of tileops/expressions.def: what engines and trainers use,
 and the gradients of activations. Prebuilt packs have their kernels.*/
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_named_expr_info {
    /// set by the caller
    pub struct_size: u32,
    pub reserved: u32,
    /// "silu_backward"
    pub name: *const ::core::ffi::c_char,
    pub text: *const ::core::ffi::c_char,
    /// one line
    pub doc: *const ::core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_named_expr_info",
    ][::core::mem::size_of::<tileops_named_expr_info>() - 32usize];
    [
        "Alignment of tileops_named_expr_info",
    ][::core::mem::align_of::<tileops_named_expr_info>() - 8usize];
    [
        "Offset of field: tileops_named_expr_info::struct_size",
    ][::core::mem::offset_of!(tileops_named_expr_info, struct_size) - 0usize];
    [
        "Offset of field: tileops_named_expr_info::reserved",
    ][::core::mem::offset_of!(tileops_named_expr_info, reserved) - 4usize];
    [
        "Offset of field: tileops_named_expr_info::name",
    ][::core::mem::offset_of!(tileops_named_expr_info, name) - 8usize];
    [
        "Offset of field: tileops_named_expr_info::text",
    ][::core::mem::offset_of!(tileops_named_expr_info, text) - 16usize];
    [
        "Offset of field: tileops_named_expr_info::doc",
    ][::core::mem::offset_of!(tileops_named_expr_info, doc) - 24usize];
};
unsafe extern "C" {
    /** Number of them; the i-th one (static storage). Errors: INVALID_ARGUMENT (info, or i out of range), VERSION.
 Since 0.1.*/
    pub fn tileops_expr_named_count() -> usize;
}
unsafe extern "C" {
    pub fn tileops_expr_named_at(
        i: usize,
        info: *mut tileops_named_expr_info,
    ) -> tileops_status;
}
unsafe extern "C" {
    /// The expression of that name. Errors: INVALID_ARGUMENT (NULL, unknown name). Since 0.1.
    pub fn tileops_expr_named(
        name: *const ::core::ffi::c_char,
        out: *mut *mut tileops_expr,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Offset in bytes, into the text, of what the last failure on this thread is about; -1 if it is about no text.
 Since 0.1.*/
    pub fn tileops_last_error_offset() -> i32;
}
unsafe extern "C" {
    /// Adds a reference. Errors: INVALID_ARGUMENT (NULL, or a handle already destroyed). Since 0.1.
    pub fn tileops_expr_retain(expr: *const tileops_expr) -> tileops_status;
}
unsafe extern "C" {
    /// Drops one reference; NULL is ignored. Plans made of it stay usable. Since 0.1.
    pub fn tileops_expr_destroy(expr: *const tileops_expr);
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct tileops_expr_operand_info {
    pub name: *const ::core::ffi::c_char,
    /// may be absent; then it is `default_value`
    pub optional: i32,
    pub reserved: i32,
    /// of kind DEFAULT if there is none
    pub default_value: tileops_number,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_expr_operand_info",
    ][::core::mem::size_of::<tileops_expr_operand_info>() - 32usize];
    [
        "Alignment of tileops_expr_operand_info",
    ][::core::mem::align_of::<tileops_expr_operand_info>() - 8usize];
    [
        "Offset of field: tileops_expr_operand_info::name",
    ][::core::mem::offset_of!(tileops_expr_operand_info, name) - 0usize];
    [
        "Offset of field: tileops_expr_operand_info::optional",
    ][::core::mem::offset_of!(tileops_expr_operand_info, optional) - 8usize];
    [
        "Offset of field: tileops_expr_operand_info::reserved",
    ][::core::mem::offset_of!(tileops_expr_operand_info, reserved) - 12usize];
    [
        "Offset of field: tileops_expr_operand_info::default_value",
    ][::core::mem::offset_of!(tileops_expr_operand_info, default_value) - 16usize];
};
/// What an expression is. Pointers are valid as long as the expression.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_expr_info {
    /// set by the caller
    pub struct_size: u32,
    /// trailing optional ones may be left off
    pub num_operands: i32,
    /// trailing optional ones may be left off
    pub min_operands: i32,
    pub num_scalars: i32,
    pub num_results: i32,
    /// functions computed for each element
    pub num_nodes: i32,
    /// functions of scalars, computed once an execute
    pub num_host_nodes: i32,
    /// that tileops_expr_node tells: operands, scalars and constants as well
    pub num_listed_nodes: i32,
    /// num_operands of them
    pub operands: *const tileops_expr_operand_info,
    /// num_scalars of them; all have a default
    pub scalars: *const tileops_expr_operand_info,
    /// their names
    pub results: *const *const ::core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of tileops_expr_info"][::core::mem::size_of::<tileops_expr_info>() - 56usize];
    [
        "Alignment of tileops_expr_info",
    ][::core::mem::align_of::<tileops_expr_info>() - 8usize];
    [
        "Offset of field: tileops_expr_info::struct_size",
    ][::core::mem::offset_of!(tileops_expr_info, struct_size) - 0usize];
    [
        "Offset of field: tileops_expr_info::num_operands",
    ][::core::mem::offset_of!(tileops_expr_info, num_operands) - 4usize];
    [
        "Offset of field: tileops_expr_info::min_operands",
    ][::core::mem::offset_of!(tileops_expr_info, min_operands) - 8usize];
    [
        "Offset of field: tileops_expr_info::num_scalars",
    ][::core::mem::offset_of!(tileops_expr_info, num_scalars) - 12usize];
    [
        "Offset of field: tileops_expr_info::num_results",
    ][::core::mem::offset_of!(tileops_expr_info, num_results) - 16usize];
    [
        "Offset of field: tileops_expr_info::num_nodes",
    ][::core::mem::offset_of!(tileops_expr_info, num_nodes) - 20usize];
    [
        "Offset of field: tileops_expr_info::num_host_nodes",
    ][::core::mem::offset_of!(tileops_expr_info, num_host_nodes) - 24usize];
    [
        "Offset of field: tileops_expr_info::num_listed_nodes",
    ][::core::mem::offset_of!(tileops_expr_info, num_listed_nodes) - 28usize];
    [
        "Offset of field: tileops_expr_info::operands",
    ][::core::mem::offset_of!(tileops_expr_info, operands) - 32usize];
    [
        "Offset of field: tileops_expr_info::scalars",
    ][::core::mem::offset_of!(tileops_expr_info, scalars) - 40usize];
    [
        "Offset of field: tileops_expr_info::results",
    ][::core::mem::offset_of!(tileops_expr_info, results) - 48usize];
};
unsafe extern "C" {
    /// Fills \*info. Errors: INVALID_ARGUMENT, VERSION. Since 0.1.
    pub fn tileops_expr_describe(
        expr: *const tileops_expr,
        info: *mut tileops_expr_info,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** The canonical text, NUL-terminated: parsed, it gives the same expression, and expressions that mean the same by the
 same steps have the same one. \*size as in tileops_plan_query. Errors: INVALID_ARGUMENT, BUFFER_TOO_SMALL.
 Since 0.1.*/
    pub fn tileops_expr_text(
        expr: *const tileops_expr,
        buf: *mut ::core::ffi::c_char,
        size: *mut usize,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** An expression as a function for CUDA code of your own: the text of a header, NUL-terminated, that includes
 tileops/device/cuda.h and nothing else and has a template `name\<N\>` over values in registers (docs/device.md).
   desc   as for tileops_plan_create, with an expression. Its dtypes are those of the function's parameters; of shapes
 it matters which operands are one element, and how long a row is where rows are reduced. Outputs may be left out
          (num_outputs 0). With TILEOPS_PLAN_REPRODUCIBLE the function gives the bits of the CPU. No device is needed.
   name   of the function: an identifier of at most 64 characters that means nothing else in CUDA code
 \*size as in tileops_plan_query. The function takes the scalars that the expression uses, then for each operand an
 array of N values (float32 and other dtypes that C++ has) or tileops::device::packed\<dtype, N\>, or one value, then a
 result of each. Of rows, which neighbouring lanes of a warp may have together, it is `name\<N, Lanes, Pack\>`. Errors:
 INVALID_ARGUMENT (as tileops_plan_create; name), UNSUPPORTED (what takes more than values in registers: several
 passes, gathers, scatters, positions, parts of operands, groups, scans; numbers that the host computes of scalars; a
 library without CUDA), BUFFER_TOO_SMALL, VERSION. Since 0.1.*/
    pub fn tileops_plan_device_function(
        desc: *const tileops_plan_desc,
        name: *const ::core::ffi::c_char,
        buf: *mut ::core::ffi::c_char,
        size: *mut usize,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** The gradient with respect to operands, an expression itself. It takes the operands and scalars of `expr`, then for
 each result r an operand grad_r of its shape, and gives for each of the operands x a result grad_x of x's shape and
 dtype: zeros where no result depends on x. A name that an operand, a scalar or an earlier gradient has is taken with
 a number behind it, from 2 on: grad_x_2. Subgradients at ties and kinks are in docs/expressions.md.
   operands   indices into the operands of `expr`, num_operands of them, none twice
 Where an operand was broadcast its gradient is a sum; that of an operand that is no float is refused when planned
 (INVALID_ARGUMENT, naming it).
 Errors: INVALID_ARGUMENT (an index out of range or given twice, a limit of expressions), UNSUPPORTED (a function that
 has no derivative yet, parts of a value that is computed), OUT_OF_MEMORY. Since 0.1.*/
    pub fn tileops_expr_gradient(
        expr: *const tileops_expr,
        operands: *const i32,
        num_operands: usize,
        out: *mut *mut tileops_expr,
    ) -> tileops_status;
}
/** The other way to make an expression: call by call. A builder is used by one thread at a time. Its first error
 sticks: calls after it return 0 and do nothing, and tileops_builder_finish tells it.*/
#[repr(C)]
#[derive(Debug)]
pub struct tileops_builder {
    _unused: [u8; 0],
}
pub type tileops_node = i32;
unsafe extern "C" {
    /// Makes an empty builder. Errors: INVALID_ARGUMENT (out NULL), OUT_OF_MEMORY. Since 0.1.
    pub fn tileops_builder_create(out: *mut *mut tileops_builder) -> tileops_status;
}
unsafe extern "C" {
    /// Frees a builder; NULL is ignored. Its expression stays. Since 0.1.
    pub fn tileops_builder_destroy(builder: *mut tileops_builder);
}
unsafe extern "C" {
    /// Adds an operand. `value` is what it is where it is absent; NULL: it may not be absent. Since 0.1.
    pub fn tileops_build_operand(
        builder: *mut tileops_builder,
        name: *const ::core::ffi::c_char,
        value: *const tileops_number,
    ) -> tileops_node;
}
unsafe extern "C" {
    /// Adds a scalar; its default says whether it is an integer or a float. Since 0.1.
    pub fn tileops_build_scalar(
        builder: *mut tileops_builder,
        name: *const ::core::ffi::c_char,
        value: tileops_number,
    ) -> tileops_node;
}
unsafe extern "C" {
    /// A constant. Since 0.1.
    pub fn tileops_build_constant(
        builder: *mut tileops_builder,
        value: tileops_number,
    ) -> tileops_node;
}
unsafe extern "C" {
    /** Applies a function: an operator that maps elements, or one of tileops/functions.def.
   arguments   its values in order; then, as in a text, its attributes in the table's order. 0 leaves a place empty
   attrs       attributes by key: constants, choices. The dtype of TILEOPS_OP_CAST is TILEOPS_ATTR_DTYPE, a
               DLDataType as code \* 256 + bits; or its second argument, an operand whose dtype is taken. The axes of
               rows are TILEOPS_ATTR_AXES, a set: bit k - 1 for axis -k, all bits for all; of a single axis also
               TILEOPS_ATTR_AXIS: -2. Groups are TILEOPS_ATTR_GROUP, 32 bits an axis, the low ones for the last
 Since 0.1.*/
    pub fn tileops_build_op(
        builder: *mut tileops_builder,
        op: tileops_op,
        arguments: *const tileops_node,
        num_arguments: usize,
        attrs: *const tileops_attr,
        num_attrs: usize,
    ) -> tileops_node;
}
unsafe extern "C" {
    /** Writes another expression out as a part of this one: same functions, same bits, its shapes with it.
   arguments   values for its operands, then numbers for its scalars, in order. 0, and what is left off at the end, is
               the default, which operands that are not optional do not have
   results     receives a node for each of its results (tileops_expr_info.num_results); zeros after an error
 Since 0.1.*/
    pub fn tileops_build_expr(
        builder: *mut tileops_builder,
        expr: *const tileops_expr,
        arguments: *const tileops_node,
        num_arguments: usize,
        results: *mut tileops_node,
    );
}
unsafe extern "C" {
    /// Makes a node the next result. `name` NULL: y0, y1, ... Since 0.1.
    pub fn tileops_build_result(
        builder: *mut tileops_builder,
        node: tileops_node,
        name: *const ::core::ffi::c_char,
    );
}
unsafe extern "C" {
    /** The finished expression. The builder can then only be destroyed. Errors: the first one that a call met, and
 INVALID_ARGUMENT (no results, limits). Since 0.1.*/
    pub fn tileops_builder_finish(
        builder: *mut tileops_builder,
        out: *mut *mut tileops_expr,
    ) -> tileops_status;
}
/// A node as a builder makes it. Pointers are valid as long as the expression.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct tileops_node_info {
    /// set by the caller
    pub struct_size: u32,
    pub kind: tileops_node_kind,
    /// of an operand or a scalar: which one
    pub index: i32,
    /// of a function, with arguments and attrs as tileops_build_op takes them
    pub function: tileops_op,
    /// 1: a number, computed from scalars and constants once an execute, or one of these
    pub on_host: i32,
    /// its place in the text that was parsed; -1: it has none
    pub offset: i32,
    pub num_arguments: i32,
    pub num_attrs: i32,
    /// of a constant
    pub value: tileops_number,
    /// nodes before this one; 0: a place that is left empty
    pub arguments: *const tileops_node,
    /// those that are not at their defaults
    pub attrs: *const tileops_attr,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of tileops_node_info"][::core::mem::size_of::<tileops_node_info>() - 64usize];
    [
        "Alignment of tileops_node_info",
    ][::core::mem::align_of::<tileops_node_info>() - 8usize];
    [
        "Offset of field: tileops_node_info::struct_size",
    ][::core::mem::offset_of!(tileops_node_info, struct_size) - 0usize];
    [
        "Offset of field: tileops_node_info::kind",
    ][::core::mem::offset_of!(tileops_node_info, kind) - 4usize];
    [
        "Offset of field: tileops_node_info::index",
    ][::core::mem::offset_of!(tileops_node_info, index) - 8usize];
    [
        "Offset of field: tileops_node_info::function",
    ][::core::mem::offset_of!(tileops_node_info, function) - 12usize];
    [
        "Offset of field: tileops_node_info::on_host",
    ][::core::mem::offset_of!(tileops_node_info, on_host) - 16usize];
    [
        "Offset of field: tileops_node_info::offset",
    ][::core::mem::offset_of!(tileops_node_info, offset) - 20usize];
    [
        "Offset of field: tileops_node_info::num_arguments",
    ][::core::mem::offset_of!(tileops_node_info, num_arguments) - 24usize];
    [
        "Offset of field: tileops_node_info::num_attrs",
    ][::core::mem::offset_of!(tileops_node_info, num_attrs) - 28usize];
    [
        "Offset of field: tileops_node_info::value",
    ][::core::mem::offset_of!(tileops_node_info, value) - 32usize];
    [
        "Offset of field: tileops_node_info::arguments",
    ][::core::mem::offset_of!(tileops_node_info, arguments) - 48usize];
    [
        "Offset of field: tileops_node_info::attrs",
    ][::core::mem::offset_of!(tileops_node_info, attrs) - 56usize];
};
unsafe extern "C" {
    /** Reads an expression node by node: 1 to tileops_expr_info.num_listed_nodes, each behind those that it takes, so that a
 builder that is called for one after the other makes the same expression. What a text says of shapes is not among
 them. Errors: INVALID_ARGUMENT (no such node), VERSION. Since 0.1.*/
    pub fn tileops_expr_node(
        expr: *const tileops_expr,
        node: tileops_node,
        info: *mut tileops_node_info,
    ) -> tileops_status;
}
unsafe extern "C" {
    /// The node that is result `i`; 0 if there is none (INVALID_ARGUMENT). Since 0.1.
    pub fn tileops_expr_result(expr: *const tileops_expr, i: usize) -> tileops_node;
}
unsafe extern "C" {
    /// Functions that an expression may have: operators and those of tileops/functions.def. Since 0.1.
    pub fn tileops_function_count() -> usize;
}
unsafe extern "C" {
    pub fn tileops_function_at(i: usize) -> tileops_op;
}
unsafe extern "C" {
    pub fn tileops_function_from_name(name: *const ::core::ffi::c_char) -> tileops_op;
}
unsafe extern "C" {
    /// What a function is, as tileops_op_describe says it of operators. Errors: INVALID_ARGUMENT, VERSION. Since 0.1.
    pub fn tileops_function_describe(
        function: tileops_op,
        info: *mut tileops_op_info,
    ) -> tileops_status;
}
/// One measured candidate.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_tune_progress {
    /// set by the library
    pub struct_size: u32,
    /// candidates measured so far, this one included; and altogether
    pub done: i32,
    /// candidates measured so far, this one included; and altogether
    pub total: i32,
    /// of this candidate
    pub strategy: tileops_strategy,
    pub threads: i32,
    pub num_per_thread: i32,
    /// of one execute; the first candidate is the library's own choice
    pub seconds: f64,
    /// least so far
    pub best_seconds: f64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_tune_progress",
    ][::core::mem::size_of::<tileops_tune_progress>() - 40usize];
    [
        "Alignment of tileops_tune_progress",
    ][::core::mem::align_of::<tileops_tune_progress>() - 8usize];
    [
        "Offset of field: tileops_tune_progress::struct_size",
    ][::core::mem::offset_of!(tileops_tune_progress, struct_size) - 0usize];
    [
        "Offset of field: tileops_tune_progress::done",
    ][::core::mem::offset_of!(tileops_tune_progress, done) - 4usize];
    [
        "Offset of field: tileops_tune_progress::total",
    ][::core::mem::offset_of!(tileops_tune_progress, total) - 8usize];
    [
        "Offset of field: tileops_tune_progress::strategy",
    ][::core::mem::offset_of!(tileops_tune_progress, strategy) - 12usize];
    [
        "Offset of field: tileops_tune_progress::threads",
    ][::core::mem::offset_of!(tileops_tune_progress, threads) - 16usize];
    [
        "Offset of field: tileops_tune_progress::num_per_thread",
    ][::core::mem::offset_of!(tileops_tune_progress, num_per_thread) - 20usize];
    [
        "Offset of field: tileops_tune_progress::seconds",
    ][::core::mem::offset_of!(tileops_tune_progress, seconds) - 24usize];
    [
        "Offset of field: tileops_tune_progress::best_seconds",
    ][::core::mem::offset_of!(tileops_tune_progress, best_seconds) - 32usize];
};
/** Called after each candidate, on the thread that called tileops_tune. Return 0 to go on; any other
 value stops tuning, and nothing is kept.*/
pub type tileops_tune_fn = ::core::option::Option<
    unsafe extern "C" fn(
        user: *mut ::core::ffi::c_void,
        progress: *const tileops_tune_progress,
    ) -> i32,
>;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_tune_result {
    /// set by the caller
    pub struct_size: u32,
    /// the fastest
    pub strategy: tileops_strategy,
    pub threads: i32,
    pub num_per_thread: i32,
    /// of one execute: median over several runs
    pub seconds: f64,
    /// of what the library chooses by itself
    pub auto_seconds: f64,
    /// measured
    pub candidates: i32,
    pub reserved: i32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_tune_result",
    ][::core::mem::size_of::<tileops_tune_result>() - 40usize];
    [
        "Alignment of tileops_tune_result",
    ][::core::mem::align_of::<tileops_tune_result>() - 8usize];
    [
        "Offset of field: tileops_tune_result::struct_size",
    ][::core::mem::offset_of!(tileops_tune_result, struct_size) - 0usize];
    [
        "Offset of field: tileops_tune_result::strategy",
    ][::core::mem::offset_of!(tileops_tune_result, strategy) - 4usize];
    [
        "Offset of field: tileops_tune_result::threads",
    ][::core::mem::offset_of!(tileops_tune_result, threads) - 8usize];
    [
        "Offset of field: tileops_tune_result::num_per_thread",
    ][::core::mem::offset_of!(tileops_tune_result, num_per_thread) - 12usize];
    [
        "Offset of field: tileops_tune_result::seconds",
    ][::core::mem::offset_of!(tileops_tune_result, seconds) - 16usize];
    [
        "Offset of field: tileops_tune_result::auto_seconds",
    ][::core::mem::offset_of!(tileops_tune_result, auto_seconds) - 24usize];
    [
        "Offset of field: tileops_tune_result::candidates",
    ][::core::mem::offset_of!(tileops_tune_result, candidates) - 32usize];
    [
        "Offset of field: tileops_tune_result::reserved",
    ][::core::mem::offset_of!(tileops_tune_result, reserved) - 36usize];
};
unsafe extern "C" {
    /** Measures the strategies that a plan could have on its device and keeps the fastest, which later
 plans with TILEOPS_STRATEGY_AUTO take: of the same kernel (operator, dtypes, layout class) and a
 size within the same power of two, in this context, and through the kernel cache on disk in later
 processes. What is not 1 % faster than the library's own choice is not kept. Plans that exist stay
 what they are; the context's plan cache is emptied.
   desc       as for tileops_plan_create; strategy must be TILEOPS_STRATEGY_AUTO
   progress   may be NULL
   out        may be NULL
 Allocates device memory for the operands (up to eight times, so that small problems are not
 measured in the device's cache alone) and uses a stream of its own. Takes seconds: kernels are
 compiled. Not during a stream capture.
 Errors: as tileops_plan_create; UNSUPPORTED for the CPU. Since 0.1.*/
    pub fn tileops_tune(
        ctx: *mut tileops_context,
        desc: *const tileops_plan_desc,
        progress: tileops_tune_fn,
        user: *mut ::core::ffi::c_void,
        out: *mut tileops_tune_result,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Runs a plan. Each tensor is checked against the plan: device, dtype, shape, strides, alignment,
 overlap. On CPU the result is there on return; on CUDA the work is enqueued on `stream`.
   inputs, outputs   as many, and in the order, as planned; NULL for absent optional inputs
   stream            a cudaStream_t (NULL: the legacy default stream); NULL for CPU plans
 A 0-d input of a CUDA plan may lie in host memory; its value is read before the call returns.
 No allocation (but of scratch, once for a thread: THREADS, 11), no lock, no synchronisation, no compilation; may be
 captured into a CUDA graph, which may outlive the plan.
 The caller's reference keeps the plan alive until the call returns. On CUDA the plan may be destroyed then, with the
 work still under way. A thread that executes a plan while another one may drop the last reference to it needs a
 reference of its own (tileops_plan_retain).
 Errors: INVALID_ARGUMENT, DEVICE, OUT_OF_MEMORY (that scratch). Since 0.1.*/
    pub fn tileops_execute(
        plan: *const tileops_plan,
        inputs: *const *const DLTensor,
        num_inputs: usize,
        outputs: *const *mut DLTensor,
        num_outputs: usize,
        stream: *mut ::core::ffi::c_void,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** As tileops_execute with bare addresses of element 0 (byte_offset applied), in plan order, and no
 checks of them but NULL: shapes, strides, alignment and overlap are the caller's promise. It takes no scalars, so
 that those of an expression have the values that its text gives them, and no workspace: a plan that needs one is
 refused, unless it keeps one of its own (tileops_context_options.keep_workspace). tileops_execute_with takes both,
 with addresses as well.
 Errors: INVALID_ARGUMENT (plan, or an address NULL for a tensor with elements), DEVICE.
 Since 0.1.*/
    pub fn tileops_execute_ptrs(
        plan: *const tileops_plan,
        inputs: *const *const ::core::ffi::c_void,
        outputs: *const *mut ::core::ffi::c_void,
        stream: *mut ::core::ffi::c_void,
    ) -> tileops_status;
}
/// What an execute takes, by name.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_execute_args {
    pub struct_size: u32,
    pub num_inputs: u32,
    pub num_outputs: u32,
    pub num_scalars: u32,
    pub inputs: *const *const DLTensor,
    pub outputs: *const *mut DLTensor,
    /** of the expression, in its order; those left off, or of kind DEFAULT, have the
value that the text gives them*/
    pub scalars: *const tileops_number,
    pub stream: *mut ::core::ffi::c_void,
    /** at least TILEOPS_PLAN_WORKSPACE_BYTES on the plan's device, aligned to 64 bytes, apart from
all operands and results; what it holds before does not matter. Until the execute has ended
it belongs to that: executes at the same time need one each. NULL: the plan needs none, or
keeps one of its own (tileops_context_options.keep_workspace)*/
    pub workspace: *mut ::core::ffi::c_void,
    pub workspace_bytes: u64,
    /** with output_ptrs, instead of inputs and outputs: num_inputs and num_outputs bare
addresses on the plan's device, unchecked as by tileops_execute_ptrs*/
    pub input_ptrs: *const *const ::core::ffi::c_void,
    pub output_ptrs: *const *mut ::core::ffi::c_void,
    /** of an open plan, in its order: with addresses TILEOPS_PLAN_NUM_EXTENTS of them; with
tensors, which say their extents themselves, NULL or what these must have*/
    pub extents: *const i64,
    /// reserved: 0
    pub num_extents: u32,
    /// reserved: 0
    pub reserved: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_execute_args",
    ][::core::mem::size_of::<tileops_execute_args>() - 96usize];
    [
        "Alignment of tileops_execute_args",
    ][::core::mem::align_of::<tileops_execute_args>() - 8usize];
    [
        "Offset of field: tileops_execute_args::struct_size",
    ][::core::mem::offset_of!(tileops_execute_args, struct_size) - 0usize];
    [
        "Offset of field: tileops_execute_args::num_inputs",
    ][::core::mem::offset_of!(tileops_execute_args, num_inputs) - 4usize];
    [
        "Offset of field: tileops_execute_args::num_outputs",
    ][::core::mem::offset_of!(tileops_execute_args, num_outputs) - 8usize];
    [
        "Offset of field: tileops_execute_args::num_scalars",
    ][::core::mem::offset_of!(tileops_execute_args, num_scalars) - 12usize];
    [
        "Offset of field: tileops_execute_args::inputs",
    ][::core::mem::offset_of!(tileops_execute_args, inputs) - 16usize];
    [
        "Offset of field: tileops_execute_args::outputs",
    ][::core::mem::offset_of!(tileops_execute_args, outputs) - 24usize];
    [
        "Offset of field: tileops_execute_args::scalars",
    ][::core::mem::offset_of!(tileops_execute_args, scalars) - 32usize];
    [
        "Offset of field: tileops_execute_args::stream",
    ][::core::mem::offset_of!(tileops_execute_args, stream) - 40usize];
    [
        "Offset of field: tileops_execute_args::workspace",
    ][::core::mem::offset_of!(tileops_execute_args, workspace) - 48usize];
    [
        "Offset of field: tileops_execute_args::workspace_bytes",
    ][::core::mem::offset_of!(tileops_execute_args, workspace_bytes) - 56usize];
    [
        "Offset of field: tileops_execute_args::input_ptrs",
    ][::core::mem::offset_of!(tileops_execute_args, input_ptrs) - 64usize];
    [
        "Offset of field: tileops_execute_args::output_ptrs",
    ][::core::mem::offset_of!(tileops_execute_args, output_ptrs) - 72usize];
    [
        "Offset of field: tileops_execute_args::extents",
    ][::core::mem::offset_of!(tileops_execute_args, extents) - 80usize];
    [
        "Offset of field: tileops_execute_args::num_extents",
    ][::core::mem::offset_of!(tileops_execute_args, num_extents) - 88usize];
    [
        "Offset of field: tileops_execute_args::reserved",
    ][::core::mem::offset_of!(tileops_execute_args, reserved) - 92usize];
};
unsafe extern "C" {
    /** As tileops_execute, or as tileops_execute_ptrs where args has addresses, with a workspace and with scalars: what
 comes with these is computed on the host, in f64 or i64, before the call returns, and handed to the kernel; a
 captured graph keeps the values of the capture. Operators have no scalars. Errors: INVALID_ARGUMENT (also a scalar
 that its type cannot have: for an integer a float that is none, such as 2.5, or is out of range; a bool; tensors and
 addresses both), DEVICE. Since 0.1.*/
    pub fn tileops_execute_with(
        plan: *const tileops_plan,
        args: *const tileops_execute_args,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** A part of what tileops_execute_with does, on the calling thread, for programs that have threads of their own: no
 thread of the library works, none is made, and results have the same bits. For CPU plans.
   phase   less than TILEOPS_PLAN_NUM_PASSES, which is 1 for most plans. All parts of a phase end before one of the
           next begins
   part    less than `parts`, which is the same for all parts of a phase. They run in any order, at once or one after
           the other; there may be more of them than threads. TILEOPS_PLAN_NUM_PARTS are worth a thread each. Where
           there is less work than parts, some do nothing
   args    the same for all parts; each part checks them. Parts share the workspace, also one that the plan keeps
 All results are there when each part of each phase has run once, and not before. That it has is the caller's promise:
 a part that is left out, or runs twice at the same time, is no error and leaves results undefined.

   for (phase = 0; phase \< phases; ++phase)
     your_pool(parts, \[&\](part) { tileops_execute_part(plan, &args, phase, part, parts); });

 Errors: as tileops_execute_with; INVALID_ARGUMENT (phase, part, parts), UNSUPPORTED (a CUDA plan). Since 0.1.*/
    pub fn tileops_execute_part(
        plan: *const tileops_plan,
        args: *const tileops_execute_args,
        phase: u32,
        part: u32,
        parts: u32,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Executes a plan with TILEOPS_PLAN_LIST for many sets of tensors at once, such as all parameters of a model for an
 optimiser's step. On CUDA that is as few launches as kernel parameters allow (with 32 KB of these and AdamW over
 four tensors some 400 items a launch), and nothing has to lie in device memory for it; on the CPU threads share the
 work of all items. Results have the bits of an execute of each item for itself.
   items   `count` of them, each as for tileops_execute_with: what differs from one to the next may be open extents,
           tensors and workspace. Stream and scalars are those of items\[0\]; others have the same pointers there, or
           NULL. A scalar that differs is an operand of one element. Items without elements are passed over. A
           workspace is each item's own, also where the context keeps one for executes
 Items run in any order and at the same time: none may write what another one reads or writes, which is checked where
 items have tensors, and the caller's promise where they have addresses. Items are read before the call returns. It
 allocates host memory, some 500 bytes an item.
 Errors: as tileops_execute_with, naming the item; INVALID_ARGUMENT (a plan without TILEOPS_PLAN_LIST; items that
 overlap, or whose 0-d operands are some in host memory and some not). Since 0.1.*/
    pub fn tileops_execute_list(
        plan: *const tileops_plan,
        items: *const tileops_execute_args,
        count: usize,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Allocates a row-major tensor on a device (not kDLCUDAManaged), 64-byte aligned, contents undefined. Free it with
 (\*out)-\>deleter(\*out). On CUDA the deleter waits for no stream: finish the work first.
   shape   ndim extents, \>= 0
 Errors: INVALID_ARGUMENT, UNSUPPORTED (dtype), NO_DEVICE, OUT_OF_MEMORY. Since 0.1.*/
    pub fn tileops_tensor_alloc(
        ctx: *mut tileops_context,
        device: DLDevice,
        dtype: DLDataType,
        ndim: i32,
        shape: *const i64,
        out: *mut *mut DLManagedTensorVersioned,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Copies src to dst: same shape and dtype, any devices and strides. On CUDA enqueued on `stream`
 (copies from or to pageable CPU memory return when the CPU memory may be reused).
   stream   of dst's device; of src's where dst is in host memory; NULL between host memories.
            Between two GPUs: what src's device still writes to src must be ordered before `stream`
            (an event, or waiting); the copy is ordered within `stream` on both devices.
 Where a side between two devices is strided, it is packed in memory of its device: then the call
 returns when the copy is done, and cannot be captured.
 Errors: INVALID_ARGUMENT (shape, dtype, overlap), NO_DEVICE, DEVICE. Since 0.1.*/
    pub fn tileops_tensor_copy(
        ctx: *mut tileops_context,
        src: *const DLTensor,
        dst: *mut DLTensor,
        stream: *mut ::core::ffi::c_void,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Makes a stream on a CUDA device, which does not wait for the default one (NULL): what is copied on that must be
 waited for. For the CPU device \*out is NULL, which is its stream. Errors: INVALID_ARGUMENT (out NULL), NO_DEVICE,
 DEVICE. Since 0.1.*/
    pub fn tileops_stream_create(
        ctx: *mut tileops_context,
        device: DLDevice,
        out: *mut *mut ::core::ffi::c_void,
    ) -> tileops_status;
}
unsafe extern "C" {
    /// Destroys a stream of tileops_stream_create once its work is done; NULL is ignored. Since 0.1.
    pub fn tileops_stream_destroy(
        ctx: *mut tileops_context,
        device: DLDevice,
        stream: *mut ::core::ffi::c_void,
    ) -> tileops_status;
}
unsafe extern "C" {
    /// Waits for all work on a stream. Errors: NO_DEVICE, DEVICE, INVALID_ARGUMENT. Since 0.1.
    pub fn tileops_stream_synchronize(
        ctx: *mut tileops_context,
        device: DLDevice,
        stream: *mut ::core::ffi::c_void,
    ) -> tileops_status;
}
/// ------------------------------------------------------------------ caches ----------------
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct tileops_cache_stats {
    /// set by the caller
    pub struct_size: u32,
    pub reserved: u32,
    pub plan_hits: u64,
    pub plan_misses: u64,
    pub plan_evictions: u64,
    pub plan_entries: u64,
    pub kernel_memory_hits: u64,
    pub kernel_pack_hits: u64,
    pub kernel_disk_hits: u64,
    pub kernel_compiles: u64,
    /// entries found damaged and made anew
    pub disk_bad_entries: u64,
    /// tables of results on CUDA devices (tileops_plan_create)
    pub tables_made: u64,
    /// plans that do without one, since the device has 256
    pub tables_refused: u64,
    /** memory of CUDA devices that the library holds, now and for all contexts: tables of results,
constants, and machine code by the size of its images*/
    pub device_bytes: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    [
        "Size of tileops_cache_stats",
    ][::core::mem::size_of::<tileops_cache_stats>() - 104usize];
    [
        "Alignment of tileops_cache_stats",
    ][::core::mem::align_of::<tileops_cache_stats>() - 8usize];
    [
        "Offset of field: tileops_cache_stats::struct_size",
    ][::core::mem::offset_of!(tileops_cache_stats, struct_size) - 0usize];
    [
        "Offset of field: tileops_cache_stats::reserved",
    ][::core::mem::offset_of!(tileops_cache_stats, reserved) - 4usize];
    [
        "Offset of field: tileops_cache_stats::plan_hits",
    ][::core::mem::offset_of!(tileops_cache_stats, plan_hits) - 8usize];
    [
        "Offset of field: tileops_cache_stats::plan_misses",
    ][::core::mem::offset_of!(tileops_cache_stats, plan_misses) - 16usize];
    [
        "Offset of field: tileops_cache_stats::plan_evictions",
    ][::core::mem::offset_of!(tileops_cache_stats, plan_evictions) - 24usize];
    [
        "Offset of field: tileops_cache_stats::plan_entries",
    ][::core::mem::offset_of!(tileops_cache_stats, plan_entries) - 32usize];
    [
        "Offset of field: tileops_cache_stats::kernel_memory_hits",
    ][::core::mem::offset_of!(tileops_cache_stats, kernel_memory_hits) - 40usize];
    [
        "Offset of field: tileops_cache_stats::kernel_pack_hits",
    ][::core::mem::offset_of!(tileops_cache_stats, kernel_pack_hits) - 48usize];
    [
        "Offset of field: tileops_cache_stats::kernel_disk_hits",
    ][::core::mem::offset_of!(tileops_cache_stats, kernel_disk_hits) - 56usize];
    [
        "Offset of field: tileops_cache_stats::kernel_compiles",
    ][::core::mem::offset_of!(tileops_cache_stats, kernel_compiles) - 64usize];
    [
        "Offset of field: tileops_cache_stats::disk_bad_entries",
    ][::core::mem::offset_of!(tileops_cache_stats, disk_bad_entries) - 72usize];
    [
        "Offset of field: tileops_cache_stats::tables_made",
    ][::core::mem::offset_of!(tileops_cache_stats, tables_made) - 80usize];
    [
        "Offset of field: tileops_cache_stats::tables_refused",
    ][::core::mem::offset_of!(tileops_cache_stats, tables_refused) - 88usize];
    [
        "Offset of field: tileops_cache_stats::device_bytes",
    ][::core::mem::offset_of!(tileops_cache_stats, device_bytes) - 96usize];
};
unsafe extern "C" {
    /// Counters of a context since its creation. Errors: INVALID_ARGUMENT, VERSION. Since 0.1.
    pub fn tileops_cache_stats_get(
        ctx: *mut tileops_context,
        out: *mut tileops_cache_stats,
    ) -> tileops_status;
}
unsafe extern "C" {
    /** Empties caches: bits of TILEOPS_CACHE_PLANS (plans in use stay valid) and TILEOPS_CACHE_DISK.
 Errors: INVALID_ARGUMENT (unknown bits), IO. Since 0.1.*/
    pub fn tileops_cache_clear(ctx: *mut tileops_context, which: u32) -> tileops_status;
}
unsafe extern "C" {
    /** Directory of the kernel cache, NUL-terminated; "" if there is none. \*size as in
 tileops_plan_query. Errors: INVALID_ARGUMENT, BUFFER_TOO_SMALL. Since 0.1.*/
    pub fn tileops_cache_dir(
        ctx: *mut tileops_context,
        buf: *mut ::core::ffi::c_char,
        size: *mut usize,
    ) -> tileops_status;
}
pub type tileops_log_fn = ::core::option::Option<
    unsafe extern "C" fn(
        user: *mut ::core::ffi::c_void,
        level: tileops_log_level,
        message: *const ::core::ffi::c_char,
    ),
>;
unsafe extern "C" {
    /** Sets the process-wide log. fn NULL writes to stderr, or to TILEOPS_LOG_FILE. The level at start
 is TILEOPS_LOG (off, error, warn, info, debug; default warn). Nothing is ever logged inside a
 successful execute. The old callback may still be running on other threads on return.
 Errors: INVALID_ARGUMENT (level). Since 0.1.*/
    pub fn tileops_log_set(
        fn_: tileops_log_fn,
        user: *mut ::core::ffi::c_void,
        level: tileops_log_level,
    ) -> tileops_status;
}
