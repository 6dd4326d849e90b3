//! The test vectors that the C library's generic runner wrote, to the bit.
//!
//! `TILEOPS_VECTORS` is the file; `TILEOPS_TEST_DEVICE` (cpu, cuda:0) where they run. On CUDA plans
//! are reproducible, so that float32 results have the CPU's bits; NaN equals NaN everywhere.

#[path = "common/typed.rs"]
mod typed;

use serde_json::Value;
use std::collections::BTreeSet;
use tileops::{call, clear_plans, copy, live_handles};
use tileops::{AttrValue, DType, Device, Expr, Input, Named, Number, Op, Operand, Operator};
use tileops::{Plan, PlanOptions};
use tileops::{Tensor, TensorMut, TensorRef};

fn main() {
    let path = std::env::var("TILEOPS_VECTORS").unwrap_or_else(|_| {
        println!("vectors: skipped, since TILEOPS_VECTORS names no file of test vectors");
        std::process::exit(0);
    });
    let device: Device = std::env::var("TILEOPS_TEST_DEVICE")
        .map_or(Ok(Device::CPU), |name| name.parse())
        .expect("TILEOPS_TEST_DEVICE is cpu or cuda:N");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
    let (mut failed, mut lines, mut expressions) = (0, 0, 0);
    let (mut ops, mut typed_ops) = (BTreeSet::new(), BTreeSet::new());
    let mut dtypes = BTreeSet::new();
    for (number, line) in text.lines().enumerate() {
        let vector: Value = serde_json::from_str(line).expect("a line of JSON");
        lines += 1;
        dtypes.extend(vector["outputs"].as_array().unwrap().iter().map(|o| dtype(o).name()));
        if let Some(text) = vector["expr"].as_str() {
            if let Err(why) = run_expression(&vector, text, device) {
                eprintln!("{path}:{}: {text}: {why}", number + 1);
                failed += 1;
            }
            expressions += 1;
            continue;
        }
        let name = vector["op"].as_str().expect("a name").to_string();
        match run(&vector, device) {
            Ok(true) => drop(typed_ops.insert(name.clone())),
            Ok(false) => {}
            Err(why) => {
                eprintln!("{path}:{}: {name}: {why}", number + 1);
                failed += 1;
            }
        }
        ops.insert(name);
    }
    println!(
        "{lines} vectors of {} operators, {expressions} expressions and {} dtypes on {device}, {failed} failed",
        ops.len(),
        dtypes.len()
    );
    // The file covers the table; a file that is cut off, or another library's, does not.
    let without = |set: &BTreeSet<String>| -> Vec<&str> {
        Op::all().map(|op| op.name()).filter(|name| !set.contains(*name)).collect()
    };
    assert!(without(&ops).is_empty(), "no vectors of {:?}", without(&ops));
    // Dropout's vectors give attributes; its typed form is in tests/operators.rs.
    assert_eq!(without(&typed_ops), ["dropout"], "operators whose typed function was not run");
    assert!(expressions >= 20, "{expressions} expressions");
    // Vectors are of whole bytes; interop.rs has the pairs of 4 bits.
    assert_eq!(dtypes.len(), DType::ALL.len() - 1, "dtypes of the outputs");
    clear_plans();
    let live = live_handles();
    assert_eq!((live.tensors, live.plans), (0, 0), "handles that still live");
    std::process::exit(i32::from(failed > 0));
}

fn dtype(operand: &Value) -> DType {
    operand["dtype"].as_str().expect("a dtype").parse().expect("a known dtype")
}

fn shape(operand: &Value) -> Vec<usize> {
    operand["shape"]
        .as_array()
        .expect("a shape")
        .iter()
        .map(|e| e.as_u64().unwrap() as usize)
        .collect()
}

fn bytes(operand: &Value) -> Vec<u8> {
    let hex = operand["data"].as_str().expect("hexadecimal digits");
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

/// An operand on the device. Bytes are kept as they are, also those of bools.
fn upload(operand: &Value, device: Device) -> tileops::Result<Tensor> {
    let (dtype, shape) = (dtype(operand), shape(operand));
    let mut tensor = Tensor::new(device, dtype, &shape)?;
    let words: Vec<u64> = aligned(&bytes(operand));
    // SAFETY: as many bytes as the vector has, aligned to 8.
    let source =
        unsafe { TensorRef::from_raw(words.as_ptr().cast(), Device::CPU, dtype, &shape, None) }?;
    copy(&source, &mut tensor.view_mut()?)?;
    Ok(tensor)
}

fn aligned(bytes: &[u8]) -> Vec<u64> {
    let mut words = vec![0u64; bytes.len() / 8 + 1];
    for (i, byte) in bytes.iter().enumerate() {
        words[i / 8] |= u64::from(*byte) << (8 * (i % 8));
    }
    words
}

fn download(tensor: &Tensor) -> tileops::Result<Vec<u8>> {
    let size = tensor.len() * tensor.dtype().size();
    let mut words = vec![0u64; size / 8 + 1];
    // SAFETY: room for all bytes.
    let mut target = unsafe {
        TensorMut::from_raw(
            words.as_mut_ptr().cast(),
            Device::CPU,
            tensor.dtype(),
            tensor.shape(),
            None,
        )
    }?;
    copy(&tensor.view(), &mut target)?;
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).take(size).collect())
}

fn upload_all(vector: &Value, device: Device) -> tileops::Result<Vec<Option<Tensor>>> {
    let operands = vector["inputs"].as_array().expect("inputs");
    operands.iter().map(|o| (!o.is_null()).then(|| upload(o, device)).transpose()).collect()
}

/// Runs an expression by a reproducible plan, whose bits the vector has.
fn run_expression(
    vector: &Value,
    text: &str,
    device: Device,
) -> Result<(), Box<dyn std::error::Error>> {
    let expr = Expr::parse(text)?;
    let scalars: Vec<(&str, Number)> = vector["scalars"]
        .as_object()
        .ok_or("no scalars")?
        .iter()
        .map(|(name, value)| {
            (
                name.as_str(),
                value.as_i64().map_or_else(|| value.as_f64().unwrap().into(), Number::from),
            )
        })
        .collect();
    let inputs = upload_all(vector, device)?;
    let ins: Vec<Input<'_>> =
        inputs.iter().map(|t| t.as_ref().map_or(Input::ABSENT, Input::from)).collect();
    let operands: Vec<Operand<'_>> = ins.iter().map(|i| (*i).into()).collect();
    let expected = vector["outputs"].as_array().ok_or("no outputs")?;
    let inferred = Plan::infer_dyn(&expr, &operands)?;
    let names: Vec<&str> = expr.results().collect();
    let wanted: Vec<&str> = expected.iter().map(|o| o["name"].as_str().unwrap()).collect();
    if names != wanted {
        return Err(format!("results {names:?} instead of {wanted:?}").into());
    }
    for (result, operand) in inferred.iter().zip(expected) {
        let (dtype, shape) = (dtype(operand), shape(operand));
        if (result.dtype(), result.shape()) != (dtype, &shape[..]) {
            return Err(format!("{result:?} is inferred instead of {dtype} {shape:?}").into());
        }
    }
    let mut outputs: Vec<Tensor> = expected
        .iter()
        .map(|operand| Tensor::new(device, dtype(operand), &shape(operand)))
        .collect::<Result<_, _>>()?;
    let mut views: Vec<TensorMut<'_>> =
        outputs.iter_mut().map(Tensor::view_mut).collect::<Result<_, _>>()?;
    let plan = planned(&expr, &ins, &views, true)?;
    let scalars = expr.scalar_values(&scalars)?;
    plan.execute_with_dyn(&ins, &mut views.iter_mut().collect::<Vec<_>>(), &scalars)?;
    drop(views);
    for (k, (output, operand)) in outputs.iter().zip(expected).enumerate() {
        compare(dtype(operand), &download(output)?, &bytes(operand))
            .map_err(|why| format!("result {k}: {why}"))?;
    }
    Ok(())
}

/// Runs a vector in every way; tells whether the typed function was one of them.
fn run(vector: &Value, device: Device) -> Result<bool, Box<dyn std::error::Error>> {
    let op: Op = vector["op"].as_str().ok_or("no op")?.parse()?;
    let attrs: Vec<(&str, AttrValue)> = vector["attrs"]
        .as_object()
        .ok_or("no attrs")?
        .iter()
        .map(|(name, value)| {
            (
                name.as_str(),
                value.as_i64().map_or_else(|| value.as_f64().unwrap().into(), AttrValue::Int),
            )
        })
        .collect();
    let inputs = upload_all(vector, device)?;
    let expected = vector["outputs"].as_array().ok_or("no outputs")?;
    let ins: Vec<Input<'_>> =
        inputs.iter().map(|t| t.as_ref().map_or(Input::ABSENT, Input::from)).collect();

    // An explicit plan; by name; by the typed function where all attributes have their defaults.
    // Cached plans are not reproducible ones, and so may have other bits on CUDA.
    let typed_too = attrs.is_empty();
    for way in ["plan", "call", "typed"] {
        if (way != "plan" && !device.is_cpu()) || (way == "typed" && !typed_too) {
            continue;
        }
        let mut outputs: Vec<Tensor> = expected
            .iter()
            .map(|operand| Tensor::new(device, dtype(operand), &shape(operand)))
            .collect::<Result<_, _>>()?;
        let mut views: Vec<TensorMut<'_>> =
            outputs.iter_mut().map(Tensor::view_mut).collect::<Result<_, _>>()?;
        match way {
            "plan" => planned(&Named::new(op, &attrs), &ins, &views, !device.is_cpu())?
                .execute_dyn(&ins, &mut views.iter_mut().collect::<Vec<_>>())?,
            "call" => {
                call(op.name(), &ins, &mut views.iter_mut().collect::<Vec<_>>(), &attrs)?;
            }
            _ => typed::call(op.name(), &ins, &mut views.iter_mut().collect::<Vec<_>>())?,
        }
        drop(views);
        for (k, (output, operand)) in outputs.iter().zip(expected).enumerate() {
            compare(dtype(operand), &download(output)?, &bytes(operand))
                .map_err(|why| format!("{way}: output {k}: {why}"))?;
        }
    }
    Ok(typed_too)
}

fn planned(
    operator: &impl Operator,
    ins: &[Input<'_>],
    outs: &[TensorMut<'_>],
    reproducible: bool,
) -> tileops::Result<Plan> {
    let operands: Vec<Operand<'_>> = ins.iter().map(|i| (*i).into()).collect();
    let results: Vec<Operand<'_>> = outs.iter().map(Operand::from).collect();
    PlanOptions::new().reproducible(reproducible).plan_dyn(operator, &operands, &results)
}

fn compare(dtype: DType, got: &[u8], want: &[u8]) -> Result<(), String> {
    if got.len() != want.len() {
        return Err(format!("{} bytes instead of {}", got.len(), want.len()));
    }
    let size = dtype.size();
    for (i, (g, w)) in got.chunks(size).zip(want.chunks(size)).enumerate() {
        if g != w && !(is_nan(dtype, g) && is_nan(dtype, w)) {
            return Err(format!("element {i} of {dtype}: got {g:02x?}, need {w:02x?}"));
        }
    }
    Ok(())
}

/// Exponent all ones and a fraction that is not zero (all ones in e4m3fn).
fn is_nan(dtype: DType, bytes: &[u8]) -> bool {
    let bits = bytes.iter().rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
    let fraction = match dtype {
        DType::F16 => 10,
        DType::BF16 => 7,
        DType::F32 => 23,
        DType::F64 => 52,
        DType::F8E5M2 => 2,
        DType::F8E4M3 => return bits & 0x7f == 0x7f,
        _ => return false,
    };
    let width = 8 * dtype.size() as u32;
    let magnitude = bits & !(1 << (width - 1));
    let infinity = ((1u64 << (width - 1 - fraction)) - 1) << fraction;
    magnitude > infinity
}
