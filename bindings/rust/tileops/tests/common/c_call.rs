//! A random plan as a program in C would make and run it.

use crate::random_case::{Case, Given, Memory, What};
use std::ffi::CStr;
use std::ptr::{null, null_mut};
use tileops::{sys, AttrValue, DType, Status};

/// Status and message of what failed.
pub type Failure = (Status, String);

fn check(status: sys::tileops_status) -> Result<(), Failure> {
    if status == sys::tileops_status::OK {
        return Ok(());
    }
    // SAFETY: never NULL, and valid until the next failure of this thread.
    let message = unsafe { CStr::from_ptr(sys::tileops_last_error()) };
    Err((status.into(), message.to_str().unwrap().to_string()))
}

/// Shape and strides as C reads them.
struct Dims(Vec<i64>, Vec<i64>);

impl Dims {
    fn of(memory: &Memory) -> Self {
        let shape = memory.shape.iter().map(|extent| *extent as i64).collect();
        Self(shape, memory.strides.iter().map(|stride| *stride as i64).collect())
    }

    /// What is no tensor has no dimensions.
    fn of_input(input: &Given) -> Self {
        match input {
            Given::Memory(memory) => Self::of(memory),
            _ => Self(Vec::new(), Vec::new()),
        }
    }

    fn desc(&self, dtype: DType) -> sys::tileops_tensor_desc {
        let dtype = dtype.to_dlpack();
        let (shape, strides) = (self.0.as_ptr(), self.1.as_ptr());
        sys::tileops_tensor_desc { dtype, ndim: self.0.len() as i32, shape, strides }
    }

    fn tensor(&self, dtype: DType, data: *mut u8) -> sys::DLTensor {
        sys::DLTensor {
            data: data.cast(),
            device: tileops::Device::CPU.to_dlpack(),
            ndim: self.0.len() as i32,
            dtype: dtype.to_dlpack(),
            shape: self.0.as_ptr().cast_mut(),
            strides: self.1.as_ptr().cast_mut(),
            byte_offset: 0,
        }
    }
}

fn attr(op: tileops::Op, (name, value): &(&str, AttrValue)) -> sys::tileops_attr {
    // SAFETY: zeros are values of all fields; the struct says its size; static arrays and strings.
    let key = unsafe {
        let mut info: sys::tileops_op_info = std::mem::zeroed();
        info.struct_size = size_of_val(&info) as u32;
        assert_eq!(
            sys::tileops_op_describe(sys::tileops_op(op.id()), &mut info),
            sys::tileops_status::OK
        );
        let attrs = std::slice::from_raw_parts(info.attrs, info.num_attrs as usize);
        attrs.iter().find(|a| CStr::from_ptr(a.name).to_str() == Ok(name)).unwrap().key
    };
    use sys::{tileops_attr__bindgen_ty_1 as Value, tileops_attr_kind as Kind};
    match value {
        AttrValue::Float(f64_) => {
            sys::tileops_attr { key, kind: Kind::F64, value: Value { f64_: *f64_ } }
        }
        AttrValue::Int(i64_) => {
            sys::tileops_attr { key, kind: Kind::I64, value: Value { i64_: *i64_ } }
        }
        other => panic!("{other:?} is not generated"),
    }
}

pub fn parse(text: &str) -> Result<*mut sys::tileops_expr, Failure> {
    let mut expr = null_mut();
    // SAFETY: as many bytes as said.
    check(unsafe { sys::tileops_expr_parse(text.as_ptr().cast(), text.len(), &mut expr) })?;
    Ok(expr)
}

/// Hands the description of the plan to `call`.
fn describe<R>(
    case: &Case,
    call: impl FnOnce(&sys::tileops_plan_desc) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let outs: Vec<Dims> = case.outputs.iter().map(Dims::of).collect();
    let outputs: Vec<_> = outs.iter().zip(&case.outputs).map(|(d, m)| d.desc(m.dtype)).collect();
    let ins: Vec<Dims> = case.inputs.iter().map(Dims::of_input).collect();
    let absent = sys::tileops_tensor_desc {
        dtype: sys::DLDataType { code: 0, bits: 0, lanes: 0 },
        ndim: 0,
        shape: null(),
        strides: null(),
    };
    let inputs: Vec<_> = case
        .inputs
        .iter()
        .zip(&ins)
        .map(|(input, dims)| match input {
            Given::Memory(memory) => dims.desc(memory.dtype),
            Given::Number(dtype, ..) => dims.desc(*dtype),
            Given::Absent => absent,
            Given::InPlace(k) => outputs[*k],
        })
        .collect();
    let (op, attrs, expr) = match &case.what {
        What::Operator(op, attrs) => {
            let attrs: Vec<_> = attrs.iter().map(|given| attr(*op, given)).collect();
            (sys::tileops_op(op.id()), attrs, null_mut())
        }
        What::Expression(text) => (sys::tileops_op::NONE, Vec::new(), parse(text)?),
    };
    // SAFETY: zeros are values of all fields.
    let mut desc: sys::tileops_plan_desc = unsafe { std::mem::zeroed() };
    desc.struct_size = size_of_val(&desc) as u32;
    desc.op = op;
    desc.device = tileops::Device::CPU.to_dlpack();
    (desc.num_inputs, desc.inputs) = (inputs.len() as i32, inputs.as_ptr());
    (desc.num_outputs, desc.outputs) = (outputs.len() as i32, outputs.as_ptr());
    (desc.num_attrs, desc.attrs) = (attrs.len() as i32, attrs.as_ptr());
    desc.expr = expr;
    let result = call(&desc);
    // SAFETY: owned here, or NULL.
    unsafe { sys::tileops_expr_destroy(expr) };
    result
}

/// Would the library make the plan?
pub fn planned(case: &Case) -> Result<(), Failure> {
    // SAFETY: the description lives during the call.
    describe(case, |desc| check(unsafe { sys::tileops_plan_check(null_mut(), desc) }))
}

/// Dtype and shape of a result.
pub fn inferred(case: &Case, k: usize) -> Option<(DType, Vec<usize>)> {
    let mut dtype = sys::DLDataType { code: 0, bits: 0, lanes: 0 };
    let mut shape = [0i64; sys::TILEOPS_MAX_NDIM as usize];
    let mut ndim = 0;
    // SAFETY: the description lives during the call; there is room for all dimensions.
    let infer = |desc: &_| unsafe {
        check(sys::tileops_plan_infer(desc, k, &mut dtype, &mut ndim, shape.as_mut_ptr()))
    };
    describe(case, infer).ok()?;
    let mut shape: Vec<usize> =
        shape[..ndim as usize].iter().map(|extent| *extent as usize).collect();
    if dtype.bits == 4 && dtype.lanes == 1 {
        dtype.lanes = 2; // in Rust shapes count pairs
        if let Some(last) = shape.last_mut() {
            *last = last.div_ceil(2);
        }
    }
    Some((dtype.try_into().unwrap(), shape))
}

/// Makes the plan and runs it: the outputs' memory as it is then.
pub fn run(case: &Case) -> Result<Vec<Vec<u64>>, Failure> {
    let mut plan = null_mut();
    // SAFETY: the description lives during the call.
    describe(case, |desc| check(unsafe { sys::tileops_plan_create(null_mut(), desc, &mut plan) }))?;
    let outputs = case.outputs.clone(); // memory that is written
    let outs: Vec<Dims> = outputs.iter().map(Dims::of).collect();
    let tensor = |k: usize| outs[k].tensor(outputs[k].dtype, outputs[k].element_0());
    let mut targets: Vec<_> = (0..outputs.len()).map(tensor).collect();
    let targets: Vec<*mut sys::DLTensor> = targets.iter_mut().map(|t| &raw mut *t).collect();
    let ins: Vec<Dims> = case.inputs.iter().map(Dims::of_input).collect();
    let sources: Vec<_> = case
        .inputs
        .iter()
        .zip(&ins)
        .map(|(input, dims)| match input {
            Given::Memory(memory) => Some(dims.tensor(memory.dtype, memory.element_0())),
            Given::Number(dtype, _, bits) => {
                Some(dims.tensor(*dtype, std::ptr::from_ref(bits).cast_mut().cast()))
            }
            Given::Absent => None,
            Given::InPlace(k) => Some(tensor(*k)),
        })
        .collect();
    let sources: Vec<*const sys::DLTensor> =
        sources.iter().map(|t| t.as_ref().map_or(null(), std::ptr::from_ref)).collect();
    let (ins, outs) = (sources.as_ptr(), targets.as_ptr());
    // SAFETY: as many tensors as said, over memory that lives here; Number is the C struct.
    let status = unsafe {
        if case.scalars.is_empty() {
            sys::tileops_execute(plan, ins, sources.len(), outs, targets.len(), null_mut())
        } else {
            let mut args: sys::tileops_execute_args = std::mem::zeroed();
            args.struct_size = size_of_val(&args) as u32;
            (args.num_inputs, args.inputs) = (sources.len() as u32, ins);
            (args.num_outputs, args.outputs) = (targets.len() as u32, outs);
            (args.num_scalars, args.scalars) =
                (case.scalars.len() as u32, case.scalars.as_ptr().cast());
            sys::tileops_execute_with(plan, &args)
        }
    };
    let result = check(status);
    // SAFETY: the one reference, owned here.
    unsafe { sys::tileops_plan_destroy(plan) };
    result?;
    Ok(outputs.into_iter().map(|memory| memory.words).collect())
}
