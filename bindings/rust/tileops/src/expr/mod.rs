//! Expressions: several operators at once, in one pass over memory.

mod arith;
mod builder;
mod call;
mod macros;
mod methods;
mod named;
mod nodes;
mod number;
mod rows;

pub use builder::{ExprBuilder, Node, Term};
pub use named::NamedExpr;
pub use nodes::ExprNode;
pub use number::Number;
pub use rows::{Axes, Group, Rows};

use crate::attr::sealed::Sealed;
use crate::counters::{Counter, EXPRS};
use crate::error::{check, text};
use crate::{version, AttrList, Error, Op, Operator, Result};
use std::fmt;
use std::ptr::NonNull;
use std::str::FromStr;
use tileops_sys as sys;

/// An expression over operators: `(g, u, r; scale = 1.0) -> silu(g) * u * scale + r`.
///
/// Operands, scalars after `;`, and one result or several, computed in one pass over memory; what is
/// between is not rounded. It knows no shapes and no device. It is an [`Operator`], so that plans are
/// made of it as of one: [`Plan::new`](crate::Plan::new) by tensors or descriptions, with
/// [`PlanOptions`](crate::PlanOptions) for more. Shapes are broadcast by NumPy's rules, node by node,
/// and dtypes promoted by PyTorch's; [`Plan::infer`](crate::Plan::infer) says what comes out. Optional
/// operands may be [`Input::ABSENT`](crate::Input::ABSENT), trailing ones left off.
///
/// It never changes, and may be shared by threads. Clones are references to the same expression, and
/// plans keep what they need of it.
///
/// ```
/// use tileops::{Expr, Plan, TensorMut, TensorRef};
/// let swiglu = Expr::parse("(g, u; scale = 1.0) -> silu(g) * u * scale")?;
/// let (g, u) = ([0.0f32, 1.0, 2.0], [1.0f32, 2.0, 3.0]);
/// let mut y = [0.0f32; 3];
/// let (g, u) = (TensorRef::new(&g, &[3])?, TensorRef::new(&u, &[3])?);
/// let mut out = TensorMut::new(&mut y, &[3])?;
///
/// let plan = Plan::new(&swiglu, [&g, &u], [&out])?;
/// plan.execute([&g, &u], [&mut out])?;
/// // Scalars come with each execute, and never make a plan.
/// plan.execute_with([&g, &u], [&mut out], &swiglu.scalar_values(&[("scale", 10.0.into())])?)?;
/// assert_eq!(y, [0.0, 14.621172, 52.847824]);
/// # Ok::<(), tileops::Error>(())
/// ```
///
/// The same expression can be built call by call: [`ExprBuilder`]. Those that engines and trainers use
/// often have names: [`Expr::named`].
pub struct Expr {
    raw: NonNull<sys::tileops_expr>,
    _counter: Counter,
}

// SAFETY: any function may be called from any thread (tileops.h, THREADS 1), and references are
// counted atomically.
unsafe impl Send for Expr {}
// SAFETY: an expression never changes and may be shared by threads.
unsafe impl Sync for Expr {}

/// An operand or a scalar of an [`Expr`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExprOperand<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is where it is absent; None: it may not be absent.
    pub default: Option<Number>,
}

impl Expr {
    /// Parses a text.
    ///
    /// ```
    /// let error = tileops::Expr::parse("(x) -> sillu(x)").unwrap_err();
    /// assert_eq!(error.offset(), Some(7)); // bytes into the text
    /// assert!(error.message().contains("is 'silu' meant?"));
    /// ```
    ///
    /// Errors: `InvalidArgument` (a text that is wrong: the message shows the line and the place, which
    /// [`Error::offset`] tells), `Unsupported` (a function that is not there yet), `OutOfMemory`,
    /// `Version`.
    pub fn parse(text: &str) -> Result<Expr> {
        version::ensure()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: as many bytes as said.
        check(unsafe { sys::tileops_expr_parse(text.as_ptr().cast(), text.len(), &mut raw) })?;
        // SAFETY: a new reference, as the call succeeded.
        Ok(unsafe { Self::from_raw(raw) })
    }

    /// # Safety
    ///
    /// `raw` is a live expression, one reference of which the result takes over.
    unsafe fn from_raw(raw: *mut sys::tileops_expr) -> Expr {
        Expr {
            raw: NonNull::new(raw).expect("OK means an expression"),
            _counter: Counter::new(&EXPRS),
        }
    }

    /// The canonical text: parsed, it gives the same expression, and expressions that mean the same by
    /// the same steps have the same one.
    pub fn text(&self) -> String {
        let mut size = 0;
        // SAFETY: a live expression; NULL asks for the size.
        let status =
            unsafe { sys::tileops_expr_text(self.as_ptr(), std::ptr::null_mut(), &mut size) };
        assert_eq!(status, sys::tileops_status::OK, "a living expression has a text");
        let mut bytes = vec![0u8; size];
        // SAFETY: a buffer of that size.
        let status =
            unsafe { sys::tileops_expr_text(self.as_ptr(), bytes.as_mut_ptr().cast(), &mut size) };
        assert_eq!(status, sys::tileops_status::OK, "its size was asked for");
        bytes.pop(); // NUL
        String::from_utf8(bytes).expect("texts are ASCII")
    }

    /// The operands, in order.
    pub fn operands(&self) -> impl ExactSizeIterator<Item = ExprOperand<'_>> {
        let info = self.info();
        // SAFETY: an array of that many, which lives as long as the expression.
        unsafe { slice(info.operands, info.num_operands) }.iter().map(operand)
    }

    /// How many operands there must be; trailing optional ones may be left off.
    pub fn min_operands(&self) -> usize {
        self.info().min_operands as usize
    }

    /// The scalars, in order; all of them have a default, which says whether they are integers or
    /// floats.
    pub fn scalars(&self) -> impl ExactSizeIterator<Item = ExprOperand<'_>> {
        let info = self.info();
        // SAFETY: as in `operands`.
        unsafe { slice(info.scalars, info.num_scalars) }.iter().map(operand)
    }

    /// The names of the results, in order.
    pub fn results(&self) -> impl ExactSizeIterator<Item = &str> {
        let info = self.info();
        // SAFETY: an array of that many strings, which live as long as the expression.
        unsafe { slice(info.results, info.num_results).iter().map(|name| text(*name)) }
    }

    /// How many functions are computed for each element.
    pub fn num_nodes(&self) -> usize {
        self.info().num_nodes as usize
    }

    /// How many functions of scalars are computed once an execute.
    pub fn num_host_nodes(&self) -> usize {
        self.info().num_host_nodes as usize
    }

    /// Values of scalars by name, in the order of the expression, for
    /// [`Plan::execute_with`](crate::Plan::execute_with); the others are [`Number::DEFAULT`].
    ///
    /// Errors: `InvalidArgument` (a name that is no scalar, or given twice).
    pub fn scalar_values(&self, values: &[(&str, Number)]) -> Result<Vec<Number>> {
        let mut list = vec![Number::DEFAULT; self.info().num_scalars as usize];
        for (name, value) in values {
            let Some(at) = self.scalars().position(|scalar| scalar.name == *name) else {
                let names: Vec<_> = self.scalars().map(|scalar| scalar.name).collect();
                return Err(Error::invalid(format!(
                    "Expr: scalars: unknown name (got {name:?}, need {})",
                    if names.is_empty() { "none".into() } else { names.join(", ") }
                )));
            };
            if !list[at].is_default() {
                return Err(Error::invalid(format!("Expr: scalars: {name:?} is given twice")));
            }
            list[at] = *value;
        }
        Ok(list)
    }

    /// The expression as a part of what `builder` builds, written out: its results. `terms` are values
    /// for its operands and then numbers for its scalars; [`Term::ABSENT`], and what is left off at the
    /// end, are their defaults. What is wrong is an error of [`ExprBuilder::finish`].
    ///
    /// ```
    /// use tileops::{Expr, ExprBuilder, Term};
    /// let norm = Expr::named("add_rms_norm")?;
    /// let b = ExprBuilder::new()?;
    /// let sum = norm.of(&b, [b.operand("x").into(), b.operand("r").into(), Term::ABSENT, 1e-5.into()]);
    /// b.result_as("y", sum[0].silu());
    /// b.result(sum[1]);
    /// let text = "(x, r) -> { n, h = add_rms_norm(x, r, eps = 1e-5); y = silu(n); y, (h) }";
    /// assert_eq!(b.finish()?.text(), Expr::parse(text)?.text());
    /// # Ok::<(), tileops::Error>(())
    /// ```
    pub fn of<'b, T: Into<Term<'b>>>(
        &self,
        builder: &'b ExprBuilder,
        terms: impl IntoIterator<Item = T>,
    ) -> Vec<Node<'b>> {
        let terms: Vec<Term<'b>> = terms.into_iter().map(Into::into).collect();
        builder.text(self, &terms)
    }

    /// The gradient with respect to operands, an expression itself. It takes the operands and scalars of
    /// this one, then for each result `r` an operand `grad_r` of its shape, and gives for each of the
    /// named operands `x` a result `grad_x` of x's shape and dtype. Names that are taken get a number behind
    /// them: `grad_x_2`. Subgradients at ties and kinks are PyTorch's.
    ///
    /// ```
    /// let square = tileops::Expr::parse("(x) -> x * x")?;
    /// let gradient = square.gradient(&["x"])?;
    /// assert_eq!(gradient.operands().map(|o| o.name).collect::<Vec<_>>(), ["x", "grad_y0"]);
    /// assert_eq!(gradient.results().collect::<Vec<_>>(), ["grad_x"]);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Where an operand was broadcast, its gradient is a sum.
    ///
    /// Errors: `InvalidArgument` (a name that is no operand or given twice), `Unsupported` (a function that
    /// has no derivative yet), `OutOfMemory`.
    pub fn gradient(&self, operands: &[&str]) -> Result<Expr> {
        let index = |name: &&str| {
            let at = self.operands().position(|operand| operand.name == *name);
            at.map(|i| i as i32).ok_or_else(|| {
                let names: Vec<_> = self.operands().map(|operand| operand.name).collect();
                Error::invalid(format!(
                    "Expr: operands: unknown name (got {name:?}, need {})",
                    names.join(", ")
                ))
            })
        };
        let indices: Vec<i32> = operands.iter().map(index).collect::<Result<_>>()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: as many indices as said, of a live expression.
        check(unsafe {
            sys::tileops_expr_gradient(self.as_ptr(), indices.as_ptr(), indices.len(), &mut raw)
        })?;
        // SAFETY: a new reference, as the call succeeded.
        Ok(unsafe { Self::from_raw(raw) })
    }

    /// The handle, for calls of `tileops-sys`. It is valid as long as the expression.
    pub fn as_ptr(&self) -> *const sys::tileops_expr {
        self.raw.as_ptr()
    }

    fn info(&self) -> sys::tileops_expr_info {
        // SAFETY: zeros are values of all its fields.
        let mut info: sys::tileops_expr_info = unsafe { std::mem::zeroed() };
        info.struct_size = size_of::<sys::tileops_expr_info>() as u32;
        // SAFETY: a live expression; the struct says its size.
        let status = unsafe { sys::tileops_expr_describe(self.as_ptr(), &mut info) };
        assert_eq!(status, sys::tileops_status::OK, "a living expression can be described");
        info
    }
}

fn operand(raw: &sys::tileops_expr_operand_info) -> ExprOperand<'_> {
    ExprOperand {
        // SAFETY: lives as long as the expression that `raw` is borrowed from.
        name: unsafe { text(raw.name) },
        default: (raw.optional != 0).then_some(Number(raw.default_value)),
    }
}

/// # Safety
///
/// `data` is an array of `count` values that live for `'a`, or NULL.
unsafe fn slice<'a, T>(data: *const T, count: i32) -> &'a [T] {
    if data.is_null() {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(data, count.max(0) as usize) }
}

impl Sealed for Expr {}

impl Operator for Expr {
    fn op(&self) -> Op {
        Op(sys::tileops_op::NONE)
    }

    fn attrs(&self, _list: &mut AttrList) -> Result<()> {
        Ok(())
    }

    fn expr(&self) -> Option<&Expr> {
        Some(self)
    }

    fn num_results(&self) -> Result<usize> {
        Ok(self.info().num_results as usize)
    }
}

impl FromStr for Expr {
    type Err = Error;

    /// As [`Expr::parse`].
    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl Clone for Expr {
    /// Another reference to the same expression.
    fn clone(&self) -> Self {
        // SAFETY: alive, so that it cannot fail.
        let status = unsafe { sys::tileops_expr_retain(self.as_ptr()) };
        assert_eq!(status, sys::tileops_status::OK, "a living expression can be retained");
        Expr { raw: self.raw, _counter: Counter::new(&EXPRS) }
    }
}

impl Drop for Expr {
    fn drop(&mut self) {
        // SAFETY: this value owns one reference.
        unsafe { sys::tileops_expr_destroy(self.as_ptr()) };
    }
}

impl fmt::Display for Expr {
    /// The canonical text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expr").field(&self.text()).finish()
    }
}
