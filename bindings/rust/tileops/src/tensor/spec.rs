//! Description of a tensor, without memory.

use super::{Extent, View};
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

    /// A row-major tensor in host memory, of which some extents are open: each execute brings them, and
    /// one plan does for all of them ([`Plan::at`](crate::Plan::at)).
    ///
    /// Which of them are equal follows from the operator or the expression. What is repeated along an open
    /// extent has a 1 there when it is planned, or no such axis. What may not be open, such as an axis that
    /// is reduced in groups, is refused when it is planned.
    ///
    /// ```
    /// use tileops::{DType, Expr, Extent, Plan, TensorMut, TensorRef, TensorSpec};
    /// let norm = Expr::parse("(x, w) -> rms_norm(x, w)")?;
    /// let x = TensorSpec::open(DType::F32, &[Extent::UpTo(512), Extent::Fixed(4)])?;
    /// let w = TensorSpec::new(DType::F32, &[4])?;
    /// let plan = Plan::new(&norm, [&x, &w], [&x])?;
    /// for batch in [3, 0, 1] {
    ///     let (x, w, mut y) = (vec![2.0f32; batch * 4], [1.0f32; 4], vec![0.0f32; batch * 4]);
    ///     let x = TensorRef::new(&x, &[batch, 4])?;
    ///     let w = TensorRef::new(&w, &[4])?;
    ///     plan.execute([&x, &w], [&mut TensorMut::new(&mut y, &[batch, 4])?])?;
    ///     assert!(y.iter().all(|&y| (y - 1.0).abs() < 1e-6));
    /// }
    /// # Ok::<(), tileops::Error>(())
    /// ```
    pub fn open(dtype: DType, extents: &[Extent]) -> Result<Self> {
        Ok(Self(View::open(dtype, extents, None)?))
    }

    /// As [`open`](Self::open), of any layout; strides are in elements, and none is open. Of a result one
    /// extent may be open then, the outermost.
    pub fn open_strided(dtype: DType, extents: &[Extent], strides: &[isize]) -> Result<Self> {
        Ok(Self(View::open(dtype, extents, Some(strides))?))
    }

    /// Dtype of the elements.
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// Extents. In the place of an open one is a number larger than any tensor's: ask
    /// [`extents`](Self::extents).
    pub fn shape(&self) -> &[usize] {
        self.0.extents()
    }

    /// Extents, of which some may be open.
    pub fn extents(&self) -> Vec<Extent> {
        self.0.shape().iter().map(|&raw| Extent::from_raw(raw)).collect()
    }

    /// Whether some extent is open.
    pub fn is_open(&self) -> bool {
        self.0.is_open()
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
