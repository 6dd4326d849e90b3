//! Open plans: one for any batch, with the bits of a plan for each; on tensors, on addresses, in parts, on many threads.

use std::ffi::c_void;
use tileops::{
    ops, DType, Expr, Extent, Input, Number, Plan, RawStream, Result, Status, TensorMut, TensorRef,
    TensorSpec, Workspace,
};

const COLUMNS: usize = 24;

/// Rising and falling, so that what is left of one extent would show at the next.
const BATCHES: [usize; 9] = [7, 131, 3, 1, 0, 64, 65, 4097, 2];

/// Rows alone; several results; sums over the rows, for which some extents need a workspace.
const TEXTS: [&str; 3] = [
    "(x, w; s = 1.5) -> rms_norm(x * s, w)",
    "(x, w; s = 1.5) -> { e = exp(x * s - amax(x * s)); e / sum(e), x * w }",
    "(x, w; s = 1.5) -> x * s / (1 + sum(abs(x))) / (1 + sum(abs(x), axis = -2)) * w",
];

fn values(batch: usize) -> Vec<f32> {
    (0..batch * COLUMNS).map(|i| (i * 37 % 101) as f32 / 16.0 - 3.0 + batch as f32 / 64.0).collect()
}

fn weights() -> Vec<f32> {
    (0..COLUMNS).map(|i| i as f32 / 8.0 - 1.0).collect()
}

fn open_plan(expr: &Expr, rows: Extent) -> Result<Plan> {
    let x = TensorSpec::open(DType::F32, &[rows, COLUMNS.into()])?;
    let w = TensorSpec::new(DType::F32, &[COLUMNS])?;
    let results = Plan::infer(expr, [&x, &w])?;
    assert!(results.iter().all(|y| y.extents() == [Extent::Open, COLUMNS.into()]));
    let inputs = [(&x).into(), (&w).into()];
    let outputs: Vec<_> = results.iter().map(|_| (&x).into()).collect();
    tileops::PlanOptions::new().plan_dyn(expr, &inputs, &outputs)
}

/// What the plan gives, or one for this batch alone.
fn results(expr: &Expr, plan: Option<&Plan>, batch: usize, s: f64) -> Result<Vec<Vec<u32>>> {
    let (x, w) = (values(batch), weights());
    let x = TensorRef::new(&x, &[batch, COLUMNS])?;
    let w = TensorRef::new(&w, &[COLUMNS])?;
    let mut memory = vec![vec![f32::NAN; batch * COLUMNS]; expr.results().count()];
    let mut outputs: Vec<_> =
        memory.iter_mut().map(|y| TensorMut::new(y, &[batch, COLUMNS])).collect::<Result<_>>()?;
    let inputs = [(&x).into(), (&w).into()];
    let own = || {
        let outputs: Vec<_> = outputs.iter().map(Into::into).collect();
        tileops::PlanOptions::new().no_cache(true).plan_dyn(expr, &inputs, &outputs)
    };
    let closed = plan.is_none().then(own).transpose()?;
    let plan = plan.or(closed.as_ref()).expect("one of them");
    let mut outputs: Vec<_> = outputs.iter_mut().collect();
    plan.execute_with_dyn(&[(&x).into(), (&w).into()], &mut outputs, &[s.into()])?;
    Ok(memory.iter().map(|y| y.iter().map(|y| y.to_bits()).collect()).collect())
}

#[test]
fn bits_of_closed_plans() -> Result<()> {
    for text in TEXTS {
        let expr = Expr::parse(text)?;
        for rows in [Extent::Open, Extent::UpTo(5000)] {
            let plan = open_plan(&expr, rows)?;
            for batch in BATCHES {
                let (got, want) =
                    (results(&expr, Some(&plan), batch, 0.25)?, results(&expr, None, batch, 0.25)?);
                assert_eq!(got, want, "{text}, {rows:?}, at {batch}");
            }
        }
    }
    Ok(())
}

#[test]
fn operators_too() -> Result<()> {
    let x = TensorSpec::open(DType::F32, &[Extent::Open, Extent::Open])?;
    let y = TensorSpec::new(DType::F32, &[1])?;
    let plan = Plan::new(&ops::Add::new().alpha(2.0), [&x, &y], [&x])?;
    assert_eq!(plan.open_extents().len(), 2);
    for (rows, columns) in [(2, 3), (5, 0), (1, 1), (300, 41)] {
        let (x, mut out) = (vec![1.0f32; rows * columns], vec![0.0f32; rows * columns]);
        let x = TensorRef::new(&x, &[rows, columns])?;
        let y = [3.0f32];
        let y = TensorRef::new(&y, &[1])?;
        assert_eq!(plan.extents_of([&x, &y])?, [rows, columns]);
        plan.execute([&x, &y], [&mut TensorMut::new(&mut out, &[rows, columns])?])?;
        assert!(out.iter().all(|&out| out == 7.0));
    }
    Ok(())
}

#[test]
fn results_and_facts() -> Result<()> {
    let expr = Expr::parse(
        "(x[.., n], w[n]) -> { y = x * w;  cast(y, bf16), sum(y), sum(y, axis = -2) }",
    )?;
    let x = TensorSpec::open(DType::F32, &[Extent::UpTo(1000), COLUMNS.into()])?;
    let w = TensorSpec::new(DType::F32, &[COLUMNS])?;
    assert!(x.is_open() && !w.is_open());
    assert_eq!(x.extents(), [Extent::UpTo(1000), Extent::Fixed(COLUMNS)]);
    let inferred = Plan::infer(&expr, [&x, &w])?;
    assert_eq!(inferred[1].extents(), [Extent::Open, Extent::Fixed(1)]);
    assert_eq!(inferred[2].shape(), [1, COLUMNS]);
    let results: [&TensorSpec; 3] = [&inferred[0], &inferred[1], &inferred[2]];
    let plan = Plan::new(&expr, [&x, &w], results)?;
    let open = plan.open_extents();
    assert_eq!((open.len(), open[0].input, open[0].axis, open[0].most), (1, 0, 0, Some(1000)));
    for batch in [0, 1, 7, 1000] {
        let result = plan.result(&[batch], 0)?;
        assert_eq!((result.dtype(), result.shape()), (DType::BF16, &[batch, COLUMNS][..]));
        assert_eq!(plan.result(&[batch], 1)?.shape(), [batch, 1]);
        assert_eq!(plan.result(&[batch], 2)?.shape(), [1, COLUMNS]);
        let facts = plan.at(&[batch])?;
        assert_eq!(facts.parts, 1);
        assert!(facts.phases >= 1 && facts.workspace_bytes <= plan.workspace_bytes());
    }
    assert!(plan.at(&[2])?.bytes_moved > plan.at(&[1])?.bytes_moved);
    let refused = |result: Result<()>, argument: &str, text: &str| {
        let error = result.unwrap_err();
        assert_eq!((error.status(), error.argument()), (Status::InvalidArgument, Some(argument)));
        assert!(error.message().contains(text), "{error}");
    };
    refused(plan.at(&[1001]).map(drop), "extents", "is too large (got 1001, need at most 1000)");
    refused(plan.at(&[]).map(drop), "num_extents", "(got 0, need 1)");
    refused(plan.at(&[usize::MAX]).map(drop), "extents", "is negative");
    refused(plan.result(&[1], 3).map(drop), "output", "is out of range (got 3");
    let closed = Plan::new(&ops::Exp::new(), [&w], [&w])?;
    assert_eq!((closed.open_extents(), closed.at(&[])?.bytes_moved), (&[][..], 8 * COLUMNS as u64));
    assert_eq!(closed.result(&[], 0)?.shape(), [COLUMNS]);
    Ok(())
}

#[test]
fn other_tensors_are_refused() -> Result<()> {
    let expr = Expr::parse("(x, r) -> rms_norm(x + r, 1.0)")?;
    let x = TensorSpec::open(DType::F32, &[Extent::UpTo(100), COLUMNS.into()])?;
    let plan = Plan::new(&expr, [&x, &x], [&x])?;
    let memory = vec![1.0f32; 101 * COLUMNS];
    let run = |rows: [usize; 3], columns: usize| -> Result<()> {
        let tensor = |rows: usize| TensorRef::new(&memory[..rows * columns], &[rows, columns]);
        let (x, r, mut y) = (tensor(rows[0])?, tensor(rows[1])?, vec![0.0f32; rows[2] * columns]);
        plan.execute([&x, &r], [&mut TensorMut::new(&mut y, &[rows[2], columns])?])
    };
    run([100, 100, 100], COLUMNS)?;
    for (rows, columns, argument, index, text) in [
        ([4, 3, 4], COLUMNS, "inputs", 1, "extent 0 differs from that of inputs[0] (got 3, need 4"),
        ([4, 1, 4], COLUMNS, "inputs", 1, "extent 0 differs from that of inputs[0] (got 1, need 4"),
        (
            [4, 4, 3],
            COLUMNS,
            "outputs",
            0,
            "extent 0 differs from that of inputs[0] (got 3, need 4",
        ),
        (
            [101, 101, 101],
            COLUMNS,
            "inputs",
            0,
            "extent 0 is out of range (got 101, need 0 to 100)",
        ),
        ([4, 4, 4], COLUMNS - 1, "inputs", 0, "shape differs from the plan"),
    ] {
        let error = run(rows, columns).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        assert_eq!((error.argument(), error.index()), (Some(argument), Some(index)), "{error}");
        assert!(error.message().contains(text), "{error}");
    }
    run([2, 2, 2], COLUMNS)?;
    // When it is planned.
    let refused = |text: &str, x: &TensorSpec, status: Status, said: &str| -> Result<()> {
        let error = Plan::new(&Expr::parse(text)?, [x], [x]).unwrap_err();
        assert_eq!(error.status(), status, "{error}");
        assert!(error.message().contains(said), "{error}");
        Ok(())
    };
    let x = TensorSpec::open(DType::F32, &[4.into(), Extent::Open])?;
    let groups = "(x) -> x / spread(amax(x, group = 8), x, group = 8)";
    refused(
        groups,
        &x,
        Status::Unsupported,
        "inputs[0]: extent 1 is open, and this text needs its number",
    )?;
    let x = TensorSpec::open(DType::F32, &[4.into(), Extent::UpTo(0)])?;
    refused("(x) -> x + 1", &x, Status::InvalidArgument, "inputs[0]: shape[1]")?;
    Ok(())
}

#[test]
fn strides() -> Result<()> {
    // The middle third of each row, as of a product of three.
    let third = TensorSpec::open_strided(
        DType::F32,
        &[Extent::Open, COLUMNS.into()],
        &[3 * COLUMNS as isize, 1],
    )?;
    let y = TensorSpec::open(DType::F32, &[Extent::Open, COLUMNS.into()])?;
    let plan = Plan::new(&ops::Neg::new(), [&third], [&y])?;
    for batch in [5, 1, 9] {
        let (memory, mut out) = (values(3 * batch), vec![0.0f32; batch * COLUMNS]);
        let shape = [batch, COLUMNS];
        let x = TensorRef::strided(&memory, &shape, &[3 * COLUMNS as isize, 1], COLUMNS)?;
        plan.execute([&x], [&mut TensorMut::new(&mut out, &shape)?])?;
        for (i, out) in out.iter().enumerate() {
            assert_eq!(*out, -memory[i / COLUMNS * 3 * COLUMNS + COLUMNS + i % COLUMNS]);
        }
    }
    Ok(())
}

fn run_ptrs(plan: &Plan, batch: usize, workspace: Option<&mut Workspace>) -> Result<Vec<u32>> {
    let (x, w, mut y) = (values(batch), weights(), vec![f32::NAN; batch * COLUMNS]);
    let inputs: [*const c_void; 2] = [x.as_ptr().cast(), w.as_ptr().cast()];
    let outputs: [*mut c_void; 1] = [y.as_mut_ptr().cast()];
    let (scalars, stream): ([Number; 1], _) = ([0.25.into()], RawStream::DEFAULT);
    // SAFETY: memory of this many rows.
    unsafe {
        match workspace {
            None => plan.execute_ptrs(&inputs, &outputs, &[batch], &scalars, stream),
            Some(own) => plan.execute_ptrs_in(own, &inputs, &outputs, &[batch], &scalars, stream),
        }
    }?;
    Ok(y.iter().map(|y| y.to_bits()).collect())
}

#[test]
fn addresses() -> Result<()> {
    for text in [TEXTS[0], TEXTS[2]] {
        let expr = Expr::parse(text)?;
        let plan = open_plan(&expr, Extent::UpTo(5000))?;
        let mut workspace = Workspace::new(plan.device(), plan.at(&[5000])?.workspace_bytes)?;
        assert_eq!(plan.at(&[5000])?.workspace_bytes, plan.workspace_bytes());
        for batch in BATCHES {
            let want = results(&expr, None, batch, 0.25)?.remove(0);
            assert_eq!(run_ptrs(&plan, batch, None)?, want, "{text} at {batch}");
            assert_eq!(run_ptrs(&plan, batch, Some(&mut workspace))?, want, "{text} at {batch}");
        }
        let error = run_ptrs(&plan, 5001, None).unwrap_err();
        assert_eq!((error.argument(), error.index()), (Some("extents"), Some(0)), "{error}");
        // SAFETY: refused before an address is looked at.
        let few = unsafe { plan.execute_ptrs(&[], &[], &[1], &[], RawStream::DEFAULT) };
        assert_eq!(few.unwrap_err().argument(), Some("num_inputs"));
        let x: *const c_void = std::ptr::NonNull::<u64>::dangling().as_ptr().cast();
        // SAFETY: as above.
        let none =
            unsafe { plan.execute_ptrs(&[x, x], &[x.cast_mut()], &[], &[], RawStream::DEFAULT) };
        assert!(none.unwrap_err().message().contains("extents: is NULL (the plan has 1)"));
    }
    // A plan without open extents takes addresses as well.
    let (x, mut y) = ([1.0f32, 4.0], [0.0f32; 2]);
    let plan = Plan::new(
        &ops::Sqrt::new(),
        [&TensorSpec::new(DType::F32, &[2])?],
        [&TensorSpec::new(DType::F32, &[2])?],
    )?;
    // SAFETY: two elements each.
    unsafe {
        plan.execute_ptrs(
            &[x.as_ptr().cast()],
            &[y.as_mut_ptr().cast()],
            &[],
            &[],
            RawStream::DEFAULT,
        )
    }?;
    assert_eq!(y, [1.0, 2.0]);
    // SAFETY: refused before an address is looked at.
    let given = unsafe {
        plan.execute_ptrs(
            &[x.as_ptr().cast()],
            &[y.as_mut_ptr().cast()],
            &[2],
            &[],
            RawStream::DEFAULT,
        )
    };
    assert_eq!(given.unwrap_err().argument(), Some("extents"));
    Ok(())
}

#[test]
fn workspaces_without_a_bound() -> Result<()> {
    let expr = Expr::parse(TEXTS[2])?;
    let plan = open_plan(&expr, Extent::Open)?;
    let need = plan.at(&[4097])?.workspace_bytes;
    assert!(need > plan.at(&[1])?.workspace_bytes);
    assert_eq!(plan.workspace_bytes(), 0);
    let error = plan.workspace().unwrap_err();
    assert!(error.message().contains("open extents"), "{error}");
    let mut enough = Workspace::new(plan.device(), need)?;
    run_ptrs(&plan, 4097, Some(&mut enough))?;
    run_ptrs(&plan, 2, Some(&mut enough))?;
    let mut less = Workspace::new(plan.device(), need - 64)?;
    let error = run_ptrs(&plan, 4097, Some(&mut less)).unwrap_err();
    assert!(error.argument().is_some_and(|argument| argument.starts_with("workspace")), "{error}");
    Ok(())
}

#[test]
fn parts() -> Result<()> {
    for text in [TEXTS[0], TEXTS[2]] {
        let expr = Expr::parse(text)?;
        let plan = open_plan(&expr, Extent::Open)?;
        assert!(plan.num_parts().is_err());
        let mut most = 0;
        for batch in [6000, 1, 0, 3000] {
            let (x, w, mut y) = (values(batch), weights(), vec![f32::NAN; batch * COLUMNS]);
            let x = TensorRef::new(&x, &[batch, COLUMNS])?;
            let w = TensorRef::new(&w, &[COLUMNS])?;
            let mut out = TensorMut::new(&mut y, &[batch, COLUMNS])?;
            let pool = |parts: usize, work: &(dyn Fn(usize) + Sync)| {
                assert_eq!(parts, plan.at(&[batch]).unwrap().parts);
                most = parts.max(most);
                (0..parts).rev().for_each(work);
            };
            plan.execute_parts(pool, [&x, &w], [&mut out], &[0.25.into()])?;
            let got: Vec<u32> = y.iter().map(|y| y.to_bits()).collect();
            assert_eq!(got, results(&expr, None, batch, 0.25)?[0], "{text} at {batch}");
        }
        assert!(most > 1, "{text}");
        let short = TensorRef::new(&[1.0; 2 * COLUMNS - 2], &[2, COLUMNS - 1])?;
        let mut y = vec![0.0f32; 2 * COLUMNS];
        let out = &mut [&mut TensorMut::new(&mut y, &[2, COLUMNS])?];
        let pool = |parts, work: &(dyn Fn(usize) + Sync)| (0..parts).for_each(work);
        let error = plan
            .execute_parts_dyn(pool, &[Input::from(&short), (&short).into()], out, &[])
            .unwrap_err();
        assert_eq!((error.argument(), error.index()), (Some("inputs"), Some(0)), "{error}");
    }
    Ok(())
}

#[test]
fn many_threads_with_other_batches_each() -> Result<()> {
    let exprs = [Expr::parse(TEXTS[0])?, Expr::parse(TEXTS[2])?];
    let plans = [open_plan(&exprs[0], Extent::Open)?, open_plan(&exprs[1], Extent::UpTo(5000))?];
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..8)
            .map(|t| {
                let (plans, exprs) = (&plans, &exprs);
                scope.spawn(move || -> Result<()> {
                    for i in 0..60 {
                        let (which, batch) = (i % 2, (t * 53 + i * 17) % 190);
                        let got = results(&exprs[which], Some(&plans[which].clone()), batch, 0.5)?;
                        assert_eq!(got, results(&exprs[which], None, batch, 0.5)?, "at {batch}");
                    }
                    Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
    })
}
