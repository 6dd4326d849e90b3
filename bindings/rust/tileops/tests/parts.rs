//! Executes in parts, on threads of the caller's.

use std::sync::atomic::{AtomicUsize, Ordering};
use tileops::{ops, Expr, Input, Plan, Status, TensorMut, TensorRef};

type Work<'a> = &'a (dyn Fn(usize) + Sync);
type Pool = fn(usize, Work<'_>);

const POOLS: [(&str, Pool); 4] = [
    ("in order", |parts, work| (0..parts).for_each(work)),
    ("backwards", |parts, work| (0..parts).rev().for_each(work)),
    ("a thread each", |parts, work| {
        std::thread::scope(|scope| {
            for part in 0..parts {
                scope.spawn(move || work(part));
            }
        });
    }),
    ("threads of 128 KiB that take the next one", |parts, work| {
        let next = AtomicUsize::new(0);
        let run = || loop {
            match next.fetch_add(1, Ordering::Relaxed) {
                part if part < parts => work(part),
                _ => break,
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                std::thread::Builder::new().stack_size(128 << 10).spawn_scoped(scope, run).unwrap();
            }
        });
    }),
];

const ROWS: usize = 517;
const COLUMNS: usize = 1000;

// One phase; and two, of which one leaves sums in a workspace; with a scalar.
#[test]
fn bits_of_the_whole() -> tileops::Result<()> {
    let values: Vec<f32> = (0..ROWS * COLUMNS).map(|i| (i % 97) as f32 / 16.0 + 1.0).collect();
    let x = TensorRef::new(&values, &[ROWS, COLUMNS])?;
    for text in [
        "(x; s = 1.5) -> { e = exp(x * s - amax(x * s)); e / sum(e) }",
        "(x; s = 1.5) -> x * s / sum(x) / sum(x, axis = -2)",
    ] {
        let expr = Expr::parse(text)?;
        let (mut whole, mut parts) = (vec![0f32; ROWS * COLUMNS], vec![0f32; ROWS * COLUMNS]);
        let mut out = TensorMut::new(&mut whole, &[ROWS, COLUMNS])?;
        let plan = Plan::new(&expr, [&x], [&out])?;
        assert!(plan.num_parts()? >= 4);
        plan.execute_with([&x], [&mut out], &[0.25.into()])?;
        for (name, pool) in POOLS {
            parts.fill(0.0);
            let mut out = TensorMut::new(&mut parts, &[ROWS, COLUMNS])?;
            plan.execute_parts(pool, [&x], [&mut out], &[0.25.into()])?;
            assert_eq!(whole, parts, "{text}, {name}");
            parts.fill(0.0);
            let mut out = TensorMut::new(&mut parts, &[ROWS, COLUMNS])?;
            plan.execute_parts_dyn(pool, &[Input::from(&x)], &mut [&mut out], &[0.25.into()])?;
            assert_eq!(whole, parts, "{text}, {name}");
        }
    }
    Ok(())
}

#[test]
fn in_place() -> tileops::Result<()> {
    let mut values: Vec<f32> = (0..ROWS * COLUMNS).map(|i| (i % 97) as f32 / 16.0 - 3.0).collect();
    let want: Vec<f32> = values.iter().map(|x| x.max(0.0)).collect();
    let mut x = TensorMut::new(&mut values, &[ROWS, COLUMNS])?;
    let plan = Plan::new(&ops::Relu::new(), [&x], [&x])?;
    plan.execute_parts(POOLS[2].1, [Input::in_place(0)], [&mut x], &[])?;
    assert_eq!(values, want);
    Ok(())
}

#[test]
fn pools_that_do_not_run_each_part_once() -> tileops::Result<()> {
    let (values, mut results) = (vec![1f32; 1 << 18], vec![0f32; 1 << 18]);
    let x = TensorRef::new(&values, &[1 << 18])?;
    let mut out = TensorMut::new(&mut results, &[1 << 18])?;
    let plan = Plan::new(&ops::Exp::new(), [&x], [&out])?;
    let pools: [(&str, Pool); 4] = [
        ("ran part 0 not at all", |_, _| ()),
        ("ran part 2 not at all", |parts, work| (0..parts).filter(|&p| p != 2).for_each(work)),
        ("ran part 1 twice", |parts, work| (0..parts).chain(1..2).for_each(work)),
        ("that is none of them", |parts, work| (0..=parts).for_each(work)),
    ];
    for (said, pool) in pools {
        let error = plan.execute_parts(pool, [&x], [&mut out], &[]).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
        assert!(error.message().contains(said), "{error}");
    }
    let short = TensorRef::new(&values[1..], &[(1 << 18) - 1])?;
    let error = plan.execute_parts(POOLS[2].1, [&short], [&mut out], &[]).unwrap_err();
    assert!(error.message().contains("inputs[0]: shape differs from the plan"), "{error}");
    Ok(())
}
