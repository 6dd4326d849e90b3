//! Calls from destructors of thread-locals. They run while a thread ends, when its cache of plans may
//! be gone already; a panic there would abort the process.

use std::cell::Cell;
use std::sync::mpsc::Sender;
use tileops::{call, clear_plans, live_handles, ops, Result, Status, TensorMut, TensorRef};

/// Makes calls when it is dropped, and tells what came of them.
struct AtExit(Sender<(Result<()>, [f32; 2])>);

impl Drop for AtExit {
    fn drop(&mut self) {
        let (x, mut y) = ([-1.0f32, 2.0], [9.0f32; 2]);
        let done = calls(&x, &mut y);
        clear_plans();
        self.0.send((done, y)).expect("the test waits for it");
    }
}

fn calls(x: &[f32], y: &mut [f32]) -> Result<()> {
    let x = TensorRef::new(x, &[2])?;
    let mut out = TensorMut::new(y, &[2])?;
    for _ in 0..3 {
        ops::relu(&x, &mut out)?;
        call("add", &[(&x).into(), (&x).into()], &mut [&mut out], &[("alpha", 2.0.into())])?;
    }
    // Errors are told of, too.
    let error = ops::exp(&x, &mut TensorMut::new(&mut [0.0f32; 3], &[3])?).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    assert!(error.message().contains("(3,)"), "{error}");
    Ok(())
}

thread_local! {
    static FIRST: Cell<Option<AtExit>> = const { Cell::new(None) };
    static LAST: Cell<Option<AtExit>> = const { Cell::new(None) };
}

#[test]
fn destructors_of_thread_locals_may_call() {
    let (results, told) = std::sync::mpsc::channel();
    let worker = std::thread::spawn(move || {
        // Destructors run in an order that nobody promises; one is registered before the cache of
        // plans is, one after it.
        FIRST.set(Some(AtExit(results.clone())));
        let (x, mut y) = ([-1.0f32, 2.0], [0.0f32; 2]);
        calls(&x, &mut y).expect("an ordinary call");
        LAST.set(Some(AtExit(results)));
    });
    worker.join().expect("no panic");
    let results: Vec<_> = told.iter().collect();
    assert_eq!(results.len(), 2);
    for (done, y) in results {
        done.expect("a call while the thread ends");
        assert_eq!(y, [-3.0, 6.0]);
    }
    assert_eq!(live_handles().plans, 0, "plans made without the cache are dropped");
}
