//! Streams of CUDA devices.

use crate::counters::{Counter, STREAMS};
use crate::error::check;
use crate::{version, Context, Device, Result};
use std::ffi::c_void;
use tileops_sys as sys;

/// A `cudaStream_t` that somebody else owns; the default stream of the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawStream(*mut c_void);

// SAFETY: a handle, only passed on; streams may be used from any thread (tileops.h, THREADS 1).
unsafe impl Send for RawStream {}
// SAFETY: as above.
unsafe impl Sync for RawStream {}

impl RawStream {
    /// CUDA's legacy default stream, and the only one of the CPU.
    pub const DEFAULT: RawStream = RawStream(std::ptr::null_mut());

    /// A `cudaStream_t` or `CUstream`. Calls that take it are `unsafe`, and say what must hold.
    pub const fn from_ptr(stream: *mut c_void) -> RawStream {
        RawStream(stream)
    }

    /// The handle.
    pub const fn as_ptr(self) -> *mut c_void {
        self.0
    }
}

/// A stream made by the library, for programs without a CUDA package of their own. Dropping it
/// waits for nothing; its work is done all the same.
#[derive(Debug)]
pub struct Stream {
    device: Device,
    raw: RawStream,
    _counter: Counter,
}

impl Stream {
    /// Makes a stream on a device; on the CPU it is the default one.
    ///
    /// Errors: `NoDevice`, `Device`.
    pub fn new(device: Device) -> Result<Self> {
        version::ensure()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: NULL is the default context.
        check(unsafe { sys::tileops_stream_create(std::ptr::null_mut(), device.0, &mut raw) })?;
        Ok(Self { device, raw: RawStream(raw), _counter: Counter::new(&STREAMS) })
    }

    /// The device.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The handle, for calls that take a [`RawStream`].
    pub fn as_raw(&self) -> RawStream {
        self.raw
    }

    /// Waits for all work on the stream. Errors: `Device`.
    pub fn synchronize(&self) -> Result<()> {
        synchronize(&Context::default(), self.device, self.raw)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: owned; NULL is ignored. There is nobody to tell of a failure.
        unsafe {
            sys::tileops_stream_destroy(std::ptr::null_mut(), self.device.0, self.raw.as_ptr())
        };
    }
}

pub(crate) fn synchronize(context: &Context, device: Device, stream: RawStream) -> Result<()> {
    // SAFETY: the context is alive; the stream is one of the library, or the default one.
    check(unsafe { sys::tileops_stream_synchronize(context.as_ptr(), device.0, stream.as_ptr()) })
}
