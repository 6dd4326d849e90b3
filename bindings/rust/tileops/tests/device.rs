//! Streams, and work that is enqueued on them, on the device `TILEOPS_TEST_DEVICE` (default: cpu).

#[path = "common/on_device.rs"]
mod on_device;

use on_device::{device, on_device, to_host};
use tileops::{copy, copy_on, ops, Input, Plan, Result, Stream, Tensor, TensorMut, TensorRef};

#[test]
fn calls_wait_for_their_result() -> Result<()> {
    let x = on_device(&[1.0, 4.0, 9.0])?;
    let mut y = on_device(&[0.0; 3])?;
    ops::sqrt(&x, &mut y.view_mut()?)?;
    assert_eq!(to_host(&y)?, [1.0, 2.0, 3.0]);
    ops::add(Input::in_place(0), &x, &mut y.view_mut()?)?;
    assert_eq!(to_host(&y)?, [2.0, 6.0, 12.0]);
    // A 0-d operand in host memory is read when the plan runs.
    let ten = 10.0f32;
    let ten = TensorRef::scalar(&ten);
    ops::mul(Input::in_place(0), &ten, &mut y.view_mut()?)?;
    assert_eq!(to_host(&y)?, [20.0, 60.0, 120.0]);
    Ok(())
}

#[test]
fn work_on_a_stream() -> Result<()> {
    const N: usize = 1 << 16;
    let stream = Stream::new(device())?;
    assert_eq!(stream.device(), device());
    let source = vec![2.0f32; N];
    let mut result = vec![0.0f32; N];
    let mut x = Tensor::new(device(), tileops::DType::F32, &[N])?;
    let mut y = Tensor::new(device(), tileops::DType::F32, &[N])?;
    let host = TensorRef::new(&source, &[N])?;
    let mut back = TensorMut::new(&mut result, &[N])?;
    let plan = Plan::new(&ops::Mul::default(), [&x, &x], [&y.view()])?;
    // SAFETY: everything lives until the stream is synchronized, and is used on it alone.
    unsafe {
        copy_on(&host, &mut x.view_mut()?, stream.as_raw())?;
        plan.execute_on([&x, &x], [&mut y.view_mut()?], stream.as_raw())?;
        let mut out = y.view_mut()?;
        plan.execute_on([Input::in_place(0), Input::from(&x)], [&mut out], stream.as_raw())?;
        copy_on(&y.view(), &mut back, stream.as_raw())?;
    }
    stream.synchronize()?;
    assert!(result.iter().all(|y| *y == 8.0));
    Ok(())
}

#[test]
fn bools_of_a_device_are_zeros_at_first() -> Result<()> {
    let tensor = Tensor::new(device(), tileops::DType::Bool, &[3, 5])?;
    let mut host = [true; 15];
    copy(&tensor.view(), &mut TensorMut::new(&mut host, &[3, 5])?)?;
    assert_eq!(host, [false; 15]);
    Ok(())
}
