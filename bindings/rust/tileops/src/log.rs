//! The log of the library, which is the process's.

use crate::error::check;
use crate::{version, Result};
use std::ffi::{c_char, c_void, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tileops_sys as sys;

/// What the library logs: a level includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LogLevel {
    /// Nothing.
    Off,
    /// What failed without an error to say so.
    Error,
    /// What is wrong and was got around, such as a damaged entry of the kernel cache.
    Warn,
    /// Plans made, kernels chosen.
    Info,
    /// Everything.
    Debug,
}

impl LogLevel {
    fn raw(self) -> sys::tileops_log_level {
        sys::tileops_log_level(self as i32)
    }

    fn from_raw(level: sys::tileops_log_level) -> Self {
        use sys::tileops_log_level as l;
        match level {
            l::OFF => Self::Off,
            l::ERROR => Self::Error,
            l::WARN => Self::Warn,
            l::INFO => Self::Info,
            _ => Self::Debug,
        }
    }
}

type Sink = Arc<dyn Fn(LogLevel, &str) + Send + Sync>;

/// What [`forward`] calls. It holds its own reference while it does, so that a closure that was
/// replaced lives until its last call returns.
static SINK: RwLock<Option<Sink>> = RwLock::new(None);
/// Held while the log is set, so that level and sink are those of one call.
static SETTING: Mutex<()> = Mutex::new(());

/// Sets the log of the process: its level, and what is called with each line. Until then lines go to
/// stderr, or to `TILEOPS_LOG_FILE`, from the level `TILEOPS_LOG` on (default: warnings).
///
/// `log` is called on the thread that has something to say, on several at once too, and must not
/// call this library. If it panics, the line is lost and nothing else happens. It may still run on
/// other threads when this function returns; what was set before is dropped when its last call
/// returns. Nothing is ever logged inside an execute that succeeds.
///
/// ```
/// use tileops::{log_to_stderr, set_log, LogLevel};
/// set_log(LogLevel::Info, |level, line| println!("tileops {level:?}: {line}"))?;
/// log_to_stderr(LogLevel::Warn)?;
/// # Ok::<(), tileops::Error>(())
/// ```
///
/// Errors: `Version` (the loaded library is too old).
pub fn set_log(
    level: LogLevel,
    log: impl Fn(LogLevel, &str) + Send + Sync + 'static,
) -> Result<()> {
    set(level, Some(Arc::new(log)))
}

/// Sets the level of the log, and lets its lines go to stderr, or to `TILEOPS_LOG_FILE`.
///
/// Errors: `Version` (the loaded library is too old).
pub fn log_to_stderr(level: LogLevel) -> Result<()> {
    set(level, None)
}

fn set(level: LogLevel, sink: Option<Sink>) -> Result<()> {
    version::ensure()?;
    let function: sys::tileops_log_fn = if sink.is_some() { Some(forward) } else { None };
    let _setting = SETTING.lock().unwrap_or_else(PoisonError::into_inner);
    let old = std::mem::replace(&mut *SINK.write().unwrap_or_else(PoisonError::into_inner), sink);
    // SAFETY: a function that takes any line at any time, and makes no use of `user`.
    let set = check(unsafe { sys::tileops_log_set(function, std::ptr::null_mut(), level.raw()) });
    drop(old); // without the lock of SINK: a destructor may do anything
    set
}

/// Called by the library with each line.
unsafe extern "C" fn forward(_: *mut c_void, level: sys::tileops_log_level, text: *const c_char) {
    // A panic must not reach C.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let sink = SINK.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let (Some(sink), false) = (sink, text.is_null()) {
            // SAFETY: a C string that lives during the call.
            let line = unsafe { CStr::from_ptr(text) }.to_string_lossy();
            sink(LogLevel::from_raw(level), &line);
        }
    }));
}
