//! What the generated table of operators expands to.

/// An operator: `Struct = CONSTANT, function(inputs) -> outputs { attributes }`.
macro_rules! operator {
    (
        $(#[doc = $doc:literal])*
        $Struct:ident = $OP:ident, $function:ident($($input:ident),*) -> $output:ident $(, $second:ident)? {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident: $Type:ty = $default:expr => $push:ident($KEY:ident),
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $Struct {
            $($(#[doc = $field_doc])* pub $field: $Type,)*
        }

        impl Default for $Struct {
            fn default() -> Self {
                Self::new()
            }
        }

        impl crate::attr::sealed::Sealed for $Struct {}

        impl crate::Operator for $Struct {
            fn op(&self) -> crate::Op {
                crate::Op::$OP
            }

            /// Attributes that have their defaults are left to the library: some may not be given
            /// beside the operand that stands for them.
            #[allow(unused_variables)] // of operators without attributes
            fn attrs(&self, list: &mut crate::AttrList) -> crate::Result<()> {
                $(
                    if self.$field != $default {
                        list.$push(tileops_sys::tileops_attr_key::$KEY, self.$field)?;
                    }
                )*
                Ok(())
            }
        }

        impl $Struct {
            /// The operator with the defaults of all its attributes.
            pub const fn new() -> Self {
                Self { $($field: $default),* }
            }

            $(
                $(#[doc = $field_doc])*
                #[must_use]
                pub fn $field(mut self, $field: impl Into<$Type>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*

            #[cfg(test)]
            #[allow(unused_mut)] // of operators without attributes
            pub(crate) fn defaults() -> (crate::Op, crate::AttrList) {
                let mut list = crate::AttrList::new();
                $(
                    let value: $Type = $default;
                    let key = tileops_sys::tileops_attr_key::$KEY;
                    list.$push(key, value).expect("there is room");
                )*
                (crate::Op::$OP, list)
            }

            /// Runs the operator with these attributes, through the cache of plans of
            /// [`call`](crate::call()).
            #[allow(unused_lifetimes, clippy::too_many_arguments, clippy::extra_unused_lifetimes)]
            pub fn call<'a>(
                &self,
                $($input: impl Into<crate::Input<'a>>,)*
                $output: &mut crate::TensorMut<'_>,
                $($second: Option<&mut crate::TensorMut<'_>>,)?
            ) -> crate::Result<()> {
                crate::call::run(self, &[$($input.into()),*], $output, second!($($second)?))
            }
        }

        $(#[doc = $doc])*
        #[doc = ""]
        #[doc = concat!("All attributes of [`struct@", stringify!($Struct), "`] have their defaults.")]
        #[allow(unused_lifetimes, clippy::too_many_arguments, clippy::extra_unused_lifetimes)]
        pub fn $function<'a>(
            $($input: impl Into<crate::Input<'a>>,)*
            $output: &mut crate::TensorMut<'_>,
            $($second: Option<&mut crate::TensorMut<'_>>,)?
        ) -> crate::Result<()> {
            $Struct::new().call($($input,)* $output, $($second)?)
        }
    };
}

macro_rules! second {
    () => {
        None
    };
    ($second:ident) => {
        $second
    };
}

/// An attribute's named choices, in the order of the table.
macro_rules! choice {
    (
        $(#[doc = $doc:literal])*
        $Name:ident { $($(#[doc = $value_doc:literal])* $Value:ident = $index:literal,)* }
    ) => {
        $(#[doc = $doc])*
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Name {
            $($(#[doc = $value_doc])* $Value = $index,)*
        }

        impl crate::attr::Choice for $Name {
            fn index(self) -> i64 {
                self as i64
            }
        }
    };
}

pub(crate) use {choice, operator, second};
