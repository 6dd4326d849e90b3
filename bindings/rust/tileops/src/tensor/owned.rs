//! Tensors that own their memory.

use super::view::View;
use super::{TensorMut, TensorRef};
use crate::counters::{Counter, TENSORS};
use crate::error::check;
use crate::{version, Context, DType, Device, Element, Error, Result, Status};
use smallvec::SmallVec;
use std::ptr::NonNull;
use tileops_sys as sys;

/// A tensor that owns its memory, on any device: memory of the library, a `Vec`, or a tensor of
/// another program that came by DLPack.
///
/// On CUDA, dropping it waits for no stream: finish the work first. The calls of this crate that
/// are not `unsafe` have done that when they return.
#[derive(Debug)]
pub struct Tensor {
    managed: NonNull<sys::DLManagedTensorVersioned>,
    view: View,
    _counter: Counter,
}

// SAFETY: the tensor is the only owner, and DLPack's deleter may be called from any thread.
unsafe impl Send for Tensor {}
// SAFETY: `&Tensor` only reads.
unsafe impl Sync for Tensor {}

impl Tensor {
    /// A row-major tensor on a device, 64-byte aligned: zeros on the CPU; on CUDA its contents are
    /// undefined, but for bools, which are false.
    ///
    /// Errors: `InvalidArgument`, `Unsupported`, `NoDevice`, `OutOfMemory`.
    pub fn new(device: Device, dtype: DType, shape: &[usize]) -> Result<Self> {
        Self::in_context(&Context::default(), device, dtype, shape)
    }

    /// As [`Tensor::new`], with the options of a context.
    pub fn in_context(
        context: &Context,
        device: Device,
        dtype: DType,
        shape: &[usize],
    ) -> Result<Self> {
        version::ensure()?;
        let extents: SmallVec<[i64; 8]> = shape.iter().map(|e| *e as i64).collect();
        let mut managed = std::ptr::null_mut();
        // SAFETY: shape has as many extents as said; the context is alive.
        check(unsafe {
            sys::tileops_tensor_alloc(
                context.as_ptr(),
                device.0,
                dtype.to_dlpack(),
                extents.len() as i32,
                extents.as_ptr(),
                &mut managed,
            )
        })?;
        // SAFETY: a new tensor, owned by nobody else; OK means that it is not NULL.
        let mut tensor = unsafe { Self::from_dlpack(NonNull::new_unchecked(managed)) }?;
        let bytes = tensor.view.len() * dtype.size();
        if device.is_cpu() {
            if bytes > 0 {
                // SAFETY: memory of that many bytes, of this tensor alone.
                unsafe { tensor.view.data.write_bytes(0, bytes) };
            }
        } else if dtype == DType::Bool && bytes > 0 {
            // Bytes that are no bool must not reach a `&mut [bool]`.
            let zeros: SmallVec<[isize; 8]> = shape.iter().map(|_| 0).collect();
            let source = TensorRef::strided(&[false], shape, &zeros, 0)?;
            super::copy(&source, &mut tensor.view_mut()?)?;
        }
        Ok(tensor)
    }

    /// Takes a `Vec` over as a row-major tensor, without copying.
    ///
    /// Errors: `InvalidArgument` unless it has exactly the shape's elements.
    pub fn from_vec<T: Element>(data: Vec<T>, shape: &[usize]) -> Result<Self> {
        TensorRef::new(&data, shape)?;
        let managed = super::dlpack::managed_vec(data, shape);
        // SAFETY: a new tensor, owned by nobody else.
        unsafe { Self::from_dlpack(managed) }
    }

    /// Takes over a tensor that came by DLPack. It is released on failure, too.
    ///
    /// Errors: `Version` (another major version of DLPack), `Unsupported` (dtype), `InvalidArgument`.
    ///
    /// # Safety
    ///
    /// `managed` is a valid tensor that the caller owns and hands over; its memory holds values of
    /// its dtype (0 or 1 for bool) and is written by nobody else as long as this tensor lives.
    pub unsafe fn from_dlpack(managed: NonNull<sys::DLManagedTensorVersioned>) -> Result<Self> {
        // The count and the deleter are those of the value even where this function fails.
        let guard = Deleter(managed);
        // SAFETY: valid, as the caller promises; `version` is where it is in every version.
        let found = unsafe { (*managed.as_ptr()).version };
        if found.major != 1 {
            return Err(Error::new(
                Status::Version,
                format!("Tensor: managed: version of DLPack (got {}, need 1)", found.major),
            ));
        }
        // SAFETY: version 1 has this layout.
        let view = unsafe { View::from_dlpack(&(*managed.as_ptr()).dl_tensor) }?;
        std::mem::forget(guard);
        Ok(Self { managed, view, _counter: Counter::new(&TENSORS) })
    }

    /// Hands the tensor to another program by DLPack, which then calls its deleter.
    pub fn into_dlpack(self) -> NonNull<sys::DLManagedTensorVersioned> {
        let managed = self.managed;
        let mut this = std::mem::ManuallyDrop::new(self);
        // SAFETY: the fields are not used again; the managed tensor is not released.
        unsafe {
            std::ptr::drop_in_place(&mut this.view);
            std::ptr::drop_in_place(&mut this._counter);
        }
        managed
    }

    /// The tensor for reading.
    pub fn view(&self) -> TensorRef<'_> {
        TensorRef::of(self.view.clone())
    }

    pub(crate) fn as_view(&self) -> &View {
        &self.view
    }

    /// The tensor for writing.
    ///
    /// Errors: `InvalidArgument` if its producer made it read-only.
    pub fn view_mut(&mut self) -> Result<TensorMut<'_>> {
        // SAFETY: valid as long as `self`.
        if unsafe { self.managed.as_ref() }.flags & sys::DLPACK_FLAG_BITMASK_READ_ONLY != 0 {
            return Err(Error::invalid("Tensor: output: the tensor is read-only"));
        }
        Ok(TensorMut::of(self.view.clone()))
    }

    /// Extents.
    pub fn shape(&self) -> &[usize] {
        self.view.extents()
    }

    /// Type of the elements.
    pub fn dtype(&self) -> DType {
        self.view.dtype
    }

    /// Where the memory is.
    pub fn device(&self) -> Device {
        self.view.device
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.view.len()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements in row-major order.
    ///
    /// Errors: `InvalidArgument` unless the tensor is row-major, in host memory, and of dtype `T`.
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        let data = self.view.slice_at::<T>("Tensor: as_slice")?;
        // SAFETY: row-major elements of that type, as checked; nobody writes them during `&self`.
        Ok(unsafe { std::slice::from_raw_parts(data, self.len()) })
    }

    /// The elements in row-major order, for writing. Errors: as [`Tensor::as_slice`], and for
    /// read-only tensors.
    pub fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T]> {
        let data = self.view.slice_at::<T>("Tensor: as_slice")?;
        self.view_mut()?;
        // SAFETY: as above, and `&mut self` is unique.
        Ok(unsafe { std::slice::from_raw_parts_mut(data, self.len()) })
    }
}

impl Drop for Tensor {
    fn drop(&mut self) {
        drop(Deleter(self.managed));
    }
}

/// Calls the deleter of a managed tensor when it goes.
struct Deleter(NonNull<sys::DLManagedTensorVersioned>);

impl Drop for Deleter {
    fn drop(&mut self) {
        // SAFETY: owned, and dropped once; `deleter` is where it is in every version.
        unsafe {
            if let Some(deleter) = self.0.as_ref().deleter {
                deleter(self.0.as_ptr());
            }
        }
    }
}
