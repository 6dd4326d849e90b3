//! Running a plan.

use super::workspace::Workspace;
use super::{Input, Plan, Run};
use crate::stream::{self, RawStream};
use crate::tensor::View;
use crate::{Context, Number, Result, TensorMut};
use smallvec::SmallVec;

impl Plan {
    /// Runs the plan and returns when the result is there. On CUDA it runs on the legacy default
    /// stream, and is waited for; [`execute_on`](Self::execute_on) does neither.
    ///
    /// Inputs are `&TensorRef`, `&Tensor`, `&TensorMut`, or [`Input`]s where they differ in kind.
    /// No allocation, no lock, but for a plan that needs a [`Workspace`]: it takes one of its own, which is
    /// allocated when none is free.
    ///
    /// Errors: `InvalidArgument` (tensors that differ from the planned ones, memory that overlaps),
    /// `Device`.
    #[inline]
    pub fn execute<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
    ) -> Result<()> {
        // SAFETY: the work is done when this function returns, and all borrows live until then.
        unsafe { self.execute_on(inputs, outputs, RawStream::DEFAULT) }?;
        self.wait()
    }

    /// As [`execute`](Self::execute), for a plan of an expression with scalars, in its order; those left
    /// off, and [`Number::DEFAULT`], are the defaults of the text. By name:
    /// [`Expr::scalar_values`](crate::Expr::scalar_values).
    ///
    /// ```
    /// use tileops::{Expr, Plan, TensorMut, TensorRef};
    /// let axpy = Expr::parse("(x, y; a = 1.0) -> a * x + y")?;
    /// let (x, y, mut z) = ([1.0f32, 2.0], [10.0f32, 20.0], [0.0f32; 2]);
    /// let (x, y) = (TensorRef::new(&x, &[2])?, TensorRef::new(&y, &[2])?);
    /// let mut out = TensorMut::new(&mut z, &[2])?;
    /// let plan = Plan::new(&axpy, [&x, &y], [&out])?;
    /// plan.execute_with([&x, &y], [&mut out], &[0.5.into()])?;
    /// assert_eq!(z, [10.5, 21.0]);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: as [`execute`](Self::execute), and `InvalidArgument` for more scalars than there are, or
    /// one that its type cannot have: a float for an integer, an integer out of range.
    #[inline]
    pub fn execute_with<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
        scalars: &[Number],
    ) -> Result<()> {
        // SAFETY: the work is done when this function returns, and all borrows live until then.
        unsafe { self.execute_with_on(inputs, outputs, scalars, RawStream::DEFAULT) }?;
        self.wait()
    }

    /// Runs the plan on a stream of its device, and does not wait for it; it may be captured into a
    /// CUDA graph. CPU plans take [`RawStream::DEFAULT`], and their result is there on return.
    ///
    /// # Safety
    ///
    /// All tensors live, and nobody else uses them in a conflicting way, until the work on the
    /// stream is done. The stream belongs to the plan's device. If the plan needs a [`Workspace`], the
    /// stream is destroyed only when its work is done, and it is not captured: a graph wants a workspace
    /// of its own, [`execute_in_on`](Self::execute_in_on).
    #[inline]
    pub unsafe fn execute_on<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
        stream: RawStream,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.execute_with_on(inputs, outputs, &[], stream) }
    }

    /// As [`execute_on`](Self::execute_on), with scalars; see [`execute_with`](Self::execute_with). They
    /// are read before the call returns; a captured graph keeps the values of the capture.
    ///
    /// # Safety
    ///
    /// As [`execute_on`](Self::execute_on).
    #[inline]
    pub unsafe fn execute_with_on<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
        scalars: &[Number],
        stream: RawStream,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.run_array(inputs, outputs, Run::on(stream, scalars)) }
    }

    /// As [`execute_with`](Self::execute_with) in a workspace that is given; none of the plan's is taken.
    ///
    /// Errors: also `InvalidArgument` for a workspace that is too small, or on another device.
    #[inline]
    pub fn execute_in<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        workspace: &mut Workspace,
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
        scalars: &[Number],
    ) -> Result<()> {
        // SAFETY: the work is done when this function returns, and all borrows live until then.
        unsafe { self.execute_in_on(workspace, inputs, outputs, scalars, RawStream::DEFAULT) }?;
        self.wait()
    }

    /// As [`execute_with_on`](Self::execute_with_on) in a workspace that is given. So a captured CUDA
    /// graph has one of its own, in which it works each time that it is launched.
    ///
    /// # Safety
    ///
    /// As [`execute_on`](Self::execute_on); and until the work is done the workspace lives, and no work
    /// but such as is enqueued behind it on the stream uses it.
    #[inline]
    pub unsafe fn execute_in_on<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        workspace: &mut Workspace,
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
        scalars: &[Number],
        stream: RawStream,
    ) -> Result<()> {
        let run = Run::on(stream, scalars).within(self.given(workspace)?);
        // SAFETY: the caller's promise.
        unsafe { self.run_array(inputs, outputs, run) }
    }

    /// As [`execute`](Self::execute), for a number of operands that is known at run time only.
    pub fn execute_dyn(
        &self,
        inputs: &[Input<'_>],
        outputs: &mut [&mut TensorMut<'_>],
    ) -> Result<()> {
        self.execute_with_dyn(inputs, outputs, &[])
    }

    /// As [`execute_with`](Self::execute_with), for a number of operands that is known at run time only.
    pub fn execute_with_dyn(
        &self,
        inputs: &[Input<'_>],
        outputs: &mut [&mut TensorMut<'_>],
        scalars: &[Number],
    ) -> Result<()> {
        {
            let views: SmallVec<[&View; 2]> = outputs.iter().map(|out| &out.0).collect();
            let run = Run::on(RawStream::DEFAULT, scalars);
            // SAFETY: the work is done when this function returns.
            unsafe { self.execute_views(inputs, &views, run) }?;
        }
        outputs.iter_mut().for_each(|out| out.0.uninit = false);
        self.wait()
    }

    /// As [`execute_in`](Self::execute_in), for a number of operands that is known at run time only.
    pub fn execute_in_dyn(
        &self,
        workspace: &mut Workspace,
        inputs: &[Input<'_>],
        outputs: &mut [&mut TensorMut<'_>],
        scalars: &[Number],
    ) -> Result<()> {
        {
            let views: SmallVec<[&View; 2]> = outputs.iter().map(|out| &out.0).collect();
            let run = Run::on(RawStream::DEFAULT, scalars).within(self.given(workspace)?);
            // SAFETY: the work is done when this function returns.
            unsafe { self.execute_views(inputs, &views, run) }?;
        }
        outputs.iter_mut().for_each(|out| out.0.uninit = false);
        self.wait()
    }

    /// Waits for the default stream; nothing on the CPU.
    #[inline]
    pub(crate) fn wait(&self) -> Result<()> {
        if self.device().is_cpu() {
            return Ok(());
        }
        stream::synchronize(&Context::default(), self.device(), RawStream::DEFAULT)
    }
}
