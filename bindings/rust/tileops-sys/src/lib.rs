//! The C API of libtileops, as it is.
//!
//! `tileops/tileops.h` says what each function does, and its sections CONVENTIONS and THREADS hold
//! for every one of them. The crate `tileops` is the safe binding over this one.
//!
//! Functions and structs are bound by bindgen ([`bindings`]), checked in, and made anew by the
//! build script with the feature `buildtime_bindgen`. Enums are newtypes over `i32`, so that values
//! of a newer library are no undefined behaviour.
//!
//! Dependent crates read `DEP_TILEOPS_INCLUDE`, `DEP_TILEOPS_LIB_DIR` and `DEP_TILEOPS_VERSION` in
//! their build scripts, as far as they are known.

#![no_std]
#![allow(non_camel_case_types)]

pub mod dlpack;
#[rustfmt::skip]
pub mod enums;

/// Functions, structs and limits of `tileops/tileops.h`.
#[allow(missing_docs, clippy::all, rustdoc::all)]
#[rustfmt::skip]
pub mod bindings {
    #[cfg(not(feature = "buildtime_bindgen"))]
    include!("bindings.rs");
    #[cfg(feature = "buildtime_bindgen")]
    include!(concat!(env!("OUT_DIR"), "/bindings.rs"));
}

pub use bindings::*;
pub use dlpack::*;
pub use enums::*;

/// Lowest version of the library that these bindings work with, coded like `TILEOPS_VERSION`.
pub const TILEOPS_MIN_VERSION: u32 = TILEOPS_VERSION;

/// An extent that each execute brings, in [`tileops_tensor_desc::shape`]: any.
pub const TILEOPS_OPEN: i64 = -1;

/// An extent that each execute brings: any up to `n`.
#[allow(non_snake_case)]
pub const fn TILEOPS_UP_TO(n: i64) -> i64 {
    i64::MIN.wrapping_add(n)
}
