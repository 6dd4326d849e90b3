//! Inputs in place of outputs, on the device `TILEOPS_TEST_DEVICE` (default: cpu): a step of AdamW
//! reads four tensors and updates three of them where they are.

#[path = "common/on_device.rs"]
mod on_device;

use on_device::{on_device, to_host};
use tileops::{ops, DType, Expr, Input, Number, Op, Operand, Plan, PlanOptions, RawStream, Result};
use tileops::{Status, Tensor, TensorMut, TensorRef, TensorSpec};

const N: usize = 1000;
const STEPS: i64 = 3;

/// p, g, m and v before the first step; v is not negative.
fn state() -> [Vec<f32>; 4] {
    let wave = |period: usize| (0..N).map(|i| (i % period) as f32 / 8.0 - 1.0).collect::<Vec<_>>();
    [wave(17), wave(13), wave(11), wave(7).iter().map(|v| v * v).collect()]
}

/// p, m and v after some steps, each of which writes tensors of its own.
fn expected(adamw: &Expr) -> Result<[Vec<f32>; 3]> {
    let [p, g, m, v] = state();
    let g = on_device(&g)?;
    let [mut p, mut m, mut v] = [on_device(&p)?, on_device(&m)?, on_device(&v)?];
    for t in 1..=STEPS {
        let mut next = [on_device(&[0.0; N])?, on_device(&[0.0; N])?, on_device(&[0.0; N])?];
        let [a, b, c] = &mut next;
        let plan = Plan::new(adamw, [&p, &g, &m, &v], [&*a, b, c])?;
        let outputs = [&mut a.view_mut()?, &mut b.view_mut()?, &mut c.view_mut()?];
        plan.execute_with([&p, &g, &m, &v], outputs, &step(adamw, t)?)?;
        [p, m, v] = next;
    }
    Ok([to_host(&p)?, to_host(&m)?, to_host(&v)?])
}

fn step(adamw: &Expr, t: i64) -> Result<Vec<Number>> {
    adamw.scalar_values(&[("t", t.into()), ("lr", 0.05.into())])
}

fn inputs(g: &Tensor) -> [Input<'_>; 4] {
    [Input::in_place(0), g.into(), Input::in_place(1), Input::in_place(2)]
}

/// Takes the steps in place, by `run`, and compares with those that are not.
fn same_in_place(
    run: impl Fn(&Plan, &Expr, &Tensor, [&mut TensorMut<'_>; 3], &[Number]) -> Result<()>,
) -> Result<()> {
    let adamw = Expr::named("adamw")?;
    let [p, g, m, v] = state();
    let g = on_device(&g)?;
    let [mut p, mut m, mut v] = [on_device(&p)?, on_device(&m)?, on_device(&v)?];
    let plan = Plan::new(&adamw, inputs(&g), [&p, &m, &v])?;
    for t in 1..=STEPS {
        let outputs = [&mut p.view_mut()?, &mut m.view_mut()?, &mut v.view_mut()?];
        run(&plan, &adamw, &g, outputs, &step(&adamw, t)?)?;
    }
    assert_eq!([to_host(&p)?, to_host(&m)?, to_host(&v)?], expected(&adamw)?);
    Ok(())
}

#[test]
fn adamw_by_a_plan() -> Result<()> {
    same_in_place(|plan, _, g, outputs, scalars| plan.execute_with(inputs(g), outputs, scalars))
}

#[test]
fn adamw_by_lists() -> Result<()> {
    same_in_place(|plan, _, g, mut outputs, scalars| {
        plan.execute_with_dyn(&inputs(g), &mut outputs, scalars)
    })
}

#[test]
fn adamw_on_a_stream() -> Result<()> {
    same_in_place(|plan, _, g, outputs, scalars| {
        // SAFETY: the copies that follow on the default stream, and are waited for, end the work.
        unsafe { plan.execute_with_on(inputs(g), outputs, scalars, RawStream::DEFAULT) }
    })
}

#[test]
fn adamw_by_a_call() -> Result<()> {
    same_in_place(|_, adamw, g, outputs, scalars| adamw.call_with(inputs(g), outputs, scalars))
}

/// Through the slices and events of `cudarc`; needs a GPU.
#[cfg(feature = "cudarc")]
#[test]
fn adamw_of_cudarc() -> std::result::Result<(), Box<dyn std::error::Error>> {
    use cudarc::driver::CudaContext;
    use on_device::device;
    use tileops::{CudaInput, CudaOutput, Device};
    if device() != Device::cuda(0) {
        println!("skipped: TILEOPS_TEST_DEVICE is not cuda:0");
        return Ok(());
    }
    let adamw = Expr::named("adamw")?;
    let stream = CudaContext::new(0)?.new_stream()?;
    let [p, g, m, v] = state();
    let g = stream.clone_htod(&g)?;
    let [mut p, mut m, mut v] =
        [stream.clone_htod(&p)?, stream.clone_htod(&m)?, stream.clone_htod(&v)?];
    for t in 1..=STEPS {
        let inputs = [
            CudaInput::in_place(0),
            CudaInput::new(&stream, &g, &[N])?,
            CudaInput::in_place(1),
            CudaInput::in_place(2),
        ];
        let outputs = [
            CudaOutput::new(&stream, &mut p, &[N])?,
            CudaOutput::new(&stream, &mut m, &[N])?,
            CudaOutput::new(&stream, &mut v, &[N])?,
        ];
        let plan = Plan::new(&adamw, inputs.each_ref(), outputs.each_ref())?;
        plan.execute_cuda_with(&stream, inputs, outputs, &step(&adamw, t)?)?;
    }
    let got = [stream.clone_dtoh(&p)?, stream.clone_dtoh(&m)?, stream.clone_dtoh(&v)?];
    assert_eq!(got, expected(&adamw)?);
    Ok(())
}

#[test]
fn two_inputs_of_one_output() -> Result<()> {
    let mut x = on_device(&[1.0, -3.0])?;
    ops::mul(Input::in_place(0), Input::in_place(0), &mut x.view_mut()?)?;
    assert_eq!(to_host(&x)?, [1.0, 9.0]);
    Ok(())
}

/// The status is InvalidArgument, and the message names the input.
fn refused(result: Result<()>, input: usize, text: &str) {
    let error = result.expect_err(text);
    assert_eq!(error.status(), Status::InvalidArgument, "{error}");
    assert_eq!((error.argument(), error.index()), (Some("inputs"), Some(input)), "{error}");
    assert!(error.message().contains(text), "{error}");
}

#[test]
fn what_is_no_place_is_refused() -> Result<()> {
    // There is no such output: when planned, when executed, when called.
    let (x, mut y) = ([1.0f32; 6], [0.0f32; 6]);
    let x = TensorRef::new(&x, &[2, 3])?;
    let mut out = TensorMut::new(&mut y, &[2, 3])?;
    let list = [Input::from(&x), Input::in_place(1)];
    let missing = "in place of no output (got 1, of 1 outputs)";
    refused(Plan::new(&Op::ADD, list, [&out]).map(drop), 1, missing);
    let plan = Plan::new(&Op::ADD, [&x, &x], [&out])?;
    refused(plan.execute(list, [&mut out]), 1, missing);
    refused(plan.execute_dyn(&list, &mut [&mut out]), 1, missing);
    refused(ops::add(list[0], list[1], &mut out), 1, missing);
    refused(ops::dropout(list[1], Input::ABSENT, &mut out, None), 0, missing);
    let operands = [Operand::from(&x), Input::in_place(1).into()];
    refused(PlanOptions::new().check(&Op::ADD, &operands, &[(&out).into()]), 1, missing);
    refused(Plan::infer(&Op::ADD, list).map(drop), 1, "in place of no output");

    // Planned with another shape, or another dtype, than the output has.
    let row = TensorSpec::new(DType::F32, &[3])?;
    let plan = Plan::new(&Op::ADD, [Operand::from(&x), (&row).into()], [&out])?;
    refused(plan.execute([Input::from(&x), Input::in_place(0)], [&mut out]), 1, "need (3,)");
    let wide = TensorSpec::new(DType::F64, &[2, 3])?;
    let plan = Plan::new(&Op::ADD, [Operand::from(&x), (&wide).into()], [&out])?;
    refused(plan.execute([Input::from(&x), Input::in_place(0)], [&mut out]), 1, "need float64");
    assert_eq!(y, [0.0; 6], "a refused call wrote its output");
    Ok(())
}
