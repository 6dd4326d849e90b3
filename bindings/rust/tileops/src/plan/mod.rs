//! Plans: one operator, or one expression, prepared for given shapes, strides, dtypes, attributes and device.

mod addresses;
mod execute;
mod infer;
mod input;
mod launch;
mod list;
mod number;
mod open;
mod options;
mod parts;
mod query;
mod tune;
mod workspace;

pub(crate) use input::Kind;
pub use input::{Input, Operand};
pub(crate) use launch::Run;
pub use list::{AddressItem, ListItem};
pub use open::{OpenExtent, PlanFacts};
pub use options::PlanOptions;
pub use tune::{Strategy, TuneProgress, TuneResult};
#[cfg(feature = "cudarc")]
pub(crate) use workspace::StreamOwner;
pub use workspace::Workspace;

use self::number::Numbers;
use self::workspace::Workspaces;
use crate::counters::{Counter, PLANS};
use crate::error::check;
use crate::{version, AttrList, Context, Device, Error, Expr, Operator, Result};
use smallvec::SmallVec;
use std::ptr::NonNull;
use std::sync::Arc;
use tileops_sys as sys;

/// An operator, or an [`Expr`], prepared for given shapes, strides, dtypes, attributes and device.
///
/// Everything that can fail or take long happens in [`Plan::new`]; [`Plan::execute`] checks the
/// tensors and computes. A plan never changes: any number of threads may execute it at once.
/// Where extents are left open ([`TensorSpec::open`](crate::TensorSpec::open)), one plan does for any of them.
///
/// ```
/// use tileops::{ops, Plan, TensorMut, TensorRef};
/// let (a, b) = ([1.0f32, 2.0, 3.0, 4.0], [10.0f32, 20.0]);
/// let mut y = [0.0f32; 4];
/// let a = TensorRef::new(&a, &[2, 2])?;
/// let b = TensorRef::new(&b, &[2])?; // broadcast along the rows
/// let mut out = TensorMut::new(&mut y, &[2, 2])?;
/// let plan = Plan::new(&ops::Add::new().alpha(2.0), [&a, &b], [&out])?;
/// plan.execute([&a, &b], [&mut out])?;
/// assert_eq!(y, [21.0, 42.0, 23.0, 44.0]);
/// # Ok::<(), tileops::Error>(())
/// ```
#[derive(Debug)]
pub struct Plan {
    raw: NonNull<sys::tileops_plan>,
    device: Device,
    numbers: Numbers,
    /// None: it needs none.
    workspaces: Option<Arc<Workspaces>>,
    /// Those that each execute brings; of most plans none.
    open: Arc<[OpenExtent]>,
    _counter: Counter,
}

// SAFETY: any function may be called from any thread (tileops.h, THREADS 1).
unsafe impl Send for Plan {}
// SAFETY: a plan never changes; many threads may execute it at once (THREADS 2).
unsafe impl Sync for Plan {}

impl PlanOptions<'_> {
    /// Makes a plan with these options; see [`Plan::new`].
    pub fn plan<'a, I, O, const N: usize, const M: usize>(
        &self,
        operator: &impl Operator,
        inputs: [I; N],
        outputs: [O; M],
    ) -> Result<Plan>
    where
        I: Into<Operand<'a>>,
        O: Into<Operand<'a>>,
    {
        self.plan_dyn(operator, &inputs.map(Into::into), &outputs.map(Into::into))
    }

    /// Makes a plan of any number of operands.
    pub fn plan_dyn(
        &self,
        operator: &impl Operator,
        inputs: &[Operand<'_>],
        outputs: &[Operand<'_>],
    ) -> Result<Plan> {
        let mut raw = std::ptr::null_mut();
        let device = describe(self, operator, inputs, outputs, None, |context, desc| {
            // SAFETY: the description and all that it points to live during the call.
            unsafe { sys::tileops_plan_create(context, desc, &mut raw) }
        })?;
        let raw = NonNull::new(raw).ok_or_else(|| Error::invalid("Plan: out: NULL"))?;
        let counter = Counter::new(&PLANS);
        let (numbers, workspaces, open) = (Numbers::Any, None, Arc::default());
        let mut plan = Plan { raw, device, numbers, workspaces, open, _counter: counter };
        if inputs.iter().any(Operand::is_open) {
            plan.find_open_extents()?;
        }
        plan.workspaces = Workspaces::of(&plan)?;
        plan.numbers = Numbers::of(&plan, operator.expr(), &resolved(inputs, outputs)?)?;
        Ok(plan)
    }

    /// Would [`plan_dyn`](Self::plan_dyn) succeed? Checks everything, prepares and compiles nothing.
    pub fn check(
        &self,
        operator: &impl Operator,
        inputs: &[Operand<'_>],
        outputs: &[Operand<'_>],
    ) -> Result<()> {
        describe(self, operator, inputs, outputs, None, |context, desc| {
            // SAFETY: the description and all that it points to live during the call.
            unsafe { sys::tileops_plan_check(context, desc) }
        })?;
        Ok(())
    }
}

/// Hands the description of a plan to `call`; gives the device, that of the outputs if none is said.
fn describe(
    options: &PlanOptions<'_>,
    operator: &impl Operator,
    inputs: &[Operand<'_>],
    outputs: &[Operand<'_>],
    device: Option<Device>,
    call: impl FnOnce(*mut sys::tileops_context, &sys::tileops_plan_desc) -> sys::tileops_status,
) -> Result<Device> {
    version::ensure()?;
    let mut attrs = AttrList::new();
    operator.attrs(&mut attrs)?;
    let attrs = attrs.as_slice();
    let outs: SmallVec<[Kind<'_>; 8]> = outputs.iter().map(|output| output.0).collect();
    let outs = descs(&outs);
    let ins = resolved(inputs, outputs)?;
    let number = ins.iter().position(|input| matches!(input, Kind::Scalar(_)));
    if let (Some(i), true) = (number, operator.expr().is_some()) {
        return Err(number::in_expression(i));
    }
    let ins = descs(&ins);
    let device = device.or_else(|| device_of(outputs));
    let device = device.ok_or_else(|| Error::invalid("Plan: outputs: none (need at least one)"))?;
    let desc = sys::tileops_plan_desc {
        struct_size: size_of::<sys::tileops_plan_desc>() as u32,
        op: operator.op().0,
        device: device.0,
        num_inputs: ins.len() as i32,
        num_outputs: outs.len() as i32,
        num_attrs: attrs.len() as i32,
        flags: options.flags(),
        inputs: ins.as_ptr(),
        outputs: outs.as_ptr(),
        attrs: attrs.as_ptr(),
        strategy: sys::tileops_strategy(0), // the library's choice, as the numbers are
        threads: 0,
        num_per_thread: 0,
        reserved: 0,
        expr: operator.expr().map_or(std::ptr::null(), Expr::as_ptr),
    };
    check(call(options.context.map_or(std::ptr::null_mut(), Context::as_ptr), &desc))?;
    Ok(device)
}

fn device_of(operands: &[Operand<'_>]) -> Option<Device> {
    operands.iter().find_map(|o| match o.0 {
        Kind::View(view) => Some(view.device),
        _ => None,
    })
}

/// Inputs as they are, those in place as the output that they name.
fn resolved<'a>(
    inputs: &[Operand<'a>],
    outputs: &[Operand<'a>],
) -> Result<SmallVec<[Kind<'a>; 8]>> {
    let resolve = |(i, input): (usize, &Operand<'a>)| match input.0 {
        Kind::Output(k) => match outputs.get(k).map(|output| output.0) {
            Some(view @ Kind::View(_)) => Ok(view),
            _ => Err(no_output(i, k, outputs.len())),
        },
        other => Ok(other),
    };
    inputs.iter().enumerate().map(resolve).collect()
}

/// Input `i` is in place of what is no output.
#[cold]
fn no_output(i: usize, k: usize, outputs: usize) -> Error {
    Error::invalid(format!(
        "Plan: inputs[{i}]: in place of no output (got {k}, of {outputs} outputs)"
    ))
}

fn descs(operands: &[Kind<'_>]) -> SmallVec<[sys::tileops_tensor_desc; 8]> {
    let describe = |operand: &Kind<'_>| match operand {
        Kind::View(view) => view.to_desc(),
        Kind::Scalar(scalar) => tensor_desc(scalar.dtype.to_dlpack()),
        Kind::Absent | Kind::Output(_) => {
            tensor_desc(sys::DLDataType { code: 0, bits: 0, lanes: 0 })
        }
    };
    operands.iter().map(describe).collect()
}

/// The description of a 0-d tensor; a dtype of 0 bits is that of an absent one.
fn tensor_desc(dtype: sys::DLDataType) -> sys::tileops_tensor_desc {
    sys::tileops_tensor_desc { dtype, ndim: 0, shape: std::ptr::null(), strides: std::ptr::null() }
}

impl Plan {
    /// Prepares an operator for tensors like these; their memory is not touched. A plan that the
    /// context knows already is shared.
    ///
    /// Errors: `InvalidArgument` (counts, shapes, strides, attributes), `Unsupported` (dtypes),
    /// `Version`, `NoDevice`, `OutOfMemory`, `Device`, `Compile`.
    pub fn new<'a, I, O, const N: usize, const M: usize>(
        operator: &impl Operator,
        inputs: [I; N],
        outputs: [O; M],
    ) -> Result<Plan>
    where
        I: Into<Operand<'a>>,
        O: Into<Operand<'a>>,
    {
        PlanOptions::default().plan(operator, inputs, outputs)
    }

    /// The device it runs on.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The handle, for calls of `tileops-sys`. It is valid as long as the plan.
    pub fn as_ptr(&self) -> *mut sys::tileops_plan {
        self.raw.as_ptr()
    }
}

impl Clone for Plan {
    /// Another reference to the same plan.
    fn clone(&self) -> Self {
        // SAFETY: alive, so that it cannot fail.
        let status = unsafe { sys::tileops_plan_retain(self.raw.as_ptr()) };
        assert_eq!(status, sys::tileops_status::OK, "a living plan can be retained");
        let counter = Counter::new(&PLANS);
        let (workspaces, open) = (self.workspaces.clone(), self.open.clone());
        let (raw, device, numbers) = (self.raw, self.device, self.numbers);
        Plan { raw, device, numbers, workspaces, open, _counter: counter }
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        // SAFETY: this value owns one reference.
        unsafe { sys::tileops_plan_destroy(self.raw.as_ptr()) };
    }
}
