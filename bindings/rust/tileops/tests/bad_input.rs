//! Wrong calls: each gives an error of the right status that names the argument, writes nothing, and
//! crashes nothing. What the compiler refuses is in `src/refused.rs`.

use std::mem::MaybeUninit;
use tileops::{call, copy, ops, sys, Input, Named, Op, Operand, Plan, PlanOptions, Result, Status};
use tileops::{
    Context, ContextOptions, DType, Device, Stream, Tensor, TensorMut, TensorRef, TensorSpec,
};

use Status::{InvalidArgument, NoDevice, Unsupported, Version};

/// One wrong call: what is wrong, the status, the argument that the message names, and the call.
struct Case {
    what: &'static str,
    status: Status,
    argument: &'static str,
    call: fn() -> Result<()>,
}

macro_rules! cases {
    ($($what:literal, $status:expr, $argument:literal, $call:expr;)*) => {
        &[$(Case { what: $what, status: $status, argument: $argument, call: || $call }),*]
    };
}

fn f32s(shape: &[usize]) -> TensorSpec {
    TensorSpec::new(DType::F32, shape).unwrap()
}

/// A plan of add on (2, 3) float32.
fn add_plan() -> Plan {
    let x = f32s(&[2, 3]);
    Plan::new(&ops::Add::default(), [&x, &x], [&x]).unwrap()
}

/// Executes [`add_plan`] with these inputs into (2, 3) float32, which must stay as they are.
fn execute(a: &TensorRef<'_>, b: &TensorRef<'_>) -> Result<()> {
    let mut y = [7.5f32; 6];
    let result = add_plan().execute([a, b], [&mut TensorMut::new(&mut y, &[2, 3])?]);
    assert_eq!(y, [7.5; 6], "a failed call wrote its output");
    result
}

const DATA: [f32; 6] = [1.0; 6];

fn good() -> TensorRef<'static> {
    TensorRef::new(&DATA, &[2, 3]).unwrap()
}

/// A DLPack tensor over a vector, changed by `change`, then imported.
fn import(change: fn(&mut sys::DLManagedTensorVersioned)) -> Result<Tensor> {
    let managed = Tensor::from_vec(vec![1.0f32; 6], &[2, 3])?.into_dlpack();
    // SAFETY: a valid tensor of ours; what `change` breaks is what `from_dlpack` must see.
    unsafe {
        change(&mut *managed.as_ptr());
        Tensor::from_dlpack(managed)
    }
}

fn planned(op: &impl tileops::Operator, inputs: &[&TensorSpec], output: &TensorSpec) -> Result<()> {
    let inputs: Vec<Operand<'_>> = inputs.iter().map(|spec| Operand::from(*spec)).collect();
    PlanOptions::default().plan_dyn(op, &inputs, &[output.into()]).map(drop)
}

const CASES: &[Case] = cases! {
    // Tensors.
    "slice shorter than the shape", InvalidArgument, "data",
        TensorRef::new(&DATA, &[2, 4]).map(drop);
    "slice longer than the shape", InvalidArgument, "data",
        TensorMut::new(&mut [0.0f32; 8], &[2, 3]).map(drop);
    "strided view past the end", InvalidArgument, "data",
        TensorRef::strided(&DATA, &[2, 3], &[4, 1], 0).map(drop);
    "strided view before the start", InvalidArgument, "data",
        TensorRef::strided(&DATA, &[6], &[-1], 4).map(drop);
    "strides of another rank", InvalidArgument, "strides",
        TensorRef::strided(&DATA, &[2, 3], &[1], 0).map(drop);
    "shape that overflows", InvalidArgument, "shape",
        TensorSpec::new(DType::F32, &[usize::MAX / 2, 4]).map(drop);
    "33 dimensions", InvalidArgument, "shape",
        TensorRef::new(&[1.0f32], &[1; 33]).map(drop);
    "bytes that are no whole element", InvalidArgument, "data",
        TensorRef::from_bytes(&[0; 7], DType::F32, &[1]).map(drop);
    "bytes that are not aligned", InvalidArgument, "data", {
        let words = [0u64; 2];
        // SAFETY: bytes 1 to 8 of 16.
        let bytes = unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<u8>().add(1), 8) };
        TensorRef::from_bytes(bytes, DType::F64, &[1]).map(drop)
    };
    "a bool that is 2", InvalidArgument, "data",
        TensorRef::from_bytes(&[0, 1, 2], DType::Bool, &[3]).map(drop);
    "as_slice of another type", InvalidArgument, "as_slice",
        Tensor::new(Device::CPU, DType::F32, &[2])?.as_slice::<i32>().map(drop);
    "tensor on a device that is not there", NoDevice, "device",
        Tensor::new(Device::cuda(99), DType::F32, &[2]).map(drop);
    "tensor too large for memory", Status::OutOfMemory, "",
        Tensor::new(Device::CPU, DType::F64, &[1 << 55]).map(drop);
    "vector of another length", InvalidArgument, "data",
        Tensor::from_vec(vec![0u8; 3], &[2, 2]).map(drop);

    // DLPack.
    "DLPack version 2", Version, "managed",
        import(|t| t.version.major = 2).map(drop);
    "two lanes", Unsupported, "dtype",
        import(|t| t.dl_tensor.dtype.lanes = 2).map(drop);
    "unknown type code", Unsupported, "dtype",
        import(|t| t.dl_tensor.dtype.code = 99).map(drop);
    "negative rank", InvalidArgument, "ndim",
        import(|t| t.dl_tensor.ndim = -1).map(drop);
    "negative extent", InvalidArgument, "shape",
        // SAFETY: the shape has two extents.
        import(|t| unsafe { *t.dl_tensor.shape = -2 }).map(drop);
    "no shape", InvalidArgument, "shape",
        import(|t| t.dl_tensor.shape = std::ptr::null_mut()).map(drop);
    "read-only output", InvalidArgument, "output",
        import(|t| t.flags = sys::DLPACK_FLAG_BITMASK_READ_ONLY)?.view_mut().map(drop);

    // Plans.
    "operator that does not exist", InvalidArgument, "name",
        "gleu".parse::<Op>().map(drop);
    "name with a NUL", InvalidArgument, "name",
        "add\0".parse::<Op>().map(drop);
    "shapes that do not broadcast", InvalidArgument, "inputs",
        planned(&Op::ADD, &[&f32s(&[2, 3]), &f32s(&[2])], &f32s(&[2, 3]));
    "output of another shape", InvalidArgument, "outputs",
        planned(&Op::EXP, &[&f32s(&[2, 3])], &f32s(&[3, 2]));
    "too few inputs", InvalidArgument, "num_inputs",
        planned(&Op::ADD, &[&f32s(&[2])], &f32s(&[2]));
    "too many inputs", InvalidArgument, "num_inputs",
        planned(&Op::EXP, &[&f32s(&[2]), &f32s(&[2])], &f32s(&[2]));
    "no output", InvalidArgument, "outputs",
        PlanOptions::default().plan_dyn(&Op::EXP, &[(&f32s(&[2])).into()], &[]).map(drop);
    "required input absent", InvalidArgument, "inputs", {
        let y = f32s(&[2]);
        PlanOptions::default().plan_dyn(&Op::EXP, &[Input::ABSENT.into()], &[(&y).into()]).map(drop)
    };
    "output that overlaps itself", InvalidArgument, "outputs",
        planned(&Op::EXP, &[&f32s(&[4])], &TensorSpec::strided(DType::F32, &[4], &[0])?);
    "dtype that the operator refuses", Unsupported, "inputs",
        planned(&Op::BITWISE_AND, &[&f32s(&[2]), &f32s(&[2])], &f32s(&[2]));
    "in place of an output that is none", InvalidArgument, "inputs",
        PlanOptions::default().plan_dyn(&Op::EXP, &[Input::in_place(0).into()], &[Input::ABSENT.into()]).map(drop);
    "unknown attribute", InvalidArgument, "attrs",
        planned(&Named::new(Op::GELU, &[("alpha", 1.0.into())]), &[&f32s(&[2])], &f32s(&[2]));
    "unknown choice", InvalidArgument, "attrs",
        planned(&Named::new(Op::GELU, &[("approximate", "erf".into())]), &[&f32s(&[2])], &f32s(&[2]));
    "fraction for an integer attribute", InvalidArgument, "attrs",
        planned(&Named::new(Op::ROUND, &[("decimals", 0.5.into())]), &[&f32s(&[2])], &f32s(&[2]));
    "attribute out of range", InvalidArgument, "attrs",
        planned(&ops::Dropout::new().p(1.5), &[&f32s(&[2])], &f32s(&[2]));
    "thirteen attributes", InvalidArgument, "attrs", {
        let attrs = vec![("alpha", 1.0.into()); 13];
        planned(&Named::new(Op::ADD, &attrs), &[&f32s(&[2]), &f32s(&[2])], &f32s(&[2]))
    };
    "plan on a device that is not there", NoDevice, "device",
        planned(&Op::EXP, &[&f32s(&[2]).on(Device::cuda(99))], &f32s(&[2]).on(Device::cuda(99)));

    // Execution.
    "wrong shape", InvalidArgument, "inputs",
        execute(&good(), &TensorRef::new(&DATA, &[3, 2])?);
    "wrong rank", InvalidArgument, "inputs",
        execute(&TensorRef::new(&DATA, &[6])?, &good());
    "wrong dtype", InvalidArgument, "inputs",
        execute(&good(), &TensorRef::new(&[1i32; 6], &[2, 3])?);
    "wrong strides", InvalidArgument, "inputs",
        execute(&good(), &TensorRef::strided(&DATA, &[2, 3], &[1, 2], 0)?);
    "wrong device", InvalidArgument, "inputs", {
        // SAFETY: never read: the device is refused.
        let far = unsafe {
            TensorRef::from_raw(DATA.as_ptr().cast(), Device::cuda(0), DType::F32, &[2, 3], None)
        }?;
        execute(&good(), &far)
    };
    "unaligned memory", InvalidArgument, "inputs", {
        let address = DATA.as_ptr().cast::<u8>().wrapping_add(1).cast();
        // SAFETY: never read: the alignment is refused.
        let odd = unsafe { TensorRef::from_raw(address, Device::CPU, DType::F32, &[2, 3], None) }?;
        execute(&good(), &odd)
    };
    "no memory", InvalidArgument, "inputs", {
        // SAFETY: never read: NULL is refused.
        let null = unsafe {
            TensorRef::from_raw(std::ptr::null(), Device::CPU, DType::F32, &[2, 3], None)
        }?;
        execute(&good(), &null)
    };
    "too few tensors", InvalidArgument, "num_inputs", {
        let mut y = [0.0f32; 6];
        add_plan().execute([&good()], [&mut TensorMut::new(&mut y, &[2, 3])?])
    };
    "nine tensors", InvalidArgument, "num_inputs", {
        let (mut y, x) = ([0.0f32; 6], good());
        let nine = [Input::from(&x); 9];
        add_plan().execute_dyn(&nine, &mut [&mut TensorMut::new(&mut y, &[2, 3])?])
    };
    "more tensors than any plan has", InvalidArgument, "inputs", {
        let (mut y, x) = ([0.0f32; 6], good());
        let many = [Input::from(&x); 33];
        add_plan().execute_dyn(&many, &mut [&mut TensorMut::new(&mut y, &[2, 3])?])
    };
    "overlapping buffers", InvalidArgument, "outputs", {
        let mut memory = [1.0f32; 8];
        let start: *mut f32 = memory.as_mut_ptr();
        // SAFETY: both lie in `memory`; that they overlap is what the library must refuse.
        let (x, mut y) = unsafe {
            (
                TensorRef::from_raw(start.cast(), Device::CPU, DType::F32, &[2, 3], None)?,
                TensorMut::from_raw(start.add(1).cast(), Device::CPU, DType::F32, &[2, 3], None)?,
            )
        };
        add_plan().execute([&x, &good()], [&mut y])
    };
    "in place with another element size", InvalidArgument, "outputs", {
        let mut y = [0u64; 6];
        let mut out = TensorMut::new(&mut y, &[2, 3])?;
        let x = f32s(&[2, 3]);
        let plan = Plan::new(&Op::EXP, [&x], [&TensorSpec::new(DType::U64, &[2, 3])?])?;
        // SAFETY: inside `y`; that it overlaps the output is what the library must refuse.
        let same = unsafe { TensorRef::from_raw(out.as_ptr(), Device::CPU, DType::F32, &[2, 3], None) }?;
        plan.execute([&same], [&mut out])
    };
    "in place where nothing was written", InvalidArgument, "inputs", {
        let mut y = [const { MaybeUninit::<f32>::uninit() }; 6];
        ops::exp(Input::in_place(0), &mut TensorMut::uninit(&mut y, &[2, 3])?)
    };
    "in place of a plan where nothing was written", InvalidArgument, "inputs", {
        let mut y = [const { MaybeUninit::<f32>::uninit() }; 6];
        let mut out = TensorMut::uninit(&mut y, &[2, 3])?;
        Plan::new(&Op::EXP, [&out], [&out])?.execute([Input::in_place(0)], [&mut out])
    };
    "input that nothing has written", InvalidArgument, "inputs", {
        let (mut y, mut x) = ([0.0f32; 6], [const { MaybeUninit::<f32>::uninit() }; 6]);
        let x = TensorMut::uninit(&mut x, &[2, 3])?;
        execute(&x.as_ref(), &good())?;
        ops::exp(&x, &mut TensorMut::new(&mut y, &[2, 3])?)
    };
    "part of what nothing has written", InvalidArgument, "inputs", {
        let (mut y, mut x) = ([0.0f32; 3], [const { MaybeUninit::<f32>::uninit() }; 6]);
        let mut x = TensorMut::uninit(&mut x, &[2, 3])?;
        ops::exp(&x.slice(0, 1..)?, &mut TensorMut::new(&mut y, &[1, 3])?)
    };
    "copy of what nothing has written", InvalidArgument, "source", {
        let (mut y, mut x) = ([0.0f32; 6], [const { MaybeUninit::<f32>::uninit() }; 6]);
        let x = TensorMut::uninit(&mut x, &[6])?;
        copy(&x.as_ref(), &mut TensorMut::new(&mut y, &[6])?)
    };
    "elements that nothing has written", InvalidArgument, "into_slice", {
        let mut y = [const { MaybeUninit::<f32>::uninit() }; 6];
        TensorMut::uninit(&mut y, &[6])?.into_slice::<f32>().map(drop)
    };
    "no such axis", InvalidArgument, "axis", good().transpose(0, 2).map(drop);
    "range beyond the axis", InvalidArgument, "range", good().slice(1, 2..4).map(drop);
    "range backwards", InvalidArgument, "range",
        good().slice(1, std::ops::Range { start: 2, end: 1 }).map(drop);
    "parts along no axis", InvalidArgument, "axis", TensorMut::new(&mut [0.0f32; 6], &[2, 3])?.split(2, 0).map(drop);
    "parts beyond the axis", InvalidArgument, "at", TensorMut::new(&mut [0.0f32; 6], &[2, 3])?.split(1, 4).map(drop);
    "parts that share elements", InvalidArgument, "strides",
        TensorMut::strided(&mut [0.0f32; 6], &[2, 3], &[1, 1], 0)?.split(0, 1).map(drop);
    "parts that share all elements", InvalidArgument, "strides",
        TensorMut::strided(&mut [0.0f32; 6], &[2, 3], &[0, 1], 0)?.split(0, 1).map(drop);
    "parts of what turns back on itself", InvalidArgument, "strides",
        TensorMut::strided(&mut [0.0f32; 6], &[2, 3], &[-2, 1], 2)?.split(0, 1).map(drop);
    "an axis twice", InvalidArgument, "axes", good().permute(&[1, 1]).map(drop);
    "call by a wrong name", InvalidArgument, "name", {
        let mut y = [0.0f32; 6];
        call("", &[(&good()).into()], &mut [&mut TensorMut::new(&mut y, &[2, 3])?], &[])
    };
    "call with a wrong shape", InvalidArgument, "outputs",
        ops::exp(&good(), &mut TensorMut::new(&mut [0.0f32; 4], &[4])?);
    "call with a wrong dtype", Unsupported, "inputs",
        ops::relu(&TensorRef::new(&[1i32; 2], &[2])?, &mut TensorMut::new(&mut [0i32; 2], &[2])?);

    // Copies, contexts, streams.
    "copy of another dtype", InvalidArgument, "dst",
        copy(&good(), &mut TensorMut::new(&mut [0.0f64; 6], &[2, 3])?);
    "copy of another shape", InvalidArgument, "dst",
        copy(&good(), &mut TensorMut::new(&mut [0.0f32; 6], &[6])?);
    "context of an unknown instruction set", InvalidArgument, "cpu_isa",
        Context::new(&ContextOptions::new().cpu_isa("mmx")).map(drop);
    "context option with a NUL", InvalidArgument, "cache_dir",
        Context::new(&ContextOptions::new().cache_dir("a\0b")).map(drop);
    "stream on a device that is not there", NoDevice, "device",
        Stream::new(Device::cuda(99)).map(drop);
    "device name", InvalidArgument, "name",
        "cuda:-1".parse::<Device>().map(drop);
    "dtype name", InvalidArgument, "text",
        "float31".parse::<DType>().map(drop);
};

#[test]
fn wrong_calls_give_errors() {
    let mut wrong = 0;
    for case in CASES {
        let error = match (case.call)() {
            Ok(()) => {
                eprintln!("{}: no error", case.what);
                wrong += 1;
                continue;
            }
            Err(error) => error,
        };
        let named = error.argument().unwrap_or_default();
        let names = named.split(['.', '-']).next().unwrap_or_default();
        if error.status() != case.status || names != case.argument || error.function().is_none() {
            eprintln!(
                "{}: need {:?} of {:?}, got {error:?}",
                case.what, case.status, case.argument
            );
            wrong += 1;
        }
    }
    println!("{} wrong calls", CASES.len());
    assert!(CASES.len() >= 25);
    assert_eq!(wrong, 0);
}

#[test]
fn errors_are_ordinary_values() {
    fn is_error<E: std::error::Error + Send + Sync + Clone + 'static>(_: &E) {}
    let error = "gleu".parse::<Op>().unwrap_err();
    is_error(&error);
    assert_eq!(error.to_string(), error.message());
    assert_eq!(
        (error.function(), error.argument(), error.index()),
        (Some("Op"), Some("name"), None)
    );
    assert_eq!(error.driver_error(), 0);
    let error = execute(&good(), &TensorRef::new(&DATA, &[3, 2]).unwrap()).unwrap_err();
    assert_eq!((error.function(), error.index()), (Some("tileops_execute"), Some(1)));
    assert_eq!(size_of::<Result<()>>(), size_of::<usize>(), "an error is one pointer");
}
