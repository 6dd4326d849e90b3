//! Tensors of the device `TILEOPS_TEST_DEVICE` (default: cpu).

#![allow(dead_code)] // each test uses its part

use tileops::{copy, DType, Device, Result, Tensor, TensorMut, TensorRef};

pub fn device() -> Device {
    std::env::var("TILEOPS_TEST_DEVICE")
        .map_or(Ok(Device::CPU), |name| name.parse())
        .expect("TILEOPS_TEST_DEVICE is cpu or cuda:N")
}

pub fn on_device(data: &[f32]) -> Result<Tensor> {
    let mut tensor = Tensor::new(device(), DType::F32, &[data.len()])?;
    copy(&TensorRef::new(data, &[data.len()])?, &mut tensor.view_mut()?)?;
    Ok(tensor)
}

pub fn to_host(tensor: &Tensor) -> Result<Vec<f32>> {
    let mut data = vec![0.0f32; tensor.len()];
    copy(&tensor.view(), &mut TensorMut::new(&mut data, &[tensor.len()])?)?;
    Ok(data)
}
