//! Expressions that the library knows by name.

use super::Expr;
use crate::error::{check, text};
use crate::{version, Error, Result};
use std::ffi::CString;
use tileops_sys as sys;

/// A row of the table of expressions that have a name; [`Expr::named`] makes its expression.
///
/// ```
/// use tileops::NamedExpr;
/// let softcap = NamedExpr::all().find(|row| row.name == "softcap").unwrap();
/// assert_eq!(softcap.text, "(x[..]; cap = 30.0) -> cap * tanh(x / cap)");
/// assert_eq!(softcap.doc, "logits softly capped");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedExpr {
    /// Its name: `"swiglu_residual"`.
    pub name: &'static str,
    /// Its text, as [`Expr::parse`] takes it.
    pub text: &'static str,
    /// One line: what it is for.
    pub doc: &'static str,
}

impl NamedExpr {
    /// All of the loaded library, in the order of its table: what engines and trainers use, and the
    /// gradients of activations.
    pub fn all() -> impl ExactSizeIterator<Item = NamedExpr> {
        // SAFETY: takes no argument.
        let count = unsafe { sys::tileops_expr_named_count() };
        (0..count).map(|i| {
            // SAFETY: zeros are values of all its fields.
            let mut raw: sys::tileops_named_expr_info = unsafe { std::mem::zeroed() };
            raw.struct_size = size_of::<sys::tileops_named_expr_info>() as u32;
            // SAFETY: the struct says its size.
            let status = unsafe { sys::tileops_expr_named_at(i, &mut raw) };
            assert_eq!(status, sys::tileops_status::OK, "a row below the count can be described");
            // SAFETY: static strings.
            unsafe { NamedExpr { name: text(raw.name), text: text(raw.text), doc: text(raw.doc) } }
        })
    }
}

impl Expr {
    /// The expression of that name; [`NamedExpr::all`] lists them.
    ///
    /// ```
    /// let adamw = tileops::Expr::named("adamw")?;
    /// assert_eq!(adamw.operands().map(|o| o.name).collect::<Vec<_>>(), ["p", "g", "m", "v"]);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: `InvalidArgument` (the loaded library has no expression of that name), `Version`.
    pub fn named(name: &str) -> Result<Expr> {
        version::ensure()?;
        let name = CString::new(name)
            .map_err(|_| Error::invalid(format!("Expr: name: holds a NUL (got {name:?})")))?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: a C string.
        check(unsafe { sys::tileops_expr_named(name.as_ptr(), &mut raw) })?;
        // SAFETY: a new reference, as the call succeeded.
        Ok(unsafe { Self::from_raw(raw) })
    }
}
