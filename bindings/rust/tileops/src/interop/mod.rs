//! Types of other crates, each behind the feature of its name.

#[cfg(feature = "cudarc")]
mod cudarc;
#[cfg(feature = "dlpark")]
mod dlpark;
#[cfg(feature = "ndarray")]
mod ndarray;

#[cfg(feature = "cudarc")]
pub use cudarc::{CudaInput, CudaOutput};
