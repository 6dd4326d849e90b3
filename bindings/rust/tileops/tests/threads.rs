//! One plan from many threads, plans that move between threads, calls that keep plans per thread.

use std::sync::Arc;
use std::thread;
use tileops::{
    ops, Context, Error, Op, OpInfo, Plan, RawStream, Stream, Tensor, TensorMut, TensorRef,
};
use tileops::{DType, Result, TensorSpec};

const THREADS: usize = 8;

#[test]
fn handles_are_send_and_sync() {
    fn both<T: Send + Sync>() {}
    both::<Context>();
    both::<Plan>();
    both::<Stream>();
    both::<RawStream>();
    both::<Tensor>();
    both::<TensorRef<'_>>();
    both::<TensorSpec>();
    both::<TensorMut<'_>>();
    both::<OpInfo>();
    both::<Error>();
}

#[test]
fn one_plan_from_many_threads() -> Result<()> {
    const N: usize = 10_000;
    let x = TensorSpec::new(DType::F32, &[N])?;
    let plan = Plan::new(&ops::Add::new().alpha(2.0), [&x, &x], [&x])?;
    let shared: Vec<f32> = (0..N).map(|i| i as f32).collect();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|t| {
                let (plan, shared) = (&plan, &shared);
                scope.spawn(move || -> Result<()> {
                    let own = vec![t as f32; N];
                    for _ in 0..50 {
                        let mut y = vec![0.0f32; N];
                        let (a, b) = (TensorRef::new(shared, &[N])?, TensorRef::new(&own, &[N])?);
                        plan.execute([&a, &b], [&mut TensorMut::new(&mut y, &[N])?])?;
                        assert!(y.iter().enumerate().all(|(i, y)| *y == (i + 2 * t) as f32));
                    }
                    Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
    })
}

#[test]
fn plans_are_made_and_dropped_everywhere() -> Result<()> {
    let x = TensorSpec::new(DType::F64, &[33])?;
    let plan = Arc::new(Plan::new(&Op::EXP, [&x], [&x])?);
    let workers: Vec<_> = (0..THREADS)
        .map(|_| {
            let (plan, x) = (Arc::clone(&plan), x.clone());
            thread::spawn(move || -> Result<()> {
                for _ in 0..200 {
                    let same = Plan::new(&Op::EXP, [&x], [&x])?;
                    let twin = Plan::clone(&plan);
                    let (zeros, mut y) = ([0.0f64; 33], [0.0f64; 33]);
                    let zeros = TensorRef::new(&zeros, &[33])?;
                    let mut out = TensorMut::new(&mut y, &[33])?;
                    same.execute([&zeros], [&mut out])?;
                    twin.execute([&zeros], [&mut out])?;
                    assert_eq!(y, [1.0; 33]);
                }
                Ok(())
            })
        })
        .collect();
    drop(plan);
    workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
}

#[test]
fn calls_from_many_threads() -> Result<()> {
    let workers: Vec<_> = (0..THREADS)
        .map(|t| {
            thread::spawn(move || -> Result<()> {
                for n in 1..100 {
                    let x = vec![t as f32; n];
                    let mut y = vec![0.0f32; n];
                    ops::neg(&TensorRef::new(&x, &[n])?, &mut TensorMut::new(&mut y, &[n])?)?;
                    assert!(y.iter().all(|y| *y == -(t as f32)));
                    // Error text belongs to the thread whose call failed.
                    let name = format!("no_op_{t}_{n}");
                    let error = name.parse::<Op>().unwrap_err();
                    assert!(error.message().contains(&name), "{error}");
                    let mut short = vec![0.0f32; n + 1];
                    let mut out = TensorMut::new(&mut short, &[n + 1])?;
                    let error = ops::exp(&TensorRef::new(&x, &[n])?, &mut out).unwrap_err();
                    assert!(n == 1 || error.message().contains(&format!("({n},)")), "{error}");
                }
                Ok(())
            })
        })
        .collect();
    workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
}
