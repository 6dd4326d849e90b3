//! Functions along axes: which axes, groups of how many elements.

use super::{Node, Term};
use crate::{AttrList, Error, Result};
use smallvec::SmallVec;
use std::fmt;
use tileops_sys as sys;

/// A value of an [`ExprBuilder`](super::ExprBuilder) and along which of its axes a function goes, by groups
/// of how many elements: what [`Node::along`], [`Node::group`] and [`Node::rows`] give. Its methods are the
/// functions; the axis is the last one unless [`along`](Self::along) says which.
///
/// ```
/// use tileops::{Axes, Expr, ExprBuilder};
/// let b = ExprBuilder::new()?;
/// let (x, table, id) = (b.operand("x"), b.operand("table"), b.operand("id"));
/// b.result(x / x.abs().along(-2).sum());
/// b.result(x.along([-3, -1]).correction(1).var());
/// b.result(x.along(Axes::ALL).argmax());
/// b.result(x / x.abs().group(128).amax().group(128).spread(x));
/// b.result(x.group([16, 128]).amax()); // a rectangle of the last two axes
/// b.result(table.along(-2).gather([id]));
/// b.result(x.along(-2).reverse().exclusive().cumsum());
/// let text = "(x, table, id) -> x / sum(abs(x), axis = -2), var(x, axis = (-3, -1), correction = 1),
///     argmax(x, axis = all), x / spread(amax(abs(x), group = 128), x, group = 128),
///     amax(x, group = (16, 128)), gather(table, id, axis = -2),
///     cumsum(x, axis = -2, reverse = true, exclusive = true)";
/// assert_eq!(b.finish()?.text(), Expr::parse(text)?.text());
/// # Ok::<(), tileops::Error>(())
/// ```
///
/// What a function does not take, such as a correction of a sum, is an error of
/// [`finish`](super::ExprBuilder::finish); so are axes and groups that there cannot be, at the latest of
/// the plan.
#[derive(Clone, Copy)]
pub struct Rows<'b> {
    node: Node<'b>,
    attrs: AttrList,
}

/// Axes, counted from the end: -1 is the last one. Made of an `i32`, or of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes(Option<SmallVec<[i32; 4]>>);

impl Axes {
    /// All axes.
    pub const ALL: Self = Self(None);

    /// A bit for each axis, all bits for all.
    fn set(&self) -> Result<i64> {
        let Some(axes) = &self.0 else { return Ok(-1) };
        let mut set = 0i64;
        for axis in axes {
            if !(-(sys::TILEOPS_MAX_NDIM as i32)..0).contains(axis) {
                return Err(Error::invalid(format!(
                    "Rows: axes: count from the end (got {axis}, need -1 to -{})",
                    sys::TILEOPS_MAX_NDIM
                )));
            }
            let bit = 1i64 << (-axis - 1);
            if set & bit != 0 {
                return Err(Error::invalid(format!("Rows: axes: {axis} is given twice")));
            }
            set |= bit;
        }
        match set {
            0 => Err(Error::invalid("Rows: axes: none (need one, or Axes::ALL)")),
            set => Ok(set),
        }
    }
}

impl From<i32> for Axes {
    fn from(axis: i32) -> Self {
        Self::from([axis])
    }
}

impl<const N: usize> From<[i32; N]> for Axes {
    fn from(axes: [i32; N]) -> Self {
        Self::from(&axes[..])
    }
}

impl From<&[i32]> for Axes {
    fn from(axes: &[i32]) -> Self {
        Self(Some(axes.into()))
    }
}

/// How many elements a group has: a number, or two for a rectangle, of which the last one is that of the
/// last axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group(SmallVec<[i64; 2]>);

impl Group {
    /// 32 bits an axis, the low ones for the last.
    fn bits(&self) -> Result<i64> {
        let wrong = |size: &&i64| !(1..=i64::from(i32::MAX)).contains(*size);
        if let Some(size) = self.0.iter().find(wrong) {
            return Err(Error::invalid(format!(
                "Rows: group: out of range (got {size}, need 1 to {})",
                i32::MAX
            )));
        }
        Ok(self.0.iter().fold(0, |bits, size| bits << 32 | size))
    }
}

impl From<i32> for Group {
    fn from(size: i32) -> Self {
        Self([i64::from(size)].into_iter().collect())
    }
}

impl From<usize> for Group {
    fn from(size: usize) -> Self {
        Self([i64::try_from(size).unwrap_or(i64::MAX)].into_iter().collect())
    }
}

impl From<[i32; 2]> for Group {
    fn from(sizes: [i32; 2]) -> Self {
        Self(sizes.into_iter().map(i64::from).collect())
    }
}

impl From<[usize; 2]> for Group {
    fn from(sizes: [usize; 2]) -> Self {
        Self(sizes.into_iter().map(|size| i64::try_from(size).unwrap_or(i64::MAX)).collect())
    }
}

impl<'b> Node<'b> {
    /// This value along its last axis, of which the methods of [`Rows`] say more.
    pub fn rows(self) -> Rows<'b> {
        Rows { node: self, attrs: AttrList::new() }
    }

    /// This value along axes: `x.along(-2).sum()`, `x.along([-2, -1]).amax()`, `x.along(Axes::ALL).mean()`.
    pub fn along(self, axes: impl Into<Axes>) -> Rows<'b> {
        self.rows().along(axes)
    }

    /// This value by groups of so many elements along its last axis, or by rectangles of its last two:
    /// `x.group(128).amax()`, `x.group([16, 128]).amax()`. The last group may be short.
    pub fn group(self, group: impl Into<Group>) -> Rows<'b> {
        self.rows().group(group)
    }
}

impl<'b> Rows<'b> {
    /// Along which axes; the order does not count. Of [`gather`](Self::gather),
    /// [`scatter`](Self::scatter) and [`scatter_add`](Self::scatter_add) one for each index.
    #[must_use]
    pub fn along(self, axes: impl Into<Axes>) -> Self {
        self.with_attr(sys::tileops_attr_key::AXES, axes.into().set())
    }

    /// Groups of how many elements, one number for each axis.
    #[must_use]
    pub fn group(self, group: impl Into<Group>) -> Self {
        self.with_attr(sys::tileops_attr_key::GROUP, group.into().bits())
    }

    /// Of [`var`](Self::var): what is taken off the number of elements.
    #[must_use]
    pub fn correction(self, correction: i64) -> Self {
        self.with_attr(sys::tileops_attr_key::CORRECTION, Ok(correction))
    }

    /// Of what accumulates, such as [`cumsum`](Self::cumsum): from the last element to the first.
    #[must_use]
    pub fn reverse(self) -> Self {
        self.with_attr(sys::tileops_attr_key::REVERSE, Ok(1))
    }

    /// Of [`cumsum`](Self::cumsum) and [`cumprod`](Self::cumprod): without the element itself.
    #[must_use]
    pub fn exclusive(self) -> Self {
        self.with_attr(sys::tileops_attr_key::EXCLUSIVE, Ok(1))
    }

    fn with_attr(mut self, key: sys::tileops_attr_key, value: Result<i64>) -> Self {
        if let Err(error) = value.and_then(|value| self.attrs.int(key, value)) {
            self.node.fail(error);
        }
        self
    }

    /// The function `op` of this value and others.
    pub(super) fn with(self, op: sys::tileops_op, rest: &[Term<'b>]) -> Node<'b> {
        self.node.with_attrs(op, rest, &self.attrs)
    }
}

impl fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rows({:?})", self.node)
    }
}
