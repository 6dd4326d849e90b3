//! A gated activation with a residual in one pass over memory: from a text and built call by call, with
//! a scalar that changes, and its gradient; and two by their names, one of them in place.
//!
//! `cargo run --example expression`

use tileops::{Expr, ExprBuilder, Input, Plan, TensorMut, TensorRef};

fn main() -> tileops::Result<()> {
    let expr = Expr::parse("(g, u, r; scale = 1.0) -> silu(g) * u * scale + r")?;

    // The same, built; what is a function in a text is a method.
    let b = ExprBuilder::new()?;
    let (g, u, r) = (b.operand("g"), b.operand("u"), b.operand("r"));
    b.result(g.silu() * u * b.scalar("scale", 1.0) + r);
    assert_eq!(b.finish()?.text(), expr.text());

    let (g, u, r) = ([-1.0f32, 0.0, 1.0, 2.0], [2.0f32, 2.0], [10.0f32]);
    let mut y = [0.0f32; 4];
    let g = TensorRef::new(&g, &[2, 2])?;
    let u = TensorRef::new(&u, &[2])?; // broadcast along the rows
    let r = TensorRef::scalar(&r[0]);
    let mut out = TensorMut::new(&mut y, &[2, 2])?;

    // Made once, executed often; scalars come with each execute.
    let plan = Plan::new(&expr, [&g, &u, &r], [&out])?;
    plan.execute([&g, &u, &r], [&mut out])?;
    let scalars = expr.scalar_values(&[("scale", 0.5.into())])?;
    plan.execute_with([&g, &u, &r], [&mut out], &scalars)?;
    println!("{y:.3?}");

    println!("{}", expr.gradient(&["g"])?.operands().map(|o| o.name).collect::<Vec<_>>().join(" "));

    // Some 170 expressions have a name; NamedExpr::all() lists them.
    println!("{}", Expr::named("swiglu_residual")?);

    // Steps of AdamW in place: p, m and v are read and written where they are, as outputs 0, 1 and 2.
    let adamw = Expr::named("adamw")?;
    let (mut p, g, mut m, mut v) = ([1.0f32, -1.0], [0.5f32, 0.25], [0.0f32; 2], [0.0f32; 2]);
    let (p, m) = (TensorMut::new(&mut p, &[2])?, TensorMut::new(&mut m, &[2])?);
    let (v, g) = (TensorMut::new(&mut v, &[2])?, TensorRef::new(&g, &[2])?);
    let inputs = [Input::in_place(0), (&g).into(), Input::in_place(1), Input::in_place(2)];
    let mut state = [p, m, v];
    for t in 1..=3 {
        let scalars = adamw.scalar_values(&[("t", t.into()), ("lr", 0.1.into())])?;
        // As the functions of `ops`, this keeps the plan for the next call.
        adamw.call_with(inputs, state.each_mut(), &scalars)?;
    }
    let [p, ..] = state;
    println!("{:.3?}", p.into_slice::<f32>()?);

    // Errors show the place in the text.
    println!("{}", Expr::parse("(x) -> x * (1 + )").unwrap_err());
    Ok(())
}
