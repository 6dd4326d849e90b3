//! Layout and address of a tensor, whoever owns its memory.

use super::dims::{padded, row_major_dims, Dims, INLINE_NDIM};
use crate::{DType, Device, Element, Error, Extent, Result};
use smallvec::SmallVec;
use tileops_sys as sys;

/// C counts in `i64`, Rust in `usize`: one type for machines of 64 bits, which the library is for.
const _: () = assert!(size_of::<usize>() == size_of::<i64>());

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
    pub(crate) row_major: bool,
    /// Nothing has written the memory yet: it must not be read.
    pub(crate) uninit: bool,
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
    #[inline]
    pub(crate) fn new(
        data: *mut u8,
        device: Device,
        dtype: DType,
        shape: &[usize],
        strides: Option<&[isize]>,
    ) -> Result<View> {
        let mut view = View {
            data,
            device,
            dtype,
            raw_dtype: dtype.to_dlpack(),
            ndim: shape.len() as i32,
            row_major: true,
            uninit: false,
            dims: row_major_dims(shape)?,
        };
        if let Some(strides) = strides {
            view.set_strides(strides)?;
        }
        Ok(view)
    }

    /// The description of a tensor in host memory some of whose extents may be open.
    pub(crate) fn open(
        dtype: DType,
        extents: &[Extent],
        strides: Option<&[isize]>,
    ) -> Result<View> {
        let closed = |extent: &Extent| match *extent {
            Extent::Fixed(extent) => extent,
            Extent::Open | Extent::UpTo(_) => 1,
        };
        let shape: SmallVec<[usize; 8]> = extents.iter().map(closed).collect();
        let mut view = View::new(core::ptr::null_mut(), Device::CPU, dtype, &shape, strides)?;
        let open = match &mut view.dims {
            Dims::Inline { shape, .. } => &mut shape[..],
            Dims::Heap(dims) => &mut dims[..],
        };
        for (raw, extent) in open.iter_mut().zip(extents) {
            *raw = extent.to_raw();
        }
        // Beside open extents, strides that are given say which they are; without, the library finds them.
        view.row_major = strides.is_none() || (view.row_major && !view.is_open());
        Ok(view)
    }

    /// Whether some extent is open: of tensors that have memory none is.
    pub(crate) fn is_open(&self) -> bool {
        self.shape().iter().any(|extent| *extent < 0)
    }

    /// A row-major view of all elements of a slice: a longer one is most likely a mistake.
    #[inline]
    pub(crate) fn of_slice<T: Element>(data: *mut T, len: usize, shape: &[usize]) -> Result<View> {
        let view = View::new(data.cast(), Device::CPU, T::DTYPE, shape, None)?;
        if view.len() != len {
            return Err(wrong_len(len, shape));
        }
        Ok(view)
    }

    #[inline]
    fn set_strides(&mut self, given: &[isize]) -> Result<()> {
        let ndim = self.ndim();
        if given.len() != ndim {
            return Err(Error::invalid(format!(
                "View: strides: wrong length (got {}, need {ndim})",
                given.len()
            )));
        }
        // Strides of extents of one mean nothing.
        let (mut same, mut empty) = (true, false);
        let mut look = |extent: i64, row_major: i64, stride: i64| {
            same &= extent == 1 || row_major == stride;
            empty |= extent == 0;
        };
        match &mut self.dims {
            Dims::Inline { shape, strides } => {
                let given = padded(given, |stride| stride as i64);
                (0..INLINE_NDIM).for_each(|d| look(shape[d], strides[d], given[d]));
                *strides = given;
            }
            Dims::Heap(dims) => {
                let (shape, strides) = dims.split_at_mut(ndim);
                for d in 0..ndim {
                    look(shape[d], strides[d], given[d] as i64);
                    strides[d] = given[d] as i64;
                }
            }
        }
        self.row_major = same || empty;
        Ok(())
    }

    /// Checks that all elements lie in a slice of `len` elements, the first one at `first`.
    pub(crate) fn check_bounds(&self, len: usize, first: usize) -> Result<()> {
        if self.len() == 0 {
            return Ok(());
        }
        // The product of the extents is far below 2^63, and so none of these overflows.
        let (mut low, mut high) = (first as i128, first as i128);
        for (extent, stride) in self.shape().iter().zip(self.strides()) {
            let reach = i128::from(*extent - 1) * i128::from(*stride);
            low += reach.min(0);
            high += reach.max(0);
        }
        if low < 0 || high >= len as i128 {
            return Err(Error::invalid(format!(
                "View: data: elements {low} to {high} are needed (got {len}, shape {:?})",
                self.shape()
            )));
        }
        Ok(())
    }

    /// The address as that of row-major elements in host memory, for slices of them. `function`
    /// is named in errors.
    pub(crate) fn slice_at<T: Element>(&self, function: &str) -> Result<*mut T> {
        if self.uninit {
            return Err(Error::invalid(format!("{function}: nothing has written the memory yet")));
        }
        if self.dtype != T::DTYPE || !self.device.is_cpu() || !self.row_major {
            return Err(Error::invalid(format!(
                "{function}: not a row-major {} tensor in host memory (got {} on {}, strides {:?})",
                T::DTYPE,
                self.dtype,
                self.device,
                self.strides()
            )));
        }
        if self.len() == 0 {
            return Ok(core::ptr::NonNull::dangling().as_ptr());
        }
        if self.data.is_null() || self.data as usize % align_of::<T>() != 0 {
            return Err(Error::invalid(format!("{function}: the address is NULL or not aligned")));
        }
        // SAFETY: that many bytes of this tensor.
        let bytes = unsafe { core::slice::from_raw_parts(self.data, self.len() * size_of::<T>()) };
        if !T::valid(bytes) {
            return Err(Error::invalid(format!("{function}: a bool is neither 0 nor 1")));
        }
        Ok(self.data.cast())
    }

    #[inline]
    pub(crate) fn ndim(&self) -> usize {
        self.ndim as usize
    }

    #[inline]
    pub(crate) fn shape(&self) -> &[i64] {
        match &self.dims {
            Dims::Inline { shape, .. } => &shape[..self.ndim()],
            Dims::Heap(dims) => &dims[..self.ndim()],
        }
    }

    #[inline]
    pub(crate) fn strides(&self) -> &[i64] {
        match &self.dims {
            Dims::Inline { strides, .. } => &strides[..self.ndim()],
            Dims::Heap(dims) => &dims[self.ndim()..],
        }
    }

    /// The shape in the type that Rust counts in.
    pub(crate) fn extents(&self) -> &[usize] {
        // SAFETY: values of the same size, none of which is negative.
        unsafe { core::slice::from_raw_parts(self.shape().as_ptr().cast(), self.ndim()) }
    }

    /// The strides likewise.
    pub(crate) fn steps(&self) -> &[isize] {
        // SAFETY: integers of the same size.
        unsafe { core::slice::from_raw_parts(self.strides().as_ptr().cast(), self.ndim()) }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        match &self.dims {
            Dims::Inline { shape: [a, b, c, d], .. } => (a * b * c * d) as usize,
            Dims::Heap(dims) => dims[..self.ndim()].iter().product::<i64>() as usize,
        }
    }

    /// NULL or strides, as C reads them.
    #[inline]
    fn c_strides(&self) -> *const i64 {
        if self.row_major {
            core::ptr::null()
        } else {
            self.strides().as_ptr()
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
            shape: self.shape().as_ptr().cast_mut(),
            strides: self.c_strides().cast_mut(),
            byte_offset: 0,
        }
    }

    /// The description for a plan; it points into `self`.
    pub(crate) fn to_desc(&self) -> sys::tileops_tensor_desc {
        sys::tileops_tensor_desc {
            dtype: self.raw_dtype,
            ndim: self.ndim,
            shape: self.shape().as_ptr(),
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

#[cold]
fn wrong_len(len: usize, shape: &[usize]) -> Error {
    Error::invalid(format!(
        "TensorRef: data: wrong number of elements (got {len}, need those of shape {shape:?})"
    ))
}

/// As [`View::check_bounds`], before there is an address.
#[cfg(feature = "cudarc")]
pub(crate) fn check_bounds(
    len: usize,
    first: usize,
    shape: &[usize],
    strides: &[isize],
) -> Result<()> {
    let nowhere = core::ptr::null_mut();
    View::new(nowhere, Device::CPU, DType::U8, shape, Some(strides))?.check_bounds(len, first)
}

/// A slice under a row-major tensor has exactly its elements.
pub(crate) fn check_len(len: usize, shape: &[usize]) -> Result<()> {
    let count = shape.iter().try_fold(1usize, |n, extent| n.checked_mul(*extent));
    if count != Some(len) {
        return Err(wrong_len(len, shape));
    }
    Ok(())
}
