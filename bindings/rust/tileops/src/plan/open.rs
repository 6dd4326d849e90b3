//! Open plans: which extents each execute brings, and what an execute is at given ones.

use super::{Input, Kind, Plan};
use crate::error::check;
use crate::tensor::View;
use crate::{Error, Extent, Result, TensorSpec};
use smallvec::SmallVec;
use tileops_sys as sys;

/// Extents as C takes them; few plans have more open ones than find room here.
pub(super) type Extents = SmallVec<[i64; 4]>;

/// An open extent of a plan: where it stands first among the inputs, and the most that it may be.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenExtent {
    /// The first input that has it.
    pub input: usize,
    /// Its axis there, from 0.
    pub axis: usize,
    /// The most that it may be. None: any.
    pub most: Option<usize>,
}

/// What an execute of a plan is at given extents: [`Plan::at`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanFacts {
    /// Passes over memory: on CUDA kernels that it launches, on the CPU phases of
    /// [`Plan::execute_parts`].
    pub phases: usize,
    /// Parts of a phase that are worth a thread each; 0 of plans on other devices than the CPU.
    pub parts: usize,
    /// Which of the plan's ways: for another one passes have other kernels, all made with the plan.
    pub way: usize,
    /// Bytes of the [`Workspace`](crate::Workspace). Never less where no extent is less, so that one
    /// that does for the largest extents does for all.
    pub workspace_bytes: usize,
    /// Bytes read and written.
    pub bytes_moved: u64,
}

impl Plan {
    /// The open extents, in the order in which [`at`](Self::at) and
    /// [`execute_ptrs`](Self::execute_ptrs) take them: as they stand in the inputs, axes from the
    /// left. Empty for a plan that has none. Where the operator or the expression makes two of them
    /// equal, they are one here.
    ///
    /// ```
    /// use tileops::{DType, Expr, Extent, Plan, TensorSpec};
    /// let expr = Expr::parse("(x, y, w) -> (x + y) * w")?;
    /// let x = TensorSpec::open(DType::F32, &[Extent::UpTo(512), Extent::Fixed(8)])?;
    /// let w = TensorSpec::new(DType::F32, &[8])?;
    /// let plan = Plan::new(&expr, [&x, &x, &w], [&x])?;
    /// let open = plan.open_extents(); // x and y are added: their rows are as many
    /// assert_eq!(open.len(), 1);
    /// assert_eq!((open[0].input, open[0].axis, open[0].most), (0, 0, Some(512)));
    /// assert_eq!(plan.result(&[7], 0)?.shape(), [7, 8]);
    /// assert_eq!(plan.at(&[7])?.bytes_moved, 4 * (3 * 7 * 8 + 8));
    /// # Ok::<(), tileops::Error>(())
    /// ```
    pub fn open_extents(&self) -> &[OpenExtent] {
        &self.open
    }

    /// The extents that these inputs bring, in the plan's order.
    ///
    /// Errors: `InvalidArgument` for an input without that axis.
    pub fn extents_of<'a, I: Into<Input<'a>>, const N: usize>(
        &self,
        inputs: [I; N],
    ) -> Result<Vec<usize>> {
        let inputs = inputs.map(Into::into);
        let of = |open: &OpenExtent| {
            let view = match inputs.get(open.input).map(|input| &input.0) {
                Some(Kind::View(view)) => Some(*view),
                _ => None,
            };
            view.and_then(|view: &View| view.extents().get(open.axis).copied()).ok_or_else(|| {
                Error::invalid(format!(
                    "Plan: inputs[{}]: brings no extent (need a tensor with an axis {})",
                    open.input, open.axis
                ))
            })
        };
        self.open.iter().map(of).collect()
    }

    /// What an execute is at these extents, in the order of [`open_extents`](Self::open_extents); of a
    /// plan without open ones `&[]`. Allocates nothing.
    ///
    /// Errors: `InvalidArgument` (the number of extents, one that is beyond its bound).
    pub fn at(&self, extents: &[usize]) -> Result<PlanFacts> {
        self.facts(raw(extents))
    }

    pub(super) fn facts(&self, extents: &[i64]) -> Result<PlanFacts> {
        let mut facts = sys::tileops_plan_facts {
            struct_size: size_of::<sys::tileops_plan_facts>() as u32,
            phases: 0,
            parts: 0,
            way: 0,
            workspace_bytes: 0,
            bytes_moved: 0,
        };
        // SAFETY: the plan is alive, there are as many extents as said, and the struct says its size.
        check(unsafe {
            sys::tileops_plan_at(self.as_ptr(), extents.as_ptr(), extents.len(), &mut facts)
        })?;
        Ok(PlanFacts {
            phases: facts.phases as usize,
            parts: facts.parts as usize,
            way: facts.way as usize,
            workspace_bytes: facts.workspace_bytes as usize,
            bytes_moved: facts.bytes_moved,
        })
    }

    /// Dtype and shape of a result at these extents: what memory an execute at them wants.
    ///
    /// Errors: as [`at`](Self::at), and `InvalidArgument` for an output that the plan does not have.
    pub fn result(&self, extents: &[usize], output: usize) -> Result<TensorSpec> {
        let mut dtype = sys::DLDataType { code: 0, bits: 0, lanes: 0 };
        let (mut shape, mut ndim) = ([0i64; sys::TILEOPS_MAX_NDIM as usize], 0);
        let (plan, given) = (self.as_ptr(), raw(extents));
        // SAFETY: as many extents as said, and there is room for all dimensions.
        check(unsafe {
            let (extents, count) = (given.as_ptr(), given.len());
            let to = shape.as_mut_ptr();
            sys::tileops_plan_result(plan, extents, count, output, &mut dtype, &mut ndim, to)
        })?;
        Ok(inferred(dtype, &shape[..ndim as usize])?.on(self.device()))
    }

    /// What the plan's open extents are; none is asked for where no operand has one.
    pub(super) fn find_open_extents(&mut self) -> Result<()> {
        let mut open = Vec::new();
        for i in 0..self.count(sys::tileops_plan_prop::NUM_EXTENTS)? {
            let (mut input, mut axis, mut most) = (0, 0, 0);
            // SAFETY: the plan is alive, and there is room for what is asked.
            check(unsafe {
                sys::tileops_plan_extent(self.as_ptr(), i, &mut input, &mut axis, &mut most)
            })?;
            let most = (most != i64::MAX).then_some(most as usize);
            open.push(OpenExtent { input: input as usize, axis: axis as usize, most });
        }
        self.open = open.into();
        Ok(())
    }

    /// The extents of the inputs of a C call. An input without that axis brings 0: the library then
    /// says what is wrong with it.
    ///
    /// # Safety
    ///
    /// The pointers are NULL or tensors.
    pub(super) unsafe fn extents_in(&self, inputs: &[*const sys::DLTensor]) -> Extents {
        let of = |open: &OpenExtent| {
            // SAFETY: NULL, or a tensor with as many extents as it says.
            let tensor = unsafe { inputs.get(open.input)?.as_ref() }?;
            let has = open.axis < usize::try_from(tensor.ndim).ok()?;
            // SAFETY: as above.
            has.then(|| unsafe { *tensor.shape.add(open.axis) })
        };
        self.open.iter().map(|open| of(open).unwrap_or(0)).collect()
    }
}

/// Dtype and shape, of which some extents may be open, as the library gives them.
pub(super) fn inferred(mut dtype: sys::DLDataType, shape: &[i64]) -> Result<TensorSpec> {
    let mut extents: SmallVec<[Extent; 8]> = shape.iter().map(|&e| Extent::from_raw(e)).collect();
    if dtype.bits == 4 && dtype.lanes == 1 {
        // Elements of 4 bits are counted in pairs here.
        dtype.lanes = 2;
        if let Some(Extent::Fixed(last)) = extents.last_mut() {
            *last = last.div_ceil(2);
        }
    }
    TensorSpec::open(dtype.try_into()?, &extents)
}

/// Extents as C counts them. One beyond `i64` is negative there, and refused.
pub(super) fn raw(extents: &[usize]) -> &[i64] {
    // SAFETY: integers of the same size.
    unsafe { core::slice::from_raw_parts(extents.as_ptr().cast(), extents.len()) }
}
