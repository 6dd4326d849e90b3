//! What the compiler refuses: each snippet fails, and fails for its last line alone, since the same
//! snippet without that line is a test that runs.
//!
//! An output's memory can be neither dropped nor read while the output borrows it:
//!
//! ```
//! let mut y = vec![0.0f32; 4];
//! let out = tileops::TensorMut::new(&mut y, &[4]).unwrap();
//! drop(out);
//! ```
//! ```compile_fail,E0505
//! let mut y = vec![0.0f32; 4];
//! let out = tileops::TensorMut::new(&mut y, &[4]).unwrap();
//! drop(y);
//! drop(out);
//! ```
//! ```compile_fail,E0502
//! let mut y = vec![0.0f32; 4];
//! let out = tileops::TensorMut::new(&mut y, &[4]).unwrap();
//! println!("{:?}", y);
//! drop(out);
//! ```
//!
//! A tensor cannot be dropped while an output borrows it, nor be read and written by one call:
//!
//! ```
//! let mut y = tileops::Tensor::from_vec(vec![0.0f32; 4], &[4]).unwrap();
//! let mut out = y.view_mut().unwrap();
//! tileops::ops::exp(tileops::Input::in_place(0), &mut out).unwrap();
//! ```
//! ```compile_fail,E0505
//! let mut y = tileops::Tensor::from_vec(vec![0.0f32; 4], &[4]).unwrap();
//! let mut out = y.view_mut().unwrap();
//! drop(y);
//! tileops::ops::exp(tileops::Input::in_place(0), &mut out).unwrap();
//! ```
//! ```compile_fail,E0502
//! let mut y = tileops::Tensor::from_vec(vec![0.0f32; 4], &[4]).unwrap();
//! let mut out = y.view_mut().unwrap();
//! tileops::ops::exp(&y, &mut out).unwrap();
//! ```
//!
//! Both parts of an output borrow it:
//!
//! ```
//! let mut y = [0.0f32; 4];
//! let mut y = tileops::TensorMut::new(&mut y, &[4]).unwrap();
//! let (mut a, b) = y.split(0, 2).unwrap();
//! tileops::ops::exp(&b, &mut a).unwrap();
//! ```
//! ```compile_fail,E0502
//! let mut y = [0.0f32; 4];
//! let mut y = tileops::TensorMut::new(&mut y, &[4]).unwrap();
//! let (mut a, b) = y.split(0, 2).unwrap();
//! tileops::ops::exp(&y.as_ref(), &mut a).unwrap();
//! ```
//!
//! A tensor does not outlive the slice that it borrows:
//!
//! ```compile_fail,E0597
//! let x = {
//!     let data = [1.0f32; 4];
//!     tileops::TensorRef::new(&data, &[4]).unwrap()
//! };
//! println!("{:?}", x.shape());
//! ```
//!
//! A closed plan cannot be used:
//!
//! ```
//! # use tileops::{DType, Op, Plan, TensorSpec};
//! let x = TensorSpec::new(DType::F32, &[4]).unwrap();
//! let plan = Plan::new(&Op::EXP, [&x], [&x]).unwrap();
//! plan.num_elements().unwrap();
//! ```
//! ```compile_fail,E0382
//! # use tileops::{DType, Op, Plan, TensorSpec};
//! let x = TensorSpec::new(DType::F32, &[4]).unwrap();
//! let plan = Plan::new(&Op::EXP, [&x], [&x]).unwrap();
//! drop(plan);
//! plan.num_elements().unwrap();
//! ```
//!
//! What is no element, and work that is not waited for without a promise:
//!
//! ```compile_fail,E0277
//! tileops::TensorRef::new(&['a', 'b'], &[2]).unwrap();
//! ```
//! ```compile_fail,E0133
//! let x = tileops::Tensor::from_vec(vec![0.0f32; 4], &[4]).unwrap();
//! let mut y = tileops::Tensor::from_vec(vec![0.0f32; 4], &[4]).unwrap();
//! tileops::copy_on(&x.view(), &mut y.view_mut().unwrap(), tileops::RawStream::DEFAULT).unwrap();
//! ```
//!
//! Two items of a list do not write the same tensor, nor does one read what the other one writes:
//!
//! ```
//! let x = tileops::Tensor::from_vec(vec![0.0f32; 4], &[4]).unwrap();
//! let mut y = [0.0f32; 4];
//! let mut out = tileops::TensorMut::new(&mut y, &[4]).unwrap();
//! let first = tileops::ListItem::new([&x], [&mut out]);
//! drop(first);
//! ```
//! ```compile_fail,E0499
//! let x = tileops::Tensor::from_vec(vec![0.0f32; 4], &[4]).unwrap();
//! let mut y = [0.0f32; 4];
//! let mut out = tileops::TensorMut::new(&mut y, &[4]).unwrap();
//! let first = tileops::ListItem::new([&x], [&mut out]);
//! let second = tileops::ListItem::new([&x], [&mut out]);
//! drop(first);
//! ```
//! ```compile_fail,E0502
//! let x = tileops::Tensor::from_vec(vec![0.0f32; 4], &[4]).unwrap();
//! let mut y = [0.0f32; 4];
//! let mut out = tileops::TensorMut::new(&mut y, &[4]).unwrap();
//! let first = tileops::ListItem::new([&x], [&mut out]);
//! let second = tileops::Input::from(&out);
//! drop(first);
//! ```
//!
//! Operators and options get new fields: they are made by their constructors. Traits of operators
//! are this crate's own:
//!
//! ```
//! let add = tileops::ops::Add::new().alpha(2.0);
//! ```
//! ```compile_fail,E0639
//! let add = tileops::ops::Add { alpha: 2.0, ..Default::default() };
//! ```
//! ```compile_fail,E0639
//! let options = tileops::PlanOptions { no_jit: true, ..Default::default() };
//! ```
//! ```compile_fail,E0639
//! let options = tileops::ContextOptions { num_threads: Some(1), ..Default::default() };
//! ```
//! ```compile_fail,E0277
//! struct Mine;
//! impl tileops::Operator for Mine {
//!     fn op(&self) -> tileops::Op {
//!         tileops::Op::EXP
//!     }
//!     fn attrs(&self, _list: &mut tileops::AttrList) -> tileops::Result<()> {
//!         Ok(())
//!     }
//! }
//! ```
