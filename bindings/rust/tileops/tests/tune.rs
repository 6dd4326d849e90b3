//! Tuning, on the device `TILEOPS_TEST_DEVICE` (default: cpu, which has nothing to tune).

use std::ops::ControlFlow;
use std::panic::{catch_unwind, AssertUnwindSafe};
use tileops::{ops, Context, ContextOptions, DType, Device, PlanOptions, Result, Status};
use tileops::{Strategy, TensorSpec, TuneProgress, TuneResult};

fn tune(
    context: &Context,
    device: Device,
    mut go_on: impl FnMut() -> ControlFlow<()>,
) -> (Result<TuneResult>, u32) {
    let x = TensorSpec::new(DType::F32, &[1 << 20]).expect("a description").on(device);
    let mut calls = 0;
    let progress = |p: &TuneProgress| {
        calls += 1;
        assert!(
            p.done == calls && p.done <= p.total && p.best <= p.time && !p.best.is_zero(),
            "{p:?}"
        );
        go_on()
    };
    let options = PlanOptions::new().context(context);
    (options.tune(&ops::Exp::new(), [&x], [&x], progress), calls)
}

#[test]
fn the_cpu_has_nothing_to_tune() {
    let (refused, calls) = tune(&Context::default(), Device::CPU, || ControlFlow::Continue(()));
    let refused = refused.unwrap_err();
    assert_eq!((refused.status(), refused.argument()), (Status::Unsupported, Some("device")));
    assert_eq!(calls, 0);
}

#[test]
fn candidates_are_told_of_one_by_one() -> Result<()> {
    let name = std::env::var("TILEOPS_TEST_DEVICE").unwrap_or_else(|_| "cpu".into());
    let device: Device = name.parse()?;
    if device.is_cpu() {
        println!("skipped: TILEOPS_TEST_DEVICE is no GPU");
        return Ok(());
    }
    let dir = std::env::temp_dir().join(format!("tileops-tune-{}", std::process::id()));
    let context = Context::new(&ContextOptions::new().cache_dir(&dir))?;

    let (result, calls) = tune(&context, device, || ControlFlow::Continue(()));
    let result = result?;
    assert!(calls > 1 && result.candidates == calls, "{calls} calls, {result:?}");
    assert!(!result.time.is_zero() && result.time <= result.auto, "{result:?}");
    assert_ne!(result.strategy, Strategy::Auto);

    assert_eq!(tune(&context, device, || ControlFlow::Break(())).1, 1);

    let panic = catch_unwind(AssertUnwindSafe(|| tune(&context, device, || panic!("stop")).1));
    assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"stop"));
    std::fs::remove_dir_all(dir).expect("the cache of this test is removed");
    Ok(())
}
