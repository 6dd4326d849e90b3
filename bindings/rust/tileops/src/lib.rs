//! Tensor operators, fused expressions and row reductions on CPU and CUDA memory: the safe
//! binding of libtileops.
//!
//! One call plans ([`Plan::new`]: operator, shapes, dtypes, device), one call runs
//! ([`Plan::execute`]). Tensors borrow slices and are never copied: [`TensorRef`] and [`TensorMut`].
//! The functions of [`ops`], and [`call()`] with an operator's name, do both, and keep the plan.
//!
//! ```
//! use tileops::{ops, TensorMut, TensorRef};
//!
//! let a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
//! let b = [10.0f32, 20.0, 30.0];
//! let mut y = [0.0f32; 6];
//!
//! let a = TensorRef::new(&a, &[2, 3])?;
//! let b = TensorRef::new(&b, &[3])?; // broadcast along the rows
//! ops::add(&a, &b, &mut TensorMut::new(&mut y, &[2, 3])?)?;
//! assert_eq!(y, [11.0, 22.0, 33.0, 14.0, 25.0, 36.0]);
//! # Ok::<(), tileops::Error>(())
//! ```
//!
//! Several operators at once, in one pass over memory, are an [`Expr`]: a text such as
//! `(g, u, r) -> silu(g) * u + r`, built call by call with [`ExprBuilder`], or one of those that have a
//! name, [`Expr::named`]. [`Expr::call`] keeps the plan as well. What is updated where it is, such as the
//! state of an optimizer, is an input [in place](Input::in_place) of the output that it becomes.
//!
//! One plan does for any batch where extents are left open: [`TensorSpec::open`].
//!
//! # Memory
//!
//! A tensor borrows its memory: what an output borrows can be neither read nor dropped.
//!
//! ```compile_fail,E0505
//! use tileops::{ops, Input, TensorMut};
//! let mut y = vec![0.0f32; 4];
//! let mut out = TensorMut::new(&mut y, &[4])?;
//! drop(y); // cannot move out of `y` because it is borrowed
//! ops::exp(Input::in_place(0), &mut out)?;
//! # Ok::<(), tileops::Error>(())
//! ```
//!
//! # Threads
//!
//! Everything here is [`Send`] and [`Sync`] by the contract of the C library (`tileops.h`, section
//! THREADS). One plan may be executed by many threads at once. No destructor blocks, but those of memory
//! on a CUDA device, for which the driver may wait; plans that need a [`Workspace`] have some.
//!
//! # CUDA
//!
//! The same calls with a [`Device::cuda`] run on the GPU. Calls that are not `unsafe` wait for the
//! result. Those with a stream, [`Plan::execute_on`] and [`copy_on`], do not, and are `unsafe`: the
//! tensors must outlive the work. With the feature `cudarc`, its slices are ordered by events
//! and need no `unsafe`.
//!
//! # Features
//!
//! `half`, `float8`, `ndarray`, `cudarc`, `dlpark`: types of these crates are taken as they are.
//! `vendored`, `buildtime_bindgen`: how the C library is found and bound. All of them add, none
//! takes away.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod attr;
mod call;
mod context;
mod counters;
mod device;
mod dtype;
mod dtype_table;
mod error;
mod expr;
mod interop;
mod log;
mod op;
pub mod ops;
mod plan;
#[cfg(doctest)]
mod refused;
mod stream;
mod tensor;
mod version;

pub use attr::{AttrList, AttrValue, Named, Operator};
pub use call::{call, clear_plans};
pub use context::{CacheMode, CacheStats, Context, ContextOptions};
pub use counters::{live_handles, LiveHandles};
pub use device::{devices, Device, DeviceInfo};
pub use dtype::{DType, Element, F4E2M1x2, F8E8M0};
pub use error::{Error, Result, Status};
pub use expr::{
    Axes, Expr, ExprBuilder, ExprNode, ExprOperand, Group, NamedExpr, Node, Number, Rows, Term,
};
#[allow(unused_imports)] // none without features
pub use interop::*;
pub use log::{log_to_stderr, set_log, LogLevel};
pub use op::{AttrInfo, Op, OpInfo, OperandInfo};
pub use plan::{AddressItem, ListItem};
pub use plan::{Input, Operand, Plan, PlanOptions, Workspace};
pub use plan::{OpenExtent, PlanFacts};
pub use plan::{Strategy, TuneProgress, TuneResult};
pub use stream::{RawStream, Stream};
pub use tensor::{copy, copy_on, Extent, Tensor, TensorMut, TensorRef, TensorSpec};
pub use tileops_sys as sys;
pub use version::{build_info, version, version_string};
