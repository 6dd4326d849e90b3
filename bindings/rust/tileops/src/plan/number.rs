//! The numbers that a plan takes as operands.

use super::input::Scalar;
use super::{Kind, Plan};
use crate::{DType, Error, Expr, Result};

/// What becomes of a number among the inputs of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numbers {
    /// It is converted to a float or to a truth value, or not at all.
    Any,
    /// It becomes an integer of this dtype, in which the plan computes.
    Integers(DType),
    /// An expression may convert an operand differently wherever it stands, and checks scalars itself.
    Refused,
}

impl Numbers {
    /// Those of a plan with these inputs.
    pub(super) fn of(plan: &Plan, expr: Option<&Expr>, inputs: &[Kind<'_>]) -> Result<Self> {
        if expr.is_some() {
            return Ok(Self::Refused);
        }
        let mut dtypes = inputs.iter().filter_map(dtype).filter(|dtype| *dtype != DType::Bool);
        let first = dtypes.next();
        // Where all have one dtype, none is converted to a narrower one.
        if !inputs.iter().any(may_be_number) || dtypes.all(|dtype| Some(dtype) == first) {
            return Ok(Self::Any);
        }
        let computed = plan.compute_dtype()?;
        Ok(computed.integers().map_or(Self::Any, |_| Self::Integers(computed)))
    }

    /// Checks that the number that is input `i` keeps its value.
    #[inline]
    pub(super) fn check(self, i: usize, number: &Scalar) -> Result<()> {
        match self {
            Self::Any => Ok(()),
            Self::Integers(dtype) => fits(i, number, dtype),
            Self::Refused => Err(in_expression(i)),
        }
    }
}

/// Input `i` of an expression is a number.
#[cold]
pub(super) fn in_expression(i: usize) -> Error {
    Error::invalid(format!(
        "Plan: inputs[{i}]: a number as operand of an expression (need a tensor, such as \
         TensorRef::scalar; numbers of an expression are its scalars)"
    ))
}

fn dtype(input: &Kind<'_>) -> Option<DType> {
    match input {
        Kind::View(view) => Some(view.dtype),
        Kind::Scalar(scalar) => Some(scalar.dtype),
        Kind::Absent | Kind::Output(_) => None,
    }
}

/// A 0-d tensor described a number, too.
fn may_be_number(input: &Kind<'_>) -> bool {
    match input {
        Kind::View(view) => view.ndim() == 0,
        Kind::Scalar(_) => true,
        Kind::Absent | Kind::Output(_) => false,
    }
}

fn fits(i: usize, number: &Scalar, dtype: DType) -> Result<()> {
    let Some((least, most)) = dtype.integers() else { return Ok(()) };
    let Some(value) = number.integer() else {
        let float = number.dtype;
        return Err(Error::invalid(format!(
            "Plan: inputs[{i}]: a number of {float}, where the plan computes in {dtype}"
        )));
    };
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "Plan: inputs[{i}]: the number is out of range for {dtype} (got {value}, need {least} to {most})"
    )))
}
