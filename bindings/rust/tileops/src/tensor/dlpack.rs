//! A `Vec` as a DLPack tensor.

use crate::{Device, Element};
use std::ffi::c_void;
use std::ptr::NonNull;
use tileops_sys as sys;

/// What the tensor points to, and the tensor itself.
struct Owner<T> {
    _data: Vec<T>,
    dims: Vec<i64>,
    managed: sys::DLManagedTensorVersioned,
}

/// The vector as a row-major tensor; it has the shape's elements.
pub(super) fn managed_vec<T: Element>(
    mut data: Vec<T>,
    shape: &[usize],
) -> NonNull<sys::DLManagedTensorVersioned> {
    let mut dims: Vec<i64> = shape.iter().map(|e| *e as i64).collect();
    let mut stride = 1;
    let mut strides = vec![1; shape.len()];
    for d in (0..shape.len()).rev() {
        strides[d] = stride;
        stride *= dims[d].max(1);
    }
    dims.extend(strides); // written always: DLPack 1.2 demands them
    let address = data.as_mut_ptr().cast::<c_void>();
    let managed = sys::DLManagedTensorVersioned {
        version: sys::DLPackVersion { major: 1, minor: 1 },
        manager_ctx: std::ptr::null_mut(),
        deleter: Some(delete::<T>),
        flags: 0,
        dl_tensor: sys::DLTensor {
            data: address,
            device: Device::CPU.0,
            ndim: shape.len() as i32,
            dtype: T::DTYPE.to_dlpack(),
            shape: std::ptr::null_mut(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        },
    };
    let owner = Box::into_raw(Box::new(Owner { _data: data, dims, managed }));
    // SAFETY: just made, and reached through this one pointer from now on.
    unsafe {
        let at = (*owner).dims.as_mut_ptr();
        (*owner).managed.dl_tensor.shape = at;
        (*owner).managed.dl_tensor.strides = at.add(shape.len());
        (*owner).managed.manager_ctx = owner.cast();
        NonNull::new_unchecked(&raw mut (*owner).managed)
    }
}

/// # Safety
///
/// `managed` came from [`managed_vec`] of the same type, and is not used again.
unsafe extern "C" fn delete<T>(managed: *mut sys::DLManagedTensorVersioned) {
    // SAFETY: `manager_ctx` is the box that holds the tensor.
    unsafe { drop(Box::from_raw((*managed).manager_ctx.cast::<Owner<T>>())) };
}
