//! Operands of plans.

use crate::tensor::View;
use crate::Element;
use crate::{DType, Device, Tensor, TensorMut, TensorRef, TensorSpec};
use tileops_sys as sys;

/// An input of an execute or a call: a tensor, a number, [`Input::ABSENT`], or [`Input::IN_PLACE`].
///
/// A number is a 0-d tensor of its type, in plans for CUDA too. As in PyTorch it decides the dtype of
/// the computation only where it is of a higher kind (bool, integer, float) than the tensors.
///
/// ```
/// use tileops::{ops, TensorMut, TensorRef};
/// let (x, mut y) = ([1.0f32, 2.0], [0.0f32; 2]);
/// ops::mul(&TensorRef::new(&x, &[2])?, 2.5, &mut TensorMut::new(&mut y, &[2])?)?;
/// assert_eq!(y, [2.5, 5.0]);
/// # Ok::<(), tileops::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(pub(crate) Kind<'a>);

/// An operand of a plan: as [`Input`], or a [`TensorSpec`]; outputs are described in the same way.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a>(pub(crate) Kind<'a>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind<'a> {
    View(&'a View),
    Scalar(Scalar),
    Absent,
    Output(usize),
}

/// A number as a 0-d tensor in host memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar {
    pub(crate) dtype: DType,
    /// The value is in its first bytes.
    bytes: [u64; 1],
}

impl Scalar {
    pub(crate) fn new<T: Element>(value: T) -> Self {
        let mut bytes = [0; 1];
        assert!(size_of::<T>() <= size_of_val(&bytes));
        // SAFETY: there is room; a write needs no alignment.
        unsafe { bytes.as_mut_ptr().cast::<T>().write_unaligned(value) };
        Self { dtype: T::DTYPE, bytes }
    }

    /// The tensor for a C call; it points into `self`.
    #[inline]
    pub(crate) fn as_dlpack(&self) -> sys::DLTensor {
        sys::DLTensor {
            data: self.bytes.as_ptr().cast_mut().cast(),
            device: Device::CPU.0,
            ndim: 0,
            dtype: self.dtype.to_dlpack(),
            shape: std::ptr::null_mut(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        }
    }
}

impl Input<'static> {
    /// An optional input that is not given.
    pub const ABSENT: Self = Input(Kind::Absent);

    /// The memory of output 0: the operator runs in place.
    ///
    /// ```
    /// use tileops::{ops, Input, TensorMut};
    /// let mut x = [1.0f32, 4.0];
    /// ops::sqrt(Input::IN_PLACE, &mut TensorMut::new(&mut x, &[2])?)?;
    /// assert_eq!(x, [1.0, 2.0]);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    pub const IN_PLACE: Self = Input(Kind::Output(0));

    /// No inputs at all, for operators such as `sinusoidal`.
    pub const NONE: [Self; 0] = [];
}

macro_rules! scalars {
    ($($T:ty),* $(,)?) => {$(
        impl From<$T> for Input<'_> {
            fn from(value: $T) -> Self {
                Input(Kind::Scalar(Scalar::new(value)))
            }
        }

        impl From<$T> for Operand<'_> {
            fn from(value: $T) -> Self {
                Operand(Kind::Scalar(Scalar::new(value)))
            }
        }
    )*};
}

scalars! { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, bool }
#[cfg(feature = "half")]
scalars! { half::f16, half::bf16 }
#[cfg(feature = "float8")]
scalars! { float8::F8E4M3, float8::F8E5M2 }

macro_rules! operands {
    ($($T:ty => $View:expr),* $(,)?) => {$(
        impl<'a> From<&'a $T> for Input<'a> {
            fn from(tensor: &'a $T) -> Self {
                Input(Kind::View($View(tensor)))
            }
        }

        impl<'a> From<&'a $T> for Operand<'a> {
            fn from(tensor: &'a $T) -> Self {
                Operand(Kind::View($View(tensor)))
            }
        }
    )*};
}

operands! {
    TensorRef<'_> => |t: &'a TensorRef<'_>| &t.0,
    TensorMut<'_> => |t: &'a TensorMut<'_>| &t.0,
    Tensor => |t: &'a Tensor| t.as_view(),
}

impl<'a> From<&'a TensorSpec> for Operand<'a> {
    fn from(spec: &'a TensorSpec) -> Self {
        Operand(Kind::View(&spec.0))
    }
}

impl<'a> From<&'a mut TensorMut<'_>> for Operand<'a> {
    fn from(tensor: &'a mut TensorMut<'_>) -> Self {
        Operand(Kind::View(&tensor.0))
    }
}

impl<'a> From<Input<'a>> for Operand<'a> {
    fn from(input: Input<'a>) -> Self {
        Operand(input.0)
    }
}
