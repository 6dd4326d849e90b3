//! What plans work in besides their operands.

use super::open::Extents;
use super::Plan;
use crate::{DType, Device, Error, RawStream, Result, Tensor};
use std::any::Any;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};
use tileops_sys as sys;

/// Memory for what a plan leaves from one pass over its operands for later ones, such as sums along all
/// axes. Most plans need none; [`Plan::workspace_bytes`] says how much.
///
/// An execute takes one by itself, of those that its plan keeps: one that is free, or a new one. On CUDA
/// each is kept for the stream that it was used on first. They go with the last clone of the plan. A
/// program that wants to say which memory that is, or captures a graph, gives one:
/// [`Plan::execute_in`]. How much an open plan needs may depend on the extents: with a bound on each of
/// them it takes what does for all, else what those of an execute need, so that a larger one allocates.
///
/// What it holds does not matter. One that is larger than needed serves as well, so that plans that run
/// one after the other may share one.
///
/// ```
/// use tileops::{Expr, Plan, TensorMut, TensorRef};
/// let expr = Expr::parse("(x) -> x / sum(x, axis = -2) * sum(x)")?;
/// let (x, mut y) = ([1.0f32, 2.0, 3.0, 6.0], [0.0f32; 4]);
/// let x = TensorRef::new(&x, &[2, 2])?;
/// let mut out = TensorMut::new(&mut y, &[2, 2])?;
/// let plan = Plan::new(&expr, [&x], [&out])?;
/// plan.execute([&x], [&mut out])?; // in one of its own
/// let mut workspace = plan.workspace()?;
/// assert!(plan.workspace_bytes() > 0 && workspace.bytes() >= plan.workspace_bytes());
/// plan.execute_in(&mut workspace, [&x], [&mut out], &[])?;
/// assert_eq!(y, [0.75, 0.75, 6.75, 6.75]);
/// # Ok::<(), tileops::Error>(())
/// ```
#[derive(Debug)]
pub struct Workspace(Tensor);

impl Workspace {
    /// Memory on a device. Errors: `NoDevice`, `OutOfMemory`.
    pub fn new(device: Device, bytes: usize) -> Result<Self> {
        Tensor::new(device, DType::U8, &[bytes]).map(Self)
    }

    /// Its size.
    pub fn bytes(&self) -> usize {
        self.0.len() * self.0.dtype().size()
    }

    /// Where it is.
    pub fn device(&self) -> Device {
        self.0.device()
    }
}

impl TryFrom<Tensor> for Workspace {
    type Error = Error;

    /// All memory of a tensor. Errors: `InvalidArgument` unless it is row-major and may be written.
    fn try_from(mut tensor: Tensor) -> Result<Self> {
        if !tensor.view_mut()?.0.row_major {
            return Err(Error::invalid("Workspace: tensor: is not row-major"));
        }
        Ok(Self(tensor))
    }
}

impl From<Workspace> for Tensor {
    /// The memory, with values that say nothing.
    fn from(workspace: Workspace) -> Self {
        workspace.0
    }
}

/// The workspace of one execute, as C takes it.
#[derive(Clone, Copy)]
pub(super) struct Space {
    pub(super) data: *mut c_void,
    pub(super) bytes: u64,
}

impl Space {
    /// Where the plan needs none.
    pub(super) const NONE: Self = Self { data: std::ptr::null_mut(), bytes: 0 };

    fn of(workspace: &mut Workspace) -> Self {
        let data = workspace.0.as_view().data.cast();
        Self { data, bytes: workspace.bytes() as u64 }
    }
}

impl Plan {
    /// Bytes of the [`Workspace`] that an execute works in; 0 for most plans. Of an open plan those that
    /// do for all its extents; 0 where there is no such number, since an extent has no bound:
    /// [`at`](Self::at) says what some extents need.
    pub fn workspace_bytes(&self) -> usize {
        self.workspaces.as_ref().and_then(|own| own.bytes).unwrap_or(0)
    }

    /// A workspace for this plan, on its device. Errors: `OutOfMemory`; `InvalidArgument` where the size
    /// depends on extents without a bound.
    pub fn workspace(&self) -> Result<Workspace> {
        if self.workspaces.as_ref().is_some_and(|own| own.bytes.is_none()) {
            return Err(Error::invalid(
                "Plan: workspace: its size depends on the plan's open extents (need a bound, Extent::UpTo, \
                 or Workspace::new with the bytes of Plan::at)",
            ));
        }
        Workspace::new(self.device, self.workspace_bytes())
    }

    /// A workspace that was given. The library checks the size.
    pub(super) fn given(&self, workspace: &mut Workspace) -> Result<Space> {
        if workspace.device() != self.device {
            return Err(Error::invalid(format!(
                "Plan: workspace: is on another device (got {}, need {})",
                workspace.device(),
                self.device
            )));
        }
        Ok(Space::of(workspace))
    }
}

/// What keeps a stream from ending, and its handle from being that of another one.
pub(crate) type StreamOwner = Arc<dyn Any + Send + Sync>;

/// The workspaces that a plan and its clones keep.
#[derive(Debug)]
pub(super) struct Workspaces {
    device: Device,
    /// None: as many as the extents of an execute need.
    bytes: Option<usize>,
    free: Mutex<Vec<Kept>>,
}

/// One that no execute has taken.
#[derive(Debug)]
struct Kept {
    memory: Workspace,
    /// Later work on it begins when that on the workspace has ended.
    stream: RawStream,
    _owner: Option<StreamOwner>,
}

/// Beyond that the oldest one is freed.
const MOST_KEPT: usize = 64;

/// `cudaStreamPerThread`: one handle, which is another stream on each thread.
const PER_THREAD: usize = 2;

impl Workspaces {
    /// None: the plan needs none.
    pub(super) fn of(plan: &Plan) -> Result<Option<Arc<Self>>> {
        let mut bytes = 0u64;
        let mut size = size_of_val(&bytes);
        let (prop, buffer) = (sys::tileops_plan_prop::WORKSPACE_BYTES, (&raw mut bytes).cast());
        // SAFETY: a live plan, and a buffer of that size.
        let asked = unsafe { sys::tileops_plan_query(plan.as_ptr(), prop, buffer, &mut size) };
        let bytes = match crate::error::check(asked) {
            Ok(()) => Some(bytes as usize),
            // That of an open plan may depend on extents that have no bound.
            Err(_) if plan.open.iter().any(|extent| extent.most.is_none()) => None,
            Err(error) => return Err(error),
        };
        let own = || Arc::new(Self { device: plan.device, bytes, free: Mutex::default() });
        Ok((bytes != Some(0)).then(own))
    }

    /// What an execute needs. Of extents that the plan refuses 0: the library says what is wrong with them.
    pub(super) fn bytes_at(&self, plan: &Plan, extents: impl FnOnce() -> Extents) -> usize {
        let asked = || plan.facts(&extents()).map_or(0, |facts| facts.workspace_bytes);
        self.bytes.unwrap_or_else(asked)
    }

    /// Hands `execute` a workspace of so many bytes that no other execute has: even on one stream the passes
    /// of two that are enqueued at once would mix.
    pub(super) fn lend<R>(
        &self,
        stream: RawStream,
        owner: Option<&StreamOwner>,
        bytes: usize,
        execute: impl FnOnce(Space) -> R,
    ) -> Result<R> {
        let mut kept = match self.take(stream, bytes) {
            Some(kept) => kept,
            None if stream.as_ptr() as usize == PER_THREAD => return Err(per_thread()),
            None => {
                // Where extents grow, not each of them allocates.
                let bytes = match self.bytes {
                    Some(each) => each.max(bytes), // a list has one for all its items
                    None => bytes.checked_next_power_of_two().unwrap_or(bytes),
                };
                let memory = Workspace::new(self.device, bytes)?;
                Kept { memory, stream, _owner: owner.cloned() }
            }
        };
        let result = execute(Space::of(&mut kept.memory));
        self.give_back(kept);
        Ok(result)
    }

    /// One of the stream that is large enough. Smaller ones make room for the one that will be.
    fn take(&self, stream: RawStream, bytes: usize) -> Option<Kept> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let at = free.iter().rposition(|kept| kept.stream == stream)?;
        let kept = free.remove(at);
        drop(free);
        (kept.memory.bytes() >= bytes).then_some(kept)
    }

    fn give_back(&self, kept: Kept) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = (free.len() >= MOST_KEPT).then(|| free.remove(0));
        free.push(kept);
        drop(free);
        // The driver frees memory when the device's work that may read it has ended.
        drop(oldest);
    }
}

#[cold]
fn per_thread() -> Error {
    Error::invalid(
        "Plan: stream: the plan needs a workspace, and cudaStreamPerThread is another stream on each \
         thread (need a stream of its own, or Plan::execute_in_on)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspaces() -> Workspaces {
        Workspaces { device: Device::CPU, bytes: Some(100), free: Mutex::default() }
    }

    fn address(own: &Workspaces, stream: usize) -> usize {
        let stream = RawStream::from_ptr(stream as *mut c_void);
        own.lend(stream, None, 100, |space| space.data as usize).unwrap()
    }

    #[test]
    fn one_for_each_stream_and_each_execute() {
        let own = workspaces();
        let (first, second) = (address(&own, 0), address(&own, 64));
        assert_ne!(first, second);
        assert_eq!((address(&own, 0), address(&own, 64)), (first, second));
        // While one is taken, another execute on the same stream has another one.
        let nested = own.lend(RawStream::DEFAULT, None, 100, |space| {
            assert_eq!((space.data as usize, space.bytes), (first, 100));
            address(&own, 0)
        });
        assert_ne!(nested.unwrap(), first);
        assert_eq!(own.free.lock().unwrap().len(), 3);
        assert!(own.free.lock().unwrap().iter().all(|kept| kept.memory.bytes() == 100));
    }

    #[test]
    fn the_oldest_ones_are_freed() {
        let own = workspaces();
        for stream in 0..2 * MOST_KEPT {
            address(&own, 64 * stream);
        }
        let free = own.free.lock().unwrap();
        assert_eq!(free.len(), MOST_KEPT);
        assert_eq!(free[0].stream.as_ptr() as usize, 64 * MOST_KEPT);
    }

    #[test]
    fn they_grow_with_what_is_needed() {
        let own = Workspaces { bytes: None, ..workspaces() };
        let size = |bytes| own.lend(RawStream::DEFAULT, None, bytes, |space| space.bytes).unwrap();
        assert_eq!((size(100), size(128), size(129), size(1)), (128, 128, 256, 256));
        assert_eq!(own.free.lock().unwrap().len(), 1);
    }

    #[test]
    fn streams_are_kept_alive_and_those_of_threads_refused() {
        let (own, owner) = (workspaces(), Arc::new(7));
        let shared: StreamOwner = owner.clone();
        own.lend(RawStream::DEFAULT, Some(&shared), 100, |_| ()).unwrap();
        drop(shared);
        assert_eq!(Arc::strong_count(&owner), 2);
        drop(own);
        assert_eq!(Arc::strong_count(&owner), 1);
        let per_thread = RawStream::from_ptr(PER_THREAD as *mut c_void);
        let error = workspaces().lend(per_thread, None, 100, |_| ()).unwrap_err();
        assert!(error.message().contains("cudaStreamPerThread"), "{error}");
    }
}
