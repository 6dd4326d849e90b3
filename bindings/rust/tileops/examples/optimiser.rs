//! A step of AdamW over all parameters of a model by one call: on a GPU one launch for some hundreds of them.
//!
//! `cargo run --example optimiser`

use tileops::{
    DType, Expr, Extent, Input, ListItem, PlanOptions, Result, TensorMut, TensorRef, TensorSpec,
};

const ADAMW: &str =
    "(p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> {
    n = lerp(m, g, 1 - b1);  q = v * b2 + g * g * (1 - b2);
    p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + eps), n, q }";

/// A parameter, its gradient and its moments, all of one length.
struct Parameter {
    p: Vec<f32>,
    g: Vec<f32>,
    m: Vec<f32>,
    v: Vec<f32>,
}

impl Parameter {
    /// What a step reads alone, and what it writes where it is: p, m and v.
    fn tensors(&mut self) -> Result<(TensorRef<'_>, [TensorMut<'_>; 3])> {
        let shape = [self.p.len()];
        let [p, m, v] = [&mut self.p, &mut self.m, &mut self.v].map(|x| TensorMut::new(x, &shape));
        Ok((TensorRef::new(&self.g, &shape)?, [p?, m?, v?]))
    }
}

/// Parameters of many lengths, one of which is empty.
fn model() -> Vec<Parameter> {
    let sizes = [96, 1, 7, 0, 64, 65, 1000, 3, 96, 96, 17, 31, 4096, 5, 128, 2, 33, 12, 70000, 8];
    let filled = |size: usize, of: fn(usize) -> f32| (0..size).map(of).collect();
    let parameter = |size| Parameter {
        p: filled(size, |i| (i % 7) as f32 - 3.0),
        g: filled(size, |i| (i % 5) as f32 - 2.0),
        m: vec![0.0; size],
        v: vec![0.0; size],
    };
    sizes.into_iter().map(parameter).collect()
}

/// The same step as a plain loop.
fn plain_step(x: &mut Parameter, lr: f64, t: i32) {
    for i in 0..x.p.len() {
        let g = f64::from(x.g[i]);
        let m = 0.9 * f64::from(x.m[i]) + 0.1 * g;
        let v = 0.999 * f64::from(x.v[i]) + 0.001 * g * g;
        let step = m / (1.0 - 0.9f64.powi(t)) / ((v / (1.0 - 0.999f64.powi(t))).sqrt() + 1e-8);
        x.p[i] = (f64::from(x.p[i]) * (1.0 - lr * 0.01) - lr * step) as f32;
        (x.m[i], x.v[i]) = (m as f32, v as f32);
    }
}

fn main() -> Result<()> {
    let adamw = Expr::parse(ADAMW)?;
    // One plan for parameters of any length.
    let any = TensorSpec::open(DType::F32, &[Extent::Open])?;
    let plan = PlanOptions::new().list(true).plan(&adamw, [&any; 4], [&any; 3])?;

    let (mut model, mut plain) = (model(), model());
    for t in 1..=10 {
        let lr = 0.01 * f64::from(11 - t);
        let mut tensors: Vec<_> =
            model.iter_mut().map(Parameter::tensors).collect::<Result<_>>()?;
        let mut items = Vec::new();
        for (g, written) in &mut tensors {
            let inputs = [Input::in_place(0), (&*g).into(), Input::in_place(1), Input::in_place(2)];
            items.push(ListItem::new(inputs, written));
        }
        let scalars = adamw.scalar_values(&[("lr", lr.into()), ("t", t.into())])?;
        plan.execute_list(&mut items, &scalars)?;
        plain.iter_mut().for_each(|x| plain_step(x, lr, t));
    }
    let pairs = model.iter().zip(&plain).flat_map(|(x, y)| x.p.iter().zip(&y.p));
    let worst = pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
    assert!(worst < 1e-5, "{worst} off");
    println!("{} tensors by one call a step, as a plain loop has them", model.len());
    Ok(())
}
