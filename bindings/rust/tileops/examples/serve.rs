//! A server's step: one plan for any batch. Requests come and go, the number of rows is another one with each step,
//! and nothing is planned or allocated then; workers share the plan.
//!
//! `cargo run --example serve`

use tileops::{DType, Expr, Extent, Plan, TensorMut, TensorRef, TensorSpec};

const MOST: usize = 512;
const COLUMNS: usize = 1024;

/// Steps of one worker, in memory that it has once; gives how many rows it computed, and the last batch.
fn serve(plan: &Plan, worker: usize) -> tileops::Result<(usize, usize)> {
    let x: Vec<f32> = (0..MOST * COLUMNS).map(|i| (i % 5) as f32).collect();
    let (r, w) = (vec![1.0f32; MOST * COLUMNS], [2.0f32; COLUMNS]);
    let (mut sum, mut y) = (vec![0.0f32; MOST * COLUMNS], vec![0.0f32; MOST * COLUMNS]);
    let w = TensorRef::new(&w, &[COLUMNS])?;
    let (mut done, mut batch) = (0, worker);
    for step in 0..100 {
        batch = (batch * 37 + step) % (MOST + 1); // requests that came and went; there may be none
        let (all, shape) = (batch * COLUMNS, [batch, COLUMNS]);
        let x = TensorRef::new(&x[..all], &shape)?;
        let r = TensorRef::new(&r[..all], &shape)?;
        let mut sum = TensorMut::new(&mut sum[..all], &shape)?;
        let mut y = TensorMut::new(&mut y[..all], &shape)?;
        plan.execute([&x, &r, &w], [&mut sum, &mut y])?;
        done += batch;
    }
    assert!(sum[..batch * COLUMNS].iter().zip(&x).all(|(sum, x)| *sum == x + 1.0));
    Ok((done, batch))
}

fn main() -> tileops::Result<()> {
    let expr = Expr::parse("(x[.., n], r[.., n], w[n]) -> { y = x + r;  y, rms_norm(y, w) }")?;
    // Rows are open, up to as many as the memory has; that those of x, r and the results are as many, the text says.
    let rows = TensorSpec::open(DType::F32, &[Extent::UpTo(MOST), COLUMNS.into()])?;
    let w = TensorSpec::new(DType::F32, &[COLUMNS])?;
    let plan = Plan::new(&expr, [&rows, &rows, &w], [&rows, &rows])?;
    assert_eq!(plan.open_extents().len(), 1);

    let done = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..=4).map(|i| (&plan, i)).collect();
        let running: Vec<_> =
            workers.into_iter().map(|(plan, i)| scope.spawn(move || serve(plan, i))).collect();
        running.into_iter().map(|worker| worker.join().expect("no panic")).collect::<Vec<_>>()
    });
    for (i, done) in done.into_iter().enumerate() {
        let (rows, batch) = done?;
        println!("worker {}: {rows} rows by one plan, {batch} of them last", i + 1);
    }
    println!(
        "a result of 7 rows: {:?}, {} bytes moved",
        plan.result(&[7], 1)?.shape(),
        plan.at(&[7])?.bytes_moved
    );
    Ok(())
}
