//! Operands of plans.

use crate::tensor::View;
use crate::{Tensor, TensorMut, TensorRef, TensorSpec};

/// An input of an execute or a call: a tensor, [`Input::ABSENT`], or [`Input::IN_PLACE`].
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(pub(crate) Kind<'a>);

/// An operand of a plan: as [`Input`], or a [`TensorSpec`]; outputs are described in the same way.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a>(pub(crate) Kind<'a>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind<'a> {
    View(&'a View),
    Absent,
    Output(usize),
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
