//! Tensors: borrowed, owned, and their description without memory.

mod arrange;
mod borrowed;
mod dims;
mod dlpack;
mod extent;
mod owned;
mod spec;
mod view;

pub use borrowed::{TensorMut, TensorRef};
pub use extent::Extent;
pub use owned::Tensor;
pub use spec::TensorSpec;
pub(crate) use view::View;
#[cfg(feature = "cudarc")]
pub(crate) use view::{check_bounds, check_len};

use crate::error::check;
use crate::stream::{self, RawStream};
use crate::{version, Context, Error, Result};
use tileops_sys as sys;

/// Copies elements between tensors of the same shape and dtype, of any devices and strides, and
/// waits until that is done.
///
/// Errors: `InvalidArgument` (shape, dtype, overlap), `NoDevice`, `Device`.
pub fn copy(source: &TensorRef<'_>, target: &mut TensorMut<'_>) -> Result<()> {
    let cuda = [source.device(), target.device()].into_iter().find(|d| !d.is_cpu());
    // SAFETY: the work is done when this function returns, and both borrows live until then.
    unsafe { copy_on(source, target, RawStream::DEFAULT) }?;
    match cuda {
        Some(device) => stream::synchronize(&Context::default(), device, RawStream::DEFAULT),
        None => Ok(()),
    }
}

/// As [`copy`], enqueued on a stream of a CUDA device.
///
/// # Safety
///
/// Both tensors live, and nobody else uses them in a conflicting way, until the work on the stream
/// is done; the stream belongs to the device.
pub unsafe fn copy_on(
    source: &TensorRef<'_>,
    target: &mut TensorMut<'_>,
    stream: RawStream,
) -> Result<()> {
    version::ensure()?;
    if source.0.uninit {
        return Err(Error::invalid("copy: source: memory that nothing has written yet"));
    }
    let (from, mut to) = (source.0.to_dlpack(), target.0.to_dlpack());
    // SAFETY: both point into borrowed views; the rest is the caller's promise. NULL is the default
    // context.
    check(unsafe {
        sys::tileops_tensor_copy(std::ptr::null_mut(), &from, &mut to, stream.as_ptr())
    })?;
    target.0.uninit = false;
    Ok(())
}
