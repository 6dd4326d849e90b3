//! What a plan tells of itself.

use super::Plan;
use crate::error::check;
use crate::{DType, Result};
use std::ffi::c_void;
use tileops_sys as sys;

impl Plan {
    /// Bytes read and written by one execute. Of an open plan [`at`](Self::at) has them, and this is an error,
    /// `InvalidArgument`.
    pub fn bytes_moved(&self) -> Result<u64> {
        self.number(sys::tileops_plan_prop::BYTES_MOVED)
    }

    /// Elements of output 0. Where their number depends on open extents this is an error, `InvalidArgument`:
    /// [`result`](Self::result) has the shape.
    pub fn num_elements(&self) -> Result<u64> {
        self.number(sys::tileops_plan_prop::NUM_ELEMENTS)
    }

    /// Body, compute type and layout of the kernel.
    pub fn kernel_name(&self) -> Result<String> {
        self.text(sys::tileops_plan_prop::KERNEL_NAME)
    }

    /// How the work is done: CUDA `vector`, `table`, `tile`...; CPU `fused`...
    pub fn strategy(&self) -> Result<String> {
        self.text(sys::tileops_plan_prop::STRATEGY)
    }

    /// Where the kernel came from: `builtin`, `memory`, `pack`, `disk` or `compiled`.
    pub fn cache_origin(&self) -> Result<String> {
        self.text(sys::tileops_plan_prop::CACHE_ORIGIN)
    }

    /// On the CPU what is done, an instruction a line, for people; on CUDA the source given to the run-time compiler,
    /// empty if there was none.
    pub fn source(&self) -> Result<String> {
        self.text(sys::tileops_plan_prop::SOURCE)
    }

    /// `contiguous`, `broadcast`, `tiled` or `strided`.
    pub fn layout(&self) -> Result<String> {
        self.text(sys::tileops_plan_prop::LAYOUT)
    }

    /// Dtype in which the body computes.
    pub fn compute_dtype(&self) -> Result<DType> {
        let mut dtype = sys::DLDataType { code: 0, bits: 0, lanes: 0 };
        let mut size = size_of_val(&dtype);
        // SAFETY: a buffer of that size.
        unsafe {
            self.query(sys::tileops_plan_prop::COMPUTE_DTYPE, (&raw mut dtype).cast(), &mut size)
        }?;
        dtype.try_into()
    }

    fn number(&self, prop: sys::tileops_plan_prop) -> Result<u64> {
        let mut value = 0u64;
        let mut size = size_of_val(&value);
        // SAFETY: a buffer of that size.
        unsafe { self.query(prop, (&raw mut value).cast(), &mut size) }?;
        Ok(value)
    }

    /// A property of 32 bits.
    pub(super) fn count(&self, prop: sys::tileops_plan_prop) -> Result<usize> {
        let mut value = 0i32;
        let mut size = size_of_val(&value);
        // SAFETY: a buffer of that size.
        unsafe { self.query(prop, (&raw mut value).cast(), &mut size) }?;
        Ok(value as usize)
    }

    fn text(&self, prop: sys::tileops_plan_prop) -> Result<String> {
        let mut size = 0;
        // SAFETY: NULL asks for the size.
        unsafe { self.query(prop, std::ptr::null_mut(), &mut size) }?;
        let mut buffer = vec![0u8; size];
        // SAFETY: a buffer of that size.
        unsafe { self.query(prop, buffer.as_mut_ptr().cast(), &mut size) }?;
        buffer.truncate(size.saturating_sub(1)); // the NUL
        Ok(String::from_utf8_lossy(&buffer).into_owned())
    }

    /// # Safety
    ///
    /// `buffer` has `*size` bytes, or is NULL.
    unsafe fn query(
        &self,
        prop: sys::tileops_plan_prop,
        buffer: *mut c_void,
        size: &mut usize,
    ) -> Result<()> {
        // SAFETY: the plan is alive; the rest is the caller's promise.
        check(unsafe { sys::tileops_plan_query(self.as_ptr(), prop, buffer, size) })
    }
}
