//! Random plans through the safe interface, in each of its ways, and beside it by the C API as it is:
//! results equal to the bit, the same refusals in the same words. What this crate refuses by itself is
//! known beforehand.

#[path = "common/c_call.rs"]
mod c_call;
#[path = "common/random_case.rs"]
mod random_case;
#[path = "common/typed.rs"]
mod typed;

use random_case::{Case, Given, Memory, Random, What};
use std::collections::BTreeMap;
use tileops::{call, DType, Device, Error, Expr, Input, Named, Number, Op, Operand, Operator};
use tileops::{Plan, PlanOptions, Result, Status, TensorMut, TensorRef};

const CASES: usize = 3000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Arrays,
    Lists,
    Cached,
    Typed,
}

fn tensor(memory: &Memory) -> TensorRef<'_> {
    let Memory { dtype, shape, strides, .. } = memory;
    let data = memory.element_0().cast_const().cast();
    // SAFETY: inside of the memory, with values of the dtype, and nobody writes it.
    unsafe { TensorRef::from_raw(data, Device::CPU, *dtype, shape, Some(strides)) }.unwrap()
}

fn output(memory: &mut Memory) -> TensorMut<'_> {
    let data = memory.words.as_mut_ptr().cast::<u8>().wrapping_add(memory.offset).cast();
    // SAFETY: as above, borrowed uniquely.
    unsafe {
        TensorMut::from_raw(data, Device::CPU, memory.dtype, &memory.shape, Some(&memory.strides))
    }
    .unwrap()
}

fn number(dtype: DType, bits: u64) -> Input<'static> {
    match dtype {
        DType::F32 => f32::from_bits(bits as u32).into(),
        DType::F64 => f64::from_bits(bits).into(),
        DType::Bool => (bits != 0).into(),
        DType::U8 => (bits as u8).into(),
        DType::I32 => (bits as i32).into(),
        _ => (bits as i64).into(),
    }
}

/// Makes the plan and runs it, by arrays of a length that the compiler knows.
fn by_arrays<const N: usize, const M: usize>(
    operator: &impl Operator,
    inputs: &[Input<'_>],
    outputs: Vec<&mut TensorMut<'_>>,
    scalars: &[Number],
) -> Result<()> {
    let inputs: [Input<'_>; N] = inputs.try_into().unwrap();
    let outputs: [&mut TensorMut<'_>; M] = outputs.try_into().unwrap();
    let plan = {
        let operands = inputs.map(Operand::from);
        let results = outputs.each_ref().map(|output| Operand::from(&**output));
        Plan::new(operator, operands, results)?
    };
    plan.execute_with(inputs, outputs, scalars)
}

macro_rules! of_lengths {
    ($ins:expr, $outs:expr; $($n:literal)*; $call:ident $arguments:tt) => {
        match ($ins, $outs) {
            $(
                ($n, 1) => $call::<$n, 1> $arguments,
                ($n, 2) => $call::<$n, 2> $arguments,
                ($n, 3) => $call::<$n, 3> $arguments,
                ($n, 4) => $call::<$n, 4> $arguments,
            )*
            lengths => panic!("{lengths:?}"),
        }
    };
}

fn run(
    operator: &impl Operator,
    inputs: &[Input<'_>],
    mut outputs: Vec<&mut TensorMut<'_>>,
    scalars: &[Number],
    way: Way,
) -> Result<()> {
    if way == Way::Arrays {
        let (ins, outs) = (inputs.len(), outputs.len());
        return of_lengths!(ins, outs; 0 1 2 3 4 5; by_arrays(operator, inputs, outputs, scalars));
    }
    let plan = {
        let operands: Vec<Operand<'_>> = inputs.iter().map(|input| (*input).into()).collect();
        let results: Vec<Operand<'_>> = outputs.iter().map(|o| Operand::from(&**o)).collect();
        PlanOptions::new().plan_dyn(operator, &operands, &results)?
    };
    plan.execute_with_dyn(inputs, &mut outputs, scalars)
}

fn of_memory(input: &Given) -> Option<TensorRef<'_>> {
    match input {
        Given::Memory(memory) => Some(tensor(memory)),
        _ => None,
    }
}

/// The case by the safe interface: the outputs' memory as it is then.
fn safe(case: &Case, expr: Option<&Expr>, way: Way) -> Result<Vec<Vec<u64>>> {
    let mut outputs = case.outputs.clone();
    let tensors: Vec<Option<TensorRef<'_>>> = case.inputs.iter().map(of_memory).collect();
    let inputs: Vec<Input<'_>> = case
        .inputs
        .iter()
        .zip(&tensors)
        .map(|(input, tensor)| match input {
            Given::Memory(_) => tensor.as_ref().unwrap().into(),
            Given::Number(dtype, _, bits) => number(*dtype, *bits),
            Given::Absent => Input::ABSENT,
            Given::InPlace(k) => Input::in_place(*k),
        })
        .collect();
    let mut outs: Vec<TensorMut<'_>> = outputs.iter_mut().map(output).collect();
    let mut outs: Vec<&mut TensorMut<'_>> = outs.iter_mut().collect();
    match (&case.what, way) {
        (What::Operator(op, attrs), Way::Cached) => call(op.name(), &inputs, &mut outs, attrs)?,
        (What::Operator(op, _), Way::Typed) => typed::call(op.name(), &inputs, &mut outs)?,
        (What::Operator(op, attrs), _) => {
            run(&Named::new(*op, attrs), &inputs, outs, &[], way)?;
        }
        (What::Expression(_), Way::Cached | Way::Typed) => {
            expr.unwrap().call_with_dyn(&inputs, &mut outs, &case.scalars)?;
        }
        (What::Expression(_), _) => run(expr.unwrap(), &inputs, outs, &case.scalars, way)?,
    }
    Ok(outputs.into_iter().map(|memory| memory.words).collect())
}

/// Inputs in place of no output, and numbers of an expression: refused when planned, by this crate.
fn refused_when_planned(case: &Case) -> Option<usize> {
    let nowhere = |input: &Given| matches!(input, Given::InPlace(k) if *k >= case.outputs.len());
    let number = |input: &Given| matches!(input, Given::Number(..));
    let of_expression = matches!(case.what, What::Expression(_));
    let place = case.inputs.iter().position(nowhere);
    place.or_else(|| case.inputs.iter().position(number).filter(|_| of_expression))
}

/// Is the number that is input `i` of an operator refused? None: the language cannot say.
///
/// A number is a literal of an expression of that one operator, which the library checks.
fn number_refused(case: &Case, i: usize) -> Option<bool> {
    let What::Operator(op, attrs) = &case.what else { return None };
    let Given::Number(dtype, literal, bits) = &case.inputs[i] else { return Some(false) };
    if *dtype == DType::Bool || (dtype.name().contains("int") && *bits < 8) {
        return Some(false);
    }
    let info = op.describe().unwrap();
    // Bounds and exponents are attributes where they are literals, which are told from operands there.
    if info.inputs().nth(i)?.optional || !attrs.is_empty() || op.describe_function().is_err() {
        return None;
    }
    // Beside 0-d tensors a number is one of them, a literal is not.
    let dimensions = |(input, info): (&Given, tileops::OperandInfo)| match input {
        Given::Memory(memory) => info.dtype.is_none() && !memory.shape.is_empty(),
        Given::InPlace(k) => info.dtype.is_none() && !case.outputs[*k].shape.is_empty(),
        _ => false,
    };
    if !case.inputs.iter().zip(info.inputs()).any(dimensions) {
        return None;
    }
    let mut names: Vec<String> = (0..case.inputs.len()).map(|k| format!("x{k}")).collect();
    let mut arguments = names.clone();
    arguments[i] = literal.clone();
    names.remove(i);
    // An expression compares with any number; an operator's has to be of the operand's dtype, as in a sum.
    let compares = ["eq", "ne", "lt", "le", "gt", "ge"].contains(&op.name());
    let function = if compares { "add" } else { op.name() };
    let text = format!("({}) -> {function}({})", names.join(", "), arguments.join(", "));
    let mut alone = case.clone();
    alone.what = What::Expression(text);
    alone.inputs.remove(i);
    match c_call::planned(&alone) {
        Ok(()) => Some(false),
        Err((_, message)) => {
            assert!(message.contains("is out of range for"), "{message} of {alone:?}");
            Some(true)
        }
    }
}

/// The refusal is this crate's own, and names the input.
fn assert_own(error: &Error, input: usize, case: &Case) {
    assert_eq!(error.status(), Status::InvalidArgument, "{error} of {case:?}");
    let named = (error.function(), error.index());
    assert_eq!(named, (Some("Plan"), Some(input)), "{error} of {case:?}");
}

#[test]
fn random_plans_are_those_of_the_c_api() {
    let mut random = Random(2024);
    let all: Vec<Op> = Op::all().collect();
    let several = |op: &Op| op.describe().unwrap().inputs().len() > 1;
    let several: Vec<Op> = all.iter().copied().filter(several).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..CASES {
        let mut case = match random.one_in(2) {
            true => Case::of_expression(&mut random),
            false => {
                let op = if random.one_in(3) { random.pick(&all) } else { random.pick(&several) };
                Case::of_operator(&mut random, op)
            }
        };
        if refused_when_planned(&case).is_none() && !random.one_in(8) {
            natural_results(&mut random, &mut case);
        }
        let what = judge(&case);
        *counts.entry(what).or_default() += 1;
        let executed = what == "executed";
        let second = |input: &Given| matches!(input, Given::InPlace(1..));
        if executed && case.inputs.iter().any(second) {
            *counts.entry("in place of a later output").or_default() += 1;
        }
        if executed && case.inputs.iter().any(|input| matches!(input, Given::Number(..))) {
            *counts.entry("executed with numbers").or_default() += 1;
        }
    }
    println!("{counts:?}");
    // Nothing of it has become rare.
    for (what, least) in [
        ("executed", 1000),
        ("in place of a later output", 100),
        ("executed with numbers", 100),
        ("number refused", 10),
        ("refused by the library", 300),
        ("refused when planned", 50),
    ] {
        assert!(counts.get(what).is_some_and(|count| *count >= least), "{what}: {counts:?}");
    }
}

/// Outputs get the shape that their results have, and often their dtype.
fn natural_results(random: &mut Random, case: &mut Case) {
    for k in 0..case.outputs.len() {
        let Some((dtype, shape)) = c_call::inferred(case, k) else { continue };
        let own = case.outputs[k].dtype;
        if shape != case.outputs[k].shape || (own != dtype && random.one_in(2)) {
            case.outputs[k] = Memory::new(random, dtype, &shape);
        }
    }
}

/// Runs a case in all ways and compares; tells what became of it.
fn judge(case: &Case) -> &'static str {
    let expr = match &case.what {
        What::Expression(text) => match Expr::parse(text) {
            Ok(expr) => Some(expr),
            Err(error) => {
                let (status, message) = c_call::parse(text).expect_err(error.message());
                assert_eq!((error.status(), error.message()), (status, &message[..]));
                return "text refused";
            }
        },
        What::Operator(..) => None,
    };
    let untyped = matches!(&case.what, What::Operator(_, attrs) if !attrs.is_empty());
    let ways: &[Way] = match (&expr, untyped) {
        (None, false) => &[Way::Arrays, Way::Lists, Way::Cached, Way::Cached, Way::Typed],
        _ => &[Way::Arrays, Way::Lists, Way::Cached, Way::Cached],
    };
    let results: Vec<_> = ways.iter().map(|way| safe(case, expr.as_ref(), *way)).collect();
    for (way, result) in ways.iter().zip(&results) {
        assert_eq!(result, &results[0], "{way:?} of {case:?}");
    }
    let result = &results[0];
    if let Some(input) = refused_when_planned(case) {
        assert_own(result.as_ref().expect_err("planned"), input, case);
        return "refused when planned";
    }
    if c_call::planned(case).is_ok() {
        for i in 0..case.inputs.len() {
            match number_refused(case, i) {
                Some(false) => {}
                Some(true) => {
                    assert_own(result.as_ref().expect_err("a number was taken"), i, case);
                    return "number refused";
                }
                None if matches!(case.what, What::Operator(..)) => return "not known",
                None => {}
            }
        }
    }
    match (c_call::run(case), result) {
        (Ok(expected), Ok(words)) => {
            assert!(expected == *words, "{case:?}\ngives {words:?}\n and in C {expected:?}");
            "executed"
        }
        (Err((status, message)), Err(error)) => {
            assert_eq!((error.status(), error.message()), (status, &message[..]), "{case:?}");
            "refused by the library"
        }
        (expected, result) => panic!("{case:?}\ngives {result:?}\n and in C {expected:?}"),
    }
}
