//! What the binding adds to a call of the C library: `cargo bench`.
//!
//! An add of 8 float32 is executed through the C function and through each way of this crate, in
//! turns, and the median of the differences is shown; then what a new view costs, the least of all
//! rounds. With `TILEOPS_BENCH_LIMIT_NS` set, a plan's execute or a view that costs more fails.

use std::hint::black_box;
use std::time::Instant;
use tileops::{call, ops, sys, Input, Plan, TensorMut, TensorRef};

const ROUNDS: usize = 201;
const CALLS: u32 = 2000;

/// Nanoseconds of one call.
fn time(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> tileops::Result<()> {
    let (a, b, mut y) = ([1.0f32; 8], [2.0f32; 8], [0.0f32; 8]);
    let a = TensorRef::new(&a, &[8])?;
    let b = TensorRef::new(&b, &[8])?;
    let mut y = TensorMut::new(&mut y, &[8])?;
    let plan = Plan::new(&ops::Add::default(), [&a, &b], [&y])?;

    // The same call in C: descriptors made once.
    let mut shape = [8i64];
    let mut tensor = |data: *const std::ffi::c_void| sys::DLTensor {
        data: data.cast_mut(),
        device: sys::DLDevice { device_type: sys::DLDeviceType::kDLCPU, device_id: 0 },
        ndim: 1,
        dtype: sys::DLDataType { code: sys::code::kDLFloat, bits: 32, lanes: 1 },
        shape: shape.as_mut_ptr(),
        strides: std::ptr::null_mut(),
        byte_offset: 0,
    };
    let (ta, tb, mut ty) = (tensor(a.as_ptr()), tensor(b.as_ptr()), tensor(y.as_ptr()));
    let raw = plan.as_ptr();
    let mut c_call = || {
        let inputs = [&raw const ta, &raw const tb];
        let outputs = [&raw mut ty];
        // SAFETY: tensors over borrowed slices, as planned.
        let status = unsafe {
            sys::tileops_execute(
                black_box(raw),
                inputs.as_ptr(),
                2,
                outputs.as_ptr(),
                1,
                std::ptr::null_mut(),
            )
        };
        assert_eq!(status, sys::tileops_status::OK);
    };

    let mut c = Vec::new();
    let mut over = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        let base = time(&mut c_call);
        c.push(base);
        let ways = [
            time(|| black_box(&plan).execute([&a, &b], [&mut y]).unwrap()),
            time(|| {
                let inputs: [Input<'_>; 2] = [(&a).into(), (&b).into()];
                black_box(&plan).execute_dyn(&inputs, &mut [&mut y]).unwrap();
            }),
            time(|| ops::add(black_box(&a), &b, &mut y).unwrap()),
            time(|| {
                let inputs: [Input<'_>; 2] = [(&a).into(), (&b).into()];
                call(black_box("add"), &inputs, &mut [&mut y], &[]).unwrap();
            }),
        ];
        for (all, way) in over.iter_mut().zip(ways) {
            all.push(way - base);
        }
    }
    println!("tileops_execute, add of 8 float32: {:.1} ns", median(c));
    let names = ["Plan::execute", "Plan::execute_dyn", "ops::add (cached plan)", "call(\"add\")"];
    let over = over.map(median);
    for (name, ns) in names.iter().zip(over) {
        println!("{name}: {ns:+.1} ns");
    }
    let views = views();
    for (name, ns) in &views {
        println!("{name}: {ns:.1} ns");
    }
    if let Ok(limit) = std::env::var("TILEOPS_BENCH_LIMIT_NS") {
        let limit: f64 = limit.parse().expect("TILEOPS_BENCH_LIMIT_NS is a number");
        assert!(over[0] <= limit, "Plan::execute costs {:.1} ns over C, limit {limit}", over[0]);
        for (name, ns) in views {
            assert!(ns <= limit, "{name} costs {ns:.1} ns, limit {limit}");
        }
    }
    Ok(())
}

/// Least time of a new view, of each kind.
fn views() -> [(&'static str, f64); 5] {
    let (x, mut y) = ([1.0f32; 24], [2.0f32; 24]);
    let mut least = [f64::INFINITY; 5];
    for _ in 0..ROUNDS {
        let times = [
            time(|| _ = black_box(&TensorRef::new(&x, black_box(&[24])))),
            time(|| _ = black_box(&TensorRef::new(&x, black_box(&[4, 6])))),
            time(|| _ = black_box(&TensorRef::new(&x, black_box(&[2, 3, 2, 2])))),
            time(|| _ = black_box(&TensorRef::strided(&x, black_box(&[6, 4]), &[1, 6], 0))),
            time(|| _ = black_box(&TensorMut::new(&mut y, black_box(&[4, 6])))),
        ];
        for (least, time) in least.iter_mut().zip(times) {
            *least = least.min(time);
        }
    }
    let names = [
        "TensorRef::new, 1-d",
        "TensorRef::new, 2-d",
        "TensorRef::new, 4-d",
        "TensorRef::strided, 2-d",
        "TensorMut::new, 2-d",
    ];
    std::array::from_fn(|i| (names[i], least[i]))
}
