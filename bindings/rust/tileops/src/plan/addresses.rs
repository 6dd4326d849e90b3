//! Running a plan on addresses, for programs whose memory has no borrows: engines with arenas of their own.

use super::open::raw;
use super::workspace::{Space, Workspace};
use super::Plan;
use crate::error::check;
use crate::stream::RawStream;
use crate::{Number, Result};
use std::ffi::c_void;
use tileops_sys as sys;

impl Plan {
    /// Runs the plan on bare addresses of element 0 on its device, in the plan's order, NULL for absent
    /// operands. Shapes, strides and dtypes are the planned ones; open extents are `extents`, in the
    /// order of [`open_extents`](Self::open_extents), of which other plans have none. `scalars` are as
    /// in [`execute_with`](Self::execute_with).
    ///
    /// On the CPU the result is there on return, and the stream is [`RawStream::DEFAULT`]; on CUDA the
    /// work is enqueued. A workspace, where one is needed, is one of the plan's.
    ///
    /// ```
    /// use tileops::{DType, Expr, Extent, Plan, RawStream, TensorSpec};
    /// let expr = Expr::parse("(x; s = 1.0) -> x * s")?;
    /// let x = TensorSpec::open(DType::F32, &[Extent::Open, Extent::Fixed(2)])?;
    /// let plan = Plan::new(&expr, [&x], [&x])?;
    /// let mut arena = vec![1.0f32; 1024];
    /// let (x, y) = (arena.as_ptr(), arena.as_mut_ptr().wrapping_add(512));
    /// // SAFETY: 7 rows of 2 lie at x and at y.
    /// let s = [3.0.into()];
    /// unsafe { plan.execute_ptrs(&[x.cast()], &[y.cast()], &[7], &s, RawStream::DEFAULT) }?;
    /// assert_eq!((arena[512 + 13], arena[512 + 14]), (3.0, 1.0));
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: `InvalidArgument` (the number of operands, an address that is NULL, the number of extents,
    /// one that is beyond its bound, a scalar), `Device`.
    ///
    /// # Safety
    ///
    /// At each address there is a tensor as planned, of these extents, aligned as its elements are; outputs
    /// overlap nothing but an input that they are in place of. Nobody else uses this memory in a
    /// conflicting way until the work is done. The rest is as for [`execute_on`](Self::execute_on).
    pub unsafe fn execute_ptrs(
        &self,
        inputs: &[*const c_void],
        outputs: &[*mut c_void],
        extents: &[usize],
        scalars: &[Number],
        stream: RawStream,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        let run = |space| unsafe {
            self.launch_ptrs(inputs, outputs, raw(extents), scalars, stream, space)
        };
        match &self.workspaces {
            None => run(Space::NONE),
            Some(own) => match own.bytes_at(self, || raw(extents).into()) {
                0 => run(Space::NONE),
                bytes => own.lend(stream, None, bytes, run)?,
            },
        }
    }

    /// As [`execute_ptrs`](Self::execute_ptrs), in a workspace that is given; none of the plan's is taken,
    /// and so nothing is allocated and nothing locked.
    ///
    /// Errors: also `InvalidArgument` for a workspace that is too small, or on another device.
    ///
    /// # Safety
    ///
    /// As [`execute_ptrs`](Self::execute_ptrs); and until the work is done the workspace lives, and no
    /// work but such as is enqueued behind it on the stream uses it.
    pub unsafe fn execute_ptrs_in(
        &self,
        workspace: &mut Workspace,
        inputs: &[*const c_void],
        outputs: &[*mut c_void],
        extents: &[usize],
        scalars: &[Number],
        stream: RawStream,
    ) -> Result<()> {
        let space = self.given(workspace)?;
        // SAFETY: the caller's promise.
        unsafe { self.launch_ptrs(inputs, outputs, raw(extents), scalars, stream, space) }
    }

    /// # Safety
    ///
    /// As [`execute_ptrs_in`](Self::execute_ptrs_in).
    unsafe fn launch_ptrs(
        &self,
        inputs: &[*const c_void],
        outputs: &[*mut c_void],
        extents: &[i64],
        scalars: &[Number],
        stream: RawStream,
        space: Space,
    ) -> Result<()> {
        let args = arguments(inputs, outputs, extents, scalars, stream, space);
        // SAFETY: as many addresses, numbers and extents as said; the rest is the caller's promise.
        check(unsafe { sys::tileops_execute_with(self.as_ptr(), &args) })
    }
}

/// What an execute on addresses takes, which points to these.
pub(super) fn arguments(
    inputs: &[*const c_void],
    outputs: &[*mut c_void],
    extents: &[i64],
    scalars: &[Number],
    stream: RawStream,
    space: Space,
) -> sys::tileops_execute_args {
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    sys::tileops_execute_args {
        struct_size: size_of::<sys::tileops_execute_args>() as u32,
        num_inputs: count(inputs.len()),
        num_outputs: count(outputs.len()),
        num_scalars: count(scalars.len()),
        inputs: std::ptr::null(),
        outputs: std::ptr::null(),
        scalars: scalars.as_ptr().cast(), // Number is transparent
        stream: stream.as_ptr(),
        workspace: space.data,
        workspace_bytes: space.bytes,
        input_ptrs: inputs.as_ptr(),
        output_ptrs: outputs.as_ptr(),
        extents: if extents.is_empty() { std::ptr::null() } else { extents.as_ptr() },
        num_extents: count(extents.len()),
        reserved: 0,
    }
}
