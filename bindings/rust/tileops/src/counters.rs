//! How many handles live, for tests that look for leaks.

use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) static CONTEXTS: AtomicUsize = AtomicUsize::new(0);
pub(crate) static EXPRS: AtomicUsize = AtomicUsize::new(0);
pub(crate) static PLANS: AtomicUsize = AtomicUsize::new(0);
pub(crate) static STREAMS: AtomicUsize = AtomicUsize::new(0);
pub(crate) static TENSORS: AtomicUsize = AtomicUsize::new(0);

/// One living handle.
#[derive(Debug)]
pub(crate) struct Counter(&'static AtomicUsize);

impl Counter {
    pub(crate) fn new(count: &'static AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Numbers of living handles of this process, the plans kept by [`call`](crate::call()) among them.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveHandles {
    /// [`Context`](crate::Context)s, but for the default one.
    pub contexts: usize,
    /// [`Expr`](crate::Expr)s.
    pub exprs: usize,
    /// [`Plan`](crate::Plan)s.
    pub plans: usize,
    /// [`Stream`](crate::Stream)s.
    pub streams: usize,
    /// [`Tensor`](crate::Tensor)s, the memory of [`Workspace`](crate::Workspace)s among them.
    pub tensors: usize,
}

/// Counts the handles that live.
pub fn live_handles() -> LiveHandles {
    let read = |count: &AtomicUsize| count.load(Ordering::Relaxed);
    LiveHandles {
        contexts: read(&CONTEXTS),
        exprs: read(&EXPRS),
        plans: read(&PLANS),
        streams: read(&STREAMS),
        tensors: read(&TENSORS),
    }
}
