//! Streams and device slices of `cudarc`, ordered by its events.

use crate::plan::{Kind, Run, StreamOwner};
use crate::tensor::{check_bounds, check_len, View};
use crate::{Device, Element, Error, Input, Number, Operand, Plan, RawStream, Result};
use cudarc::driver::{CudaStream, DevicePtr, DevicePtrMut, SyncOnDrop};
use std::sync::Arc;

/// A device slice that a plan reads on a stream.
///
/// Making it lets the stream wait for earlier writes of the slice; [`Plan::execute_cuda`] takes it and
/// records that the stream has read it. Work on other streams is ordered by that, so that no `unsafe`
/// is needed.
#[cfg_attr(docsrs, doc(cfg(feature = "cudarc")))]
#[derive(Debug)]
pub struct CudaInput<'a>(Operation<'a>);

/// A device slice that a plan writes on a stream; ordered as [`CudaInput`], after earlier reads as
/// well.
#[cfg_attr(docsrs, doc(cfg(feature = "cudarc")))]
#[derive(Debug)]
pub struct CudaOutput<'a>(Operation<'a>);

#[derive(Debug)]
struct Operation<'a> {
    kind: Owned,
    stream: Option<&'a CudaStream>,
    _guard: Option<SyncOnDrop<'a>>,
}

#[derive(Debug)]
enum Owned {
    View(View),
    Absent,
    Output(usize),
}

impl<'a> Operation<'a> {
    fn new<T: Element>(
        stream: &'a CudaStream,
        (address, guard): (cudarc::driver::sys::CUdeviceptr, SyncOnDrop<'a>),
        shape: &[usize],
        strides: Option<&[isize]>,
        first: usize,
    ) -> Result<Self> {
        let device = Device::cuda(stream.context().ordinal() as i32);
        let address = address as usize + first * size_of::<T>();
        let data = std::ptr::without_provenance_mut(address); // of a device, never read here
        let view = View::new(data, device, T::DTYPE, shape, strides)?;
        Ok(Self { kind: Owned::View(view), stream: Some(stream), _guard: Some(guard) })
    }

    fn kind(&self) -> Kind<'_> {
        match &self.kind {
            Owned::View(view) => Kind::View(view),
            Owned::Absent => Kind::Absent,
            Owned::Output(i) => Kind::Output(*i),
        }
    }

    fn check(&self, stream: &CudaStream, argument: &str, i: usize) -> Result<()> {
        match self.stream {
            Some(own) if own.cu_stream() != stream.cu_stream() => Err(Error::invalid(format!(
                "Plan: {argument}[{i}]: was made for another stream than the one that runs"
            ))),
            _ => Ok(()),
        }
    }
}

impl<'a> CudaInput<'a> {
    /// A row-major tensor over all of a slice or view. Errors: as [`TensorRef::new`](crate::TensorRef::new).
    pub fn new<T: Element>(
        stream: &'a CudaStream,
        data: &'a impl DevicePtr<T>,
        shape: &[usize],
    ) -> Result<Self> {
        check_len(data.len(), shape)?;
        Operation::new::<T>(stream, data.device_ptr(stream), shape, None, 0).map(Self)
    }

    /// A strided tensor; see [`TensorRef::strided`](crate::TensorRef::strided).
    pub fn strided<T: Element>(
        stream: &'a CudaStream,
        data: &'a impl DevicePtr<T>,
        shape: &[usize],
        strides: &[isize],
        first: usize,
    ) -> Result<Self> {
        check_bounds(data.len(), first, shape, strides)?;
        Operation::new::<T>(stream, data.device_ptr(stream), shape, Some(strides), first).map(Self)
    }

    /// An optional input that is not given; see [`Input::ABSENT`].
    pub fn absent() -> Self {
        Self(Operation { kind: Owned::Absent, stream: None, _guard: None })
    }

    /// The memory of that output; see [`Input::in_place`].
    pub fn in_place(output: usize) -> Self {
        Self(Operation { kind: Owned::Output(output), stream: None, _guard: None })
    }
}

impl<'a> CudaOutput<'a> {
    /// A row-major tensor over all of a slice or view. Errors: as [`TensorMut::new`](crate::TensorMut::new).
    pub fn new<T: Element>(
        stream: &'a CudaStream,
        data: &'a mut impl DevicePtrMut<T>,
        shape: &[usize],
    ) -> Result<Self> {
        check_len(data.len(), shape)?;
        Operation::new::<T>(stream, data.device_ptr_mut(stream), shape, None, 0).map(Self)
    }

    /// A strided tensor; see [`TensorMut::strided`](crate::TensorMut::strided).
    pub fn strided<T: Element>(
        stream: &'a CudaStream,
        data: &'a mut impl DevicePtrMut<T>,
        shape: &[usize],
        strides: &[isize],
        first: usize,
    ) -> Result<Self> {
        check_bounds(data.len(), first, shape, strides)?;
        let pointer = data.device_ptr_mut(stream);
        Operation::new::<T>(stream, pointer, shape, Some(strides), first).map(Self)
    }
}

impl<'a> From<&'a CudaInput<'_>> for Operand<'a> {
    fn from(input: &'a CudaInput<'_>) -> Self {
        Operand(input.0.kind())
    }
}

impl<'a> From<&'a CudaOutput<'_>> for Operand<'a> {
    fn from(output: &'a CudaOutput<'_>) -> Self {
        Operand(output.0.kind())
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "cudarc")))]
impl Plan {
    /// Enqueues the plan on a stream of `cudarc`, and does not wait for it: the events of the slices
    /// order it with their other uses. The operands are taken, so that these events are always
    /// recorded.
    ///
    /// ```no_run
    /// use cudarc::driver::CudaContext;
    /// use tileops::{ops, CudaInput, CudaOutput, Plan};
    /// let stream = CudaContext::new(0)?.new_stream()?;
    /// let x = stream.clone_htod(&[1.0f32, 4.0, 9.0])?;
    /// let mut y = stream.alloc_zeros::<f32>(3)?;
    /// let input = CudaInput::new(&stream, &x, &[3])?;
    /// let output = CudaOutput::new(&stream, &mut y, &[3])?;
    /// let plan = Plan::new(&ops::Sqrt::default(), [&input], [&output])?;
    /// plan.execute_cuda(&stream, [input], [output])?;
    /// assert_eq!(stream.clone_dtoh(&y)?, [1.0, 2.0, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A plan that needs a [`Workspace`](crate::Workspace) keeps one for the stream, and the stream with
    /// it. Not during a capture of such a plan: its graph would share the workspace with later work.
    ///
    /// Errors: as [`Plan::execute`], and `InvalidArgument` for an operand of another stream.
    pub fn execute_cuda<const N: usize, const M: usize>(
        &self,
        stream: &Arc<CudaStream>,
        inputs: [CudaInput<'_>; N],
        outputs: [CudaOutput<'_>; M],
    ) -> Result<()> {
        self.execute_cuda_with(stream, inputs, outputs, &[])
    }

    /// As [`execute_cuda`](Self::execute_cuda), with the scalars of an expression; see
    /// [`Plan::execute_with`].
    pub fn execute_cuda_with<const N: usize, const M: usize>(
        &self,
        stream: &Arc<CudaStream>,
        inputs: [CudaInput<'_>; N],
        outputs: [CudaOutput<'_>; M],
        scalars: &[Number],
    ) -> Result<()> {
        for (i, input) in inputs.iter().enumerate() {
            input.0.check(stream, "inputs", i)?;
        }
        for (i, output) in outputs.iter().enumerate() {
            output.0.check(stream, "outputs", i)?;
        }
        let views = outputs.each_ref().map(|output| match &output.0.kind {
            Owned::View(view) => view,
            Owned::Absent | Owned::Output(_) => unreachable!("outputs are made of views only"),
        });
        let operands = inputs.each_ref().map(|input| Input(input.0.kind()));
        let raw = RawStream::from_ptr(stream.cu_stream().cast());
        let owner: StreamOwner = stream.clone();
        // SAFETY: the guards, which record their events when this function returns, keep the slices
        // and order their uses; all of them are of this stream, which lives as long as a workspace that
        // work on it may use.
        unsafe { self.execute_views(&operands, &views, Run::on(raw, scalars).of(&owner)) }
    }
}
