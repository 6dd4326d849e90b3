//! Other views of the same elements: axes in another order, and parts of an axis.

use super::view::View;
use crate::{Error, Result, TensorMut, TensorRef};
use smallvec::SmallVec;
use std::ops::{Bound, RangeBounds};

impl View {
    fn transposed(&self, a: usize, b: usize) -> Result<View> {
        let mut axes: SmallVec<[usize; 8]> = (0..self.ndim()).collect();
        for axis in [a, b] {
            self.check_axis("transpose", axis)?;
        }
        axes.swap(a, b);
        self.permuted(&axes)
    }

    fn permuted(&self, axes: &[usize]) -> Result<View> {
        let ndim = self.ndim();
        let all_once = axes.len() == ndim && (0..ndim).all(|d| axes.contains(&d));
        if !all_once {
            return Err(Error::invalid(format!(
                "View: axes: not every axis once (got {axes:?}, need 0 to {ndim}, exclusive)"
            )));
        }
        let shape: SmallVec<[usize; 8]> = axes.iter().map(|d| self.extents()[*d]).collect();
        let strides: SmallVec<[isize; 8]> = axes.iter().map(|d| self.steps()[*d]).collect();
        self.arranged(self.data, &shape, &strides)
    }

    fn sliced(&self, axis: usize, range: impl RangeBounds<usize>) -> Result<View> {
        self.check_axis("slice", axis)?;
        let extent = self.extents()[axis];
        let start = match range.start_bound() {
            Bound::Included(at) => *at,
            Bound::Excluded(at) => at.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(at) => at.saturating_add(1),
            Bound::Excluded(at) => *at,
            Bound::Unbounded => extent,
        };
        if start > end || end > extent {
            return Err(Error::invalid(format!(
                "View: range: outside of axis {axis} (got {start}..{end}, need within 0..{extent})"
            )));
        }
        let mut shape = SmallVec::<[usize; 8]>::from_slice(self.extents());
        let strides = self.steps();
        shape[axis] = end - start;
        // An empty part has no element whose address could be meant.
        let skipped = if shape.contains(&0) { 0 } else { start as isize };
        let bytes = skipped * strides[axis] * self.dtype.size() as isize;
        self.arranged(self.data.wrapping_offset(bytes), &shape, strides)
    }

    fn split(&self, axis: usize, at: usize) -> Result<(View, View)> {
        self.check_axis("split", axis)?;
        let extent = self.extents()[axis];
        if at > extent {
            return Err(Error::invalid(format!(
                "split: at: outside of axis {axis} (got {at}, need at most {extent})"
            )));
        }
        if !self.is_nested() {
            return Err(Error::invalid(format!(
                "split: strides: elements may share an address (got {:?} of shape {:?}, need each beyond the reach of the \
                 smaller ones)",
                self.steps(),
                self.extents()
            )));
        }
        Ok((self.sliced(axis, ..at)?, self.sliced(axis, at..)?))
    }

    /// Whether each stride goes beyond what the smaller ones reach together, so that no two elements share an address.
    fn is_nested(&self) -> bool {
        let pairs = self.extents().iter().zip(self.steps());
        let mut axes: SmallVec<[(u128, u128); 8]> = pairs
            .filter(|(extent, _)| **extent != 1)
            .map(|(extent, step)| (step.unsigned_abs() as u128, *extent as u128))
            .collect();
        axes.sort_unstable();
        let mut reach = 0;
        self.len() == 0
            || axes.iter().all(|(step, extent)| {
                let beyond = *step > reach;
                reach += step * (extent - 1);
                beyond
            })
    }

    fn check_axis(&self, function: &str, axis: usize) -> Result<()> {
        if axis < self.ndim() {
            return Ok(());
        }
        let ndim = self.ndim();
        Err(Error::invalid(format!(
            "{function}: axis: out of range (got {axis}, need below {ndim})"
        )))
    }

    fn arranged(&self, data: *mut u8, shape: &[usize], strides: &[isize]) -> Result<View> {
        let mut view = View::new(data, self.device, self.dtype, shape, Some(strides))?;
        view.uninit = self.uninit;
        Ok(view)
    }
}

/// Views of the same elements; nothing is copied.
impl<'a> TensorRef<'a> {
    /// Two axes exchanged. Errors: `InvalidArgument` (no such axis).
    ///
    /// ```
    /// use tileops::{ops, TensorMut, TensorRef};
    /// let x = [1.0f32, 4.0, 9.0, 16.0, 25.0, 36.0];
    /// let mut y = [0.0f32; 4];
    /// let x = TensorRef::new(&x, &[2, 3])?;
    /// let last_two = x.slice(1, 1..)?.transpose(0, 1)?;
    /// ops::sqrt(&last_two, &mut TensorMut::new(&mut y, &[2, 2])?)?;
    /// assert_eq!(y, [2.0, 5.0, 3.0, 6.0]);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    pub fn transpose(&self, a: usize, b: usize) -> Result<TensorRef<'a>> {
        self.0.transposed(a, b).map(Self::of)
    }

    /// The axes in another order: axis `i` of the result is axis `axes[i]` of this tensor.
    ///
    /// Errors: `InvalidArgument` unless every axis is named once.
    pub fn permute(&self, axes: &[usize]) -> Result<TensorRef<'a>> {
        self.0.permuted(axes).map(Self::of)
    }

    /// A part of an axis. Errors: `InvalidArgument` (no such axis, a range that leaves it).
    pub fn slice(&self, axis: usize, range: impl RangeBounds<usize>) -> Result<TensorRef<'a>> {
        self.0.sliced(axis, range).map(Self::of)
    }
}

/// Views of the same elements; nothing is copied. They borrow the tensor, which is back when they
/// are gone. What is written through a view of memory without values, [`TensorMut::uninit`], does not
/// make the whole readable.
impl TensorMut<'_> {
    /// Two axes exchanged; see [`TensorRef::transpose`].
    pub fn transpose(&mut self, a: usize, b: usize) -> Result<TensorMut<'_>> {
        self.0.transposed(a, b).map(TensorMut::of)
    }

    /// The axes in another order; see [`TensorRef::permute`].
    pub fn permute(&mut self, axes: &[usize]) -> Result<TensorMut<'_>> {
        self.0.permuted(axes).map(TensorMut::of)
    }

    /// Both parts of an axis, before `at` and from there on, to be written at once: two results of one call, or two threads.
    ///
    /// ```
    /// use tileops::{Expr, TensorMut, TensorRef};
    /// let x = [0.0f32, 1.0, 2.0];
    /// let mut y = [0.0f32; 6];
    /// let mut y = TensorMut::new(&mut y, &[2, 3])?;
    /// let (mut doubles, mut squares) = y.split(0, 1)?;
    /// let both: Expr = "(x) -> x * 2, x * x".parse()?;
    /// both.call([&TensorRef::new(&x, &[1, 3])?], [&mut doubles, &mut squares])?;
    /// assert_eq!(y.into_slice::<f32>()?, [0.0, 2.0, 4.0, 0.0, 1.0, 4.0]);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: `InvalidArgument` (no such axis, a place beyond its end, strides by which elements may share an address).
    pub fn split(&mut self, axis: usize, at: usize) -> Result<(TensorMut<'_>, TensorMut<'_>)> {
        let (before, behind) = self.0.split(axis, at)?;
        // No element is in both parts, and so each is the only borrow of its own.
        Ok((TensorMut::of(before), TensorMut::of(behind)))
    }

    /// A part of an axis; see [`TensorRef::slice`].
    pub fn slice(&mut self, axis: usize, range: impl RangeBounds<usize>) -> Result<TensorMut<'_>> {
        self.0.sliced(axis, range).map(TensorMut::of)
    }
}
