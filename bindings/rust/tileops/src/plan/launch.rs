//! How an execute reaches the library: tensors, scalars, a stream and a workspace, as C takes them.

use super::workspace::{Space, StreamOwner};
use super::{no_output, Input, Kind, Plan};
use crate::error::check;
use crate::stream::RawStream;
use crate::tensor::View;
use crate::{Error, Number, Result, TensorMut};
use std::mem::MaybeUninit;
use tileops_sys as sys;

/// How an execute runs, besides its operands.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    scalars: &'a [Number],
    stream: RawStream,
    /// The workspace; None: one of the plan's, if it needs any.
    space: Option<Space>,
    /// Kept with that, so that its handle stays that of this stream.
    owner: Option<&'a StreamOwner>,
}

impl<'a> Run<'a> {
    pub(crate) fn on(stream: RawStream, scalars: &'a [Number]) -> Self {
        Self { scalars, stream, space: None, owner: None }
    }

    #[cfg(feature = "cudarc")]
    pub(crate) fn of(self, owner: &'a StreamOwner) -> Self {
        Self { owner: Some(owner), ..self }
    }

    pub(super) fn within(self, space: Space) -> Self {
        Self { space: Some(space), ..self }
    }
}

/// What an execute takes, which points to these.
#[inline]
pub(super) fn arguments(
    inputs: &[*const sys::DLTensor],
    outputs: &[*mut sys::DLTensor],
    scalars: &[Number],
    stream: RawStream,
    space: Space,
) -> sys::tileops_execute_args {
    sys::tileops_execute_args {
        struct_size: size_of::<sys::tileops_execute_args>() as u32,
        num_inputs: inputs.len() as u32,
        num_outputs: outputs.len() as u32,
        num_scalars: u32::try_from(scalars.len()).unwrap_or(u32::MAX),
        inputs: inputs.as_ptr(),
        outputs: outputs.as_ptr(),
        scalars: scalars.as_ptr().cast(), // Number is transparent
        stream: stream.as_ptr(),
        workspace: space.data,
        workspace_bytes: space.bytes,
        input_ptrs: std::ptr::null(),
        output_ptrs: std::ptr::null(),
        extents: std::ptr::null(), // of an open plan: tensors have them
        num_extents: 0,
        reserved: 0,
    }
}

impl Plan {
    /// # Safety
    ///
    /// As [`execute_on`](Self::execute_on), for the workspace too if one is given.
    #[inline]
    pub(super) unsafe fn run_array<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
        run: Run<'_>,
    ) -> Result<()> {
        // SAFETY: the tensors point into borrowed views; the rest is the caller's promise.
        self.with_tensors(inputs, outputs, |ins, outs| unsafe { self.launch(ins, outs, run) })
    }

    /// Hands `execute` the operands as C takes them; the outputs have been written when it succeeds.
    #[inline]
    pub(super) fn with_tensors<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
        execute: impl FnOnce(&[*const sys::DLTensor], &[*mut sys::DLTensor]) -> Result<()>,
    ) -> Result<()> {
        let mut targets: [sys::DLTensor; M] = outputs.each_ref().map(|out| out.0.to_dlpack());
        let out_ptrs: [*mut sys::DLTensor; M] = targets.each_mut().map(|target| &raw mut *target);
        let inputs = inputs.map(Into::into);
        let mut sources = [const { MaybeUninit::uninit() }; N];
        let mut in_ptrs: [*const sys::DLTensor; N] = [std::ptr::null(); N];
        for i in 0..N {
            let output = |k: usize| outputs.get(k).map(|out| &out.0);
            in_ptrs[i] = self.address(i, &inputs[i], &mut sources[i], output, &out_ptrs)?;
        }
        execute(&in_ptrs, &out_ptrs)?;
        for out in outputs {
            out.0.uninit = false;
        }
        Ok(())
    }

    /// The caller marks the outputs as written.
    ///
    /// # Safety
    ///
    /// As [`execute_on`](Self::execute_on); `outputs` are views of unique borrows.
    pub(crate) unsafe fn execute_views(
        &self,
        inputs: &[Input<'_>],
        outputs: &[&View],
        run: Run<'_>,
    ) -> Result<()> {
        // Expressions have more operands than operators, whose path is the shorter one.
        const MAX: [usize; 4] = [
            sys::TILEOPS_MAX_INPUTS as usize,
            sys::TILEOPS_MAX_OUTPUTS as usize,
            sys::TILEOPS_MAX_EXPR_INPUTS as usize,
            sys::TILEOPS_MAX_EXPR_OUTPUTS as usize,
        ];
        // SAFETY: as in `execute_with_on`.
        let launch = |ins: &[_], outs: &[_]| unsafe { self.launch(ins, outs, run) };
        if inputs.len() <= MAX[0] && outputs.len() <= MAX[1] {
            self.with_views::<{ MAX[0] }, { MAX[1] }>(inputs, outputs, launch)
        } else {
            self.with_views::<{ MAX[2] }, { MAX[3] }>(inputs, outputs, launch)
        }
    }

    /// Hands `execute` the operands as C takes them, up to so many.
    #[inline]
    pub(super) fn with_views<const MAX_IN: usize, const MAX_OUT: usize>(
        &self,
        inputs: &[Input<'_>],
        outputs: &[&View],
        execute: impl FnOnce(&[*const sys::DLTensor], &[*mut sys::DLTensor]) -> Result<()>,
    ) -> Result<()> {
        if inputs.len() > MAX_IN || outputs.len() > MAX_OUT {
            return Err(Error::invalid(format!(
                "Plan: inputs: too many operands (got {} and {}, need at most {MAX_IN} and {MAX_OUT})",
                inputs.len(),
                outputs.len()
            )));
        }
        // Not filled with zeros first: this is the path of every cached call.
        let mut targets = [const { MaybeUninit::uninit() }; MAX_OUT];
        let mut out_ptrs = [std::ptr::null_mut(); MAX_OUT];
        for (i, view) in outputs.iter().enumerate() {
            out_ptrs[i] = targets[i].write(view.to_dlpack());
        }
        let mut sources = [const { MaybeUninit::uninit() }; MAX_IN];
        let mut in_ptrs = [std::ptr::null(); MAX_IN];
        for (i, input) in inputs.iter().enumerate() {
            let output = |k: usize| outputs.get(k).copied();
            in_ptrs[i] =
                self.address(i, input, &mut sources[i], output, &out_ptrs[..outputs.len()])?;
        }
        execute(&in_ptrs[..inputs.len()], &out_ptrs[..outputs.len()])
    }

    /// # Safety
    ///
    /// The pointers are NULL or tensors; the rest as `execute_on`.
    #[inline]
    unsafe fn launch(
        &self,
        inputs: &[*const sys::DLTensor],
        outputs: &[*mut sys::DLTensor],
        run: Run<'_>,
    ) -> Result<()> {
        let space = match (run.space, &self.workspaces) {
            (Some(given), _) => given,
            (None, None) => Space::NONE,
            (None, Some(own)) => {
                // SAFETY: the caller's promise.
                let launch = |own| unsafe { self.launch(inputs, outputs, run.within(own)) };
                // SAFETY: as above.
                return match own.bytes_at(self, || unsafe { self.extents_in(inputs) }) {
                    0 => launch(Space::NONE),
                    bytes => own.lend(run.stream, run.owner, bytes, launch)?,
                };
            }
        };
        let (ins, outs) = (inputs.as_ptr(), outputs.as_ptr());
        let (num_inputs, num_outputs) = (inputs.len(), outputs.len());
        if run.scalars.is_empty() && space.data.is_null() {
            let stream = run.stream.as_ptr();
            // SAFETY: as many tensors as said; the rest is the caller's promise.
            return check(unsafe {
                sys::tileops_execute(self.as_ptr(), ins, num_inputs, outs, num_outputs, stream)
            });
        }
        let args = arguments(inputs, outputs, run.scalars, run.stream, space);
        // SAFETY: as many tensors and numbers as said; the rest is the caller's promise.
        check(unsafe { sys::tileops_execute_with(self.as_ptr(), &args) })
    }

    /// Where C finds input `i`: in `slot`, among the outputs, or nowhere.
    #[inline]
    pub(super) fn address<'v>(
        &self,
        i: usize,
        input: &Input<'_>,
        slot: &mut MaybeUninit<sys::DLTensor>,
        output: impl FnOnce(usize) -> Option<&'v View>,
        out_ptrs: &[*mut sys::DLTensor],
    ) -> Result<*const sys::DLTensor> {
        match input.0 {
            Kind::View(view) => {
                readable(i, view)?;
                Ok(slot.write(view.to_dlpack()))
            }
            Kind::Scalar(ref scalar) => {
                self.numbers.check(i, scalar)?;
                Ok(slot.write(scalar.as_dlpack()))
            }
            Kind::Absent => Ok(std::ptr::null()),
            Kind::Output(k) => {
                let view = output(k).ok_or_else(|| no_output(i, k, out_ptrs.len()))?;
                readable(i, view)?;
                Ok(out_ptrs[k])
            }
        }
    }
}

/// Checks that input `i` is no memory without values.
#[inline]
fn readable(i: usize, view: &View) -> Result<()> {
    if view.uninit {
        return Err(unwritten(i));
    }
    Ok(())
}

#[cold]
fn unwritten(i: usize) -> Error {
    Error::invalid(format!("Plan: inputs[{i}]: memory that nothing has written yet"))
}
