//! Expressions built call by call.

use super::{Expr, Number};
use crate::error::check;
use crate::{version, AttrList, DType, Error, Operator, Result};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::ffi::CString;
use std::fmt;
use std::ptr::NonNull;
use tileops_sys as sys;

/// Builds an [`Expr`] call by call: what it hands out are values, [`Node`]s, with Rust's operators and
/// a method for each function.
///
/// ```
/// use tileops::{Expr, ExprBuilder};
/// let b = ExprBuilder::new()?;
/// let (g, u, r) = (b.operand("g"), b.operand("u"), b.operand("r"));
/// let scale = b.scalar("scale", 1.0);
/// b.result(g.silu() * u * scale + r);
/// let built = b.finish()?;
/// let parsed = Expr::parse("(g, u, r; scale = 1.0) -> silu(g) * u * scale + r")?;
/// assert_eq!(built.text(), parsed.text());
/// # Ok::<(), tileops::Error>(())
/// ```
///
/// The first error sticks: calls after it do nothing, and [`finish`](Self::finish) tells it. A builder
/// may be sent to another thread, not shared by several.
///
/// ```compile_fail,E0277
/// fn shared<T: Sync>(_: &T) {}
/// shared(&tileops::ExprBuilder::new().unwrap());
/// ```
pub struct ExprBuilder {
    raw: NonNull<sys::tileops_builder>,
    /// The first error that was found before the library was asked.
    error: RefCell<Option<Error>>,
}

// SAFETY: a builder is used by one thread at a time; it is not `Sync`.
unsafe impl Send for ExprBuilder {}

/// A value in an [`ExprBuilder`]: an operand, a scalar, a constant, or what a function gives.
///
/// `+ - * / % - ! & |` are the operators of texts: `/` is div (integers give float32), `%` remainder,
/// `! & |` are bitwise. Either side may be a number. Comparisons, and all functions of the tables, are
/// methods: `x.lt(0)`, `x.gelu()`, `x.clamp(-1, 1)`. Functions along axes go along the last one,
/// `x.sum()`; along others, and by groups, they are methods of [`Rows`](super::Rows): `x.along(-2).sum()`.
#[derive(Clone, Copy)]
pub struct Node<'b> {
    builder: &'b ExprBuilder,
    id: sys::tileops_node,
}

/// What a function of an expression takes: a [`Node`], a number, [`Term::ABSENT`], or the [`DType`] of a
/// cast.
#[derive(Clone, Copy)]
pub struct Term<'b>(Kind<'b>);

#[derive(Clone, Copy)]
enum Kind<'b> {
    Node(Node<'b>),
    Number(Number),
    DType(DType),
    Absent,
}

impl Term<'_> {
    /// An optional value that is not given: `x.clamp(Term::ABSENT, 1)`.
    pub const ABSENT: Self = Term(Kind::Absent);
}

impl<'b> From<Node<'b>> for Term<'b> {
    fn from(node: Node<'b>) -> Self {
        Term(Kind::Node(node))
    }
}

impl From<DType> for Term<'_> {
    fn from(dtype: DType) -> Self {
        Term(Kind::DType(dtype))
    }
}

macro_rules! numbers {
    ($($T:ty),*) => {$(
        impl From<$T> for Term<'_> {
            fn from(value: $T) -> Self {
                Term(Kind::Number(value.into()))
            }
        }
    )*};
}

numbers! { f64, f32, i64, i32, bool, Number }

impl<'b> Node<'b> {
    /// The function `op` of this value and others.
    pub(super) fn with(self, op: sys::tileops_op, rest: &[Term<'b>]) -> Node<'b> {
        self.with_attrs(op, rest, &AttrList::new())
    }

    /// The same with attributes.
    pub(super) fn with_attrs(
        self,
        op: sys::tileops_op,
        rest: &[Term<'b>],
        attrs: &AttrList,
    ) -> Node<'b> {
        let mut terms: SmallVec<[Term<'b>; 4]> = SmallVec::new();
        terms.push(self.into());
        terms.extend_from_slice(rest);
        self.builder.call(op, &terms, attrs)
    }

    /// An error found before the library was asked.
    pub(super) fn fail(self, error: Error) {
        self.builder.fail(error);
    }

    /// A number before this value.
    pub(super) fn after(self, op: sys::tileops_op, first: Number) -> Node<'b> {
        self.builder.call(op, &[first.into(), self.into()], &AttrList::new())
    }
}

impl ExprBuilder {
    /// An empty builder. Errors: `OutOfMemory`, `Version`.
    pub fn new() -> Result<Self> {
        version::ensure()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: receives a new builder.
        check(unsafe { sys::tileops_builder_create(&mut raw) })?;
        let raw = NonNull::new(raw).expect("OK means a builder");
        Ok(Self { raw, error: RefCell::new(None) })
    }

    /// Adds an operand, which may not be absent.
    pub fn operand(&self, name: &str) -> Node<'_> {
        self.named("operand", name, |name| {
            // SAFETY: a live builder and a C string.
            unsafe { sys::tileops_build_operand(self.raw.as_ptr(), name, std::ptr::null()) }
        })
    }

    /// Adds an operand that is this number where it is absent.
    pub fn optional(&self, name: &str, default: impl Into<Number>) -> Node<'_> {
        let default = default.into().0;
        self.named("optional", name, |name| {
            // SAFETY: a live builder, a C string and a number, which are copied.
            unsafe { sys::tileops_build_operand(self.raw.as_ptr(), name, &default) }
        })
    }

    /// Adds a scalar; its default says whether it is an integer or a float.
    pub fn scalar(&self, name: &str, default: impl Into<Number>) -> Node<'_> {
        let default = default.into().0;
        self.named("scalar", name, |name| {
            // SAFETY: a live builder and a C string, which is copied.
            unsafe { sys::tileops_build_scalar(self.raw.as_ptr(), name, default) }
        })
    }

    /// A constant; numbers beside a [`Node`] are constants as they are.
    pub fn constant(&self, value: impl Into<Number>) -> Node<'_> {
        // SAFETY: a live builder.
        self.node(unsafe { sys::tileops_build_constant(self.raw.as_ptr(), value.into().0) })
    }

    /// Applies an operator with attributes. After its values may come, as in a text, attributes in the
    /// table's order; there scalars may stand for attributes that are floats.
    ///
    /// ```
    /// use tileops::ops::{self, choices::Approximate, choices::Rounding};
    /// use tileops::{DType, ExprBuilder, Term};
    /// let b = ExprBuilder::new()?;
    /// let x = b.operand("x");
    /// b.result(b.apply(&ops::Gelu::new().approximate(Approximate::Tanh), [x]));
    /// let up = ops::Cast::new().rounding(Rounding::Up);
    /// b.result(b.apply(&up, [Term::from(x), DType::F8E8M0.into()]));
    /// # b.finish()?;
    /// # Ok::<(), tileops::Error>(())
    /// ```
    #[must_use]
    pub fn apply<'b, T: Into<Term<'b>>>(
        &'b self,
        operator: &impl Operator,
        terms: impl IntoIterator<Item = T>,
    ) -> Node<'b> {
        let mut attrs = AttrList::new();
        if let Err(error) = operator.attrs(&mut attrs) {
            return self.fail(error);
        }
        let terms: SmallVec<[Term<'b>; 4]> = terms.into_iter().map(Into::into).collect();
        self.call(operator.op().0, &terms, &attrs)
    }

    /// Makes a value the next result, named `y0`, `y1`, ...
    pub fn result(&self, node: Node<'_>) {
        let id = self.id(&node.into());
        // SAFETY: a live builder; NULL is no name.
        unsafe { sys::tileops_build_result(self.raw.as_ptr(), id, std::ptr::null()) };
    }

    /// Makes a value the next result, with a name.
    pub fn result_as(&self, name: &str, node: Node<'_>) {
        let id = self.id(&node.into());
        self.named("result_as", name, |name| {
            // SAFETY: a live builder and a C string, which is copied.
            unsafe { sys::tileops_build_result(self.raw.as_ptr(), id, name) };
            0
        });
    }

    /// The finished expression. Errors: the first one that a call met, and `InvalidArgument` (no
    /// results, limits).
    pub fn finish(self) -> Result<Expr> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let mut raw = std::ptr::null_mut();
        // SAFETY: a live builder.
        check(unsafe { sys::tileops_builder_finish(self.raw.as_ptr(), &mut raw) })?;
        // SAFETY: a new reference, as the call succeeded.
        Ok(unsafe { Expr::from_raw(raw) })
    }

    fn node(&self, id: sys::tileops_node) -> Node<'_> {
        Node { builder: self, id }
    }

    fn fail(&self, error: Error) -> Node<'_> {
        self.error.borrow_mut().get_or_insert(error);
        self.node(0)
    }

    fn named(
        &self,
        function: &str,
        name: &str,
        call: impl FnOnce(*const std::ffi::c_char) -> sys::tileops_node,
    ) -> Node<'_> {
        match CString::new(name) {
            Ok(name) => self.node(call(name.as_ptr())),
            Err(_) => {
                self.fail(Error::invalid(format!("ExprBuilder: {function}: name: holds a NUL")))
            }
        }
    }

    /// The library's number of a term; that of another builder's value is no node of this one.
    fn id(&self, term: &Term<'_>) -> sys::tileops_node {
        match term.0 {
            Kind::Node(node) if std::ptr::eq(node.builder, self) => node.id,
            Kind::Node(_) => -1,
            Kind::Number(value) => self.constant(value).id,
            Kind::DType(_) | Kind::Absent => 0,
        }
    }

    /// What [`Expr::of`] does.
    pub(super) fn text(&self, expr: &Expr, terms: &[Term<'_>]) -> Vec<Node<'_>> {
        let ids: SmallVec<[sys::tileops_node; 8]> =
            terms.iter().map(|term| self.id(term)).collect();
        let mut results = vec![0; expr.results().len()];
        // SAFETY: a live builder and expression; as many nodes as said, and a place for each result.
        unsafe {
            sys::tileops_build_expr(
                self.raw.as_ptr(),
                expr.as_ptr(),
                ids.as_ptr(),
                ids.len(),
                results.as_mut_ptr(),
            )
        };
        results.into_iter().map(|id| self.node(id)).collect()
    }

    fn call(&self, op: sys::tileops_op, terms: &[Term<'_>], attrs: &AttrList) -> Node<'_> {
        let ids: SmallVec<[sys::tileops_node; 8]> =
            terms.iter().map(|term| self.id(term)).collect();
        let mut attrs = *attrs;
        for term in terms {
            let Kind::DType(dtype) = term.0 else { continue };
            let dtype = dtype.to_dlpack();
            let value = i64::from(dtype.code) * 256 + i64::from(dtype.bits);
            if let Err(error) = attrs.int(sys::tileops_attr_key::DTYPE, value) {
                return self.fail(error);
            }
        }
        let attrs = attrs.as_slice();
        // SAFETY: a live builder; as many nodes and attributes as said.
        self.node(unsafe {
            sys::tileops_build_op(
                self.raw.as_ptr(),
                op,
                ids.as_ptr(),
                ids.len(),
                attrs.as_ptr(),
                attrs.len(),
            )
        })
    }
}

impl Drop for ExprBuilder {
    fn drop(&mut self) {
        // SAFETY: owned; the expression that it may have made stays.
        unsafe { sys::tileops_builder_destroy(self.raw.as_ptr()) };
    }
}

impl fmt::Debug for ExprBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExprBuilder").field("error", &self.error.borrow()).finish()
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({})", self.id)
    }
}
