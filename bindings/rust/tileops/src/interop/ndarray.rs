//! Arrays of `ndarray` as tensors: strides and order are mapped, nothing is copied.

use crate::{Device, Element, Error, Result, TensorMut, TensorRef};
use ndarray::{ArrayBase, ArrayView, ArrayViewMut, Data, DataMut, Dimension};

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T, S, D> TryFrom<&'a ArrayBase<S, D>> for TensorRef<'a>
where
    T: Element,
    S: Data<Elem = T>,
    D: Dimension,
{
    type Error = Error;

    /// Borrows an array or a view of any layout.
    ///
    /// ```
    /// use ndarray::{arr2, Array2};
    /// use tileops::{ops, TensorMut, TensorRef};
    /// let x = arr2(&[[1.0f32, 4.0, 9.0], [16.0, 25.0, 36.0]]);
    /// let mut y = Array2::<f32>::zeros((3, 2));
    /// ops::sqrt(&TensorRef::try_from(&x.t())?, &mut TensorMut::try_from(&mut y)?)?;
    /// assert_eq!(y, arr2(&[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]));
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: `InvalidArgument` (more dimensions than the library takes).
    fn try_from(array: &'a ArrayBase<S, D>) -> Result<Self> {
        let data = array.as_ptr().cast();
        // SAFETY: the array's elements, which are borrowed for 'a.
        unsafe {
            TensorRef::from_raw(data, Device::CPU, T::DTYPE, array.shape(), Some(array.strides()))
        }
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T, S, D> TryFrom<&'a mut ArrayBase<S, D>> for TensorMut<'a>
where
    T: Element,
    S: DataMut<Elem = T>,
    D: Dimension,
{
    type Error = Error;

    /// Borrows an array or a mutable view of any layout. Shared data is copied first, as `ndarray`
    /// does on every write.
    ///
    /// Errors: `InvalidArgument` (more dimensions than the library takes).
    fn try_from(array: &'a mut ArrayBase<S, D>) -> Result<Self> {
        // First: it may give a shared array data of its own, of another layout.
        let data = array.as_mut_ptr().cast();
        // SAFETY: the array's elements, which are borrowed uniquely for 'a.
        unsafe {
            TensorMut::from_raw(data, Device::CPU, T::DTYPE, array.shape(), Some(array.strides()))
        }
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T: Element, D: Dimension> TryFrom<ArrayView<'a, T, D>> for TensorRef<'a> {
    type Error = Error;

    /// Takes a view of any layout, such as `array.slice(...)`: the tensor borrows what it borrowed.
    ///
    /// Errors: `InvalidArgument` (more dimensions than the library takes).
    fn try_from(array: ArrayView<'a, T, D>) -> Result<Self> {
        let data = array.as_ptr().cast();
        // SAFETY: the view's elements, which it borrows for 'a.
        unsafe {
            TensorRef::from_raw(data, Device::CPU, T::DTYPE, array.shape(), Some(array.strides()))
        }
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T: Element, D: Dimension> TryFrom<ArrayViewMut<'a, T, D>> for TensorMut<'a> {
    type Error = Error;

    /// Takes a mutable view of any layout, such as `array.column_mut(1)`.
    ///
    /// Errors: `InvalidArgument` (more dimensions than the library takes).
    fn try_from(mut array: ArrayViewMut<'a, T, D>) -> Result<Self> {
        let data = array.as_mut_ptr().cast();
        // SAFETY: the view's elements, which it borrows uniquely for 'a; it is gone afterwards.
        unsafe {
            TensorMut::from_raw(data, Device::CPU, T::DTYPE, array.shape(), Some(array.strides()))
        }
    }
}
