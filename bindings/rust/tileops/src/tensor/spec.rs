//! Description of a tensor, without memory.

use super::View;
use crate::{DType, Device, Result};

/// Dtype, shape, strides and device of a tensor that need not exist yet, for planning.
///
/// ```
/// use tileops::{ops, DType, Plan, TensorSpec};
/// let x = TensorSpec::new(DType::BF16, &[128, 4096])?;
/// let plan = Plan::new(&ops::Silu::default(), [&x], [&x])?;
/// assert_eq!(plan.num_elements()?, 128 * 4096);
/// # Ok::<(), tileops::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TensorSpec(pub(crate) View);

impl TensorSpec {
    /// A row-major tensor in host memory.
    pub fn new(dtype: DType, shape: &[usize]) -> Result<Self> {
        Ok(Self(View::new(std::ptr::null_mut(), Device::CPU, dtype, shape, None)?))
    }

    /// A tensor of any layout in host memory; strides are in elements.
    pub fn strided(dtype: DType, shape: &[usize], strides: &[isize]) -> Result<Self> {
        Ok(Self(View::new(std::ptr::null_mut(), Device::CPU, dtype, shape, Some(strides))?))
    }

    /// Dtype of the elements.
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// Extents.
    pub fn shape(&self) -> &[usize] {
        self.0.extents()
    }

    /// The device.
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// The same on another device.
    pub fn on(mut self, device: Device) -> Self {
        self.0.device = device;
        self
    }
}
