//! What a plan is asked for besides its operands.

use crate::Context;
use tileops_sys as sys;

/// How a plan is made, besides the operator and its operands.
///
/// ```
/// use tileops::{ops, Context, DType, PlanOptions, TensorSpec};
/// let context = Context::default();
/// let x = TensorSpec::new(DType::F32, &[16])?;
/// let options = PlanOptions::new().context(&context).reproducible(true);
/// options.plan(&ops::Exp::new(), [&x], [&x])?;
/// # Ok::<(), tileops::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanOptions<'a> {
    /// The context; None: the default one.
    pub context: Option<&'a Context>,
    /// float32 and float64 results with the same bits on CPU and GPU.
    pub reproducible: bool,
    /// Fail rather than compile at run time.
    pub no_jit: bool,
    /// Neither look in the plan cache of the context nor add to it.
    pub no_cache: bool,
    /// CUDA: launch without programmatic edges to the work before, which some tools refuse in a
    /// captured graph.
    pub no_pdl: bool,
    /// For [`Plan::execute_list`](crate::Plan::execute_list), many sets of tensors by one call.
    pub list: bool,
}

impl<'a> PlanOptions<'a> {
    /// The default context, and no option set.
    pub const fn new() -> Self {
        Self {
            context: None,
            reproducible: false,
            no_jit: false,
            no_cache: false,
            no_pdl: false,
            list: false,
        }
    }

    /// The context; None: the default one.
    #[must_use]
    pub fn context(mut self, context: impl Into<Option<&'a Context>>) -> Self {
        self.context = context.into();
        self
    }

    /// float32 and float64 results with the same bits on CPU and GPU.
    #[must_use]
    pub const fn reproducible(mut self, reproducible: bool) -> Self {
        self.reproducible = reproducible;
        self
    }

    /// Fail rather than compile at run time.
    #[must_use]
    pub const fn no_jit(mut self, no_jit: bool) -> Self {
        self.no_jit = no_jit;
        self
    }

    /// Neither look in the plan cache of the context nor add to it.
    #[must_use]
    pub const fn no_cache(mut self, no_cache: bool) -> Self {
        self.no_cache = no_cache;
        self
    }

    /// CUDA: launch without programmatic edges to the work before.
    #[must_use]
    pub const fn no_pdl(mut self, no_pdl: bool) -> Self {
        self.no_pdl = no_pdl;
        self
    }

    /// For [`Plan::execute_list`](crate::Plan::execute_list), many sets of tensors by one call.
    #[must_use]
    pub const fn list(mut self, list: bool) -> Self {
        self.list = list;
        self
    }

    pub(super) fn flags(&self) -> u32 {
        let bit = |set: bool, flag: u32| if set { flag } else { 0 };
        bit(self.reproducible, sys::TILEOPS_PLAN_REPRODUCIBLE)
            | bit(self.no_jit, sys::TILEOPS_PLAN_NO_JIT)
            | bit(self.no_cache, sys::TILEOPS_PLAN_NO_CACHE)
            | bit(self.no_pdl, sys::TILEOPS_PLAN_NO_PDL)
            | bit(self.list, sys::TILEOPS_PLAN_LIST)
    }
}
