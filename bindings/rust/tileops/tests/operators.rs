//! Operators, plans and tensors by their values.

#[path = "common/typed.rs"]
mod typed;

use std::mem::MaybeUninit;
use tileops::{call, copy, devices, live_handles, ops};
use tileops::{Context, ContextOptions, DType, Device, Expr, Input, Named, Op, Operand};
use tileops::{Plan, PlanOptions, Result, Status, Tensor, TensorMut, TensorRef, TensorSpec};

#[test]
fn constants_are_those_of_the_library() {
    let names: Vec<_> = Op::all().map(Op::name).collect();
    let table: Vec<_> = typed::TABLE.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, table, "run ./dev bindings");
    for (name, op) in typed::TABLE {
        assert_eq!(op.name(), *name);
        assert_eq!(name.parse::<Op>().unwrap(), *op);
    }
}

#[test]
fn statuses_are_those_of_the_library() {
    use tileops::sys::{tileops_status as s, tileops_status_name};
    let name = |status: s| {
        // SAFETY: static storage, never NULL.
        unsafe { std::ffi::CStr::from_ptr(tileops_status_name(status)) }.to_str().unwrap()
    };
    assert_eq!(name(s::OK), "TILEOPS_STATUS_OK");
    assert_eq!(name(s::INVALID_ARGUMENT), "TILEOPS_STATUS_INVALID_ARGUMENT");
    assert_eq!(name(s::UNSUPPORTED), "TILEOPS_STATUS_UNSUPPORTED");
    assert_eq!(name(s::VERSION), "TILEOPS_STATUS_VERSION");
    assert_eq!(name(s::NO_DEVICE), "TILEOPS_STATUS_NO_DEVICE");
    assert_eq!(name(s::INTERNAL), "TILEOPS_STATUS_INTERNAL");
    assert_eq!(name(s(s::INTERNAL.0 + 1)), "?", "a status without a constant: run ./dev bindings");
}

#[test]
fn a_plan_runs_often() -> Result<()> {
    let x = TensorSpec::new(DType::F32, &[3])?;
    let plan = Plan::new(&ops::Sub::new().alpha(2.0), [&x, &x], [&x])?;
    for i in 0..5 {
        let (a, b, mut y) = ([i as f32; 3], [1.0f32, 2.0, 3.0], [0.0f32; 3]);
        let (a, b) = (TensorRef::new(&a, &[3])?, TensorRef::new(&b, &[3])?);
        plan.execute([&a, &b], [&mut TensorMut::new(&mut y, &[3])?])?;
        assert_eq!(y, [i as f32 - 2.0, i as f32 - 4.0, i as f32 - 6.0]);
    }
    assert_eq!(plan.num_elements()?, 3);
    assert_eq!(plan.bytes_moved()?, 36);
    assert_eq!(plan.compute_dtype()?, DType::F32);
    assert_eq!(plan.layout()?, "contiguous");
    assert!(plan.source()?.starts_with("direct: "), "{}", plan.source()?);
    assert_eq!(plan.cache_origin()?, "builtin");
    assert!(!plan.kernel_name()?.is_empty() && !plan.strategy()?.is_empty());
    Ok(())
}

#[test]
fn strides_are_mapped() -> Result<()> {
    let data = [0i32, 1, 2, 3, 4, 5];
    let mut y = [0i32; 6];
    // Reversed, transposed, broadcast, into every other element.
    let reversed = TensorRef::strided(&data, &[6], &[-1], 5)?;
    ops::cast(&reversed, &mut TensorMut::new(&mut y, &[6])?)?;
    assert_eq!(y, [5, 4, 3, 2, 1, 0]);
    let columns = TensorRef::strided(&data, &[3, 2], &[1, 3], 0)?;
    ops::cast(&columns, &mut TensorMut::new(&mut y, &[3, 2])?)?;
    assert_eq!(y, [0, 3, 1, 4, 2, 5]);
    let repeated = TensorRef::strided(&data, &[2, 3], &[0, 1], 3)?;
    ops::cast(&repeated, &mut TensorMut::new(&mut y, &[2, 3])?)?;
    assert_eq!(y, [3, 4, 5, 3, 4, 5]);
    let mut wide = [9i32; 6];
    let three = TensorRef::new(&data[..3], &[3])?;
    ops::neg(&three, &mut TensorMut::strided(&mut wide, &[3], &[2], 1)?)?;
    assert_eq!(wide, [9, 0, 9, -1, 9, -2]);
    Ok(())
}

#[test]
fn scalars_empty_tensors_and_dtypes() -> Result<()> {
    let (half, x, mut y) = (0.5f64, [2i32, 4], [0.0f32; 2]);
    let x = TensorRef::new(&x, &[2])?;
    ops::mul(&x, &TensorRef::scalar(&half), &mut TensorMut::new(&mut y, &[2])?)?;
    assert_eq!(y, [1.0, 2.0]);
    let mut truth = [false; 2];
    ops::gt(&x, &TensorRef::scalar(&3u8), &mut TensorMut::new(&mut truth, &[2])?)?;
    assert_eq!(truth, [false, true]);
    let none: [f32; 0] = [];
    let mut nothing: [f32; 0] = [];
    let empty = TensorRef::new(&none, &[0, 3])?;
    ops::exp(&empty, &mut TensorMut::new(&mut nothing, &[0, 3])?)
}

#[test]
fn parts_and_axes() -> Result<()> {
    let data: Vec<i32> = (0..24).collect();
    let mut y = [0i32; 8];
    let x = TensorRef::new(&data, &[2, 3, 4])?;
    let part = x.permute(&[2, 0, 1])?.slice(0, ..=1)?.slice(2, 1..)?;
    assert_eq!((part.shape(), part.strides()), (&[2, 2, 2][..], &[1, 12, 4][..]));
    ops::neg(&part, &mut TensorMut::new(&mut y, &[2, 2, 2])?)?;
    assert_eq!(y, [-4, -8, -16, -20, -5, -9, -17, -21]);
    // Into a part of a transposed output.
    let mut wide = [0i32; 6];
    let mut out = TensorMut::new(&mut wide, &[2, 3])?;
    let mut turned = out.transpose(0, 1)?;
    ops::add(&TensorRef::new(&[6, 6], &[1, 2])?, 1, &mut turned.slice(0, 1..2)?)?;
    ops::neg(Input::in_place(0), &mut out)?;
    assert_eq!(wide, [0, -7, 0, 0, -7, 0]);
    // Empty parts, also of views that run backwards.
    let backwards = TensorRef::strided(&data, &[24], &[-1], 23)?;
    assert_eq!(backwards.slice(0, 24..)?.shape(), [0]);
    assert_eq!(backwards.slice(0, 20..)?.as_ptr(), data[3..].as_ptr().cast());
    Ok(())
}

#[test]
fn both_parts_at_once() -> Result<()> {
    let values = [1.0f32, 2.0, 3.0, 4.0];
    let x = TensorRef::new(&values, &[2, 2])?;
    let both: Expr = "(x) -> x * 10, -x".parse()?;
    // Columns of a tensor whose rows run backwards, by one call.
    let mut wide = [0.0f32; 8];
    let mut out = TensorMut::strided(&mut wide, &[2, 4], &[-4, 1], 4)?;
    let (mut left, mut right) = out.split(1, 2)?;
    assert_eq!(
        (left.shape(), right.shape(), right.strides()),
        (&[2, 2][..], &[2, 2][..], &[-4, 1][..])
    );
    both.call([&x], [&mut left, &mut right])?;
    assert_eq!(wide, [30.0, 40.0, -3.0, -4.0, 10.0, 20.0, -1.0, -2.0]);
    // Parts of parts, of a transposed tensor, each written by a thread of its own.
    let mut data = [0.0f32; 8];
    let mut out = TensorMut::new(&mut data, &[2, 4])?;
    let mut turned = out.transpose(0, 1)?;
    let (mut first, mut rest) = turned.split(0, 1)?;
    let (mut second, none) = rest.split(0, 3)?;
    assert_eq!((none.shape(), second.shape()), (&[0, 2][..], &[3, 2][..]));
    std::thread::scope(|s| {
        let one = s.spawn(|| ops::add(&x.slice(0, ..1)?, 1.0, &mut first));
        ops::sub(&TensorRef::strided(&values, &[3, 2], &[0, 1], 2)?, 2.0, &mut second)?;
        one.join().expect("no panic")
    })?;
    assert_eq!(data, [2.0, 1.0, 1.0, 1.0, 3.0, 2.0, 2.0, 2.0]);
    // What is written to parts alone is not known of the whole.
    let mut y = [const { MaybeUninit::<f32>::uninit() }; 4];
    let mut out = TensorMut::uninit(&mut y, &[2, 2])?;
    let (mut above, below) = out.split(0, 1)?;
    ops::neg(&x.slice(0, ..1)?, &mut above)?;
    assert_eq!(above.into_slice::<f32>()?, [-1.0, -2.0]);
    assert_eq!(below.into_slice::<f32>().unwrap_err().status(), Status::InvalidArgument);
    Ok(())
}

#[test]
fn memory_without_values() -> Result<()> {
    let x = [1.0f32, 4.0, 9.0];
    let x = TensorRef::new(&x, &[3])?;
    let mut roots: Vec<f32> = Vec::with_capacity(3);
    let mut out = TensorMut::uninit(&mut roots.spare_capacity_mut()[..3], &[3])?;
    let plan = Plan::new(&Op::SQRT, [&x], [&out])?;
    plan.execute([&x], [&mut out])?;
    ops::neg(Input::in_place(0), &mut out)?; // now it may be read
    assert_eq!(out.into_slice::<f32>()?, [-1.0, -2.0, -3.0]);
    // SAFETY: written, as `into_slice` showed.
    unsafe { roots.set_len(3) };
    assert_eq!(roots, [-1.0, -2.0, -3.0]);

    let (mut y, mut mask) =
        ([const { MaybeUninit::<f32>::uninit() }; 3], [MaybeUninit::<bool>::uninit(); 3]);
    let (mut out, mut kept) =
        (TensorMut::uninit(&mut y, &[3])?, TensorMut::uninit(&mut mask, &[3])?);
    ops::dropout(&x, Input::ABSENT, &mut out, Some(&mut kept))?;
    let (y, mask) = (out.into_slice::<f32>()?, kept.into_slice::<bool>()?);
    assert!(y.iter().zip(mask).all(|(y, kept)| (*y != 0.0) == *kept));

    let mut copied = [MaybeUninit::<f32>::uninit(); 3];
    let mut out = TensorMut::uninit(&mut copied, &[3])?;
    copy(&x, &mut out)?;
    assert_eq!(out.into_slice::<f32>()?, [1.0, 4.0, 9.0]);
    let mut named = [MaybeUninit::<f32>::uninit(); 3];
    let mut out = TensorMut::uninit(&mut named, &[3])?;
    call("neg", &[(&x).into()], &mut [&mut out], &[])?;
    out.as_ref();
    assert!(out.into_slice::<i32>().is_err(), "another type");
    Ok(())
}

#[test]
fn numbers_are_operands() -> Result<()> {
    let (x, mut y) = ([2i32, 4], [0.0f32; 2]);
    let x = TensorRef::new(&x, &[2])?;
    ops::mul(&x, 0.5, &mut TensorMut::new(&mut y, &[2])?)?;
    assert_eq!(y, [1.0, 2.0]);
    // A float64 number does not make a float32 computation one of float64.
    let thirds = [1.0f32 / 3.0; 2];
    let thirds = TensorRef::new(&thirds, &[2])?;
    let mut out = TensorMut::new(&mut y, &[2])?;
    let plan = Plan::new(&Op::ADD, [Operand::from(&thirds), 0.1.into()], [&out])?;
    assert_eq!(plan.compute_dtype()?, DType::F32);
    plan.execute([(&thirds).into(), Input::from(0.1)], [&mut out])?;
    assert_eq!(y, [1.0f32 / 3.0 + 0.1; 2]);
    // By name, of other types, and with another value through the same plan.
    for value in [1u8, 2, 3] {
        let mut out = TensorMut::new(&mut y, &[2])?;
        call("sub", &[(&thirds).into(), value.into()], &mut [&mut out], &[])?;
        assert_eq!(y, [1.0f32 / 3.0 - f32::from(value); 2]);
    }
    let mut truth = [false; 2];
    ops::logical_or(&x, true, &mut TensorMut::new(&mut truth, &[2])?)?;
    assert_eq!(truth, [true; 2]);
    Ok(())
}

#[test]
fn in_place_and_absent() -> Result<()> {
    let mut x = [1.0f32, -2.0];
    let b = [10.0f32, 10.0];
    let mut out = TensorMut::new(&mut x, &[2])?;
    ops::add(Input::in_place(0), &TensorRef::new(&b, &[2])?, &mut out)?;
    let plan = Plan::new(&Op::ABS, [Input::in_place(0)], [&out])?;
    plan.execute([Input::in_place(0)], [&mut out])?;
    let clamp = ops::Clamp::new().max(10.0);
    clamp.call(Input::in_place(0), Input::ABSENT, Input::ABSENT, &mut out)?;
    assert_eq!(x, [10.0, 8.0]);
    Ok(())
}

#[test]
fn dropout_has_two_outputs() -> Result<()> {
    let x = [1.0f32; 64];
    let (mut y, mut mask, mut alone) = ([0.0f32; 64], [false; 64], [0.0f32; 64]);
    let x = TensorRef::new(&x, &[64])?;
    let dropout = ops::Dropout::new().p(0.25).seed(7);
    let mut kept = TensorMut::new(&mut mask, &[64])?;
    dropout.call(&x, Input::ABSENT, &mut TensorMut::new(&mut y, &[64])?, Some(&mut kept))?;
    dropout.call(&x, Input::ABSENT, &mut TensorMut::new(&mut alone, &[64])?, None)?;
    assert_eq!(y, alone);
    assert!(y.iter().zip(mask).all(|(y, kept)| *y == if kept { 1.0 / 0.75 } else { 0.0 }));
    assert!(mask.contains(&true) && mask.contains(&false));
    ops::dropout(&x, Input::ABSENT, &mut TensorMut::new(&mut alone, &[64])?, None)
}

#[test]
fn operands_that_stand_for_attributes() -> Result<()> {
    let x = [1.0f32; 8];
    let (mut y, mut z) = ([0.0f32; 8], [0.0f32; 8]);
    let x = TensorRef::new(&x, &[8])?;
    let seed = [7i64, 3];
    let seed = TensorRef::new(&seed, &[2])?;
    ops::dropout(&x, &seed, &mut TensorMut::new(&mut y, &[8])?, None)?;
    let dropout = ops::Dropout::new().seed(7).offset(3);
    dropout.call(&x, Input::ABSENT, &mut TensorMut::new(&mut z, &[8])?, None)?;
    assert_eq!(y, z);

    let slopes = [0.5f32, 0.25];
    let slopes = TensorRef::new(&slopes, &[2])?;
    ops::alibi(&slopes, &mut TensorMut::new(&mut y, &[2, 2, 2])?)?;
    assert_eq!(y, [0.0, -0.5, -0.5, 0.0, 0.0, -0.25, -0.25, 0.0]);

    let (cos, sin, at) = ([0.0f32; 4], [1.0f32; 4], [1i32, 0]);
    let (cos, sin) = (TensorRef::new(&cos, &[2, 2])?, TensorRef::new(&sin, &[2, 2])?);
    let x = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let (x, at) = (TensorRef::new(&x, &[2, 4])?, TensorRef::new(&at, &[2])?);
    ops::rope_neox(&x, &at, &cos, &sin, &mut TensorMut::new(&mut y, &[2, 4])?)?;
    assert_eq!(y, [-3.0, -4.0, 1.0, 2.0, -7.0, -8.0, 5.0, 6.0]);
    Ok(())
}

#[test]
fn attributes_by_name() -> Result<()> {
    let x = [-1.0f32, 0.5, 2.0];
    let (mut by_name, mut typed) = ([0.0f32; 3], [0.0f32; 3]);
    let x = TensorRef::new(&x, &[3])?;
    let attrs = [("approximate", "tanh".into())];
    call("gelu", &[(&x).into()], &mut [&mut TensorMut::new(&mut by_name, &[3])?], &attrs)?;
    let gelu = ops::Gelu::new().approximate(ops::choices::Approximate::Tanh);
    gelu.call(&x, &mut TensorMut::new(&mut typed, &[3])?)?;
    assert_eq!(by_name, typed);
    let attrs = [("min_val", (-0.5f32).into()), ("max_val", 1.into())];
    let plan = Plan::new(&Named::new(Op::HARDTANH, &attrs), [&x], [&x])?;
    plan.execute([&x], [&mut TensorMut::new(&mut typed, &[3])?])?;
    assert_eq!(typed, [-0.5, 0.5, 1.0]);
    Ok(())
}

#[test]
fn owned_tensors_and_dlpack() -> Result<()> {
    let mut x = Tensor::from_vec(vec![1.0f32, 4.0, 9.0, 16.0], &[2, 2])?;
    let address = x.as_slice::<f32>()?.as_ptr();
    let mut y = Tensor::new(Device::CPU, DType::F64, &[2, 2])?;
    assert_eq!(y.as_slice::<f64>()?, [0.0; 4]);
    ops::sqrt(&x, &mut y.view_mut()?)?;
    assert_eq!(y.as_slice::<f64>()?, [1.0, 2.0, 3.0, 4.0]);
    x.as_mut_slice::<f32>()?[3] = 25.0;

    let managed = x.into_dlpack();
    // SAFETY: a valid tensor, ours until it is handed back.
    unsafe {
        let tensor = &(*managed.as_ptr()).dl_tensor;
        assert_eq!((tensor.ndim, tensor.data.cast_const().cast()), (2, address));
        assert!(!tensor.strides.is_null());
    }
    // SAFETY: as above.
    let back = unsafe { Tensor::from_dlpack(managed) }?;
    assert_eq!((back.shape(), back.as_slice::<f32>()?), (&[2, 2][..], &[1.0, 4.0, 9.0, 25.0][..]));

    // byte_offset counts.
    let managed = back.into_dlpack();
    // SAFETY: still a valid tensor, of two elements from the third on.
    let tail = unsafe {
        (*managed.as_ptr()).dl_tensor.byte_offset = 8;
        *(*managed.as_ptr()).dl_tensor.shape = 1;
        Tensor::from_dlpack(managed)
    }?;
    assert_eq!(tail.as_slice::<f32>()?, [9.0, 25.0]);
    let mut copied = [0.0f32; 2];
    copy(&tail.view(), &mut TensorMut::new(&mut copied, &[1, 2])?)?;
    assert_eq!(copied, [9.0, 25.0]);
    Ok(())
}

#[test]
fn contexts_and_devices() -> Result<()> {
    let context = Context::new(
        &ContextOptions::new()
            .num_threads(1)
            .cpu_isa("baseline")
            .cache_mode(tileops::CacheMode::Off)
            .cache_dir(std::env::temp_dir())
            .plan_capacity(2),
    )?;
    let options = PlanOptions::new().context(&context);
    let x = TensorSpec::new(DType::F32, &[2])?;
    options.check(&Op::EXP, &[(&x).into()], &[(&x).into()])?;
    assert_eq!(context.cache_stats()?.plan_misses, 0, "a check prepares nothing");
    let plan = options.plan(&Op::EXP, [&x], [&x])?;
    assert_eq!(context.cache_stats()?.plan_entries, 1);
    context.clear_plans()?;
    assert_eq!(context.cache_stats()?.plan_entries, 0);
    assert_eq!(context.cache_dir()?, Some(std::env::temp_dir()));
    drop(context); // the plan keeps what it needs
    let (mut y, zero) = ([0.0f32; 2], [0.0f32; 2]);
    plan.clone().execute([&TensorRef::new(&zero, &[2])?], [&mut TensorMut::new(&mut y, &[2])?])?;
    assert_eq!(y, [1.0, 1.0]);

    let all = devices()?;
    assert_eq!(all[0].device, Device::CPU);
    assert!(!all[0].name.is_empty() && !all[0].arch.is_empty());
    assert!(all[0].units > 0 && all[0].memory_bytes > 0);
    assert!(tileops::version() >= tileops::sys::TILEOPS_VERSION);
    assert!(tileops::build_info().contains(tileops::version_string()));
    Ok(())
}

#[test]
fn operators_describe_themselves() -> Result<()> {
    let info = Op::GELU.describe()?;
    assert_eq!((info.name(), info.category()), ("gelu", "activation"));
    let attrs: Vec<_> = info.attrs().map(|a| (a.name, a.choices)).collect();
    assert_eq!(attrs[0], ("approximate", Some("none|tanh")));
    let p = Op::DROPOUT.describe()?.attrs().next().unwrap();
    assert_eq!((p.name, p.default, p.range), ("p", Some(0.5.into()), (0.0, 1.0)));
    let inputs: Vec<_> = Op::WHERE.describe()?.inputs().collect();
    assert_eq!(
        (inputs[0].name, inputs[0].dtype, inputs[0].optional),
        ("cond", Some("bool"), false)
    );
    let outputs: Vec<_> = Op::DROPOUT.describe()?.outputs().map(|o| o.optional).collect();
    assert_eq!(outputs, [false, true]);
    assert_eq!(format!("{} {:?}", Op::ADD, Op::ADD), format!("add Op({}: add)", Op::ADD.id()));
    Ok(())
}

#[test]
fn counters_move() -> Result<()> {
    // Other tests of this process have handles as well: each of ours must be seen.
    let context = Context::new(&ContextOptions::default())?;
    let x = TensorSpec::new(DType::F32, &[2])?;
    let plan = PlanOptions::new().context(&context).plan(&Op::EXP, [&x], [&x])?;
    let tensor = Tensor::new(Device::CPU, DType::I8, &[1])?;
    let live = live_handles();
    assert!(live.contexts >= 1 && live.plans >= 1 && live.tensors >= 1, "{live:?}");
    drop((context, plan, tensor));
    Ok(())
}
