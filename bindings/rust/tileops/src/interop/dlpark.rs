//! Tensors from and to `dlpark`, the carrier of DLPack in Rust.

use crate::{Error, Result, Tensor};
use dlpark::versioned::Dlpack;
use std::ptr::NonNull;

#[cfg_attr(docsrs, doc(cfg(feature = "dlpark")))]
impl Tensor {
    /// Takes over a tensor of `dlpark`, without copying. It is released on failure, too.
    ///
    /// Errors: `Version`, `Unsupported` (dtype), `InvalidArgument`.
    ///
    /// # Safety
    ///
    /// Its memory holds values of its dtype (0 or 1 for bool) and is written by nobody else as long
    /// as this tensor lives.
    pub unsafe fn from_dlpark(tensor: Dlpack) -> Result<Self> {
        let raw = NonNull::new(tensor.into_raw().cast())
            .ok_or_else(|| Error::invalid("Tensor: managed: NULL"))?;
        // SAFETY: a valid tensor that is handed over; both crates write DLPack's version 1 in the
        // same layout. The rest is the caller's promise.
        unsafe { Tensor::from_dlpack(raw) }
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "dlpark")))]
impl TryFrom<Tensor> for Dlpack {
    type Error = Error;

    /// Hands a tensor to `dlpark`, without copying.
    fn try_from(tensor: Tensor) -> Result<Self> {
        let raw = tensor.into_dlpack().as_ptr().cast();
        // SAFETY: a valid tensor that is handed over.
        unsafe { Dlpack::from_raw(raw) }
            .map_err(|why| Error::invalid(format!("Tensor: managed: {why}")))
    }
}
