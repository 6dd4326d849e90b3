//! Expressions without a plan in sight.

use super::{Expr, Number};
use crate::{call, Input, Result, TensorMut};

/// Runs the expression; the plan is made on the first call with such operands and found on the next
/// ones, as by the functions of [`ops`](crate::ops). Each thread keeps plans by the expression, of which
/// clones are the same: parse it once.
impl Expr {
    /// With the defaults of its scalars.
    ///
    /// ```
    /// use tileops::{Expr, TensorMut, TensorRef};
    /// let swiglu = Expr::parse("(g, u; scale = 1.0) -> silu(g) * u * scale")?;
    /// let (g, u, mut y) = ([0.0f32, 1.0], [1.0f32, 2.0], [0.0f32; 2]);
    /// let (g, u) = (TensorRef::new(&g, &[2])?, TensorRef::new(&u, &[2])?);
    /// let mut out = TensorMut::new(&mut y, &[2])?;
    /// swiglu.call([&g, &u], [&mut out])?;
    /// swiglu.call_with([&g, &u], [&mut out], &[10.0.into()])?;
    /// assert_eq!(y, [0.0, 14.621172]);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: those of [`Plan::new`](crate::Plan::new) and [`Plan::execute`](crate::Plan::execute).
    pub fn call<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
    ) -> Result<()> {
        self.call_with(inputs, outputs, &[])
    }

    /// With scalars; see [`Plan::execute_with`](crate::Plan::execute_with).
    pub fn call_with<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        inputs: [I; N],
        mut outputs: [&mut TensorMut<'_>; M],
        scalars: &[Number],
    ) -> Result<()> {
        self.call_with_dyn(&inputs.map(Into::into), &mut outputs, scalars)
    }

    /// As [`call_with`](Self::call_with), for a number of operands that is known at run time only.
    pub fn call_with_dyn(
        &self,
        inputs: &[Input<'_>],
        outputs: &mut [&mut TensorMut<'_>],
        scalars: &[Number],
    ) -> Result<()> {
        call::run_all(self, inputs, outputs, scalars)
    }
}
