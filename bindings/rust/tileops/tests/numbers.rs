//! Numbers among the inputs of operators: those that the computation does not hold are refused, the
//! others keep their value.

#[path = "common/typed.rs"]
mod typed;

use tileops::{call, ops, DType, Expr, Input, Op, Operand, Plan, PlanOptions, Result, Status};
use tileops::{Tensor, TensorMut, TensorRef, TensorSpec};

const INTEGERS: [(DType, i128, i128); 8] = [
    (DType::I8, i8::MIN as i128, i8::MAX as i128),
    (DType::I16, i16::MIN as i128, i16::MAX as i128),
    (DType::I32, i32::MIN as i128, i32::MAX as i128),
    (DType::I64, i64::MIN as i128, i64::MAX as i128),
    (DType::U8, 0, u8::MAX as i128),
    (DType::U16, 0, u16::MAX as i128),
    (DType::U32, 0, u32::MAX as i128),
    (DType::U64, 0, u64::MAX as i128),
];

/// A number of the widest type that has this value.
fn number(value: i128) -> Input<'static> {
    match i64::try_from(value) {
        Ok(value) => value.into(),
        Err(_) => u64::try_from(value).expect("a value of 64 bits").into(),
    }
}

fn refused(result: Result<()>, input: usize, text: &str) {
    let error = result.expect_err(text);
    assert_eq!(error.status(), Status::InvalidArgument, "{error}");
    assert_eq!((error.argument(), error.index()), (Some("inputs"), Some(input)), "{error}");
    assert!(error.message().contains(text), "{error}");
}

/// Operators that compute integers in their promoted dtype: two operands, of which either may be a
/// number.
const OPERATORS: [&str; 17] = [
    "add",
    "sub",
    "mul",
    "remainder",
    "floor_divide",
    "pow",
    "maximum",
    "minimum",
    "eq",
    "ne",
    "gt",
    "lt",
    "ge",
    "le",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
];

#[test]
fn integers_out_of_range_are_refused_by_every_operator() -> Result<()> {
    for (dtype, least, most) in INTEGERS {
        let x = Tensor::new(tileops::Device::CPU, dtype, &[2])?;
        for name in OPERATORS {
            let op: Op = name.parse()?;
            let result = Plan::infer(&op, [&x, &x])?[0].dtype();
            let mut y = Tensor::new(tileops::Device::CPU, result, &[2])?;
            let mut run = |value: i128, at: usize| {
                let mut inputs = [Input::from(&x), Input::from(&x)];
                inputs[at] = number(value);
                let by_name = call(name, &inputs, &mut [&mut y.view_mut()?], &[]);
                let typed = typed::call(name, &inputs, &mut [&mut y.view_mut()?]);
                assert_eq!(by_name, typed, "{name} of {dtype} and {value}");
                by_name
            };
            for at in [0, 1] {
                for value in [least, most, 1, 127] {
                    // A number of i64 beside u64 is one of another dtype, and fits all the same.
                    run(value, at).unwrap_or_else(|why| panic!("{name} of {dtype}: {why}"));
                }
                for value in [least - 1, most + 1] {
                    if i64::try_from(value).is_ok() || u64::try_from(value).is_ok() {
                        let text = format!("out of range for {dtype} (got {value}, need {least}");
                        refused(run(value, at), at, &text);
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn numbers_beside_other_operands() -> Result<()> {
    let (x, mask, mut y) = ([200u8, 7], [true, false], [0u8; 2]);
    let (x, mask) = (TensorRef::new(&x, &[2])?, TensorRef::new(&mask, &[2])?);
    let mut out = TensorMut::new(&mut y, &[2])?;
    refused(ops::where_(&mask, &x, 300, &mut out), 2, "out of range for uint8 (got 300");
    refused(ops::where_(&mask, -1, &x, &mut out), 1, "got -1, need 0 to 255");
    refused(ops::clamp(&x, -5, Input::ABSENT, &mut out), 1, "got -5");
    refused(ops::clamp(&x, 0, 1000i64, &mut out), 2, "got 1000");
    refused(ops::masked_fill(&x, &mask, 256, &mut out), 2, "got 256");
    refused(
        ops::masked_fill(&x, &mask, 1.0, &mut out),
        2,
        "float64, where the plan computes in uint8",
    );
    refused(ops::masked_fill(&x, &mask, 2.5f32, &mut out), 2, "a number of float32");
    ops::masked_fill(&x, &mask, 255, &mut out)?;
    assert_eq!(out.into_slice::<u8>()?, [255, 7]);

    // Bools are 0 and 1; a number of a higher kind decides, and keeps its value.
    let mut wide = [0i32; 2];
    ops::add(&mask, 300, &mut TensorMut::new(&mut wide, &[2])?)?;
    assert_eq!(wide, [301, 300]);
    ops::add(&x, true, &mut TensorMut::new(&mut y, &[2])?)?;
    assert_eq!(y, [201, 8]);
    let mut floats = [0.0f32; 2];
    ops::mul(&x, 0.5, &mut TensorMut::new(&mut floats, &[2])?)?;
    assert_eq!(floats, [100.0, 3.5]);
    ops::div(&x, 400, &mut TensorMut::new(&mut floats, &[2])?)?;
    assert_eq!(floats, [0.5, 0.0175]);
    let mut truth = [false; 2];
    ops::logical_and(&x, 256, &mut TensorMut::new(&mut truth, &[2])?)?;
    assert_eq!(truth, [true; 2]);

    // Bits that are moved as they are have no range, whatever a plan calls them.
    let mut chosen = [0.0f64; 2];
    ops::where_(&mask, 2.5, -1.0, &mut TensorMut::new(&mut chosen, &[2])?)?;
    assert_eq!(chosen, [2.5, -1.0]);
    ops::cast(-7i64, &mut TensorMut::new(&mut [0i64], &[])?)?;

    // A 0-d tensor is converted as any tensor is.
    ops::gt(&x, &TensorRef::scalar(&300), &mut TensorMut::new(&mut truth, &[2])?)?;
    assert_eq!(truth, [true, false], "300 is 44 as uint8");
    Ok(())
}

#[test]
fn a_plan_of_a_description_checks_numbers_too() -> Result<()> {
    let (x, mut y) = ([200u8, 7], [false; 2]);
    let x = TensorRef::new(&x, &[2])?;
    let mut out = TensorMut::new(&mut y, &[2])?;
    let spec = TensorSpec::new(DType::I32, &[])?;
    let plan = Plan::new(&Op::GT, [Operand::from(&x), (&spec).into()], [&out])?;
    for plan in [plan.clone(), plan] {
        refused(plan.execute([Input::from(&x), 300.into()], [&mut out]), 1, "got 300");
        refused(plan.execute_dyn(&[(&x).into(), (-1).into()], &mut [&mut out]), 1, "got -1");
        plan.execute([Input::from(&x), 100.into()], [&mut out])?;
    }
    assert_eq!(y, [true, false]);
    Ok(())
}

#[test]
fn expressions_have_scalars_and_no_numbers_as_operands() -> Result<()> {
    let (x, mut y) = ([200u8, 7], [false; 2]);
    let x = TensorRef::new(&x, &[2])?;
    let mut out = TensorMut::new(&mut y, &[2])?;
    let expr = Expr::parse("(x, n) -> x > n")?;
    let number = Plan::new(&expr, [Operand::from(&x), 1.into()], [&out]);
    refused(number.map(drop), 1, "a number as operand of an expression");
    refused(Plan::infer(&expr, [Operand::from(&x), 1.into()]).map(drop), 1, "need a tensor");
    let plan = Plan::new(&expr, [&x, &TensorRef::scalar(&1)], [&out])?;
    refused(plan.execute([Input::from(&x), 300.into()], [&mut out]), 1, "TensorRef::scalar");
    refused(expr.call([Input::from(&x), 1.into()], [&mut out]), 1, "are its scalars");
    plan.execute([&x, &TensorRef::scalar(&100)], [&mut out])?;
    assert_eq!(y, [true, false]);
    let mut out = TensorMut::new(&mut y, &[2])?;
    let expr = Expr::parse("(x; n = 1) -> x + n > 1")?;
    expr.call_with([&x], [&mut out], &[7.into()])?;
    let error = expr.call_with([&x], [&mut out], &[300.into()]).unwrap_err();
    assert_eq!((error.argument(), error.index()), (Some("scalars"), Some(0)), "{error}");
    let options = PlanOptions::new();
    let literal = Expr::parse("(x) -> x + 300 > 1")?;
    assert!(options.check(&literal, &[(&x).into()], &[(&out).into()]).is_err());
    Ok(())
}
