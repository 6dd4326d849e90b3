//! A bias and a gelu on host memory: an explicit plan, a typed call, and a call by name.
//!
//! `cargo run --example cpu`

use tileops::{call, ops, Input, Plan, TensorMut, TensorRef};

fn main() -> tileops::Result<()> {
    println!("libtileops {}", tileops::build_info());
    for device in tileops::devices()? {
        println!("{}: {} ({}, {} units)", device.device, device.name, device.arch, device.units);
    }

    let (rows, columns) = (4, 6);
    let x: Vec<f32> = (0..rows * columns).map(|i| i as f32 / 8.0 - 1.5).collect();
    let bias: Vec<f32> = (0..columns).map(|i| i as f32 / 10.0).collect();
    let mut y = vec![0.0f32; rows * columns];

    let x = TensorRef::new(&x, &[rows, columns])?;
    let bias = TensorRef::new(&bias, &[columns])?; // broadcast along the rows
    let mut out = TensorMut::new(&mut y, &[rows, columns])?;

    // Made once, executed often, from any thread.
    let add = Plan::new(&ops::Add::default(), [&x, &bias], [&out])?;
    println!("{}: {} bytes moved, {}", add.kernel_name()?, add.bytes_moved()?, add.layout()?);
    add.execute([&x, &bias], [&mut out])?;

    // The plan behind a call is kept by the thread.
    let gelu = ops::Gelu::new().approximate(ops::choices::Approximate::Tanh);
    gelu.call(Input::in_place(0), &mut out)?;
    call("mul", &[Input::in_place(0), (&x).into()], &mut [&mut out], &[])?;

    for row in y.chunks(columns) {
        println!("{row:7.3?}");
    }

    // Errors say what is wrong.
    let mut short = [0.0f32; 3];
    let error = ops::exp(&x, &mut TensorMut::new(&mut short, &[3])?).unwrap_err();
    println!("{:?}: {error}", error.status());
    Ok(())
}
