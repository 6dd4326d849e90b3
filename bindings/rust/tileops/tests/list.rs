//! Lists: many sets of tensors by one call, with the bits of an execute of each; on tensors and on addresses.

use std::ffi::c_void;
use tileops::{
    AddressItem, DType, Expr, Extent, Input, ListItem, Number, Plan, PlanOptions, RawStream,
    Result, Status, TensorMut, TensorRef, TensorSpec,
};

const COLUMNS: usize = 24;

/// Rows of the items; some are equal, and one is empty.
const BATCHES: [usize; 8] = [7, 131, 0, 1, 65, 7, 300, 2];

/// One and several results; sums over the rows, for which most items need a workspace.
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

fn plan_for(expr: &Expr, rows: Extent, list: bool) -> Result<Plan> {
    let x = TensorSpec::open(DType::F32, &[rows, COLUMNS.into()])?;
    let w = TensorSpec::new(DType::F32, &[COLUMNS])?;
    let outputs = vec![(&x).into(); expr.results().count()];
    PlanOptions::new().list(list).plan_dyn(expr, &[(&x).into(), (&w).into()], &outputs)
}

/// Memory for the results of all items, which no result has.
fn memory(expr: &Expr) -> Vec<Vec<Vec<f32>>> {
    let results = |batch: usize| vec![vec![f32::NAN; batch * COLUMNS]; expr.results().count()];
    BATCHES.iter().map(|&batch| results(batch)).collect()
}

fn bits(all: &[Vec<Vec<f32>>]) -> Vec<Vec<u32>> {
    all.iter().flatten().map(|y| y.iter().map(|y| y.to_bits()).collect()).collect()
}

fn each(expr: &Expr, s: Number) -> Result<Vec<Vec<u32>>> {
    let (plan, w) = (plan_for(expr, Extent::Open, false)?, weights());
    let w = TensorRef::new(&w, &[COLUMNS])?;
    let mut all = memory(expr);
    for (&batch, results) in BATCHES.iter().zip(&mut all) {
        let (x, shape) = (values(batch), [batch, COLUMNS]);
        let x = TensorRef::new(&x, &shape)?;
        let mut results: Vec<_> =
            results.iter_mut().map(|y| TensorMut::new(y, &shape)).collect::<Result<_>>()?;
        let mut results: Vec<_> = results.iter_mut().collect();
        plan.execute_with_dyn(&[(&x).into(), (&w).into()], &mut results, &[s])?;
    }
    Ok(bits(&all))
}

#[test]
fn bits_of_executes_of_each() -> Result<()> {
    for text in TEXTS {
        let expr = Expr::parse(text)?;
        for rows in [Extent::Open, Extent::UpTo(512)] {
            let plan = plan_for(&expr, rows, true)?;
            for s in [Number::DEFAULT, 0.25.into()] {
                let (w, lists) = (weights(), BATCHES.map(values));
                let w = TensorRef::new(&w, &[COLUMNS])?;
                let mut all = memory(&expr);
                let mut tensors = Vec::new();
                for ((&batch, x), results) in BATCHES.iter().zip(&lists).zip(&mut all) {
                    let shape = [batch, COLUMNS];
                    let results = results
                        .iter_mut()
                        .map(|y| TensorMut::new(y, &shape))
                        .collect::<Result<Vec<_>>>();
                    tensors.push((TensorRef::new(x, &shape)?, results?));
                }
                let mut items: Vec<_> = tensors
                    .iter_mut()
                    .map(|(x, results)| ListItem::new([&*x, &w], results))
                    .collect();
                plan.execute_list(&mut items, &[s])?;
                assert_eq!(bits(&all), each(&expr, s)?, "{text} {rows:?} {s:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn bits_of_executes_on_addresses() -> Result<()> {
    for text in TEXTS {
        let expr = Expr::parse(text)?;
        let (plan, w) = (plan_for(&expr, Extent::Open, true)?, weights());
        let (lists, mut all) = (BATCHES.map(values), memory(&expr));
        let mut addresses = Vec::new();
        for (x, results) in lists.iter().zip(&mut all) {
            let results: Vec<*mut c_void> =
                results.iter_mut().map(|y| y.as_mut_ptr().cast()).collect();
            addresses.push(([x.as_ptr().cast(), w.as_ptr().cast()], results));
        }
        let extents: Vec<_> = BATCHES.iter().map(|&batch| [batch]).collect();
        let items: Vec<_> = addresses
            .iter()
            .zip(&extents)
            .map(|((inputs, outputs), extents)| AddressItem { inputs, outputs, extents })
            .collect();
        // SAFETY: at each address lies what was planned, and no result is written twice.
        unsafe { plan.execute_list_ptrs(&items, &[0.5.into()], RawStream::DEFAULT) }?;
        assert_eq!(bits(&all), each(&expr, 0.5.into())?, "{text}");
        // SAFETY: there is nothing to do.
        unsafe { plan.execute_list_ptrs(&[], &[], RawStream::DEFAULT) }?;
    }
    Ok(())
}

#[test]
fn in_place_and_not_yet_written() -> Result<()> {
    let expr = Expr::parse("(x, y) -> { z = x + y; z, z * 2 }")?;
    let any = TensorSpec::open(DType::F32, &[Extent::Open])?;
    let plan = PlanOptions::new().list(true).plan(&expr, [&any; 2], [&any; 2])?;
    let (mut x, mut y) = ([[1.0f32; 3], [2.0; 3]], [5.0f32]);
    let mut other = [0.0f32];
    let [first, second] = &mut x;
    let mut first = [TensorMut::new(first, &[3])?, TensorMut::new(second, &[3])?];
    let mut second = [TensorMut::new(&mut y, &[1])?, TensorMut::new(&mut other, &[1])?];
    let one = TensorRef::new(&[1.0f32], &[1])?;
    let mut items = [
        ListItem::new([Input::in_place(0), Input::in_place(1)], &mut first),
        ListItem::new([Input::in_place(0), (&one).into()], &mut second),
    ];
    plan.execute_list(&mut items, &[])?;
    plan.execute_list(&mut [], &[])?;
    assert_eq!((x, y, other), ([[3.0; 3], [6.0; 3]], [6.0], [12.0]));
    Ok(())
}

fn refused(result: Result<()>, what: &str) {
    let error = result.expect_err(what);
    assert_eq!(error.status(), Status::InvalidArgument);
    assert!(error.message().contains(what), "{error}");
}

#[test]
fn what_is_wrong_is_named_with_its_item() -> Result<()> {
    let expr = Expr::parse("(x, y; s = 2) -> x * y * s")?;
    let any = TensorSpec::open(DType::F32, &[Extent::Open])?;
    let plan = |list| PlanOptions::new().list(list).plan(&expr, [&any; 2], [&any]);
    let (x, mut results) = ([1.0f32; 4], [[7.0f32; 4]; 2]);
    let (x, three) = (TensorRef::new(&x, &[4])?, TensorRef::new(&x[..3], &[3])?);
    let [a, b] = &mut results;
    let (mut a, mut b) = (TensorMut::new(a, &[4])?, TensorMut::new(b, &[4])?);
    let mut run = |plan: Plan, wrong: &[Input<'_>], scalars: &[Number]| {
        let good = ListItem::new([&x, &x], [&mut a]);
        plan.execute_list(&mut [good, ListItem::new(wrong.iter().copied(), [&mut b])], scalars)
    };
    let both = [Input::from(&x); 2];
    refused(run(plan(false)?, &both, &[]), "plan: was made without TILEOPS_PLAN_LIST");
    refused(run(plan(true)?, &both[..1], &[]), "items[1]: num_inputs: differs from the plan");
    refused(run(plan(true)?, &[(&three).into(), (&x).into()], &[]), "items[1]: inputs[1]: ");
    refused(
        run(plan(true)?, &[(&x).into(), Input::in_place(1)], &[]),
        "items[1]: inputs[1]: in place of no output",
    );
    refused(run(plan(true)?, &both, &[1.into(), 2.into()]), "scalars");
    run(plan(true)?, &both, &[3.into()])?;
    assert_eq!(results, [[3.0; 4]; 2]);

    let mut memory = Vec::<f32>::with_capacity(4);
    let mut unwritten = TensorMut::uninit(memory.spare_capacity_mut(), &[4])?;
    let mut items = [ListItem::new([(&x).into(), Input::in_place(0)], [&mut unwritten])];
    refused(
        plan(true)?.execute_list(&mut items, &[]),
        "items[0]: inputs[1]: memory that nothing has written yet",
    );
    let mut items = [ListItem::new([&x, &x], [&mut unwritten])];
    plan(true)?.execute_list(&mut items, &[])?;
    assert_eq!(unwritten.into_slice::<f32>()?, [2.0; 4]);
    Ok(())
}
