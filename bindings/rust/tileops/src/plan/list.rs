//! Many sets of tensors by one call.

use super::launch::arguments;
use super::open::raw;
use super::workspace::Space;
use super::{Input, Plan};
use crate::error::check;
use crate::stream::RawStream;
use crate::tensor::View;
use crate::{Error, Number, Result, TensorMut};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use tileops_sys as sys;

/// One set of tensors of [`Plan::execute_list`], such as a parameter with its gradient and its moments.
#[derive(Debug)]
pub struct ListItem<'a> {
    inputs: Vec<Input<'a>>,
    outputs: Vec<&'a mut View>,
}

impl<'a> ListItem<'a> {
    /// Inputs and outputs as [`Plan::execute`] takes them.
    pub fn new<'t: 'a, I: Into<Input<'a>>>(
        inputs: impl IntoIterator<Item = I>,
        outputs: impl IntoIterator<Item = &'a mut TensorMut<'t>>,
    ) -> Self {
        let inputs = inputs.into_iter().map(Into::into).collect();
        Self { inputs, outputs: outputs.into_iter().map(|out| &mut out.0).collect() }
    }
}

/// One set of addresses of [`Plan::execute_list_ptrs`].
#[derive(Clone, Copy, Debug, Default)]
pub struct AddressItem<'a> {
    /// Of element 0 of each input, NULL for absent ones.
    pub inputs: &'a [*const c_void],
    /// Of element 0 of each output.
    pub outputs: &'a [*mut c_void],
    /// In the order of [`Plan::open_extents`].
    pub extents: &'a [usize],
}

impl Plan {
    /// Runs the plan, one with [`PlanOptions::list`](crate::PlanOptions::list), for many sets of tensors at once, and
    /// returns when all results are there. On CUDA that is one launch for some hundreds of items; on the CPU
    /// threads share the work of all. Results have the bits of an [`execute_with`](Self::execute_with) of
    /// each item for itself. What differs from item to item may be open extents and the memory; a
    /// scalar that differs is an operand of one element.
    ///
    /// ```
    /// use tileops::{DType, Expr, Extent, Input, ListItem, PlanOptions, TensorMut, TensorRef, TensorSpec};
    /// let descent = Expr::parse("(p, g; lr = 0.5) -> p - lr * g")?;
    /// let any = TensorSpec::open(DType::F32, &[Extent::Open])?;
    /// let plan = PlanOptions::new().list(true).plan(&descent, [&any, &any], [&any])?;
    /// let (mut w, mut b) = ([1.0f32, 2.0, 3.0], [4.0f32]);
    /// let (gw, gb) = (TensorRef::new(&[2.0f32; 3], &[3])?, TensorRef::new(&[8.0f32], &[1])?);
    /// let (mut pw, mut pb) = (TensorMut::new(&mut w, &[3])?, TensorMut::new(&mut b, &[1])?);
    /// let mut items = [
    ///     ListItem::new([Input::in_place(0), (&gw).into()], [&mut pw]),
    ///     ListItem::new([Input::in_place(0), (&gb).into()], [&mut pb]),
    /// ];
    /// plan.execute_list(&mut items, &[])?;
    /// assert_eq!((w, b), ([0.0, 1.0, 2.0], [0.0]));
    /// # Ok::<(), tileops::Error>(())
    /// ```
    ///
    /// Errors: as [`execute_with`](Self::execute_with), naming the item; `InvalidArgument` for a plan
    /// without that option.
    pub fn execute_list(&self, items: &mut [ListItem<'_>], scalars: &[Number]) -> Result<()> {
        // SAFETY: the work is done when this function returns, and all borrows live until then.
        unsafe { self.execute_list_on(items, scalars, RawStream::DEFAULT) }?;
        self.wait()
    }

    /// As [`execute_list`](Self::execute_list) on a stream of the plan's device, which is not waited for.
    ///
    /// # Safety
    ///
    /// As [`execute_on`](Self::execute_on), for the tensors of all items. A plan that needs a workspace has one
    /// of its own for all of them.
    pub unsafe fn execute_list_on(
        &self,
        items: &mut [ListItem<'_>],
        scalars: &[Number],
        stream: RawStream,
    ) -> Result<()> {
        let count = |of: fn(&ListItem<'_>) -> usize| items.iter().map(of).sum::<usize>();
        let (num_inputs, num_outputs) = (count(|i| i.inputs.len()), count(|i| i.outputs.len()));
        // None of these grows beyond what it has room for: the arguments point into them.
        let mut tensors: Vec<MaybeUninit<sys::DLTensor>> = Vec::new();
        tensors.resize_with(num_inputs + num_outputs, MaybeUninit::uninit);
        let (mut ins, mut outs) = (Vec::with_capacity(num_inputs), Vec::with_capacity(num_outputs));
        let mut args = Vec::with_capacity(items.len());
        let mut rest = &mut tensors[..];
        for (number, item) in items.iter().enumerate() {
            let (first_in, first_out) = (ins.len(), outs.len());
            let slots;
            (slots, rest) = rest.split_at_mut(item.outputs.len() + item.inputs.len());
            let (targets, sources) = slots.split_at_mut(item.outputs.len());
            for (view, target) in item.outputs.iter().zip(targets) {
                outs.push(std::ptr::from_mut(target.write(view.to_dlpack())));
            }
            for (i, (input, source)) in item.inputs.iter().zip(sources).enumerate() {
                let output = |k: usize| item.outputs.get(k).map(|view| &**view);
                let address = self.address(i, input, source, output, &outs[first_out..]);
                ins.push(address.map_err(|error| in_item(number, &error))?);
            }
            let (ins, outs) = (&ins[first_in..], &outs[first_out..]);
            // SAFETY: NULL, or a tensor that has just been described.
            let need = self.need(|| unsafe { self.extents_in(ins) });
            args.push(arguments(ins, outs, &[], RawStream::DEFAULT, need));
        }
        // SAFETY: as many tensors as said; the rest is the caller's promise.
        unsafe { self.launch_list(&mut args, scalars, stream) }?;
        items.iter_mut().flat_map(|item| &mut item.outputs).for_each(|view| view.uninit = false);
        Ok(())
    }

    /// As [`execute_list_on`](Self::execute_list_on) on bare addresses, as
    /// [`execute_ptrs`](Self::execute_ptrs) takes them.
    ///
    /// # Safety
    ///
    /// As [`execute_ptrs`](Self::execute_ptrs), for each item; and no item writes what another one reads or writes.
    pub unsafe fn execute_list_ptrs(
        &self,
        items: &[AddressItem<'_>],
        scalars: &[Number],
        stream: RawStream,
    ) -> Result<()> {
        let arguments = |item: &AddressItem<'_>| {
            let extents = raw(item.extents);
            let need = self.need(|| extents.into());
            super::addresses::arguments(item.inputs, item.outputs, extents, &[], stream, need)
        };
        let mut args: Vec<_> = items.iter().map(arguments).collect();
        // SAFETY: the caller's promise.
        unsafe { self.launch_list(&mut args, scalars, stream) }
    }

    /// The bytes of workspace that an item needs, not there yet; a multiple of the alignment.
    fn need(&self, extents: impl FnOnce() -> super::open::Extents) -> Space {
        let bytes = self.workspaces.as_ref().map_or(0, |own| own.bytes_at(self, extents));
        Space { bytes: bytes.next_multiple_of(64) as u64, ..Space::NONE }
    }

    /// Items whose workspaces are not there yet take theirs from one of the plan's, one behind the other.
    ///
    /// # Safety
    ///
    /// As [`execute_list_on`](Self::execute_list_on); what the arguments point to is there until this returns.
    unsafe fn launch_list(
        &self,
        args: &mut [sys::tileops_execute_args],
        scalars: &[Number],
        stream: RawStream,
    ) -> Result<()> {
        args.iter_mut().for_each(|item| item.scalars = std::ptr::null());
        if let Some(first) = args.first_mut() {
            first.num_scalars = u32::try_from(scalars.len()).unwrap_or(u32::MAX);
            first.scalars = scalars.as_ptr().cast(); // Number is transparent
            first.stream = stream.as_ptr();
        }
        let bytes = args.iter().map(|item| item.workspace_bytes as usize).sum();
        let mut run = |space: Space| {
            let mut at = space.data;
            for item in args.iter_mut().filter(|item| item.workspace_bytes > 0) {
                item.workspace = at;
                at = at.wrapping_byte_add(item.workspace_bytes as usize);
            }
            // SAFETY: the caller's promise.
            check(unsafe { sys::tileops_execute_list(self.as_ptr(), args.as_ptr(), args.len()) })
        };
        match &self.workspaces {
            Some(own) if bytes > 0 => own.lend(stream, None, bytes, run)?,
            _ => run(Space::NONE),
        }
    }
}

/// What this crate finds wrong with an operand of item `number`.
#[cold]
fn in_item(number: usize, error: &Error) -> Error {
    let what = error.message().strip_prefix("Plan: ").unwrap_or(error.message());
    Error::new(error.status(), format!("Plan: items[{number}]: {what}"))
}
