//! Every operator: a struct of its attributes, and a function that runs it with their defaults.
//!
//! ```
//! use tileops::{ops, TensorMut, TensorRef};
//! let x = [-1.0f32, 0.0, 2.0];
//! let mut y = [0.0f32; 3];
//! let x = TensorRef::new(&x, &[3])?;
//! ops::relu(&x, &mut TensorMut::new(&mut y, &[3])?)?;
//! assert_eq!(y, [0.0, 0.0, 2.0]);
//!
//! let gelu = ops::Gelu { approximate: ops::choices::Approximate::Tanh, ..Default::default() };
//! gelu.call(&x, &mut TensorMut::new(&mut y, &[3])?)?;
//! # Ok::<(), tileops::Error>(())
//! ```
//!
//! The structs are [`Operator`](crate::Operator)s too, from which a [`Plan`](crate::Plan) is made.
//! Inputs that are optional may be [`Input::ABSENT`](crate::Input::ABSENT), and one input may be
//! [`Input::IN_PLACE`](crate::Input::IN_PLACE). Shapes are broadcast by NumPy's rules, dtypes are
//! promoted by PyTorch's, and the output may have any dtype.
//!
//! Errors of all functions: `InvalidArgument` (shapes, strides, overlap, attributes), `Unsupported`
//! (dtypes), and those of the device.

mod macros;
mod table;

pub use table::*;
