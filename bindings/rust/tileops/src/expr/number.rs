//! Numbers of expressions: constants, defaults, values of scalars.

use std::fmt;
use tileops_sys as sys;
use tileops_sys::tileops_number_kind as k;

/// A number of an expression: a constant, a default, or the value of a scalar.
///
/// Integers and floats are different: a scalar whose default is an integer takes no float.
///
/// ```
/// use tileops::Number;
/// assert_eq!(Number::from(3).to_string(), "3");
/// assert_eq!(Number::from(3.0).to_string(), "3.0");
/// assert!(Number::DEFAULT.is_default());
/// ```
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Number(pub(crate) sys::tileops_number);

impl Number {
    /// The value that the expression gives.
    pub const DEFAULT: Number =
        Number(raw(k::DEFAULT, sys::tileops_number__bindgen_ty_1 { i64_: 0 }));

    /// Is it [`Number::DEFAULT`]?
    pub fn is_default(&self) -> bool {
        self.0.kind == k::DEFAULT
    }

    /// The value of an integer or a bool; None for others.
    pub fn as_i64(&self) -> Option<i64> {
        match self.0.kind {
            // SAFETY: of these kinds that is the member with the value.
            k::I64 | k::BOOL => Some(unsafe { self.0.value.i64_ }),
            _ => None,
        }
    }

    /// The value of a float; None for others.
    pub fn as_f64(&self) -> Option<f64> {
        match self.0.kind {
            // SAFETY: of this kind that is the member with the value.
            k::F64 => Some(unsafe { self.0.value.f64_ }),
            _ => None,
        }
    }
}

const fn raw(
    kind: sys::tileops_number_kind,
    value: sys::tileops_number__bindgen_ty_1,
) -> sys::tileops_number {
    sys::tileops_number { kind, reserved: 0, value }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Number(raw(k::F64, sys::tileops_number__bindgen_ty_1 { f64_: value }))
    }
}

impl From<f32> for Number {
    fn from(value: f32) -> Self {
        f64::from(value).into()
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Number(raw(k::I64, sys::tileops_number__bindgen_ty_1 { i64_: value }))
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        i64::from(value).into()
    }
}

impl From<bool> for Number {
    fn from(value: bool) -> Self {
        Number(raw(k::BOOL, sys::tileops_number__bindgen_ty_1 { i64_: value.into() }))
    }
}

/// Equal numbers are of the same kind and value; NaN equals nothing.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.0.kind == other.0.kind
            && self.as_i64() == other.as_i64()
            && self.as_f64() == other.as_f64()
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_f64(), self.as_i64()) {
            (Some(float), _) => write!(f, "{float:?}"),
            (_, Some(truth)) if self.0.kind == k::BOOL => write!(f, "{}", truth != 0),
            (_, Some(integer)) => write!(f, "{integer}"),
            _ => f.write_str("default"),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({self})")
    }
}
