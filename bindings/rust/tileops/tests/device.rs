//! Streams, and work that is enqueued on them, on the device `TILEOPS_TEST_DEVICE` (default: cpu).

#[path = "common/on_device.rs"]
mod on_device;

use on_device::{device, on_device, to_host};
use tileops::{
    copy, copy_on, ops, DType, Expr, Extent, Input, ListItem, Plan, PlanOptions, Result, Stream,
    Tensor, TensorMut, TensorRef, TensorSpec,
};

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
    let mut x = Tensor::new(device(), DType::F32, &[N])?;
    let mut y = Tensor::new(device(), DType::F32, &[N])?;
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
    let tensor = Tensor::new(device(), DType::Bool, &[3, 5])?;
    let mut host = [true; 15];
    copy(&tensor.view(), &mut TensorMut::new(&mut host, &[3, 5])?)?;
    assert_eq!(host, [false; 15]);
    Ok(())
}

/// More items than a launch has on a GPU, some of which are empty, updated where they are.
#[test]
fn lists() -> Result<()> {
    let any = TensorSpec::open(DType::F32, &[Extent::Open])?.on(device());
    let descent = Expr::parse("(p, g; lr = 1.0) -> p - lr * g")?;
    let plan = PlanOptions::new().list(true).plan(&descent, [&any; 2], [&any])?;
    let of =
        |i: usize, from: f32| -> Vec<f32> { (0..i * 7 % 300).map(|k| from + k as f32).collect() };
    let mut all = Vec::new();
    for i in 0..1000 {
        all.push((on_device(&of(i, i as f32))?, on_device(&of(i, 2.0))?));
    }
    {
        let mut views = all
            .iter_mut()
            .map(|(p, g)| Ok((p.view_mut()?, g.view())))
            .collect::<Result<Vec<_>>>()?;
        let mut items = Vec::new();
        for (p, g) in &mut views {
            items.push(ListItem::new([Input::in_place(0), (&*g).into()], [p]));
        }
        plan.execute_list(&mut items, &[0.5.into()])?;
    }
    for (i, (p, _)) in all.iter().enumerate() {
        let want: Vec<f32> = (0..i * 7 % 300).map(|k| i as f32 - 1.0 + 0.5 * k as f32).collect();
        assert_eq!(to_host(p)?, want, "item {i}");
    }
    Ok(())
}
