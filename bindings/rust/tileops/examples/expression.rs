//! A gated activation with a residual in one pass over memory: from a text and built call by call, with
//! a scalar that changes, and its gradient; and one by its name.
//!
//! `cargo run --example expression`

use tileops::{Expr, ExprBuilder, Plan, TensorMut, TensorRef};

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

    // Some forty expressions have a name; NamedExpr::all() lists them.
    println!("{}", Expr::named("swiglu_residual")?);

    // Errors show the place in the text.
    println!("{}", Expr::parse("(x) -> x * (1 + )").unwrap_err());
    Ok(())
}
