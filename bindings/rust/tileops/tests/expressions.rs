//! Expressions: texts, names, the builder, plans, scalars, gradients, threads.

#[path = "common/methods.rs"]
mod methods;

use methods::METHODS;
use std::collections::BTreeSet;
use tileops::ops::{self, choices::Approximate, choices::Rounding};
use tileops::{
    live_handles, DType, Expr, ExprBuilder, ExprNode, Input, NamedExpr, Node, Number, Op,
};
use tileops::{
    Operator, Plan, PlanOptions, Result, Status, TensorMut, TensorRef, TensorSpec, Term,
};

fn parse(text: &str) -> Expr {
    Expr::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// One result of f32 values of one shape.
fn run(expr: &Expr, inputs: &[&[f32]], scalars: &[Number]) -> Result<Vec<f32>> {
    let n = inputs[0].len();
    let mut y = vec![f32::NAN; n];
    let views: Vec<_> = inputs.iter().map(|x| TensorRef::new(x, &[n]).unwrap()).collect();
    let ins: Vec<Input<'_>> = views.iter().map(Input::from).collect();
    let operands: Vec<_> = ins.iter().map(|i| (*i).into()).collect();
    let mut out = TensorMut::new(&mut y, &[n])?;
    let plan = PlanOptions::new().plan_dyn(expr, &operands, &[(&out).into()])?;
    plan.execute_with_dyn(&ins, &mut [&mut out], scalars)?;
    Ok(y)
}

#[test]
fn what_a_text_is() {
    let expr = parse(
        "(x, r, w = 1; eps = 1e-6, n = 2) -> { h = x + r;  h * rsqrt(h * h + eps) * w ** n,  h }",
    );
    let operands: Vec<_> = expr.operands().map(|o| (o.name, o.default)).collect();
    assert_eq!(operands, [("x", None), ("r", None), ("w", Some(1.into()))]);
    let scalars: Vec<_> = expr.scalars().map(|s| (s.name, s.default.unwrap())).collect();
    assert_eq!(scalars, [("eps", 1e-6.into()), ("n", 2.into())]);
    assert_eq!(expr.results().collect::<Vec<_>>(), ["y0", "h"]);
    assert_eq!((expr.min_operands(), expr.num_nodes(), expr.num_host_nodes()), (2, 7, 0));
    assert_eq!(parse("(x; a = 1.0, b = 2.0) -> x * (a + b)").num_host_nodes(), 1);

    let text = expr.text();
    assert_eq!(parse(&text).text(), text);
    assert_eq!((format!("{expr}"), format!("{expr:?}")), (text.clone(), format!("Expr({text:?})")));
    assert_eq!("(a)->a+1 # the same".parse::<Expr>().unwrap().text(), parse("(a) -> a + 1").text());
}

#[test]
fn errors_have_their_place() {
    let cases = [
        ("(x) -> sillu(x)", 7, Status::InvalidArgument, "is 'silu' meant?"),
        ("(x) -> x +", 10, Status::InvalidArgument, "expected"),
        ("(x, x) -> x", 4, Status::InvalidArgument, "'x' is bound twice"),
        ("", 0, Status::InvalidArgument, "expected"),
        ("(x) -> \u{e9}", 7, Status::InvalidArgument, ""),
        ("(x) -> rope_neox(x)", 7, Status::Unsupported, "operator alone"),
        ("(x) -> prelu(x, x)", 7, Status::Unsupported, "where(x > 0, x, weight * x)"),
    ];
    for (text, offset, status, message) in cases {
        let error = Expr::parse(text).expect_err(text);
        assert_eq!((error.offset(), error.status()), (Some(offset), status), "{text}: {error}");
        assert!(error.message().contains(message), "{text}: {error}");
        assert_eq!(error.function(), Some("tileops_expr_parse"), "{text}: {error}");
    }
    // When it is planned, what the text says is shown as well; other failures are about no text.
    let x = TensorSpec::new(DType::F32, &[3]).unwrap();
    let y = TensorSpec::new(DType::F32, &[2]).unwrap();
    let error = Plan::new(&parse("(x, y) -> exp(x) + y"), [&x, &y], [&x]).unwrap_err();
    assert_eq!(error.offset(), Some(19), "{error}");
    assert_eq!(Plan::new(&Op::ADD, [&x, &y], [&x]).unwrap_err().offset(), None);
    assert_eq!(parse("(x) -> x").scalar_values(&[("a", 1.into())]).unwrap_err().offset(), None);
}

#[test]
fn every_name_stands_for_its_text() -> Result<()> {
    assert!(NamedExpr::all().len() > 30);
    for row in NamedExpr::all() {
        assert_eq!(Expr::named(row.name)?.text(), parse(row.text).text(), "{row:?}");
        assert!(!row.doc.is_empty(), "{row:?}");
    }
    let swiglu = Expr::named("swiglu_residual")?;
    let y = run(&swiglu, &[&[0.0, 1.0], &[2.0, 3.0], &[10.0, 20.0]], &[])?;
    assert_eq!(y[0], 10.0);
    assert!((y[1] - (3.0 / (1.0 + (-1f32).exp()) + 20.0)).abs() < 1e-5, "{y:?}");

    let error = Expr::named("no_such").unwrap_err();
    assert_eq!((error.status(), error.argument()), (Status::InvalidArgument, Some("name")));
    assert_eq!(error.message(), "tileops_expr_named: name: there is no expression 'no_such'");
    assert!(Expr::named("adamw\0").unwrap_err().message().contains("holds a NUL"));
    Ok(())
}

#[test]
fn the_builder_makes_what_a_text_means() -> Result<()> {
    let text = |build: &dyn for<'b> Fn(&'b ExprBuilder)| {
        let b = ExprBuilder::new().unwrap();
        build(&b);
        b.finish().unwrap_or_else(|why| panic!("{why}")).text()
    };
    let same = |built: String, written: &str| assert_eq!(built, parse(written).text());

    same(
        text(&|b| {
            let (x, w) = (b.operand("x"), b.optional("w", 1));
            let (s, n) = (b.scalar("s", 0.5), b.scalar("n", 3));
            b.result(2.0 * x + w - 1 / (x % 3.0) * -s);
            b.result_as("out", (1 - n) * x);
            b.result_as("x", x);
        }),
        "(x, w = 1; s = 0.5, n = 3) -> { out = (1 - n) * x; 2.0 * x + w - 1 / (x % 3.0) * -s, out, x }",
    );
    same(
        text(&|b| {
            let (x, y) = (b.operand("x"), b.operand("y"));
            b.result(x.lt(0) & !(y.ge(x) | true));
            b.result(x.eq(y).where_(x, y).maximum(1).clamp(Term::ABSENT, 2.5));
            b.result(x.chunk(0, 2).fma(y, 1.0).cast(DType::BF16).cast(x));
            b.result(x.index(-1) * x.extent(-2) + x.dropout_mask(0.5, 1, 2).cast(DType::I32));
            b.result(x.every(0, 2).concat([x.every(1, 2), y.every(0, 2)]));
            b.result(x.interleave([2 * x]));
        }),
        "(x, y) -> (x < 0) & ~((y >= x) | true), clamp(maximum(where(x == y, x, y), 1), max = 2.5),
           cast(cast(fma(chunk(x, 0, 2), y, 1.0), bf16), x),
           index(x, -1) * extent(x, -2) + cast(dropout_mask(x, 0.5, 1, 2), i32),
           concat(every(x, 0, 2), every(x, 1, 2), every(y, 0, 2)), interleave(x, 2 * x)",
    );
    same(
        text(&|b| {
            let (x, alpha) = (b.operand("x"), b.scalar("alpha", 2.0));
            b.result(b.apply(&ops::Gelu::new().approximate(Approximate::Tanh), [x]));
            b.result(b.apply(&ops::LeakyRelu::new().negative_slope(0.2), [x]));
            b.result(b.apply(&Op::ADD, [x, x, alpha]));
            let up = ops::Cast::new().rounding(Rounding::Up);
            b.result(b.apply(&up, [Term::from(x), DType::F8E8M0.into()]));
            b.result(b.constant(2) * b.constant(1.5) + x);
        }),
        "(x; alpha = 2.0) -> gelu(x, tanh), leaky_relu(x, 0.2), add(x, x, alpha),
           cast(x, e8m0fnu, rounding = up), 2 * 1.5 + x",
    );
    // Choices that Named gives by name are looked up as those of a plan.
    let b = ExprBuilder::new()?;
    let attrs = [("approximate", "tan".into())];
    b.result(b.apply(&tileops::Named::new(Op::GELU, &attrs), [b.operand("x")]));
    assert!(b.finish().unwrap_err().message().contains("need none|tanh"));
    Ok(())
}

#[test]
fn texts_are_parts_of_others() -> Result<()> {
    let norm = Expr::named("add_rms_norm")?;
    let own = parse("(a, b = 2; s = 1.0) -> a * b + s");
    let b = ExprBuilder::new()?;
    let (x, r) = (b.operand("x"), b.operand("r"));
    let sum = norm.of(&b, [x.into(), r.into(), Term::ABSENT, 1e-5.into()]);
    b.result(own.of(&b, [Term::from(sum[0].silu()), 3.into()])[0]);
    b.result_as("h", sum[1]);
    drop(norm); // what has been called stays
    let text = "(x, r) -> { y, h = add_rms_norm(x, r, eps = 1e-5); silu(y) * 3 + 1.0, h }";
    assert_eq!(b.finish()?.text(), parse(text).text());

    let fails = |terms: &dyn for<'b> Fn(&'b ExprBuilder) -> Vec<Term<'b>>, message: &str| {
        let b = ExprBuilder::new().unwrap();
        b.result(own.of(&b, terms(&b))[0]);
        let error = b.finish().expect_err(message);
        assert!(error.message().contains(message), "{error}");
    };
    fails(&|_| vec![], "'a' is missing");
    fails(&|b| vec![b.operand("x").into(), 1.into(), b.operand("y").into()], "'s' takes a number");
    fails(&|b| vec![b.operand("x").into(), 1.into(), 2.into(), 3.into()], "is too large (got 4");
    let other = ExprBuilder::new()?;
    let x = other.operand("x");
    fails(&|_| vec![foreign(x).into()], "argument 1 is no node of this builder");
    Ok(())
}

/// They would broadcast to a wrong loss.
#[test]
fn operands_of_other_shapes_are_refused() -> Result<()> {
    let label = "label: extent -1 is 8, the text says 1: label[..b, 1]";
    let cases: [(&str, &[usize], &[usize], &str); 5] = [
        ("cross_entropy", &[8, 16], &[8], label),
        ("cross_entropy_mean", &[8, 16], &[8], label),
        (
            "token_logprob",
            &[8, 16],
            &[1, 8, 1],
            "label: its leading extents are (1, 8), the text says (8)",
        ),
        (
            "mse",
            &[4, 1],
            &[4],
            "target: its leading extents are (4), the text says (4, 1): target[..b]",
        ),
        ("bce_logits", &[4], &[4, 1], "target: its leading extents are (4, 1), the text says (4)"),
    ];
    for (name, x, y, said) in cases {
        let dtype = if said.starts_with("label") { DType::I64 } else { DType::F32 };
        let (x, y) = (TensorSpec::new(DType::F32, x)?, TensorSpec::new(dtype, y)?);
        let error = Plan::infer(&Expr::named(name)?, [&x, &y]).expect_err(name);
        assert!(error.message().contains(said), "{name}: {error}");
    }
    Ok(())
}

#[test]
fn every_function_has_a_method() {
    let named: BTreeSet<_> = METHODS.iter().map(|(name, ..)| *name).collect();
    let library: BTreeSet<_> = Op::functions().map(Op::name).collect();
    assert_eq!(named, library, "run ./dev bindings");
    let mut built = 0;
    for (name, count, method) in METHODS {
        let function = Op::functions().find(|f| f.name() == *name).unwrap();
        assert_eq!(function.describe_function().unwrap().name(), *name);
        // Operands, and constants where a function takes no others.
        let b = ExprBuilder::new().unwrap();
        let values = (0..*count).map(|i| match (*name, i) {
            ("index" | "extent", 1) => b.constant(-1),
            ("chunk" | "every" | "dropout_mask", 1..) => b.constant(i as i32 - 1),
            ("masked_fill", 2) | ("pow", 1) => b.constant(2),
            ("tiled", 1) => b.constant(8),
            _ => b.operand(&format!("x{i}")),
        });
        let values: Vec<Node<'_>> = values.collect();
        let result = method(&values);
        b.result(if *name == "extent" { result * values[0] } else { result });
        let expr = b.finish().unwrap_or_else(|why| panic!("{name}: {why}"));
        let text = expr.text();
        // Those with an operator in texts are written so.
        let sign = ["+", "-", "*", "/", "%", "**", "==", "!=", "<", ">", "&", "|", "~"];
        let called = text.contains(&format!("{name}("));
        assert!(
            called || sign.iter().any(|s| text[text.find("->").unwrap() + 2..].contains(s)),
            "{text}"
        );
        built += 1;
    }
    assert_eq!(built, METHODS.len());
}

#[test]
fn the_first_error_of_a_builder_sticks() {
    let fails = |build: &dyn for<'b> Fn(&'b ExprBuilder), message: &str| {
        let b = ExprBuilder::new().unwrap();
        build(&b);
        let error = b.finish().expect_err(message);
        assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        assert!(error.message().contains(message), "{error}");
    };
    fails(&|_| {}, "results: there are none");
    fails(&|b| b.result(b.operand("2x").exp()), "'2x' is no name");
    fails(&|b| b.result(b.operand("a\0b")), "name: holds a NUL");
    fails(&|b| b.result_as("a\0b", b.operand("x")), "name: holds a NUL");
    fails(&|b| b.result(b.operand("x") + b.scalar("x", 1)), "'x' is bound twice");
    fails(&|b| b.result(b.operand("x").cast(b.constant(2))), "'dtype' takes a dtype or an operand");
    fails(&|b| b.result(b.operand("x").maximum(DType::F32)), "maximum has no attribute 'dtype'");
    fails(&|b| b.result(b.operand("x").clamp(Term::ABSENT, Term::ABSENT)), "are both missing");
    fails(&|b| b.result(b.scalar("s", true)), "scalar 's' is bool");
    fails(&|b| b.result(b.constant(Number::DEFAULT)), "value: has an unknown kind");
    fails(
        &|b| {
            let parsed = parse("(x) -> x");
            b.result(b.apply(&parsed, [b.operand("x")]));
        },
        "unknown function",
    );
    // A value of another builder is none of this one, whatever its number.
    let other = ExprBuilder::new().unwrap();
    let x = other.operand("x");
    fails(&|b| b.result(b.operand("x") + foreign(x)), "argument 2 is no node of this builder");
    fails(&|b| b.result(foreign(x)), "is no node of this builder");
}

/// The same value, with the lifetime that the borrow checker would not give it.
fn foreign<'b>(node: Node<'_>) -> Node<'b> {
    // SAFETY: the builder lives in the function that calls this.
    unsafe { std::mem::transmute(node) }
}

#[test]
fn scalars_by_name_and_in_order() -> Result<()> {
    let expr = parse("(x; a = 2.0, n = 3) -> x * a + n");
    let x: &[f32] = &[1.0, 2.0];
    assert_eq!(run(&expr, &[x], &[])?, [5.0, 7.0]);
    assert_eq!(run(&expr, &[x], &[10.0.into()])?, [13.0, 23.0]);
    assert_eq!(run(&expr, &[x], &[Number::DEFAULT, 4.into()])?, [6.0, 8.0]);
    assert_eq!(run(&expr, &[x], &expr.scalar_values(&[("n", 5.into())])?)?, [7.0, 9.0]);
    let both = [("n", 5.into()), ("a", 0.5.into())];
    assert_eq!(run(&expr, &[x], &expr.scalar_values(&both)?)?, [5.5, 6.0]);

    let refused = |values: &[Number], message: &str| {
        let error = run(&expr, &[x], values).expect_err(message);
        assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        assert!(error.message().contains(message), "{error}");
    };
    refused(&[1.0.into(), 2.5.into()], "'n'");
    refused(&[true.into()], "scalars[0]: 'a' takes no bool (need a float or an integer)");
    refused(&[Number::DEFAULT, false.into()], "scalars[1]: 'n' takes no bool (need an integer)");
    refused(&[1.0.into(), 2.into(), 3.into()], "num_scalars");
    let unknown = expr.scalar_values(&[("b", 1.into())]).unwrap_err();
    assert_eq!(unknown.message(), "Expr: scalars: unknown name (got \"b\", need a, n)");
    assert!(expr.scalar_values(&[("a", 1.0.into()), ("a", 2.0.into())]).is_err());
    // Operators have no scalars.
    let (x, mut y) = ([1.0f32], [0.0f32]);
    let (x, mut out) = (TensorRef::new(&x, &[1])?, TensorMut::new(&mut y, &[1])?);
    let exp = Plan::new(&Op::EXP, [&x], [&out])?;
    assert!(exp.execute_with([&x], [&mut out], &[1.into()]).is_err());
    Ok(())
}

#[test]
fn plans_by_tensors_and_by_descriptions() -> Result<()> {
    let expr = parse("(x, mask = 0) -> { h = x * 2 + mask; h, h > 3 }");
    let (x, mask) = ([1.0f32, 2.0, 3.0, 4.0], [0.5f32, -0.5]);
    let (mut h, mut over) = ([0.0f64; 4], [false; 4]);
    let (x, mask) = (TensorRef::new(&x, &[2, 2])?, TensorRef::new(&mask, &[2])?);
    {
        let mut h = TensorMut::new(&mut h, &[2, 2])?;
        let mut over = TensorMut::new(&mut over, &[2, 2])?;
        // Results have any dtype, as those of operators.
        let plan = PlanOptions::new().plan_dyn(
            &expr,
            &[(&x).into(), (&mask).into()],
            &[(&h).into(), (&over).into()],
        )?;
        plan.execute_dyn(&[(&x).into(), (&mask).into()], &mut [&mut h, &mut over])?;
    }
    assert_eq!((h, over), ([2.5, 3.5, 6.5, 7.5], [false, true, true, true]));

    // Absent and left off; described ahead.
    let spec = TensorSpec::new(DType::F32, &[2, 2])?;
    let bools = TensorSpec::new(DType::Bool, &[2, 2])?;
    PlanOptions::new().check(&expr, &[(&spec).into()], &[(&spec).into(), (&bools).into()])?;
    let plan = Plan::new(&expr, [&spec], [&spec, &bools])?;
    let mut y = [0.0f32; 4];
    let mut y = TensorMut::new(&mut y, &[2, 2])?;
    plan.execute([&x], [&mut y, &mut TensorMut::new(&mut over, &[2, 2])?])?;
    assert_eq!(over, [false, true, true, true]);
    assert_eq!((plan.num_elements()?, plan.bytes_moved()?), (4, 4 * 9));
    let absent = PlanOptions::new().plan_dyn(
        &expr,
        &[(&spec).into(), Input::ABSENT.into()],
        &[(&spec).into(), (&bools).into()],
    )?;
    drop(absent);

    // In place, where an element is read before it is written.
    let mut z = [1.0f32, 2.0];
    let mut z = TensorMut::new(&mut z, &[2])?;
    let plan = Plan::new(&parse("(x) -> x * x + 1"), [&z], [&z])?;
    plan.execute([Input::in_place(0)], [&mut z])?;
    assert_eq!(z.into_slice::<f32>()?, [2.0, 5.0]);
    Ok(())
}

#[test]
fn calls_keep_the_plan() -> Result<()> {
    let expr = parse("(x, w = 2; a = 1.0) -> { h = a * x * w; h, h > 3 }");
    let (x, mut h, mut over) = ([1.0f32, 2.0], [0.0f32; 2], [false; 2]);
    let x = TensorRef::new(&x, &[2])?;
    for round in [1.0f32, 2.0, 3.0] {
        // A clone is the same expression.
        let expr = expr.clone();
        let mut h = TensorMut::new(&mut h, &[2])?;
        let mut over = TensorMut::new(&mut over, &[2])?;
        expr.call_with([&x], [&mut h, &mut over], &[round.into()])?;
        assert_eq!(over.into_slice::<bool>()?, [2.0 * round > 3.0, 4.0 * round > 3.0]);
        assert_eq!(h.into_slice::<f32>()?, [2.0 * round, 4.0 * round]);
    }
    let mut out = TensorMut::new(&mut h, &[2])?;
    let mut truth = TensorMut::new(&mut over, &[2])?;
    expr.call([(&x).into(), Input::ABSENT], [&mut out, &mut truth])?;
    assert_eq!(out.as_ref().shape(), [2]);
    // In place, and of another expression with operands like these.
    parse("(x) -> x * 10").call([Input::in_place(0)], [&mut out])?;
    parse("(x) -> x + 1").call([Input::in_place(0)], [&mut out])?;
    assert_eq!(out.into_slice::<f32>()?, [21.0, 41.0]);

    // An expression that is gone is not taken for one that has its handle.
    for i in 0..100 {
        let (x, mut y) = ([1.0f32], [0.0f32]);
        let (x, mut y) = (TensorRef::new(&x, &[1])?, TensorMut::new(&mut y, &[1])?);
        parse(&format!("(x) -> x + {i}")).call([&x], [&mut y])?;
        assert_eq!(y.into_slice::<f32>()?, [i as f32 + 1.0]);
    }
    let mut y = [0.0f32; 3];
    let error = expr.call([&x], [&mut TensorMut::new(&mut y, &[3])?]).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument, "{error}");
    Ok(())
}

#[test]
fn what_comes_out() -> Result<()> {
    let expr = parse("(x, s; n = 3) -> { h = x * s; cast(h, e4m3fn), h == n, index(x, -1), n }");
    let x = TensorSpec::new(DType::BF16, &[4, 1])?;
    let s = TensorSpec::new(DType::F32, &[8])?;
    let results = Plan::infer(&expr, [&x, &s])?;
    let shown: Vec<_> = results.iter().map(|r| (r.dtype(), r.shape().to_vec())).collect();
    assert_eq!(
        shown,
        [
            (DType::F8E4M3, vec![4, 8]),
            (DType::Bool, vec![4, 8]),
            (DType::I64, vec![4, 1]),
            (DType::I64, vec![])
        ]
    );
    // They describe the results of a plan.
    let outputs: Vec<_> = results.iter().map(|r| r.into()).collect();
    PlanOptions::new().plan_dyn(&expr, &[(&x).into(), (&s).into()], &outputs)?;
    assert_eq!(Plan::infer(&Op::ADD, [&x, &s])?[0].dtype(), DType::F32);
    let error = Plan::infer(&expr, [&x]).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument, "{error}");
    assert!(Plan::infer(&Op::SINUSOIDAL, Input::NONE).is_err());
    Ok(())
}

#[test]
fn more_operands_than_an_operator_has() -> Result<()> {
    let names: Vec<_> = (0..32).map(|i| format!("x{i}")).collect();
    let sums: Vec<_> = names.chunks(2).map(|pair| pair.join(" + ")).collect();
    let expr = parse(&format!("({}) -> {}", names.join(", "), sums.join(", ")));
    let data: Vec<[f32; 3]> = (0..32).map(|i| [i as f32; 3]).collect();
    let mut results = [[0.0f32; 3]; 16];
    let views: Vec<_> = data.iter().map(|x| TensorRef::new(x, &[3]).unwrap()).collect();
    let ins: Vec<Input<'_>> = views.iter().map(Input::from).collect();
    let mut outs: Vec<_> = results.iter_mut().map(|y| TensorMut::new(y, &[3]).unwrap()).collect();
    let operands: Vec<_> = ins.iter().map(|i| (*i).into()).collect();
    let described: Vec<_> = outs.iter().map(|o| o.into()).collect();
    let plan = PlanOptions::new().plan_dyn(&expr, &operands, &described)?;
    plan.execute_dyn(&ins, &mut outs.iter_mut().collect::<Vec<_>>())?;
    for (i, y) in results.iter().enumerate() {
        assert_eq!(*y, [(4 * i + 1) as f32; 3]);
    }
    let many = vec![Input::from(&views[0]); 33];
    let mut out = [0.0f32; 3];
    let error = plan
        .execute_dyn(&many, &mut [&mut TensorMut::new(&mut out, &[3])?])
        .expect_err("33 operands");
    assert!(error.message().contains("too many operands (got 33 and 1"), "{error}");
    Ok(())
}

#[test]
fn gradients() -> Result<()> {
    let expr = parse("(x, w; a = 3.0) -> a * x * x * w");
    let gradient = expr.gradient(&["x"])?;
    assert_eq!(gradient.operands().map(|o| o.name).collect::<Vec<_>>(), ["x", "w", "grad_y0"]);
    assert_eq!(gradient.results().collect::<Vec<_>>(), ["grad_x"]);
    assert_eq!(gradient.scalars().count(), 1);
    let (x, w, g) = ([1.0f32, -2.0], [0.5f32, 1.0], [1.0f32, 10.0]);
    assert_eq!(run(&gradient, &[&x, &w, &g], &[])?, [3.0, -120.0]);
    assert_eq!(run(&gradient, &[&x, &w, &g], &[1.0.into()])?, [1.0, -40.0]);
    let both = expr.gradient(&["w", "x"])?;
    assert_eq!(both.results().collect::<Vec<_>>(), ["grad_w", "grad_x"]);

    let message = |operands: &[&str]| expr.gradient(operands).unwrap_err().message().to_string();
    assert_eq!(message(&["v"]), "Expr: operands: unknown name (got \"v\", need x, w)");
    assert!(
        message(&["x", "x"]).contains("operands[1]: is given twice"),
        "{}",
        message(&["x", "x"])
    );
    assert!(expr.gradient(&[]).is_err());
    Ok(())
}

#[test]
fn plans_outlive_expressions_and_builders() -> Result<()> {
    let before = live_handles().exprs;
    let b = ExprBuilder::new()?;
    b.result(b.operand("x") * 2);
    let built = b.finish()?;
    let plan = {
        let expr = built.clone();
        drop(built);
        let x = TensorSpec::new(DType::F32, &[2])?;
        assert!(live_handles().exprs > before || before > 0);
        Plan::new(&expr, [&x], [&x])?
    };
    let (x, mut y) = ([1.0f32, 2.0], [0.0f32; 2]);
    plan.execute([&TensorRef::new(&x, &[2])?], [&mut TensorMut::new(&mut y, &[2])?])?;
    assert_eq!(y, [2.0, 4.0]);
    // A builder that is not finished leaves nothing, nor does a handle that is gone.
    let _ = ExprBuilder::new()?.operand("x");
    let expr = parse("(x) -> x");
    let raw = expr.as_ptr();
    drop(expr);
    // SAFETY: a handle already destroyed is an error, as long as its place has not been reused; other
    // tests of this process may have done so, and then it succeeds and is given back.
    unsafe {
        use tileops::sys;
        if sys::tileops_expr_retain(raw) == sys::tileops_status::OK {
            sys::tileops_expr_destroy(raw);
        }
    }
    Ok(())
}

#[test]
fn one_expression_and_one_plan_in_many_threads() {
    let expr = parse("(x; a = 1.0) -> x * a + 1");
    assert_eq!(expr.op().id(), 0);
    let spec = TensorSpec::new(DType::F32, &[1000]).unwrap();
    let plan = Plan::new(&expr, [&spec], [&spec]).unwrap();
    std::thread::scope(|scope| {
        for t in 0..4i32 {
            let (expr, plan, spec) = (&expr, &plan, &spec);
            scope.spawn(move || {
                let x = vec![t as f32; 1000];
                let mut y = vec![0.0f32; 1000];
                for round in 0..50 {
                    let a = round as f32;
                    let own = Plan::new(expr, [spec], [spec]).unwrap();
                    for plan in [plan, &own] {
                        let scalars = expr.scalar_values(&[("a", a.into())]).unwrap();
                        let ins = [&TensorRef::new(&x, &[1000]).unwrap()];
                        let outs = [&mut TensorMut::new(&mut y, &[1000]).unwrap()];
                        plan.execute_with(ins, outs, &scalars).unwrap();
                        assert!(y.iter().all(|v| *v == t as f32 * a + 1.0));
                    }
                    // Errors belong to their thread.
                    let text = format!("{}(x) -> nope(x)", " ".repeat(t as usize));
                    assert_eq!(Expr::parse(&text).unwrap_err().offset(), Some(7 + t as usize));
                    let clone = expr.clone();
                    assert_eq!(clone.gradient(&["x"]).unwrap().results().len(), 1);
                    assert_eq!(clone.text(), expr.text());
                }
            });
        }
        // A builder may go to another thread.
        let b = ExprBuilder::new().unwrap();
        scope.spawn(move || {
            b.result(b.operand("x").exp());
            b.finish().unwrap();
        });
    });
}

#[test]
fn nodes() {
    let expr = parse("(x; s = 2) -> { a = silu(x) + 2.5; a, sum(a * s, axis = -2) }");
    let nodes = expr.nodes();
    assert_eq!(nodes[0], ExprNode::Operand(0));
    assert_eq!(nodes[2], ExprNode::Constant(2.5.into()));
    assert_eq!(nodes[4], ExprNode::Scalar(0));
    let ExprNode::Function { op, arguments, attrs, .. } = &nodes[6] else { panic!("{nodes:?}") };
    assert_eq!(
        (op.name(), &arguments[..], &attrs[..]),
        ("sum", &[Some(5)][..], &[("axis", 2.into())][..])
    );
    assert_eq!(expr.result_nodes(), [3, 6]);
    for row in NamedExpr::all() {
        let expr = parse(row.text);
        let nodes = expr.nodes();
        let mut functions = 0;
        for (at, node) in nodes.iter().enumerate() {
            let ExprNode::Function { arguments, .. } = node else { continue };
            assert!(arguments.iter().flatten().all(|&a| a < at), "{}", row.name);
            functions += 1;
        }
        assert_eq!(functions, expr.num_nodes() + expr.num_host_nodes(), "{}", row.name);
    }
}
