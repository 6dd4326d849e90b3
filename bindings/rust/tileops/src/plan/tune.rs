//! Measuring how a CUDA kernel is best cut.

use super::{describe, Operand, PlanOptions};
use crate::{call, Operator, Result};
use std::any::Any;
use std::ffi::c_void;
use std::ops::ControlFlow;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::time::Duration;
use tileops_sys as sys;

/// How a CUDA kernel cuts its work. All give the same bits.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// What was tuned on this device, else the library's own choice.
    Auto,
    /// One element a thread.
    Direct,
    /// Several elements a thread, each access one element, neighbouring threads on neighbouring ones.
    ExplicitParallel,
    /// Accesses of 16 bytes, staged in registers; rows that are reduced are kept by a block's threads.
    RegisterCopy,
    /// All results of an 8- or 16-bit operand in shared memory.
    Table,
    /// Transposed operands through squares of shared memory.
    Tile,
    /// Rows that are reduced: read once for each of their stages.
    Reread,
    /// Rows that are reduced: kept in the shared memory of a cluster of 1 to 8 thread blocks, from sm_90 on.
    Cluster,
    /// A strategy of a newer library.
    Unknown(i32),
}

impl From<sys::tileops_strategy> for Strategy {
    fn from(strategy: sys::tileops_strategy) -> Self {
        use sys::tileops_strategy as s;
        match strategy {
            s::AUTO => Self::Auto,
            s::DIRECT => Self::Direct,
            s::EXPLICIT_PARALLEL => Self::ExplicitParallel,
            s::REGISTER_COPY => Self::RegisterCopy,
            s::TABLE => Self::Table,
            s::TILE => Self::Tile,
            s::REREAD => Self::Reread,
            s::CLUSTER => Self::Cluster,
            other => Self::Unknown(other.0),
        }
    }
}

/// One candidate that [`PlanOptions::tune`] measured.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuneProgress {
    /// Candidates measured so far, this one included.
    pub done: u32,
    /// Candidates altogether.
    pub total: u32,
    /// Strategy of this candidate.
    pub strategy: Strategy,
    /// Its threads of a block.
    pub threads: u32,
    /// Its elements of a thread.
    pub num_per_thread: u32,
    /// Time of one execute. The first candidate is the library's own choice.
    pub time: Duration,
    /// The least so far.
    pub best: Duration,
}

/// The fastest candidate of [`PlanOptions::tune`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuneResult {
    /// Its strategy.
    pub strategy: Strategy,
    /// Its threads of a block.
    pub threads: u32,
    /// Its elements of a thread.
    pub num_per_thread: u32,
    /// Candidates that were measured.
    pub candidates: u32,
    /// Time of one execute: median over several runs.
    pub time: Duration,
    /// Time of what the library chooses by itself.
    pub auto: Duration,
}

/// What the callback needs, and what comes back from it.
struct State<F> {
    progress: F,
    panic: Option<Box<dyn Any + Send>>,
}

impl PlanOptions<'_> {
    /// Measures the strategies that a plan of such operands could have on its CUDA device, and keeps
    /// the fastest for later plans of the same kernel and a like size: in this context, and through
    /// the kernel cache on disk in later processes. Plans that exist stay what they are; those that
    /// calls of this thread keep are released.
    ///
    /// Memory is the library's own, and so a [`TensorSpec`](crate::TensorSpec) serves as operand.
    /// It takes seconds, as kernels are compiled. `progress` is called after each candidate, on this
    /// thread; where it breaks, tuning stops and nothing is kept. Not during the capture of a stream.
    ///
    /// ```no_run
    /// use std::ops::ControlFlow;
    /// use tileops::{ops, DType, Device, PlanOptions, TensorSpec};
    /// let x = TensorSpec::new(DType::BF16, &[1 << 24])?.on(Device::cuda(0));
    /// let best = PlanOptions::new().tune(&ops::Gelu::new(), [&x], [&x], |candidate| {
    ///     println!("{} of {}: {:?}", candidate.done, candidate.total, candidate.time);
    ///     ControlFlow::Continue(())
    /// })?;
    /// println!("{:?}: {:?} rather than {:?}", best.strategy, best.time, best.auto);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: those of [`Plan::new`](crate::Plan::new); `Unsupported` for the CPU.
    ///
    /// # Panics
    ///
    /// With the panic of `progress`, if it had one.
    pub fn tune<'a, I, O, F, const N: usize, const M: usize>(
        &self,
        operator: &impl Operator,
        inputs: [I; N],
        outputs: [O; M],
        progress: F,
    ) -> Result<TuneResult>
    where
        I: Into<Operand<'a>>,
        O: Into<Operand<'a>>,
        F: FnMut(&TuneProgress) -> ControlFlow<()>,
    {
        let mut state = State { progress, panic: None };
        let mut raw = sys::tileops_tune_result {
            struct_size: size_of::<sys::tileops_tune_result>() as u32,
            strategy: sys::tileops_strategy::AUTO,
            threads: 0,
            num_per_thread: 0,
            seconds: 0.0,
            auto_seconds: 0.0,
            candidates: 0,
            reserved: 0,
        };
        let (inputs, outputs) = (inputs.map(Into::into), outputs.map(Into::into));
        let tuned = describe(self, operator, &inputs, &outputs, None, |context, desc| {
            let user = (&raw mut state).cast();
            // SAFETY: all of it lives during the call, and `user` is what report::<F> takes.
            unsafe { sys::tileops_tune(context, desc, Some(report::<F>), user, &mut raw) }
        });
        if let Some(panic) = state.panic {
            resume_unwind(panic);
        }
        tuned?;
        call::clear_plans(); // as the library does with its own
        Ok(TuneResult {
            strategy: raw.strategy.into(),
            threads: count(raw.threads),
            num_per_thread: count(raw.num_per_thread),
            candidates: count(raw.candidates),
            time: duration(raw.seconds),
            auto: duration(raw.auto_seconds),
        })
    }
}

/// Called by the library after each candidate; 0 goes on.
///
/// # Safety
///
/// `user` is a `State<F>` that nobody else uses, `progress` is valid.
unsafe extern "C" fn report<F: FnMut(&TuneProgress) -> ControlFlow<()>>(
    user: *mut c_void,
    progress: *const sys::tileops_tune_progress,
) -> i32 {
    // SAFETY: the caller's promise.
    let (state, raw) = unsafe { (&mut *user.cast::<State<F>>(), &*progress) };
    let candidate = TuneProgress {
        done: count(raw.done),
        total: count(raw.total),
        strategy: raw.strategy.into(),
        threads: count(raw.threads),
        num_per_thread: count(raw.num_per_thread),
        time: duration(raw.seconds),
        best: duration(raw.best_seconds),
    };
    // A panic must not reach C: it stops tuning, and goes on behind it.
    match catch_unwind(AssertUnwindSafe(|| (state.progress)(&candidate))) {
        Ok(ControlFlow::Continue(())) => 0,
        Ok(ControlFlow::Break(())) => 1,
        Err(panic) => {
            state.panic = Some(panic);
            1
        }
    }
}

fn count(number: i32) -> u32 {
    u32::try_from(number).unwrap_or(0)
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported<F: FnMut(&TuneProgress) -> ControlFlow<()>>(
        state: &mut State<F>,
        done: i32,
    ) -> i32 {
        let raw = sys::tileops_tune_progress {
            struct_size: size_of::<sys::tileops_tune_progress>() as u32,
            done,
            total: 3,
            strategy: sys::tileops_strategy(77),
            threads: 256,
            num_per_thread: 8,
            seconds: 2e-6,
            best_seconds: f64::NAN,
        };
        // SAFETY: a state of that type, and a valid candidate.
        unsafe { report::<F>((&raw mut *state).cast(), &raw) }
    }

    /// What the library would do with a device: the callback goes on, stops, and panics.
    #[test]
    fn a_callback_goes_on_stops_and_panics() {
        let progress = |candidate: &TuneProgress| {
            assert_eq!((candidate.total, candidate.threads, candidate.num_per_thread), (3, 256, 8));
            assert_eq!(candidate.strategy, Strategy::Unknown(77));
            assert_eq!(
                (candidate.time, candidate.best),
                (Duration::from_micros(2), Duration::ZERO)
            );
            match candidate.done {
                1 => ControlFlow::Continue(()),
                2 => ControlFlow::Break(()),
                _ => panic!("stop"),
            }
        };
        let mut state = State { progress, panic: None };
        assert_eq!(reported(&mut state, 1), 0);
        assert_eq!(reported(&mut state, 2), 1);
        assert!(state.panic.is_none());
        assert_eq!(reported(&mut state, 3), 1);
        let panic = state.panic.expect("the panic is kept");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"stop"));
    }
}
