//! Types of other crates: `half`, `float8`, `ndarray`, `dlpark`.

#![allow(unused_imports)]
use tileops::{ops, DType, Device, Result, Tensor, TensorMut, TensorRef};

/// Two numbers in a byte: shapes count pairs here, and inferred ones do.
#[test]
fn pairs() -> Result<()> {
    use tileops::{Expr, F4E2M1x2, Plan};
    let x = [0.0f32, 0.25, 0.75, -1.25, 5.0, 7.0, f32::NAN, -3.0];
    let mut y = [F4E2M1x2(0xff); 4];
    let from = TensorRef::new(&x, &[2, 4])?;
    ops::cast(&from, &mut TensorMut::new(&mut y, &[2, 2])?)?;
    for (pair, values) in y.iter().zip(x.chunks(2)) {
        assert_eq!(*pair, F4E2M1x2::from_f32([values[0], values[1]]));
    }
    let mut back = [0.0f32; 8];
    ops::cast(&TensorRef::new(&y, &[2, 2])?, &mut TensorMut::new(&mut back, &[2, 4])?)?;
    assert_eq!(back, [0.0, 0.0, 1.0, -1.0, 4.0, 6.0, 0.0, -3.0]);
    let expr: Expr = "(x) -> cast(x, e2m1fn)".parse()?;
    let spec = &Plan::infer(&expr, [&from])?[0];
    assert_eq!((spec.dtype(), spec.shape()), (DType::F4E2M1, &[2, 2][..]));
    Ok(())
}

#[cfg(feature = "half")]
#[test]
fn halves() -> Result<()> {
    use half::{bf16, f16};
    let a = [f16::from_f32(1.5), f16::from_f32(-2.0)];
    let b = [bf16::from_f32(0.25), bf16::from_f32(0.5)];
    let mut y = [f16::ZERO; 2];
    let a = TensorRef::new(&a, &[2])?;
    ops::mul(&a, &a, &mut TensorMut::new(&mut y, &[2])?)?;
    assert_eq!(y.map(f32::from), [2.25, 4.0]);
    let mut wide = [0.0f32; 2]; // float16 and bfloat16 promote to float32
    ops::add(&a, &TensorRef::new(&b, &[2])?, &mut TensorMut::new(&mut wide, &[2])?)?;
    assert_eq!(wide, [1.75, -1.5]);
    Ok(())
}

#[cfg(feature = "float8")]
#[test]
fn float8() -> Result<()> {
    use ::float8::{F8E4M3, F8E5M2};
    let x = [1.0f32, 1000.0, -0.3];
    let (mut e4m3, mut e5m2) = ([F8E4M3::from_bits(0); 3], [F8E5M2::from_bits(0); 3]);
    let x = TensorRef::new(&x, &[3])?;
    ops::cast(&x, &mut TensorMut::new(&mut e4m3, &[3])?)?;
    ops::cast(&x, &mut TensorMut::new(&mut e5m2, &[3])?)?;
    assert_eq!(e4m3.map(|v| v.to_f32()), [1.0, 448.0, -0.3125]);
    assert_eq!(e5m2.map(|v| v.to_f32()), [1.0, 1024.0, -0.3125]);
    let overflow = Some(ops::choices::Fp8Overflow::Nonsaturating);
    ops::Cast::new().fp8_overflow(overflow).call(&x, &mut TensorMut::new(&mut e4m3, &[3])?)?;
    assert!(e4m3[1].to_f32().is_nan());
    Ok(())
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays() -> Result<()> {
    use ndarray::{arr0, arr1, s, Array, Array2, ArrayD, IxDyn, ShapeBuilder};
    let x = Array::from_iter(0..24).into_shape_with_order((2, 3, 4)).unwrap();
    // Reversed, sliced, permuted, of column-major order: all are views of the same memory.
    let view = x.slice(s![.., ..;-1, 1..;2]);
    let view = view.permuted_axes([2, 0, 1]);
    let borrowed = TensorRef::try_from(&view)?;
    assert_eq!(borrowed.shape(), [2, 2, 3]);
    assert_eq!(borrowed.strides(), [2, 12, -4]);
    assert_eq!(borrowed.as_ptr(), view.as_ptr().cast());
    let mut y = Array::<i32, _>::zeros((2, 2, 3).f());
    ops::neg(&borrowed, &mut TensorMut::try_from(&mut y)?)?;
    assert_eq!(y, view.mapv(|v| -v));

    // A column of a larger array as the output, in place of nothing else.
    let mut table = Array2::<f32>::zeros((3, 2));
    let column = arr1(&[1.0f32, 4.0, 9.0]);
    let mut target = table.column_mut(1);
    ops::sqrt(&TensorRef::try_from(&column)?, &mut TensorMut::try_from(&mut target)?)?;
    assert_eq!(table, ndarray::arr2(&[[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]]));

    // Broadcast views, 0-d and shared arrays.
    let row = arr1(&[1.0f32, 2.0]);
    let rows = row.broadcast((3, 2)).unwrap();
    let two = arr0(2.0f32);
    let mut y = Array2::<f32>::zeros((3, 2)).into_shared();
    let other = y.clone();
    ops::mul(
        &TensorRef::try_from(&rows)?,
        &TensorRef::try_from(&two)?,
        &mut TensorMut::try_from(&mut y)?,
    )?;
    assert_eq!(y, ndarray::arr2(&[[2.0, 4.0], [2.0, 4.0], [2.0, 4.0]]));
    assert_eq!(other, Array2::<f32>::zeros((3, 2)), "the other owner's data is untouched");

    // Views by value: what they borrow is the array, not the view.
    let mut square = Array2::<f32>::zeros((2, 2));
    let part = TensorRef::try_from(table.slice(s![1.., 1]))?;
    ops::neg(&part, &mut TensorMut::try_from(square.column_mut(0))?)?;
    assert_eq!(square, ndarray::arr2(&[[-2.0, 0.0], [-3.0, 0.0]]));

    let deep = ArrayD::<f32>::zeros(IxDyn(&[1; 33]));
    let error = TensorRef::try_from(&deep).unwrap_err();
    assert_eq!(error.argument(), Some("shape"));
    Ok(())
}

#[cfg(feature = "dlpark")]
#[test]
fn dlpack() -> std::result::Result<(), Box<dyn std::error::Error>> {
    use dlpark::versioned::Dlpack;
    let tensor = Tensor::from_vec(vec![1.0f32, 4.0, 9.0, 16.0], &[2, 2])?;
    let address = tensor.view().as_ptr();
    let packed = Dlpack::try_from(tensor)?;
    assert_eq!(packed.validate()?.shape(), [2, 2]);
    assert_eq!(packed.validate()?.strides(), Some(&[2, 1][..]));
    // SAFETY: float32 values that nobody else has.
    let mut back = unsafe { Tensor::from_dlpark(packed) }?;
    assert_eq!((back.view().as_ptr(), back.dtype()), (address, DType::F32));
    ops::sqrt(tileops::Input::in_place(0), &mut back.view_mut()?)?;
    assert_eq!(back.as_slice::<f32>()?, [1.0, 2.0, 3.0, 4.0]);
    // Memory of the library goes out the same way.
    let packed = Dlpack::try_from(Tensor::new(Device::CPU, DType::BF16, &[3])?)?;
    assert_eq!(packed.validate_export()?.num_bytes(), 6);
    Ok(())
}
