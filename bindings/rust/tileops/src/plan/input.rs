//! Operands of plans.

use crate::tensor::View;
use crate::Element;
use crate::{DType, Device, Tensor, TensorMut, TensorRef, TensorSpec};
use tileops_sys as sys;

/// An input of an execute or a call: a tensor, a number, [`Input::ABSENT`], or [`Input::in_place`].
///
/// A number is a 0-d tensor of its type, in plans for CUDA too. As in PyTorch it decides the dtype of
/// the computation only where it is of a higher kind (bool, integer, float) than the tensors, and one
/// that this dtype does not hold is refused: 300 beside uint8. A 0-d tensor is converted as any other.
/// Operators take numbers so; an expression has scalars for them, and operands that are tensors.
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

impl Operand<'_> {
    /// Whether it has an extent that each execute brings.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.0, Kind::View(view) if view.is_open())
    }
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

    /// The value of an integer or a bool; None: a float.
    pub(super) fn integer(&self) -> Option<i128> {
        macro_rules! read {
            ($T:ty) => {{
                // SAFETY: the value, as `new` wrote it; every pattern of these types is one.
                Some(i128::from(unsafe { self.bytes.as_ptr().cast::<$T>().read() }))
            }};
        }
        match self.dtype {
            DType::Bool | DType::U8 => read!(u8),
            DType::U16 => read!(u16),
            DType::U32 => read!(u32),
            DType::U64 => read!(u64),
            DType::I8 => read!(i8),
            DType::I16 => read!(i16),
            DType::I32 => read!(i32),
            DType::I64 => read!(i64),
            _ => None,
        }
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

    /// The memory of that output, counted from 0: what is read there is overwritten. Several inputs may
    /// be in place, each of the output that it names, two of them also of the same one (`x * x`).
    ///
    /// ```
    /// use tileops::{ops, Expr, Input, Plan, TensorMut, TensorRef};
    /// let mut x = [1.0f32, 4.0];
    /// ops::sqrt(Input::in_place(0), &mut TensorMut::new(&mut x, &[2])?)?;
    /// assert_eq!(x, [1.0, 2.0]);
    ///
    /// // A step with momentum: p and m are updated where they are.
    /// let step = Expr::parse("(p, g, m) -> { n = 0.5 * m + g; p - 0.25 * n, n }")?;
    /// let (mut p, g, mut m) = ([1.0f32, 2.0], [4.0f32, 8.0], [0.0f32, 8.0]);
    /// let (mut p, mut m) = (TensorMut::new(&mut p, &[2])?, TensorMut::new(&mut m, &[2])?);
    /// let g = TensorRef::new(&g, &[2])?;
    /// let inputs = [Input::in_place(0), (&g).into(), Input::in_place(1)];
    /// let plan = Plan::new(&step, inputs, [&p, &m])?;
    /// plan.execute(inputs, [&mut p, &mut m])?;
    /// assert_eq!(p.into_slice::<f32>()?, [0.0, -1.0]);
    /// assert_eq!(m.into_slice::<f32>()?, [4.0, 12.0]);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// The operand has the dtype, the shape and the strides of the output; where the plan was made for
    /// others, or has no such output, the error names the input.
    pub const fn in_place(output: usize) -> Self {
        Input(Kind::Output(output))
    }

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
