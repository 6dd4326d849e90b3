//! Tensors that borrow their memory.

use super::view::{check_len, View};
use crate::{DType, Device, Element, Error, Result};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// A tensor that may be read: a borrow of a slice, or of another owner's memory.
///
/// It holds shape and strides itself and never copies elements.
///
/// ```
/// use tileops::TensorRef;
/// let data = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let rows = TensorRef::new(&data, &[2, 3])?;
/// let columns = TensorRef::strided(&data, &[3, 2], &[1, 3], 0)?; // its transpose
/// assert_eq!((rows.strides(), columns.shape()), (&[3, 1][..], &[3, 2][..]));
/// # Ok::<(), tileops::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TensorRef<'a>(pub(crate) View, PhantomData<&'a [u8]>);

/// A tensor that may be written: a unique borrow.
#[derive(Debug)]
pub struct TensorMut<'a>(pub(crate) View, PhantomData<&'a mut [u8]>);

macro_rules! queries {
    ($Name:ident) => {
        impl $Name<'_> {
            /// Extents.
            pub fn shape(&self) -> &[usize] {
                self.0.extents()
            }

            /// Strides in elements.
            pub fn strides(&self) -> &[isize] {
                self.0.steps()
            }

            /// Type of the elements.
            pub fn dtype(&self) -> DType {
                self.0.dtype
            }

            /// Where the memory is.
            pub fn device(&self) -> Device {
                self.0.device
            }

            /// Number of elements.
            pub fn len(&self) -> usize {
                self.0.len()
            }

            /// Whether it has no elements.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Address of element 0.
            pub fn as_ptr(&self) -> *const c_void {
                self.0.data.cast()
            }
        }
    };
}

queries!(TensorRef);
queries!(TensorMut);

impl<'a> TensorRef<'a> {
    /// A row-major tensor over all of a slice.
    ///
    /// Errors: `InvalidArgument` unless the slice has exactly the shape's elements.
    #[inline]
    pub fn new<T: Element>(data: &'a [T], shape: &[usize]) -> Result<Self> {
        let view = View::of_slice(data.as_ptr().cast_mut(), data.len(), shape)?;
        Ok(Self(view, PhantomData))
    }

    /// A 0-d tensor.
    pub fn scalar<T: Element>(value: &'a T) -> Self {
        let data = std::slice::from_ref(value);
        Self::new(data, &[]).expect("one element is what a 0-d tensor has")
    }

    /// A strided tensor: element `[i, j, ...]` is `data[first + i * strides[0] + ...]`. Strides may
    /// be 0 (broadcast) or negative.
    ///
    /// Errors: `InvalidArgument` if an element lies outside of the slice.
    pub fn strided<T: Element>(
        data: &'a [T],
        shape: &[usize],
        strides: &[isize],
        first: usize,
    ) -> Result<Self> {
        let at = data.as_ptr().wrapping_add(first).cast_mut().cast();
        let view = View::new(at, Device::CPU, T::DTYPE, shape, Some(strides))?;
        view.check_bounds(data.len(), first)?;
        Ok(Self(view, PhantomData))
    }

    /// A row-major tensor of any dtype over bytes.
    ///
    /// Errors: `InvalidArgument` if the number of bytes is not the shape's, if the address is not a
    /// multiple of the element's size, or if a bool is neither 0 nor 1.
    pub fn from_bytes(data: &'a [u8], dtype: DType, shape: &[usize]) -> Result<Self> {
        check_bytes(data, dtype, shape)?;
        Ok(Self(View::new(data.as_ptr().cast_mut(), Device::CPU, dtype, shape, None)?, PhantomData))
    }

    /// A tensor at an address of any device. `strides` None: row-major.
    ///
    /// # Safety
    ///
    /// All elements are readable, and hold values of `dtype`, for `'a` and until the work that
    /// reads them is done.
    pub unsafe fn from_raw(
        data: *const c_void,
        device: Device,
        dtype: DType,
        shape: &[usize],
        strides: Option<&[isize]>,
    ) -> Result<Self> {
        let data = data.cast_mut().cast();
        Ok(Self(View::new(data, device, dtype, shape, strides)?, PhantomData))
    }

    pub(crate) fn of(view: View) -> Self {
        Self(view, PhantomData)
    }
}

impl<'a> TensorMut<'a> {
    /// A row-major tensor over all of a slice. Errors: as [`TensorRef::new`].
    #[inline]
    pub fn new<T: Element>(data: &'a mut [T], shape: &[usize]) -> Result<Self> {
        let view = View::of_slice(data.as_mut_ptr(), data.len(), shape)?;
        Ok(Self(view, PhantomData))
    }

    /// A row-major tensor over all of a slice that holds no values yet, such as a `Vec`'s spare
    /// capacity. Reading it, in place or as an input, is an error until a call has written
    /// it; [`into_slice`](Self::into_slice) then gives the elements.
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    /// use tileops::{ops, TensorMut, TensorRef};
    /// let x = [1.0f32, 4.0];
    /// let mut y = [const { MaybeUninit::<f32>::uninit() }; 2];
    /// let mut out = TensorMut::uninit(&mut y, &[2])?;
    /// ops::sqrt(&TensorRef::new(&x, &[2])?, &mut out)?;
    /// assert_eq!(out.into_slice::<f32>()?, [1.0, 2.0]);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: as [`TensorRef::new`].
    #[inline]
    pub fn uninit<T: Element>(data: &'a mut [MaybeUninit<T>], shape: &[usize]) -> Result<Self> {
        let mut view = View::of_slice(data.as_mut_ptr().cast::<T>(), data.len(), shape)?;
        view.uninit = true;
        Ok(Self(view, PhantomData))
    }

    /// The elements in row-major order.
    ///
    /// Errors: `InvalidArgument` unless the tensor is row-major, in host memory, of dtype `T`, and
    /// made from values or written by a call.
    pub fn into_slice<T: Element>(self) -> Result<&'a mut [T]> {
        let data = self.0.slice_at::<T>("TensorMut: into_slice")?;
        // SAFETY: row-major values of that type, as checked, which are borrowed uniquely for 'a.
        Ok(unsafe { std::slice::from_raw_parts_mut(data, self.0.len()) })
    }

    /// A strided tensor; see [`TensorRef::strided`]. A plan refuses outputs in which two elements
    /// share an address.
    pub fn strided<T: Element>(
        data: &'a mut [T],
        shape: &[usize],
        strides: &[isize],
        first: usize,
    ) -> Result<Self> {
        let at = data.as_mut_ptr().wrapping_add(first).cast();
        let view = View::new(at, Device::CPU, T::DTYPE, shape, Some(strides))?;
        view.check_bounds(data.len(), first)?;
        Ok(Self(view, PhantomData))
    }

    /// A row-major tensor of any dtype over bytes. Errors: as [`TensorRef::from_bytes`].
    pub fn from_bytes(data: &'a mut [u8], dtype: DType, shape: &[usize]) -> Result<Self> {
        check_bytes(data, dtype, shape)?;
        Ok(Self(View::new(data.as_mut_ptr(), Device::CPU, dtype, shape, None)?, PhantomData))
    }

    /// A tensor at an address of any device. `strides` None: row-major.
    ///
    /// # Safety
    ///
    /// All elements are readable and writable, and used by nobody else, for `'a` and until the work
    /// that writes them is done.
    pub unsafe fn from_raw(
        data: *mut c_void,
        device: Device,
        dtype: DType,
        shape: &[usize],
        strides: Option<&[isize]>,
    ) -> Result<Self> {
        Ok(Self(View::new(data.cast(), device, dtype, shape, strides)?, PhantomData))
    }

    /// The same tensor for reading.
    pub fn as_ref(&self) -> TensorRef<'_> {
        TensorRef(self.0.clone(), PhantomData)
    }

    pub(crate) fn of(view: View) -> Self {
        Self(view, PhantomData)
    }
}

fn check_bytes(data: &[u8], dtype: DType, shape: &[usize]) -> Result<()> {
    let size = dtype.size();
    if data.len() % size != 0 {
        return Err(Error::invalid(format!(
            "TensorRef: data: not whole elements (got {} bytes of {dtype})",
            data.len()
        )));
    }
    check_len(data.len() / size, shape)?;
    if !data.is_empty() && data.as_ptr() as usize % size != 0 {
        return Err(Error::invalid(format!(
            "TensorRef: data: address is not a multiple of {size} bytes ({dtype})"
        )));
    }
    if dtype == DType::Bool && !bool::valid(data) {
        return Err(Error::invalid("TensorRef: data: a bool is neither 0 nor 1"));
    }
    Ok(())
}
