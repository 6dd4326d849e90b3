//! Versions of the library that was linked with, and of the one that was loaded.

use crate::error::text;
use crate::{Error, Result, Status};
use std::sync::atomic::{AtomicBool, Ordering};
use tileops_sys as sys;

/// Version of the loaded library: `major * 10000 + minor * 100 + patch`.
pub fn version() -> u32 {
    // SAFETY: takes no argument.
    unsafe { sys::tileops_version() }
}

/// `major.minor.patch` of the loaded library.
pub fn version_string() -> &'static str {
    // SAFETY: static storage.
    unsafe { text(sys::tileops_version_string()) }
}

/// One line: version, compiler, backends and CPU instruction sets of the loaded library.
pub fn build_info() -> &'static str {
    // SAFETY: static storage.
    unsafe { text(sys::tileops_build_info()) }
}

/// Refuses a library whose structs or functions may differ from those of `tileops-sys`. Asked
/// wherever a context, a plan or memory is made.
pub(crate) fn ensure() -> Result<()> {
    static GOOD: AtomicBool = AtomicBool::new(false);
    if GOOD.load(Ordering::Relaxed) {
        return Ok(());
    }
    accept(version())?;
    GOOD.store(true, Ordering::Relaxed);
    Ok(())
}

/// From the version of the bindings on; a minor version of 0.x promises nothing about another one.
fn accept(loaded: u32) -> Result<()> {
    let below = (sys::TILEOPS_VERSION / 100 + 1) * 100;
    if (sys::TILEOPS_MIN_VERSION..below).contains(&loaded) {
        return Ok(());
    }
    let show = |v: u32| format!("{}.{}.{}", v / 10000, v / 100 % 100, v % 100);
    let what = if loaded < sys::TILEOPS_MIN_VERSION { "too old" } else { "too new" };
    Err(Error::new(
        Status::Version,
        format!(
            "tileops_version: library: the loaded library is {what} (got {}, need {} or newer, below {})",
            show(loaded),
            show(sys::TILEOPS_MIN_VERSION),
            show(below)
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_versions_are_accepted() {
        assert!(accept(sys::TILEOPS_VERSION).is_ok());
        assert!(accept(sys::TILEOPS_VERSION + 1).is_ok());
        let old = accept(sys::TILEOPS_VERSION - 1).unwrap_err();
        assert_eq!(old.status(), Status::Version);
        assert!(old.message().contains("too old (got 0.0.99, need 0.1.0"), "{old}");
        assert!(accept(sys::TILEOPS_VERSION + 100).unwrap_err().message().contains("too new"));
    }
}
