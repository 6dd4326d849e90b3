//! The log, which is the process's; one test, as others of this process would write into it.

use std::sync::{Arc, Mutex};
use tileops::{log_to_stderr, set_log, DType, LogLevel, Op, PlanOptions, Result, TensorSpec};

fn plan(op: Op) -> Result<()> {
    let x = TensorSpec::new(DType::F32, &[16])?;
    PlanOptions::new().no_cache(true).plan(&op, [&x], [&x])?;
    Ok(())
}

#[test]
fn lines_reach_a_closure() -> Result<()> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    set_log(LogLevel::Info, move |level, line| {
        sink.lock().expect("no panic").push((level, line.to_string()));
    })?;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| plan(Op::SELU).expect("a plan"));
        }
    });
    let found = lines.lock().expect("no panic").clone();
    let about =
        found.iter().filter(|(level, line)| *level == LogLevel::Info && line.contains("selu"));
    assert_eq!(about.count(), 4, "{found:?}");

    // A level: information is less than a warning.
    let sink = Arc::clone(&lines);
    set_log(LogLevel::Warn, move |level, line| {
        sink.lock().expect("no panic").push((level, line.to_string()));
    })?;
    plan(Op::SELU)?;
    assert_eq!(lines.lock().expect("no panic").len(), found.len());

    // A panic stays in Rust: the line is lost, the plan is made.
    let calls = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&calls);
    set_log(LogLevel::Debug, move |_, _| {
        *counted.lock().expect("not poisoned: the panic comes later") += 1;
        panic!("a log that panics");
    })?;
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let made = plan(Op::SELU);
    std::panic::set_hook(hook);
    made?;
    assert!(*calls.lock().expect("no panic") > 0);

    // What was set before is dropped.
    log_to_stderr(LogLevel::Off)?;
    plan(Op::SELU)?;
    assert_eq!((Arc::strong_count(&lines), Arc::strong_count(&calls)), (1, 1));
    Ok(())
}
