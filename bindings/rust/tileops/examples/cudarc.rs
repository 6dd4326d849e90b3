//! silu(gate) * value on slices of `cudarc`, ordered with its own work by its events.
//!
//! `cargo run --example cudarc --features cudarc`; needs a GPU.

use cudarc::driver::CudaContext;
use tileops::{ops, CudaInput, CudaOutput, Device, Plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const N: usize = 1 << 20;
    if !tileops::devices()?.iter().any(|info| info.device == Device::cuda(0)) {
        println!("cudarc: skipped: no CUDA device");
        return Ok(());
    }
    let cuda = CudaContext::new(0)?;
    let upload = cuda.default_stream();
    let stream = cuda.new_stream()?;
    let host: Vec<f32> = (0..N).map(|i| (i % 17) as f32 - 8.0).collect();
    let gate = upload.clone_htod(&host)?;
    let value = upload.clone_htod(&vec![2.0f32; N])?;
    let mut result = stream.alloc_zeros::<f32>(N)?;

    // These make `stream` wait for the uploads, and later work wait for `stream`.
    let x = CudaInput::new(&stream, &gate, &[N])?;
    let y = CudaOutput::new(&stream, &mut result, &[N])?;
    let z = CudaInput::new(&stream, &value, &[N])?;
    let plan = Plan::new(&ops::SiluAndMul::default(), [&x, &z], [&y])?;
    println!("{} on {}, from {}", plan.kernel_name()?, plan.device(), plan.cache_origin()?);
    plan.execute_cuda(&stream, [x, z], [y])?;

    // The result is the gate of a second one, in place.
    let y = CudaOutput::new(&stream, &mut result, &[N])?;
    let z = CudaInput::new(&stream, &value, &[N])?;
    plan.execute_cuda(&stream, [CudaInput::in_place(0), z], [y])?;

    // Another stream reads the result: its event is waited for.
    let silu = |x: f64| x / (1.0 + (-x).exp());
    for (i, (y, x)) in upload.clone_dtoh(&result)?.into_iter().zip(host).enumerate() {
        let want = 2.0 * silu(2.0 * silu(f64::from(x)));
        assert!((f64::from(y) - want).abs() <= 1e-6 * want.abs().max(1.0), "{i}: {y} for {want}");
    }
    println!("{N} elements are right");
    Ok(())
}
