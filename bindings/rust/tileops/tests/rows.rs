//! Functions along axes: the builder's methods, and plans that need a workspace, on the device
//! `TILEOPS_TEST_DEVICE` (default: cpu).

#[path = "common/methods.rs"]
mod methods;
#[path = "common/on_device.rs"]
mod on_device;

use methods::ROWS;
use on_device::device;
use std::thread;
use tileops::{Axes, DType, Device, Error, Expr, ExprBuilder, Input, Plan, Result, Rows, Status};
use tileops::{RawStream, Stream, Tensor, TensorMut, TensorRef, TensorSpec, Workspace};

/// Softmax of rows and of columns, as contrastive losses have them. What one pass over x reduces is
/// taken by the other one.
const SOFTMAXES: &str = "(x; scale = 1.0) -> {
    e = exp(scale * x - detach(amax(scale * x)));
    f = exp(scale * x - detach(amax(scale * x, axis = -2)));
    rows = e / sum(e);  columns = f / sum(f, axis = -2);  rows, columns }";

fn matrix(data: &[f32], rows: usize) -> Result<Tensor> {
    let shape = [rows, data.len() / rows];
    let mut tensor = Tensor::new(device(), DType::F32, &shape)?;
    tileops::copy(&TensorRef::new(data, &shape)?, &mut tensor.view_mut()?)?;
    Ok(tensor)
}

fn elements(tensor: &Tensor) -> Result<Vec<f32>> {
    let mut data = vec![0.0f32; tensor.len()];
    tileops::copy(&tensor.view(), &mut TensorMut::new(&mut data, tensor.shape())?)?;
    Ok(data)
}

fn wave(n: usize, period: usize) -> Vec<f32> {
    (0..n).map(|i| (i % period) as f32 / 4.0 - 1.0).collect()
}

/// Softmax along `n` elements that are `stride` apart, from each of the `starts`.
fn softmax(x: &[f32], starts: &[usize], n: usize, stride: usize) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for start in starts {
        let at = |k: usize| start + k * stride;
        let sum: f64 = (0..n).map(|k| f64::from(x[at(k)]).exp()).sum();
        (0..n).for_each(|k| y[at(k)] = f64::from(x[at(k)]).exp() / sum);
    }
    y
}

fn softmaxes(x: &[f32], rows: usize) -> [Vec<f64>; 2] {
    let columns = x.len() / rows;
    let starts: Vec<usize> = (0..rows).map(|r| r * columns).collect();
    let tops: Vec<usize> = (0..columns).collect();
    [softmax(x, &starts, columns, 1), softmax(x, &tops, rows, columns)]
}

fn near(got: &[f32], want: &[f64]) -> bool {
    got.len() == want.len()
        && got.iter().zip(want).all(|(g, w)| (f64::from(*g) - w).abs() <= 1e-6 * w.abs().max(0.1))
}

fn built(build: impl for<'b> Fn(&'b ExprBuilder)) -> Result<String> {
    let b = ExprBuilder::new()?;
    build(&b);
    Ok(b.finish()?.text())
}

#[test]
fn every_method_of_rows_has_its_attributes() -> Result<()> {
    type Said = for<'b> fn(Rows<'b>) -> Rows<'b>;
    // What is said, the attributes that this needs, and how a text has it.
    let said: [(Said, &[&str], &str); 8] = [
        (|rows| rows, &[], ""),
        (|rows| rows.along(-2), &["axis"], ", axis = -2"),
        (|rows| rows.group(128), &["group"], ", group = 128"),
        (|rows| rows.along([-4]).group(16usize), &["group"], ", axis = -4, group = 16"),
        (|rows| rows.correction(1), &["correction"], ", correction = 1"),
        (|rows| rows.along(-3).reverse(), &["reverse"], ", axis = -3, reverse = true"),
        (|rows| rows.exclusive(), &["exclusive"], ", exclusive = true"),
        (|rows| rows.exclusive().reverse(), &["exclusive"], ", reverse = true, exclusive = true"),
    ];
    for (name, attributes, method) in ROWS {
        for (say, needs, text) in said {
            let second = matches!(*name, "spread" | "gather" | "scatter" | "scatter_add");
            let value = format!("{name}(x{}{text})", if second { ", v" } else { "" });
            let factor = if *name == "extent" { " * x" } else { "" };
            let expected = format!("(x, v) -> {value}{factor}");
            let got = built(|b| {
                let (x, v) = (b.operand("x"), b.operand("v"));
                let result = method(say(x.rows()), v);
                b.result(if *name == "extent" { result * x } else { result });
            });
            let axis_is_missing = *name == "extent" && !text.contains("axis");
            if needs.iter().all(|need| attributes.contains(need)) && !axis_is_missing {
                assert_eq!(got?, Expr::parse(&expected)?.text(), "{value}");
            } else {
                let error = got.expect_err(&value);
                assert!(error.message().contains(name), "{value}: {error}");
                let attribute = needs.first().unwrap_or(&"axis");
                assert!(error.message().contains(attribute), "{value}: {error}");
            }
        }
    }
    Ok(())
}

#[test]
fn axes_and_groups_that_there_are() -> Result<()> {
    let text = built(|b| {
        let (x, i) = (b.operand("x"), b.operand("i"));
        b.result(x.along(Axes::ALL).argmax());
        b.result(x.along(&[-1, -3][..]).var());
        b.result(x.group([16, 128]).amax());
        b.result(x.along([-3, -1]).group([2usize, 8]).amin());
        b.result(x.along([-4, -2]).gather([i.into(), tileops::Term::from(3)]));
        b.result(x.along([-2, -1]).extent() * x);
        b.result(i.tiled(8));
        b.result(i.tiled(tileops::Term::ABSENT));
    })?;
    let written =
        "(x, i) -> argmax(x, axis = all), var(x, axis = (-3, -1)), amax(x, group = (16, 128)),
        amin(x, axis = (-3, -1), group = (2, 8)), gather(x, i, 3, axis = (-4, -2)),
        extent(x, (-2, -1)) * x, tiled(i, rows = 8), tiled(i)";
    assert_eq!(text, Expr::parse(written)?.text());

    type Wrong = for<'b> fn(&'b ExprBuilder);
    let wrong: [(Wrong, &str); 8] = [
        (|b| b.result(b.operand("x").along(0).sum()), "count from the end (got 0, need -1 to -32)"),
        (|b| b.result(b.operand("x").along(-33).sum()), "(got -33"),
        (|b| b.result(b.operand("x").along([-1, -2, -1]).sum()), "-1 is given twice"),
        (|b| b.result(b.operand("x").along([]).sum()), "none (need one, or Axes::ALL)"),
        (|b| b.result(b.operand("x").group(0).sum()), "group: out of range (got 0"),
        (|b| b.result(b.operand("x").group(1usize << 40).sum()), "group: out of range"),
        (|b| b.result(b.operand("x").along(Axes::ALL).group(4).sum()), "no groups of all axes"),
        (|b| b.result(b.operand("x").along(-1).along(-2).sum()), "axis"),
    ];
    for (build, message) in wrong {
        let error = built(build).expect_err(message);
        assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        assert!(error.message().contains(message), "{error}");
    }
    Ok(())
}

#[test]
fn rms_norm_and_its_gradient() -> Result<()> {
    const ROWS: usize = 9;
    const N: usize = 64;
    let b = ExprBuilder::new()?;
    let (x, w) = (b.operand("x"), b.operand("w"));
    b.result(x * ((x * x).mean() + b.scalar("eps", 1e-6)).rsqrt() * w);
    let norm = b.finish()?;
    let data = wave(ROWS * N, 7);
    let (x, w) = (matrix(&data, ROWS)?, matrix(&[2.0; N], 1)?);
    let (g, mut y) = (matrix(&[1.0; ROWS * N], ROWS)?, matrix(&[0.0; ROWS * N], ROWS)?);
    norm.call([&x, &w], [&mut y.view_mut()?])?;

    let mut weights = vec![0.0; N];
    let mut want = vec![0.0; ROWS * N];
    for (row, want) in data.chunks(N).zip(want.chunks_mut(N)) {
        let squares: f64 = row.iter().map(|v| f64::from(*v).powi(2)).sum();
        for ((value, want), weight) in row.iter().zip(want).zip(&mut weights) {
            let normal = f64::from(*value) / (squares / N as f64 + 1e-6).sqrt();
            *want = 2.0 * normal;
            *weight += normal;
        }
    }
    assert!(near(&elements(&y)?, &want));

    // The gradient of the weights is a sum over rows.
    let gradient = norm.gradient(&["x", "w"])?;
    let (mut dx, mut dw) = (matrix(&[0.0; ROWS * N], ROWS)?, matrix(&[0.0; N], 1)?);
    let plan = Plan::new(&gradient, [&x, &w, &g], [&dx, &dw])?;
    plan.execute([&x, &w, &g], [&mut dx.view_mut()?, &mut dw.view_mut()?])?;
    assert!(near(&elements(&dw)?, &weights), "{:?} for {weights:?}", elements(&dw)?);
    // dx stands at right angles to the row that was normalised.
    for (row, dx) in data.chunks(N).zip(elements(&dx)?.chunks(N)) {
        let product: f64 = row.iter().zip(dx).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        assert!(product.abs() < 1e-3, "{product}");
        assert!(dx.iter().any(|d| d.abs() > 1e-2));
    }
    Ok(())
}

#[test]
fn softmaxes_and_their_gradient_have_a_workspace() -> Result<()> {
    const ROWS: usize = 6;
    let expr = Expr::parse(SOFTMAXES)?;
    let data = wave(ROWS * 10, 7);
    let x = matrix(&data, ROWS)?;
    let (mut rows, mut columns) = (matrix(&data, ROWS)?, matrix(&data, ROWS)?);
    let plan = Plan::new(&expr, [&x], [&rows, &columns])?;
    assert!(plan.workspace_bytes() > 0);
    let [by_row, by_column] = softmaxes(&data, ROWS);
    for round in 0..3 {
        let mut outputs = [&mut rows.view_mut()?, &mut columns.view_mut()?];
        match round {
            0 => plan.execute([&x], outputs)?,
            1 => plan.execute_dyn(&[(&x).into()], &mut outputs)?,
            _ => expr.call([&x], outputs)?,
        }
        assert!(near(&elements(&rows)?, &by_row) && near(&elements(&columns)?, &by_column));
    }
    // Scalars come beside the workspace.
    let outputs = [&mut rows.view_mut()?, &mut columns.view_mut()?];
    plan.clone().execute_with([&x], outputs, &[2.0.into()])?;
    let twice: Vec<f32> = data.iter().map(|v| 2.0 * v).collect();
    assert!(near(&elements(&columns)?, &softmaxes(&twice, ROWS)[1]));

    let gradient = expr.gradient(&["x"])?;
    let (g, h) = (wave(ROWS * 10, 5), wave(ROWS * 10, 11));
    let (dr, dc, mut dx) = (matrix(&g, ROWS)?, matrix(&h, ROWS)?, matrix(&data, ROWS)?);
    let plan = Plan::new(&gradient, [&x, &dr, &dc], [&dx])?;
    assert!(plan.workspace_bytes() > 0);
    plan.execute([&x, &dr, &dc], [&mut dx.view_mut()?])?;
    let product = |a: &[f32], b: &[f64], at: &dyn Fn(usize) -> bool| -> f64 {
        (0..b.len()).filter(|i| at(*i)).map(|i| f64::from(a[i]) * b[i]).sum()
    };
    let want: Vec<f64> = (0..data.len())
        .map(|i| {
            let row = product(&g, &by_row, &|k| k / 10 == i / 10);
            let column = product(&h, &by_column, &|k| k % 10 == i % 10);
            by_row[i] * (f64::from(g[i]) - row) + by_column[i] * (f64::from(h[i]) - column)
        })
        .collect();
    assert!(near(&elements(&dx)?, &want));
    Ok(())
}

#[test]
fn a_workspace_that_is_given() -> Result<()> {
    let expr = Expr::parse(SOFTMAXES)?;
    let data = wave(60, 7);
    let x = matrix(&data, 6)?;
    let (mut rows, mut columns) = (matrix(&data, 6)?, matrix(&data, 6)?);
    let plan = Plan::new(&expr, [&x], [&rows, &columns])?;
    let [by_row, by_column] = softmaxes(&data, 6);
    let large = Workspace::try_from(Tensor::new(device(), DType::F64, &[plan.workspace_bytes()])?)?;
    assert_eq!(large.bytes(), 8 * plan.workspace_bytes());
    for mut workspace in [plan.workspace()?, large] {
        let outputs = [&mut rows.view_mut()?, &mut columns.view_mut()?];
        plan.execute_in(&mut workspace, [&x], outputs, &[])?;
        assert!(near(&elements(&rows)?, &by_row) && near(&elements(&columns)?, &by_column));
        let memory = Tensor::from(workspace);
        assert_eq!(memory.device(), device());
    }

    let mut refused = |mut workspace: Workspace| -> Result<Error> {
        let mut outputs = [&mut rows.view_mut()?, &mut columns.view_mut()?];
        let inputs = [Input::from(&x)];
        Ok(plan.execute_in_dyn(&mut workspace, &inputs, &mut outputs, &[]).unwrap_err())
    };
    let error = refused(Workspace::new(device(), plan.workspace_bytes() - 1)?)?;
    assert_eq!(error.argument(), Some("workspace_bytes"), "{error}");
    assert!(error.message().contains("is too small"), "{error}");
    if device() != Device::CPU {
        let error = refused(Workspace::new(Device::CPU, plan.workspace_bytes())?)?;
        assert!(error.message().contains("is on another device (got cpu, need cuda"), "{error}");
    }

    // A plan that needs none takes any.
    let one = TensorSpec::new(DType::F32, &[6, 10])?.on(device());
    let plain = Plan::new(&Expr::parse("(x) -> -x")?, [&one], [&one])?;
    assert_eq!(plain.workspace_bytes(), 0);
    let outputs = [&mut rows.view_mut()?];
    plain.execute_in(&mut plain.workspace()?, [&x], outputs, &[])?;
    assert_eq!(elements(&rows)?[3], -data[3]);
    Ok(())
}

#[test]
fn one_plan_from_many_threads_and_streams() -> Result<()> {
    const N: usize = 6 * 2000;
    let expr = Expr::parse(SOFTMAXES)?;
    let spec = TensorSpec::new(DType::F32, &[6, N / 6])?.on(device());
    let plan = Plan::new(&expr, [&spec], [&spec, &spec])?;
    assert!(plan.workspace_bytes() > 0);
    // Of those on one stream, too, the workspaces are apart.
    let streams = [Stream::new(device())?, Stream::new(device())?];
    thread::scope(|scope| {
        let workers: Vec<_> = (0..6)
            .map(|t| {
                let (plan, expr, stream) = (&plan, &expr, streams.get(t));
                scope.spawn(move || -> Result<()> {
                    let data = wave(N, 7 + t);
                    let [by_row, by_column] = softmaxes(&data, 6);
                    let x = matrix(&data, 6)?;
                    for i in 0..20 {
                        let (mut rows, mut columns) = (matrix(&data, 6)?, matrix(&data, 6)?);
                        let outputs = [&mut rows.view_mut()?, &mut columns.view_mut()?];
                        match stream {
                            Some(stream) => {
                                // SAFETY: all of it lives until the stream is waited for.
                                unsafe { plan.execute_on([&x], outputs, stream.as_raw()) }?;
                                stream.synchronize()?;
                            }
                            None if i % 2 == 0 => expr.call([&x], outputs)?,
                            None => plan.execute([&x], outputs)?,
                        }
                        assert!(near(&elements(&rows)?, &by_row), "thread {t}");
                        assert!(near(&elements(&columns)?, &by_column), "thread {t}");
                    }
                    Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
    })
}

/// Each graph of work wants a workspace of its own; here it is given to two executes in turn.
#[test]
fn work_on_a_stream_in_a_workspace() -> Result<()> {
    let expr = Expr::parse(SOFTMAXES)?;
    let (data, other) = (wave(60, 7), wave(60, 11));
    let (x, z) = (matrix(&data, 6)?, matrix(&other, 6)?);
    let mut y = [matrix(&data, 6)?, matrix(&data, 6)?, matrix(&data, 6)?, matrix(&data, 6)?];
    let plan = Plan::new(&expr, [&x], [&y[0], &y[1]])?;
    let (stream, mut workspace) = (Stream::new(device())?, plan.workspace()?);
    let [a, b, c, d] = &mut y;
    // SAFETY: all of it lives until the stream is waited for, and is used on it alone.
    unsafe {
        let raw: RawStream = stream.as_raw();
        let outputs = [&mut a.view_mut()?, &mut b.view_mut()?];
        plan.execute_in_on(&mut workspace, [&x], outputs, &[], raw)?;
        let outputs = [&mut c.view_mut()?, &mut d.view_mut()?];
        plan.execute_in_on(&mut workspace, [&z], outputs, &[], raw)?;
    }
    stream.synchronize()?;
    for (data, y) in [(&data, &y[..2]), (&other, &y[2..])] {
        let [by_row, by_column] = softmaxes(data, 6);
        assert!(near(&elements(&y[0])?, &by_row) && near(&elements(&y[1])?, &by_column));
    }
    Ok(())
}

/// Through the slices and events of `cudarc`, on two streams that the plan keeps; needs a GPU.
#[cfg(feature = "cudarc")]
#[test]
fn softmaxes_of_cudarc() -> std::result::Result<(), Box<dyn std::error::Error>> {
    use cudarc::driver::CudaContext;
    use tileops::{CudaInput, CudaOutput};
    if device() != Device::cuda(0) {
        println!("skipped: TILEOPS_TEST_DEVICE is not cuda:0");
        return Ok(());
    }
    const SHAPE: [usize; 2] = [6, 5000];
    let expr = Expr::parse(SOFTMAXES)?;
    let spec = TensorSpec::new(DType::F32, &SHAPE)?.on(device());
    let plan = Plan::new(&expr, [&spec], [&spec, &spec])?;
    let cuda = CudaContext::new(0)?;
    for period in [7, 11, 13] {
        let data = wave(6 * 5000, period);
        let [by_row, by_column] = softmaxes(&data, 6);
        // Each has gone when the next one comes, but for what the plan holds.
        let stream = cuda.new_stream()?;
        let x = stream.clone_htod(&data)?;
        let mut rows = stream.alloc_zeros::<f32>(data.len())?;
        let mut columns = stream.alloc_zeros::<f32>(data.len())?;
        for _ in 0..3 {
            let input = CudaInput::new(&stream, &x, &SHAPE)?;
            let outputs = [
                CudaOutput::new(&stream, &mut rows, &SHAPE)?,
                CudaOutput::new(&stream, &mut columns, &SHAPE)?,
            ];
            plan.execute_cuda(&stream, [input], outputs)?;
        }
        assert!(near(&stream.clone_dtoh(&rows)?, &by_row));
        assert!(near(&stream.clone_dtoh(&columns)?, &by_column));
        drop((x, rows, columns));
        assert_eq!(std::sync::Arc::strong_count(&stream), 2, "the plan keeps the stream");
    }
    Ok(())
}
