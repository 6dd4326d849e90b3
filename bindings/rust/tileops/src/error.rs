//! Errors: status, message, and what the message names.

use std::ffi::CStr;
use std::fmt;
use tileops_sys as sys;

/// Result of the functions of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of failure an [`Error`] is.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The caller's mistake: a shape, a stride, an attribute, overlapping memory...
    InvalidArgument,
    /// Valid, but not for this operator, dtype or device.
    Unsupported,
    /// Memory could not be allocated.
    OutOfMemory,
    /// A call of the CUDA driver failed; see [`Error::driver_error`].
    Device,
    /// Run-time compilation failed; the log is in the message.
    Compile,
    /// Reading or writing the cache on disk failed; only explicit cache calls.
    Io,
    /// The loaded library is too old or too new for this crate.
    Version,
    /// A buffer is too small.
    BufferTooSmall,
    /// No such device, driver or compiler library.
    NoDevice,
    /// A bug in the library; please report the message.
    Internal,
    /// A status of a newer library.
    Unknown(i32),
}

impl From<sys::tileops_status> for Status {
    fn from(status: sys::tileops_status) -> Self {
        use sys::tileops_status as s;
        match status {
            s::INVALID_ARGUMENT => Status::InvalidArgument,
            s::UNSUPPORTED => Status::Unsupported,
            s::OUT_OF_MEMORY => Status::OutOfMemory,
            s::DEVICE => Status::Device,
            s::COMPILE => Status::Compile,
            s::IO => Status::Io,
            s::VERSION => Status::Version,
            s::BUFFER_TOO_SMALL => Status::BufferTooSmall,
            s::NO_DEVICE => Status::NoDevice,
            s::INTERNAL => Status::Internal,
            other => Status::Unknown(other.0),
        }
    }
}

/// A call that failed. Outputs are untouched, but for failures of a CUDA device.
///
/// The message has the form `function: argument[index]: what is wrong (got X, need Y)`, and
/// [`function`](Error::function), [`argument`](Error::argument) and [`index`](Error::index) are its
/// parts.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    status: Status,
    message: String,
    driver_error: i32,
    offset: Option<usize>,
}

impl Error {
    /// A mistake that this crate finds before the library is asked.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Status::InvalidArgument, message)
    }

    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { status, message: message.into(), driver_error: 0, offset: None }))
    }

    /// The kind of failure.
    pub fn status(&self) -> Status {
        self.0.status
    }

    /// The whole message.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The function that refused, such as `tileops_execute`.
    pub fn function(&self) -> Option<&str> {
        self.parts().0
    }

    /// The argument that is wrong, such as `inputs`.
    pub fn argument(&self) -> Option<&str> {
        self.parts().1
    }

    /// Which element of an argument that is an array.
    pub fn index(&self) -> Option<usize> {
        self.parts().2
    }

    /// The `CUresult`, `nvrtcResult` or `errno` behind the failure; 0 if there is none.
    pub fn driver_error(&self) -> i32 {
        self.0.driver_error
    }

    /// Bytes into the text of an [`Expr`](crate::Expr), the place that the failure is about; None: it is
    /// about no text.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    fn parts(&self) -> (Option<&str>, Option<&str>, Option<usize>) {
        let is_name = |text: &str| {
            !text.is_empty()
                && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]:->".contains(c))
        };
        // Finishing a builder names the call that failed before that.
        let message = self.0.message.as_str();
        let call =
            message.strip_prefix("tileops_builder_finish: ").filter(|m| m.starts_with("tileops_"));
        let mut fields = call.unwrap_or(message).splitn(3, ": ");
        let (function, argument) = (fields.next(), fields.next());
        let (Some(function), Some(argument), Some(_)) = (function, argument, fields.next()) else {
            return (function.filter(|f| is_name(f) && argument.is_some()), None, None);
        };
        if !is_name(function) {
            return (None, None, None);
        }
        if !is_name(argument) {
            return (Some(function), None, None);
        }
        let (name, rest) = argument.split_once('[').unwrap_or((argument, ""));
        let index = rest.split_once(']').and_then(|(digits, _)| digits.parse().ok());
        (Some(function), Some(name), index)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("status", &self.0.status)
            .field("message", &self.0.message)
            .field("driver_error", &self.0.driver_error)
            .field("offset", &self.0.offset)
            .finish()
    }
}

impl std::error::Error for Error {}

/// The result of a C call.
#[inline]
pub(crate) fn check(status: sys::tileops_status) -> Result<()> {
    if status == sys::tileops_status::OK {
        Ok(())
    } else {
        Err(last_error(status))
    }
}

/// The error of a call that just failed on this thread.
#[cold]
fn last_error(status: sys::tileops_status) -> Error {
    // SAFETY: never NULL, and valid until the next failing call on this thread (THREADS 6).
    let message = unsafe { text(sys::tileops_last_error()) };
    // SAFETY: takes no argument and reads a value of this thread.
    let driver_error = unsafe { sys::tileops_last_driver_error() };
    // SAFETY: as above.
    let offset = usize::try_from(unsafe { sys::tileops_last_error_offset() }).ok();
    Error(Box::new(Inner { status: status.into(), message: message.into(), driver_error, offset }))
}

/// A C string of the library; NULL is "". Its texts are ASCII.
///
/// # Safety
///
/// `text` is NULL or a C string that lives for `'a`.
pub(crate) unsafe fn text<'a>(text: *const core::ffi::c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("(not UTF-8)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_message() {
        let parts = |message: &str| {
            let e = Error::invalid(message);
            (e.function().map(String::from), e.argument().map(String::from), e.index())
        };
        let s = |text: &str| Some(text.to_string());
        assert_eq!(
            parts("tileops_execute: inputs[1]: wrong dtype (got f32, need f64)"),
            (s("tileops_execute"), s("inputs"), Some(1))
        );
        assert_eq!(parts("tileops_x: plan: NULL"), (s("tileops_x"), s("plan"), None));
        assert_eq!(parts("tileops_x: out of memory"), (s("tileops_x"), None, None));
        assert_eq!(parts("something else"), (None, None, None));
        assert_eq!(parts(""), (None, None, None));
    }
}
