//! What the generated table of functions expands to.

/// Methods of [`Node`](super::Node) or [`Rows`](super::Rows): `name = CONSTANT(parameters besides the first
/// value)`; `..name`: any number of values.
macro_rules! methods {
    ($Value:ident: $($(#[doc = $doc:literal])* $name:ident = $OP:ident($($parameters:tt)*),)*) => {
        #[allow(clippy::should_implement_trait)] // the operators are there as well
        impl<'b> $Value<'b> {
            $(method! { $(#[doc = $doc])* $name = $OP($($parameters)*) })*
        }
    };
}

macro_rules! method {
    ($(#[doc = $doc:literal])* $name:ident = $OP:ident(..$rest:ident)) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name<T: Into<Term<'b>>>(self, rest: impl IntoIterator<Item = T>) -> Node<'b> {
            let rest: Vec<Term<'b>> = rest.into_iter().map(Into::into).collect();
            self.with(tileops_sys::tileops_op::$OP, &rest)
        }
    };
    ($(#[doc = $doc:literal])* $name:ident = $OP:ident($($parameter:ident),*)) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(self, $($parameter: impl Into<Term<'b>>),*) -> Node<'b> {
            self.with(tileops_sys::tileops_op::$OP, &[$($parameter.into()),*])
        }
    };
}

pub(super) use {method, methods};
