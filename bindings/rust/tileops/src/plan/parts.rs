//! Running a plan in parts, on threads of the caller's.

use super::launch::arguments;
use super::workspace::Space;
use super::{Input, Plan};
use crate::error::check;
use crate::tensor::View;
use crate::{Error, Number, RawStream, Result, TensorMut};
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tileops_sys as sys;

/// Runs a part.
type Work<'a> = &'a (dyn Fn(usize) + Sync);

impl Plan {
    /// As [`execute_with`](Self::execute_with), on threads of the caller's, for plans on the CPU: no thread
    /// of the library works, and the results have the same bits.
    ///
    /// Once for each phase of the plan, of which most have one, `pool(parts, work)` calls `work(part)` for
    /// each part from 0 to `parts - 1` once, in any order and on any threads, and returns when all of them
    /// have. [`num_parts`](Self::num_parts) of them are worth a thread each, and so many there are.
    ///
    /// ```
    /// use tileops::{ops, Plan, TensorMut, TensorRef};
    /// let (x, mut y) = (vec![2.0f32; 1 << 18], vec![0.0f32; 1 << 18]);
    /// let x = TensorRef::new(&x, &[1 << 18])?;
    /// let mut out = TensorMut::new(&mut y, &[1 << 18])?;
    /// let plan = Plan::new(&ops::Relu::new(), [&x], [&out])?;
    /// let pool = |parts, work: &(dyn Fn(usize) + Sync)| {
    ///     std::thread::scope(|scope| {
    ///         for part in 0..parts {
    ///             scope.spawn(move || work(part));
    ///         }
    ///     });
    /// };
    /// plan.execute_parts(pool, [&x], [&mut out], &[])?;
    /// assert!(y.iter().all(|&y| y == 2.0));
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// With rayon: `|parts, work| (0..parts).into_par_iter().for_each(work)`.
    ///
    /// Errors: as [`execute_with`](Self::execute_with), the first one of a phase; `InvalidArgument` where
    /// the pool left a part out or ran it twice; `Unsupported` for a plan on another device.
    pub fn execute_parts<'a, I: Into<Input<'a>>, const N: usize, const M: usize>(
        &self,
        mut pool: impl FnMut(usize, &(dyn Fn(usize) + Sync)),
        inputs: [I; N],
        outputs: [&mut TensorMut<'_>; M],
        scalars: &[Number],
    ) -> Result<()> {
        // SAFETY: the tensors are borrowed until this returns.
        self.with_tensors(inputs, outputs, |ins, outs| unsafe {
            self.launch_parts(&mut pool, ins, outs, scalars)
        })
    }

    /// As [`execute_parts`](Self::execute_parts), for a number of operands that is known at run time only.
    pub fn execute_parts_dyn(
        &self,
        mut pool: impl FnMut(usize, &(dyn Fn(usize) + Sync)),
        inputs: &[Input<'_>],
        outputs: &mut [&mut TensorMut<'_>],
        scalars: &[Number],
    ) -> Result<()> {
        const MAX_IN: usize = sys::TILEOPS_MAX_EXPR_INPUTS as usize;
        const MAX_OUT: usize = sys::TILEOPS_MAX_EXPR_OUTPUTS as usize;
        {
            let views: SmallVec<[&View; 2]> = outputs.iter().map(|out| &out.0).collect();
            // SAFETY: the tensors are borrowed until this returns.
            self.with_views::<MAX_IN, MAX_OUT>(inputs, &views, |ins, outs| unsafe {
                self.launch_parts(&mut pool, ins, outs, scalars)
            })?;
        }
        outputs.iter_mut().for_each(|out| out.0.uninit = false);
        Ok(())
    }

    /// Parts of a phase that are worth a thread each in [`execute_parts`](Self::execute_parts): 1 for fewer
    /// than 65,536 elements, 0 for plans on other devices than the CPU. Of an open plan [`at`](Self::at)
    /// has them, and this is an error, `InvalidArgument`.
    pub fn num_parts(&self) -> Result<usize> {
        self.count(sys::tileops_plan_prop::NUM_PARTS)
    }

    /// # Safety
    ///
    /// The pointers are NULL or tensors, and those and their memory are there until this returns.
    unsafe fn launch_parts(
        &self,
        pool: &mut dyn FnMut(usize, Work<'_>),
        inputs: &[*const sys::DLTensor],
        outputs: &[*mut sys::DLTensor],
        scalars: &[Number],
    ) -> Result<()> {
        let mut run = |space| {
            let args = arguments(inputs, outputs, scalars, RawStream::DEFAULT, space);
            // SAFETY: as many tensors and numbers as said; the rest is the caller's promise.
            unsafe { self.run_parts(&args, pool) }
        };
        // SAFETY: the caller's promise.
        let extents = || unsafe { self.extents_in(inputs) };
        match self.workspaces.as_ref().map(|own| (own, own.bytes_at(self, extents))) {
            None | Some((_, 0)) => run(Space::NONE),
            Some((own, bytes)) => own.lend(RawStream::DEFAULT, None, bytes, run)?,
        }
    }

    /// # Safety
    ///
    /// What `args` points to is there until this returns, and nobody else uses it in a conflicting way.
    unsafe fn run_parts(
        &self,
        args: &sys::tileops_execute_args,
        pool: &mut dyn FnMut(usize, Work<'_>),
    ) -> Result<()> {
        let phases = self.count(sys::tileops_plan_prop::NUM_PASSES)?;
        // On another device there are none, and of wrong tensors a part says what is wrong.
        let parts = match self.open_extents() {
            [] => self.num_parts()?,
            // SAFETY: the caller's promise.
            _ => self.facts(&unsafe { self.extents_in(inputs_of(args)) }).map_or(1, |at| at.parts),
        };
        let parts = parts.max(1);
        for number in 0..phases {
            let begun = (0..parts).map(|_| AtomicBool::new(false)).collect();
            let phase = Phase { plan: self, args, number, begun, failed: Mutex::default() };
            pool(parts, &|part| phase.run(part));
            phase.end()?;
        }
        Ok(())
    }
}

/// # Safety
///
/// The arguments have as many inputs as they say.
unsafe fn inputs_of(args: &sys::tileops_execute_args) -> &[*const sys::DLTensor] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(args.inputs, args.num_inputs as usize) }
}

/// A phase of an execute, whose parts are run by the threads of a pool.
struct Phase<'a> {
    plan: &'a Plan,
    args: &'a sys::tileops_execute_args,
    number: usize,
    begun: Vec<AtomicBool>, // by part
    failed: Mutex<Option<Error>>,
}

// SAFETY: what `args` points to is read alone; the elements of the outputs are written by the library,
// each by one part.
unsafe impl Sync for Phase<'_> {}

impl Phase<'_> {
    fn run(&self, part: usize) {
        let result = match self.begun.get(part).map(|begun| begun.swap(true, Ordering::Relaxed)) {
            None => Err(wrong_pool(part, "that is none of them")),
            Some(true) => Err(wrong_pool(part, "twice")),
            Some(false) => {
                let (part, parts) = (part as u32, self.begun.len() as u32);
                let (plan, phase) = (self.plan.as_ptr(), self.number as u32);
                // SAFETY: the promise of `run_parts`; each part once, and the phase before has ended.
                check(unsafe { sys::tileops_execute_part(plan, self.args, phase, part, parts) })
            }
        };
        if let Err(error) = result {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    fn end(self) -> Result<()> {
        if let Some(error) = self.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        match self.begun.into_iter().position(|begun| !begun.into_inner()) {
            Some(part) => Err(wrong_pool(part, "not at all")),
            None => Ok(()),
        }
    }
}

#[cold]
fn wrong_pool(part: usize, how: &str) -> Error {
    Error::invalid(format!("Plan: pool: ran part {part} {how}"))
}
