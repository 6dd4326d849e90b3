//! What an expression is made of, node by node.

use super::{slice, Expr, Number};
use crate::error::text;
use crate::Op;
use tileops_sys as sys;

/// A node of an [`Expr`]: [`Expr::nodes`].
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum ExprNode {
    /// The operand of that number.
    Operand(usize),
    /// The scalar of that number.
    Scalar(usize),
    /// A constant.
    Constant(Number),
    /// A function of nodes that come before it.
    #[non_exhaustive]
    Function {
        /// Which one.
        op: Op,
        /// Places in the list of nodes, in the order of the function's values and then of its attributes; None: left out.
        arguments: Vec<Option<usize>>,
        /// Attributes that are constants and not their defaults, by name; choices and dtypes are numbers.
        attrs: Vec<(&'static str, Number)>,
    },
}

impl Expr {
    /// What it is made of: operands, scalars, constants and functions, each behind those that it takes.
    /// What the text says of shapes is not among them.
    ///
    /// ```
    /// use tileops::{Expr, ExprNode};
    /// let nodes = Expr::parse("(x) -> sum(silu(x), axis = -2)")?.nodes();
    /// let ExprNode::Function { op, arguments, attrs, .. } = &nodes[2] else { panic!() };
    /// assert_eq!((op.name(), &arguments[..]), ("sum", &[Some(1)][..]));
    /// assert_eq!(attrs[..], [("axis", 2.into())]); // a set, with bit 1 for -2
    /// # Ok::<(), tileops::Error>(())
    /// ```
    pub fn nodes(&self) -> Vec<ExprNode> {
        (1..=self.info().num_listed_nodes).map(|number| self.node(number)).collect()
    }

    /// The places of the results in the list of nodes.
    pub fn result_nodes(&self) -> Vec<usize> {
        let results = 0..self.info().num_results as usize;
        // SAFETY: a live expression; of a number beyond its results there would be 0.
        results
            .map(|i| unsafe { sys::tileops_expr_result(self.as_ptr(), i) } as usize - 1)
            .collect()
    }

    fn node(&self, number: sys::tileops_node) -> ExprNode {
        // SAFETY: zeros are values of all its fields.
        let mut info: sys::tileops_node_info = unsafe { std::mem::zeroed() };
        info.struct_size = size_of::<sys::tileops_node_info>() as u32;
        // SAFETY: a live expression; the struct says its size.
        let status = unsafe { sys::tileops_expr_node(self.as_ptr(), number, &mut info) };
        assert_eq!(status, sys::tileops_status::OK, "a living expression can be read");
        match info.kind {
            sys::tileops_node_kind::OPERAND => ExprNode::Operand(info.index as usize),
            sys::tileops_node_kind::SCALAR => ExprNode::Scalar(info.index as usize),
            sys::tileops_node_kind::CONSTANT => ExprNode::Constant(Number(info.value)),
            _ => {
                let op = Op(info.function);
                // SAFETY: of so many values, which live as long as the expression.
                let arguments = unsafe { slice(info.arguments, info.num_arguments) };
                // SAFETY: likewise.
                let attrs = unsafe { slice(info.attrs, info.num_attrs) };
                ExprNode::Function {
                    op,
                    arguments: arguments.iter().map(|&a| (a as usize).checked_sub(1)).collect(),
                    attrs: attrs.iter().map(|a| (name_of(op, a.key), value_of(a))).collect(),
                }
            }
        }
    }
}

fn name_of(op: Op, key: sys::tileops_attr_key) -> &'static str {
    if key == sys::tileops_attr_key::DTYPE {
        return "dtype"; // of a cast, whose operator has it from its output
    }
    // SAFETY: zeros are values of all its fields.
    let mut info: sys::tileops_op_info = unsafe { std::mem::zeroed() };
    info.struct_size = size_of::<sys::tileops_op_info>() as u32;
    // SAFETY: the struct says its size; what it points to is the library's own and stays.
    let status = unsafe { sys::tileops_function_describe(op.0, &mut info) };
    assert_eq!(status, sys::tileops_status::OK, "a function of an expression can be described");
    // SAFETY: as above.
    let attrs = unsafe { slice(info.attrs, info.num_attrs) };
    // SAFETY: as above.
    attrs.iter().find(|a| a.key == key).map_or("?", |a| unsafe { text(a.name) })
}

fn value_of(attr: &sys::tileops_attr) -> Number {
    // SAFETY: the kind says which member has the value.
    unsafe {
        match attr.kind {
            sys::tileops_attr_kind::F64 => attr.value.f64_.into(),
            _ => attr.value.i64_.into(),
        }
    }
}
