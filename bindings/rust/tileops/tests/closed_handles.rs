//! Handles that were closed, and the counters of those that live. One test: other plans of this
//! process would take the place of the closed one, and count.

use std::ptr::NonNull;
use tileops::{call, clear_plans, live_handles, ops, sys};
use tileops::{
    Context, ContextOptions, DType, Device, Expr, Op, Plan, Tensor, TensorMut, TensorRef,
};
use tileops::{PlanOptions, Stream, TensorSpec};

fn live() -> [usize; 4] {
    let live = live_handles();
    [live.contexts, live.plans, live.streams, live.tensors]
}

#[test]
fn handles_are_closed_once_and_counted() -> tileops::Result<()> {
    assert_eq!(live(), [0; 4]);
    let spec = TensorSpec::new(DType::F32, &[2])?;

    // Safe code cannot reach a plan after its drop; through the raw handle the library refuses it.
    let plan = Plan::new(&Op::EXP, [&spec], [&spec])?;
    let raw = plan.as_ptr();
    assert_eq!(live(), [0, 1, 0, 0]);
    drop(plan);
    // SAFETY: a handle already destroyed is an error, as long as no other plan has its place.
    let status = unsafe { sys::tileops_plan_retain(raw) };
    assert_eq!(status, sys::tileops_status::INVALID_ARGUMENT);
    // SAFETY: as above; arrays of no tensors.
    let status = unsafe {
        let none = NonNull::<*const sys::DLTensor>::dangling().as_ptr();
        sys::tileops_execute(raw, none, 0, std::ptr::null(), 0, std::ptr::null_mut())
    };
    assert_eq!(status, sys::tileops_status::INVALID_ARGUMENT);
    // SAFETY: ignored.
    unsafe { sys::tileops_plan_destroy(raw) };

    let context = Context::new(&ContextOptions::default())?;
    let options = PlanOptions::new().context(&context);
    let plan = options.plan(&Op::EXP, [&spec], [&spec])?;
    let twin = plan.clone();
    let stream = Stream::new(Device::CPU)?;
    let tensor = Tensor::from_vec(vec![0.0f32; 2], &[2])?;
    assert_eq!(live(), [1, 2, 1, 1]);
    drop((context, plan));
    let mut y = [7.0f32; 2];
    twin.execute([&tensor], [&mut TensorMut::new(&mut y, &[2])?])?;
    assert_eq!(y, [1.0; 2]);
    drop((twin, stream, tensor));
    assert_eq!(live(), [0; 4]);

    // The workspace of a plan is used again, and goes with its last clone.
    let expr = Expr::parse("(x) -> x / sum(x) / sum(x, axis = -2)")?;
    let (ones, mut shares) = ([1.0f32; 4], [0.0f32; 4]);
    let ones = TensorRef::new(&ones, &[2, 2])?;
    let mut out = TensorMut::new(&mut shares, &[2, 2])?;
    let plan = Plan::new(&expr, [&ones], [&out])?;
    assert_eq!(live(), [0, 1, 0, 0]);
    let twin = plan.clone();
    (0..3).try_for_each(|_| plan.execute([&ones], [&mut out]))?;
    twin.execute([&ones], [&mut out])?;
    drop(plan);
    assert_eq!(live(), [0, 1, 0, 1]);
    drop(twin);
    assert_eq!(live(), [0; 4]);
    assert_eq!(shares, [0.25; 4]);

    // What the convenience calls keep: one plan for each kind of call, until it is released.
    let x = [1.0f32, 4.0];
    let x = TensorRef::new(&x, &[2])?;
    for _ in 0..10 {
        let mut out = TensorMut::new(&mut y, &[2])?;
        ops::sqrt(&x, &mut out)?;
        call("neg", &[(&x).into()], &mut [&mut out], &[])?;
        ops::Add::new().alpha(2.0).call(&x, &x, &mut out)?;
    }
    assert_eq!(live(), [0, 3, 0, 0]);
    for n in 0..1000 {
        let zeros = vec![0.0f32; n];
        let mut y = vec![0.0f32; n];
        ops::sqrt(&TensorRef::new(&zeros, &[n])?, &mut TensorMut::new(&mut y, &[n])?)?;
    }
    let kept = live_handles().plans;
    assert!((64..=256).contains(&kept), "{kept} plans are kept");
    clear_plans();
    assert_eq!(live(), [0; 4]);

    // A thread's plans go with it; failures leave nothing behind.
    let worker = std::thread::spawn(move || {
        let (x, mut y) = ([1.0f32], [0.0f32]);
        ops::exp(&TensorRef::scalar(&x[0]), &mut TensorMut::new(&mut y, &[1]).unwrap())
            .unwrap_err();
        ops::exp(&TensorRef::new(&x, &[1]).unwrap(), &mut TensorMut::new(&mut y, &[1]).unwrap())
    });
    worker.join().expect("no panic")?;
    assert_eq!(live(), [0; 4]);
    Tensor::new(Device::cuda(99), DType::F32, &[2]).unwrap_err();
    assert_eq!(live(), [0; 4]);
    Ok(())
}
