//! What is known of a plan before there is one: results, and the text of a function for users' kernels.

use super::open::inferred;
use super::{describe, device_of, Operand, Plan, PlanOptions};
use crate::{Device, Expr, Operator, Result, TensorSpec};
use smallvec::SmallVec;
use tileops_sys as sys;

impl Plan {
    /// Dtypes and shapes of the results, before there is memory for them, on the device of the inputs.
    /// An extent that follows from an open one is open.
    ///
    /// ```
    /// use tileops::{DType, Expr, Plan, TensorSpec};
    /// let expr = Expr::parse("(x, w) -> { h = x * w; cast(h, bf16), h > 0 }")?;
    /// let x = TensorSpec::new(DType::F32, &[4, 1])?;
    /// let w = TensorSpec::new(DType::F16, &[3])?;
    /// let results = Plan::infer(&expr, [&x, &w])?;
    /// assert_eq!((results[0].dtype(), results[0].shape()), (DType::BF16, &[4usize, 3][..]));
    /// assert_eq!(results[1].dtype(), DType::Bool);
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: `InvalidArgument` (counts, shapes, attributes, and operators whose result may have any
    /// shape), `Unsupported` (dtypes), `Version`.
    pub fn infer<'a, I: Into<Operand<'a>>, const N: usize>(
        operator: &impl Operator,
        inputs: [I; N],
    ) -> Result<Vec<TensorSpec>> {
        Self::infer_dyn(operator, &inputs.map(Into::into))
    }

    /// As [`infer`](Self::infer), for a number of operands that is known at run time only.
    pub fn infer_dyn(operator: &impl Operator, inputs: &[Operand<'_>]) -> Result<Vec<TensorSpec>> {
        let device = device_of(inputs).unwrap_or(Device::CPU);
        let infer = |output: usize| {
            let mut dtype = sys::DLDataType { code: 0, bits: 0, lanes: 0 };
            let mut shape = [0i64; sys::TILEOPS_MAX_NDIM as usize];
            let mut ndim = 0;
            describe(&PlanOptions::default(), operator, inputs, &[], Some(device), |_, desc| {
                // SAFETY: the description lives during the call; there is room for all dimensions.
                unsafe {
                    sys::tileops_plan_infer(desc, output, &mut dtype, &mut ndim, shape.as_mut_ptr())
                }
            })?;
            Ok(inferred(dtype, &shape[..ndim as usize])?.on(device))
        };
        (0..operator.num_results()?).map(infer).collect()
    }

    /// An expression as a function for CUDA code: the text of a header that has a template of this name over
    /// values in registers, for operands of these dtypes; of shapes it matters how long rows are, and which
    /// operands are one element. `reproducible`: with the bits of the CPU.
    ///
    /// ```
    /// use tileops::{DType, Expr, Plan, TensorSpec};
    /// let expr = Expr::parse("(acc, bias) -> gelu(acc + bias)")?;
    /// let x = TensorSpec::new(DType::F32, &[1024])?;
    /// let text = Plan::device_function(&expr, &[(&x).into(), (&x).into()], "epilogue", false)?;
    /// assert!(text.contains("void epilogue("));
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: `InvalidArgument` (counts, shapes, the name), `Unsupported` (what is no function of registers).
    pub fn device_function(
        expr: &Expr,
        inputs: &[Operand<'_>],
        name: &str,
        reproducible: bool,
    ) -> Result<String> {
        let device = device_of(inputs).unwrap_or(Device::CPU);
        let options = PlanOptions { reproducible, ..PlanOptions::default() };
        let mut c_name: SmallVec<[u8; 64]> = name.bytes().collect();
        c_name.push(0);
        let mut size = 0;
        let mut bytes = Vec::<u8>::new();
        for _ in 0..2 {
            bytes.resize(size, 0);
            let buffer = if size == 0 { std::ptr::null_mut() } else { bytes.as_mut_ptr() };
            describe(&options, expr, inputs, &[], Some(device), |_, desc| {
                // SAFETY: description and name live during the call; NULL asks for the size of the buffer.
                unsafe {
                    let name = c_name.as_ptr().cast();
                    sys::tileops_plan_device_function(desc, name, buffer.cast(), &mut size)
                }
            })?;
        }
        bytes.pop(); // NUL
        Ok(String::from_utf8(bytes).expect("texts are ASCII"))
    }
}
