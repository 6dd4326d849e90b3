//! Attributes: those of the typed operators, and those given by name.

use crate::{Error, Expr, Op, Result};
use std::borrow::Cow;
use tileops_sys as sys;

/// Attributes for one plan. Operators fill it; see [`Operator::attrs`].
#[derive(Clone, Copy)]
pub struct AttrList {
    items: [sys::tileops_attr; sys::TILEOPS_MAX_ATTRS as usize],
    len: usize,
}

impl AttrList {
    pub(crate) fn new() -> Self {
        let none = sys::tileops_attr {
            key: sys::tileops_attr_key::NONE,
            kind: sys::tileops_attr_kind::I64,
            value: sys::tileops_attr__bindgen_ty_1 { i64_: 0 },
        };
        Self { items: [none; sys::TILEOPS_MAX_ATTRS as usize], len: 0 }
    }

    pub(crate) fn as_slice(&self) -> &[sys::tileops_attr] {
        &self.items[..self.len]
    }

    fn push(&mut self, item: sys::tileops_attr) -> Result<()> {
        let slot = self.items.get_mut(self.len).ok_or_else(|| {
            Error::invalid(format!(
                "AttrList: attrs: too many (need at most {})",
                sys::TILEOPS_MAX_ATTRS
            ))
        })?;
        *slot = item;
        self.len += 1;
        Ok(())
    }

    pub(crate) fn float(&mut self, key: sys::tileops_attr_key, value: f64) -> Result<()> {
        let kind = sys::tileops_attr_kind::F64;
        self.push(sys::tileops_attr {
            key,
            kind,
            value: sys::tileops_attr__bindgen_ty_1 { f64_: value },
        })
    }

    pub(crate) fn int(&mut self, key: sys::tileops_attr_key, value: i64) -> Result<()> {
        let kind = sys::tileops_attr_kind::I64;
        self.push(sys::tileops_attr {
            key,
            kind,
            value: sys::tileops_attr__bindgen_ty_1 { i64_: value },
        })
    }

    pub(crate) fn flag(&mut self, key: sys::tileops_attr_key, value: bool) -> Result<()> {
        self.int(key, value.into())
    }

    pub(crate) fn choice<C: Choice>(&mut self, key: sys::tileops_attr_key, value: C) -> Result<()> {
        self.int(key, value.index())
    }

    pub(crate) fn optional_float(
        &mut self,
        key: sys::tileops_attr_key,
        value: Option<f64>,
    ) -> Result<()> {
        value.map_or(Ok(()), |value| self.float(key, value))
    }

    pub(crate) fn optional_int(
        &mut self,
        key: sys::tileops_attr_key,
        value: Option<i64>,
    ) -> Result<()> {
        value.map_or(Ok(()), |value| self.int(key, value))
    }

    pub(crate) fn optional_choice<C: Choice>(
        &mut self,
        key: sys::tileops_attr_key,
        value: Option<C>,
    ) -> Result<()> {
        value.map_or(Ok(()), |value| self.choice(key, value))
    }
}

/// A value of an attribute with named choices.
pub(crate) trait Choice {
    fn index(self) -> i64;
}

/// An operator with its attributes: what a plan is made from.
///
/// Implemented by the structs of [`ops`](crate::ops), by [`Op`] (all attributes at their defaults),
/// by [`Named`], and by [`Expr`], which is several operators at once. It is sealed: types outside of this crate cannot implement it.
pub trait Operator: Sealed {
    /// Which operator.
    fn op(&self) -> Op;

    /// Adds the attributes to a list. Errors: `InvalidArgument`, for attributes given by name.
    fn attrs(&self, list: &mut AttrList) -> Result<()>;

    /// The expression that is instead of an operator.
    #[doc(hidden)]
    fn expr(&self) -> Option<&Expr> {
        None
    }

    /// How many results there may be.
    #[doc(hidden)]
    fn num_results(&self) -> Result<usize> {
        Ok(self.op().describe()?.outputs().len())
    }
}

/// Whoever could name this could implement [`Operator`].
pub(crate) mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

impl Sealed for Op {}

impl Operator for Op {
    fn op(&self) -> Op {
        *self
    }

    fn attrs(&self, _list: &mut AttrList) -> Result<()> {
        Ok(())
    }
}

/// The value of an attribute that is given by name.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum AttrValue {
    /// A number; accepted for an integer attribute if it is whole.
    Float(f64),
    /// An integer; accepted for a float attribute if it converts exactly.
    Int(i64),
    /// A named choice such as `"tanh"`.
    Choice(Cow<'static, str>),
}

macro_rules! attr_values {
    ($($T:ty => $Variant:ident($value:ident) $converted:expr;)*) => {$(
        impl From<$T> for AttrValue {
            fn from($value: $T) -> Self {
                AttrValue::$Variant($converted)
            }
        }
    )*};
}

attr_values! {
    f64 => Float(value) value;
    f32 => Float(value) value.into();
    i64 => Int(value) value;
    i32 => Int(value) value.into();
    bool => Int(value) value.into();
    &'static str => Choice(value) value.into();
    String => Choice(value) value.into();
}

/// An operator with attributes given by name.
///
/// ```
/// use tileops::{Named, Op, Plan, TensorSpec, DType};
/// let x = TensorSpec::new(DType::F32, &[16])?;
/// let attrs = [("approximate", "tanh".into())];
/// Plan::new(&Named::new(Op::GELU, &attrs), [&x], [&x])?;
/// # Ok::<(), tileops::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The operator.
    pub op: Op,
    /// Names and values; others keep their defaults.
    pub attrs: &'a [(&'a str, AttrValue)],
}

impl<'a> Named<'a> {
    /// An operator with these attributes.
    pub const fn new(op: Op, attrs: &'a [(&'a str, AttrValue)]) -> Self {
        Self { op, attrs }
    }
}

impl Sealed for Named<'_> {}

impl Operator for Named<'_> {
    fn op(&self) -> Op {
        self.op
    }

    fn attrs(&self, list: &mut AttrList) -> Result<()> {
        if self.attrs.is_empty() {
            return Ok(());
        }
        let op = self.op.describe()?;
        for (i, (name, value)) in self.attrs.iter().enumerate() {
            let Some(info) = op.attrs().find(|info| info.name == *name) else {
                let names: Vec<_> = op.attrs().map(|info| info.name).collect();
                return Err(Error::invalid(format!(
                    "Named: attrs[{i}]: unknown attribute of {} (got {name:?}, need {})",
                    op.name(),
                    if names.is_empty() { "none".into() } else { names.join(", ") }
                )));
            };
            match value {
                AttrValue::Float(value) => list.float(info.key, *value)?,
                AttrValue::Int(value) => list.int(info.key, *value)?,
                AttrValue::Choice(value) => {
                    let names = info.choices.unwrap_or("a number");
                    let index = names.split('|').position(|choice| choice == value);
                    let index = index.filter(|_| info.choices.is_some()).ok_or_else(|| {
                        Error::invalid(format!(
                            "Named: attrs[{i}]: value of {name} (got {value:?}, need {names})"
                        ))
                    })?;
                    list.int(info.key, index as i64)?;
                }
            }
        }
        Ok(())
    }
}
