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
//! let gelu = ops::Gelu::new().approximate(ops::choices::Approximate::Tanh);
//! gelu.call(&x, &mut TensorMut::new(&mut y, &[3])?)?;
//! # Ok::<(), tileops::Error>(())
//! ```
//!
//! The structs are [`Operator`](crate::Operator)s too, from which a [`Plan`](crate::Plan) is made.
//! Inputs that are optional may be [`Input::ABSENT`](crate::Input::ABSENT), and inputs may be
//! [in place](crate::Input::in_place) of an output. Shapes are broadcast by NumPy's rules, dtypes are
//! promoted by PyTorch's, and the output may have any dtype.
//!
//! Errors of all functions: `InvalidArgument` (shapes, strides, overlap, attributes), `Unsupported`
//! (dtypes), and those of the device.

mod macros;
mod table;

pub use table::*;

#[cfg(test)]
mod tests {
    use crate::AttrValue;
    use tileops_sys::tileops_attr_kind;

    #[test]
    fn defaults_are_those_of_the_library() {
        for (op, list) in super::table::all_defaults() {
            let mut given = list.as_slice().iter();
            for info in op.describe().unwrap().attrs() {
                let Some(default) = info.default else { continue };
                let attr = given.next().unwrap_or_else(|| panic!("{}", info.name));
                assert_eq!(attr.key, info.key, "{} of {}", info.name, op);
                // SAFETY: `kind` says which member holds the value.
                let value = unsafe {
                    match attr.kind {
                        tileops_attr_kind::I64 => AttrValue::Int(attr.value.i64_),
                        _ => AttrValue::Float(attr.value.f64_),
                    }
                };
                assert_eq!(value, default, "{} of {}", info.name, op);
            }
            assert!(given.next().is_none(), "{}: an attribute that has no default", op);
        }
    }
}
