//! Operators, and what the library knows of them.

use crate::error::{check, text};
use crate::{version, AttrValue, Error, Result};
use std::fmt;
use std::str::FromStr;
use tileops_sys as sys;

/// An operator: [`Op::ADD`], or by its name: `"add".parse::<Op>()`.
///
/// A newtype: the library may know operators that this crate has no constant for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Op(pub(crate) sys::tileops_op);

impl Op {
    /// All operators of the loaded library, in the order of its table.
    pub fn all() -> impl ExactSizeIterator<Item = Op> {
        // SAFETY: takes no argument.
        let count = unsafe { sys::tileops_op_count() };
        // SAFETY: an index out of range gives NONE.
        (0..count).map(|i| Op(unsafe { sys::tileops_op_at(i) }))
    }

    /// The operator's name, `"?"` if the loaded library has none of that number.
    pub fn name(self) -> &'static str {
        self.describe().or_else(|_| self.describe_function()).map_or("?", |info| info.name())
    }

    /// Describes the operator. Errors: `InvalidArgument` (no such operator), `Version`.
    pub fn describe(self) -> Result<OpInfo> {
        version::ensure()?;
        // SAFETY: zeros are values of all its fields.
        let mut raw: sys::tileops_op_info = unsafe { std::mem::zeroed() };
        raw.struct_size = size_of::<sys::tileops_op_info>() as u32;
        // SAFETY: the struct says its size.
        check(unsafe { sys::tileops_op_describe(self.0, &mut raw) })?;
        Ok(OpInfo(raw))
    }

    /// All functions that an [`Expr`](crate::Expr) may have: operators, and others that are nothing but
    /// functions of expressions, such as `fma`.
    pub fn functions() -> impl ExactSizeIterator<Item = Op> {
        // SAFETY: takes no argument.
        let count = unsafe { sys::tileops_function_count() };
        // SAFETY: an index out of range gives NONE.
        (0..count).map(|i| Op(unsafe { sys::tileops_function_at(i) }))
    }

    /// Describes a function of expressions. Errors: `InvalidArgument` (no such function), `Version`.
    pub fn describe_function(self) -> Result<OpInfo> {
        version::ensure()?;
        // SAFETY: zeros are values of all its fields.
        let mut raw: sys::tileops_op_info = unsafe { std::mem::zeroed() };
        raw.struct_size = size_of::<sys::tileops_op_info>() as u32;
        // SAFETY: the struct says its size.
        check(unsafe { sys::tileops_function_describe(self.0, &mut raw) })?;
        Ok(OpInfo(raw))
    }

    /// The number that stands for the operator in the C API.
    pub fn id(self) -> i32 {
        self.0 .0
    }
}

impl FromStr for Op {
    type Err = Error;

    /// Errors: `InvalidArgument` (the loaded library has no operator of that name).
    fn from_str(name: &str) -> Result<Self> {
        let unknown = || Error::invalid(format!("Op: name: unknown operator (got {name:?})"));
        // A C string without allocation: names are looked up on the path of every call by name.
        let mut buffer = [0u8; 64];
        if name.len() >= buffer.len() || name.contains('\0') {
            return Err(unknown());
        }
        buffer[..name.len()].copy_from_slice(name.as_bytes());
        // SAFETY: NUL-terminated, as the name is shorter than the buffer.
        match unsafe { sys::tileops_op_from_name(buffer.as_ptr().cast()) } {
            sys::tileops_op::NONE => Err(unknown()),
            op => Ok(Op(op)),
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Op({}: {})", self.id(), self.name())
    }
}

/// What an operator is.
#[derive(Clone, Copy)]
pub struct OpInfo(sys::tileops_op_info);

// SAFETY: all its pointers are to static storage.
unsafe impl Send for OpInfo {}
// SAFETY: as above.
unsafe impl Sync for OpInfo {}

/// An operand of an operator.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandInfo {
    /// Its name.
    pub name: &'static str,
    /// It may be absent.
    pub optional: bool,
    /// A fixed dtype such as `"bool"` or `"int32|int64"`; None: takes part in the promotion.
    pub dtype: Option<&'static str>,
}

/// An attribute of an operator.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct AttrInfo {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub doc: &'static str,
    /// It is an integer, a flag or a choice.
    pub is_integer: bool,
    /// `"none|tanh"` for named choices.
    pub choices: Option<&'static str>,
    /// Its default, a choice as its index; None: absent unless given.
    pub default: Option<AttrValue>,
    /// Inclusive range; infinite where there is none.
    pub range: (f64, f64),
    pub(crate) key: sys::tileops_attr_key,
}

impl OpInfo {
    /// `"gelu"`.
    pub fn name(&self) -> &'static str {
        // SAFETY: static storage.
        unsafe { text(self.0.name) }
    }

    /// `"activation"`.
    pub fn category(&self) -> &'static str {
        // SAFETY: static storage.
        unsafe { text(self.0.category) }
    }

    /// One line: what it computes.
    pub fn doc(&self) -> &'static str {
        // SAFETY: static storage.
        unsafe { text(self.0.doc) }
    }

    /// Inputs, in order; optional ones may be absent.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = OperandInfo> {
        // SAFETY: static array of that many.
        unsafe { array(self.0.inputs, self.0.max_inputs) }.iter().map(operand)
    }

    /// Outputs, in order.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = OperandInfo> {
        // SAFETY: static array of that many.
        unsafe { array(self.0.outputs, self.0.max_outputs) }.iter().map(operand)
    }

    /// Attributes.
    pub fn attrs(&self) -> impl ExactSizeIterator<Item = AttrInfo> {
        // SAFETY: static array of that many.
        unsafe { array(self.0.attrs, self.0.num_attrs) }.iter().map(attr)
    }
}

impl fmt::Debug for OpInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpInfo").field("name", &self.name()).field("doc", &self.doc()).finish()
    }
}

fn operand(raw: &'static sys::tileops_operand_info) -> OperandInfo {
    // SAFETY: static strings.
    unsafe {
        OperandInfo {
            name: text(raw.name),
            optional: raw.optional != 0,
            dtype: (!raw.dtype.is_null()).then(|| text(raw.dtype)),
        }
    }
}

fn attr(raw: &'static sys::tileops_attr_info) -> AttrInfo {
    let is_integer = raw.kind == sys::tileops_attr_kind::I64;
    // SAFETY: static strings; `kind` says which member of the union holds the value.
    unsafe {
        AttrInfo {
            name: text(raw.name),
            doc: text(raw.doc),
            is_integer,
            choices: (!raw.choices.is_null()).then(|| text(raw.choices)),
            default: (raw.has_default != 0).then_some(match is_integer {
                true => AttrValue::Int(raw.default_value.i64_),
                false => AttrValue::Float(raw.default_value.f64_),
            }),
            range: (raw.min_value, raw.max_value),
            key: raw.key,
        }
    }
}

/// # Safety
///
/// `data` is a static array of `count` values, or NULL.
unsafe fn array<T>(data: *const T, count: i32) -> &'static [T] {
    if data.is_null() {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(data, count.max(0) as usize) }
}
