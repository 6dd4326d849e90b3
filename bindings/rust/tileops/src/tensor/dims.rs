//! Extents and strides of views.

use crate::{Error, Result};
use tileops_sys as sys;

/// Up to so many dimensions a view needs no allocation; room for more would make every view slower to
/// make and to move.
pub(super) const INLINE_NDIM: usize = 4;

/// Extents and strides.
#[derive(Clone, Debug)]
pub(super) enum Dims {
    /// Those that are not used are one. Written as a whole and without a loop: that keeps them in
    /// registers until the view has its final place.
    Inline { shape: [i64; INLINE_NDIM], strides: [i64; INLINE_NDIM] },
    /// Extents, then strides.
    Heap(Box<[i64]>),
}

/// Extents and strides of a row-major tensor: most of what a new view costs.
#[inline]
pub(super) fn row_major_dims(shape: &[usize]) -> Result<Dims> {
    if shape.len() > INLINE_NDIM {
        return many_row_major_dims(shape);
    }
    let extents = padded(shape, |extent| extent as i64);
    let [a, b, c, d] = extents.map(|extent| extent.max(1));
    let (cd, overflow_c) = c.overflowing_mul(d);
    let (bcd, overflow_b) = b.overflowing_mul(cd);
    let (count, overflow_a) = a.overflowing_mul(bcd);
    let beyond_i64 = extents.iter().any(|extent| *extent < 0);
    if beyond_i64 | overflow_a | overflow_b | overflow_c | (count > MAX_ELEMENTS) {
        return Err(too_large(shape));
    }
    Ok(Dims::Inline { shape: extents, strides: [bcd, cd, d, 1] })
}

/// As `row_major_dims`, of more dimensions.
#[cold]
fn many_row_major_dims(shape: &[usize]) -> Result<Dims> {
    let ndim = shape.len();
    if ndim > sys::TILEOPS_MAX_NDIM as usize {
        let most = sys::TILEOPS_MAX_NDIM;
        return Err(Error::invalid(format!(
            "View: shape: too many dimensions (got {ndim}, need at most {most})"
        )));
    }
    let mut dims = vec![0; 2 * ndim].into_boxed_slice();
    let mut count: i64 = 1;
    for d in (0..ndim).rev() {
        dims[d] = i64::try_from(shape[d]).map_err(|_| too_large(shape))?;
        dims[ndim + d] = count;
        count = count.checked_mul(dims[d].max(1)).ok_or_else(|| too_large(shape))?;
    }
    if count > MAX_ELEMENTS {
        return Err(too_large(shape));
    }
    Ok(Dims::Heap(dims))
}

/// The bytes of so many elements of any dtype are counted without overflow.
const MAX_ELEMENTS: i64 = i64::MAX / 8;

/// Values of at most four dimensions, then ones.
#[inline]
pub(super) fn padded<T: Copy>(values: &[T], convert: impl Fn(T) -> i64) -> [i64; INLINE_NDIM] {
    match *values {
        [] => [1; 4],
        [a] => [convert(a), 1, 1, 1],
        [a, b] => [convert(a), convert(b), 1, 1],
        [a, b, c] => [convert(a), convert(b), convert(c), 1],
        [a, b, c, d, ..] => [convert(a), convert(b), convert(c), convert(d)],
    }
}

#[cold]
fn too_large(shape: &[usize]) -> Error {
    Error::invalid(format!("View: shape: too many elements (got {shape:?})"))
}
