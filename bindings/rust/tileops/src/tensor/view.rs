//! Layout and address of a tensor, whoever owns its memory.

use crate::{DType, Device, Error, Result};
use smallvec::SmallVec;
use tileops_sys as sys;

/// Shape, then strides: no allocation up to 8 dimensions.
type Dims = SmallVec<[i64; 16]>;

/// What a tensor is, but for its lifetime.
#[derive(Clone, Debug)]
pub struct View {
    /// Element 0.
    pub(crate) data: *mut u8,
    pub(crate) device: Device,
    pub(crate) dtype: DType,
    /// `dtype` as C reads it.
    raw_dtype: sys::DLDataType,
    ndim: i32,
    /// Strides are those of a row-major tensor, and handed to C as NULL.
    row_major: bool,
    dims: Dims,
}

// SAFETY: plain data. The address is only handed to C calls, which may come from any thread
// (tileops.h, THREADS 1); what may be done with the memory is the business of the types that hold a
// view: `TensorRef` stands for a `&[T]` and `TensorMut` for a `&mut [T]` of an `Element`.
unsafe impl Send for View {}
// SAFETY: as above.
unsafe impl Sync for View {}

impl View {
    /// A view of element 0 at `data`. `strides` None: row-major.
    pub(crate) fn new(
        data: *mut u8,
        device: Device,
        dtype: DType,
        shape: &[usize],
        strides: Option<&[isize]>,
    ) -> Result<View> {
        if shape.len() > sys::TILEOPS_MAX_NDIM as usize {
            return Err(Error::invalid(format!(
                "View: shape: too many dimensions (got {}, need at most {})",
                shape.len(),
                sys::TILEOPS_MAX_NDIM
            )));
        }
        let mut dims: Dims = SmallVec::with_capacity(2 * shape.len());
        for extent in shape {
            dims.push(i64::try_from(*extent).map_err(|_| too_large(shape))?);
        }
        let row_major = row_major_strides(shape).ok_or_else(|| too_large(shape))?;
        match strides {
            Some(strides) if strides.len() != shape.len() => {
                return Err(Error::invalid(format!(
                    "View: strides: wrong length (got {}, need {})",
                    strides.len(),
                    shape.len()
                )));
            }
            Some(strides) => dims.extend(strides.iter().map(|s| *s as i64)),
            None => dims.extend(row_major.iter().copied()),
        }
        // Strides of extents of one mean nothing.
        let same = (0..shape.len()).all(|d| shape[d] == 1 || dims[shape.len() + d] == row_major[d]);
        Ok(View {
            data,
            device,
            dtype,
            raw_dtype: dtype.to_dlpack(),
            ndim: shape.len() as i32,
            row_major: same || shape.contains(&0),
            dims,
        })
    }

    pub(crate) fn ndim(&self) -> usize {
        self.ndim as usize
    }

    pub(crate) fn shape(&self) -> &[i64] {
        &self.dims[..self.ndim()]
    }

    pub(crate) fn strides(&self) -> &[i64] {
        &self.dims[self.ndim()..]
    }

    /// Shape, then strides.
    #[inline]
    pub(crate) fn dims(&self) -> &[i64] {
        &self.dims
    }

    pub(crate) fn is_row_major(&self) -> bool {
        self.row_major
    }

    pub(crate) fn len(&self) -> usize {
        self.shape().iter().product::<i64>() as usize
    }

    /// NULL or strides, as C reads them.
    #[inline]
    fn c_strides(&self) -> *const i64 {
        if self.row_major {
            core::ptr::null()
        } else {
            self.dims.as_ptr().wrapping_add(self.ndim())
        }
    }

    /// The tensor for a C call; it points into `self`.
    #[inline]
    pub(crate) fn to_dlpack(&self) -> sys::DLTensor {
        sys::DLTensor {
            data: self.data.cast(),
            device: self.device.0,
            ndim: self.ndim,
            dtype: self.raw_dtype,
            shape: self.dims.as_ptr().cast_mut(),
            strides: self.c_strides().cast_mut(),
            byte_offset: 0,
        }
    }

    /// The description for a plan; it points into `self`.
    pub(crate) fn to_desc(&self) -> sys::tileops_tensor_desc {
        sys::tileops_tensor_desc {
            dtype: self.raw_dtype,
            ndim: self.ndim,
            shape: self.dims.as_ptr(),
            strides: self.c_strides(),
        }
    }

    /// The view of a DLPack tensor's memory.
    ///
    /// # Safety
    ///
    /// `shape` and `strides` of `tensor` are valid, or NULL where DLPack allows that.
    pub(crate) unsafe fn from_dlpack(tensor: &sys::DLTensor) -> Result<View> {
        let ndim = usize::try_from(tensor.ndim).map_err(|_| {
            Error::invalid(format!("DLTensor: ndim: negative (got {})", tensor.ndim))
        })?;
        if ndim > sys::TILEOPS_MAX_NDIM as usize || (ndim > 0 && tensor.shape.is_null()) {
            return Err(Error::invalid(format!("DLTensor: shape: NULL or too long (ndim {ndim})")));
        }
        let list = |data: *mut i64| match data.is_null() || ndim == 0 {
            true => &[][..],
            // SAFETY: ndim values, as the caller promises.
            false => unsafe { core::slice::from_raw_parts(data.cast_const(), ndim) },
        };
        let mut shape: SmallVec<[usize; 8]> = SmallVec::new();
        for extent in list(tensor.shape) {
            let extent = usize::try_from(*extent);
            shape.push(extent.map_err(|_| Error::invalid("DLTensor: shape: negative extent"))?);
        }
        let strides: SmallVec<[isize; 8]> =
            list(tensor.strides).iter().map(|s| *s as isize).collect();
        let strides = (!tensor.strides.is_null() || ndim == 0).then_some(&strides[..]);
        let data = tensor.data.cast::<u8>().wrapping_add(tensor.byte_offset as usize);
        View::new(data, tensor.device.into(), tensor.dtype.try_into()?, &shape, strides)
    }
}

fn too_large(shape: &[usize]) -> Error {
    Error::invalid(format!("View: shape: too many elements (got {shape:?})"))
}

/// Strides of a row-major tensor; None if it has too many elements.
fn row_major_strides(shape: &[usize]) -> Option<SmallVec<[i64; 8]>> {
    let mut strides: SmallVec<[i64; 8]> = SmallVec::from_elem(1, shape.len());
    let mut count: i64 = 1;
    for d in (0..shape.len()).rev() {
        strides[d] = count;
        count = count.checked_mul(i64::try_from(shape[d].max(1)).ok()?)?;
    }
    (count <= i64::MAX / 8).then_some(strides)
}

/// Checks that elements `first`, `first + strides`... lie in a slice of `len` elements.
pub(crate) fn check_bounds(
    len: usize,
    first: usize,
    shape: &[usize],
    strides: Option<&[isize]>,
) -> Result<()> {
    let row_major = row_major_strides(shape).ok_or_else(|| too_large(shape))?;
    if shape.contains(&0) {
        return Ok(());
    }
    let (mut low, mut high) = (first as i128, first as i128);
    for (d, extent) in shape.iter().enumerate() {
        let stride = match strides {
            Some(strides) => strides.get(d).copied().unwrap_or(0) as i128,
            None => row_major[d] as i128,
        };
        let reach = (*extent as i128 - 1) * stride;
        low += reach.min(0);
        high += reach.max(0);
    }
    if low < 0 || high >= len as i128 {
        return Err(Error::invalid(format!(
            "View: data: elements {low} to {high} are needed (got {len}, shape {shape:?})"
        )));
    }
    Ok(())
}

/// A slice under a row-major tensor has exactly its elements: a longer one is most likely a mistake.
pub(crate) fn check_len(len: usize, shape: &[usize]) -> Result<()> {
    let count = shape.iter().try_fold(1usize, |n, extent| n.checked_mul(*extent));
    if count != Some(len) {
        return Err(Error::invalid(format!(
            "TensorRef: data: wrong number of elements (got {len}, need those of shape {shape:?})"
        )));
    }
    Ok(())
}
