//! Running a plan.

use super::{Input, Kind, Plan};
use crate::error::check;
use crate::stream::{self, RawStream};
use crate::tensor::View;
use crate::{Context, Error, Result, TensorMut};
use smallvec::SmallVec;
use std::mem::MaybeUninit;
use tileops_sys as sys;

impl Plan {
    /// Runs the plan and returns when the result is there. On CUDA it runs on the legacy default
    /// stream, and is waited for; [`execute_on`](Self::execute_on) does neither.
    ///
    /// Inputs are `&TensorRef`, `&Tensor`, `&TensorMut`, or [`Input`]s where they differ in kind.
    /// No allocation, no lock.
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

    /// Runs the plan on a stream of its device, and does not wait for it; it may be captured into a
    /// CUDA graph. CPU plans take [`RawStream::DEFAULT`], and their result is there on return.
    ///
    /// # Safety
    ///
    /// All tensors live, and nobody else uses them in a conflicting way, until the work on the
    /// stream is done. The stream belongs to the plan's device.
    #[inline]
    pub unsafe fn execute_on<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
        stream: RawStream,
    ) -> Result<()> {
        let mut targets: [sys::DLTensor; M] = outputs.each_ref().map(|out| out.0.to_dlpack());
        let inputs = inputs.map(Into::into);
        let mut sources: [sys::DLTensor; N] = [NOTHING; N];
        let mut in_ptrs: [*const sys::DLTensor; N] = [std::ptr::null(); N];
        for i in 0..N {
            if let Kind::Output(k) = inputs[i].0 {
                outputs.get(k).map_or(Ok(()), |out| readable(i, &out.0))?;
            }
            in_ptrs[i] = source(i, &inputs[i], &mut sources[i], &targets)?;
        }
        let mut out_ptrs: [*mut sys::DLTensor; M] = [std::ptr::null_mut(); M];
        for (pointer, target) in out_ptrs.iter_mut().zip(&mut targets) {
            *pointer = target;
        }
        // SAFETY: as many tensors as said, which point into borrowed views; the rest is the caller's
        // promise.
        check(unsafe {
            sys::tileops_execute(
                self.as_ptr(),
                in_ptrs.as_ptr(),
                N,
                out_ptrs.as_ptr(),
                M,
                stream.as_ptr(),
            )
        })?;
        for out in outputs {
            out.0.uninit = false;
        }
        Ok(())
    }

    /// As [`execute`](Self::execute), for a number of operands that is known at run time only.
    pub fn execute_dyn(
        &self,
        inputs: &[Input<'_>],
        outputs: &mut [&mut TensorMut<'_>],
    ) -> Result<()> {
        {
            let views: SmallVec<[&View; 2]> = outputs.iter().map(|out| &out.0).collect();
            // SAFETY: the work is done when this function returns.
            unsafe { self.execute_views(inputs, &views, RawStream::DEFAULT) }?;
        }
        outputs.iter_mut().for_each(|out| out.0.uninit = false);
        self.wait()
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
        stream: RawStream,
    ) -> Result<()> {
        const MAX_IN: usize = sys::TILEOPS_MAX_INPUTS as usize;
        const MAX_OUT: usize = sys::TILEOPS_MAX_OUTPUTS as usize;
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
            in_ptrs[i] = match input.0 {
                Kind::View(view) => {
                    readable(i, view)?;
                    sources[i].write(view.to_dlpack())
                }
                Kind::Scalar(ref scalar) => sources[i].write(scalar.as_dlpack()),
                Kind::Absent => std::ptr::null(),
                Kind::Output(k) if k < outputs.len() => {
                    readable(i, outputs[k])?;
                    out_ptrs[k].cast_const()
                }
                Kind::Output(k) => return Err(no_output(k)),
            };
        }
        // SAFETY: as in `execute_on`.
        check(unsafe {
            sys::tileops_execute(
                self.as_ptr(),
                in_ptrs.as_ptr(),
                inputs.len(),
                out_ptrs.as_ptr(),
                outputs.len(),
                stream.as_ptr(),
            )
        })
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

const NOTHING: sys::DLTensor = sys::DLTensor {
    data: std::ptr::null_mut(),
    device: sys::DLDevice { device_type: sys::DLDeviceType::kDLCPU, device_id: 0 },
    ndim: 0,
    dtype: sys::DLDataType { code: 0, bits: 0, lanes: 0 },
    shape: std::ptr::null_mut(),
    strides: std::ptr::null_mut(),
    byte_offset: 0,
};

/// Where C finds an input: in `slot`, among the outputs, or nowhere.
#[inline]
fn source(
    i: usize,
    input: &Input<'_>,
    slot: &mut sys::DLTensor,
    targets: &[sys::DLTensor],
) -> Result<*const sys::DLTensor> {
    match input.0 {
        Kind::View(view) => {
            readable(i, view)?;
            *slot = view.to_dlpack();
            Ok(slot)
        }
        Kind::Scalar(ref scalar) => {
            *slot = scalar.as_dlpack();
            Ok(slot)
        }
        Kind::Absent => Ok(std::ptr::null()),
        Kind::Output(k) => match targets.get(k) {
            Some(target) => Ok(target),
            None => Err(no_output(k)),
        },
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

#[cold]
fn no_output(i: usize) -> Error {
    Error::invalid(format!("Plan: inputs: in place of output {i}, which is none"))
}
