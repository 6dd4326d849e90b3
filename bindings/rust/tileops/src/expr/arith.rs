//! Rust's operators on values of a builder, with numbers on either side.

use super::{Node, Number, Term};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Rem, Sub};
use tileops_sys::tileops_op;

macro_rules! binary {
    ($($Trait:ident::$method:ident = $OP:ident;)*) => {$(
        impl<'b, T: Into<Term<'b>>> $Trait<T> for Node<'b> {
            type Output = Node<'b>;

            fn $method(self, other: T) -> Node<'b> {
                self.with(tileops_op::$OP, &[other.into()])
            }
        }

        number_first! { $Trait::$method = $OP: f64, f32, i64, i32, bool, Number }
    )*};
}

macro_rules! number_first {
    ($Trait:ident::$method:ident = $OP:ident: $($T:ty),*) => {$(
        impl<'b> $Trait<Node<'b>> for $T {
            type Output = Node<'b>;

            fn $method(self, other: Node<'b>) -> Node<'b> {
                other.after(tileops_op::$OP, self.into())
            }
        }
    )*};
}

binary! {
    Add::add = ADD;
    Sub::sub = SUB;
    Mul::mul = MUL;
    Div::div = DIV;
    Rem::rem = REMAINDER;
    BitAnd::bitand = BITWISE_AND;
    BitOr::bitor = BITWISE_OR;
}

impl<'b> Neg for Node<'b> {
    type Output = Node<'b>;

    fn neg(self) -> Node<'b> {
        self.with(tileops_op::NEG, &[])
    }
}

impl<'b> Not for Node<'b> {
    type Output = Node<'b>;

    /// `~` of a text: bitwise, the negation of bools.
    fn not(self) -> Node<'b> {
        self.with(tileops_op::BITWISE_NOT, &[])
    }
}
