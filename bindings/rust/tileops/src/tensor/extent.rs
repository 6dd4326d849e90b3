//! Extents of descriptions, some of which each execute brings.

use tileops_sys as sys;

/// An extent of a [`TensorSpec`](crate::TensorSpec): a number, or open, which each execute brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// That many elements.
    Fixed(usize),
    /// Any number of elements, 0 and 1 as others.
    Open,
    /// Any number up to this one. With a bound on each open extent a plan knows how large a
    /// [`Workspace`](crate::Workspace) does for all of them.
    UpTo(usize),
}

/// The largest bound that the library takes; no tensor has more elements.
const MOST: usize = 1 << 62;

impl Extent {
    /// Whether each execute brings it.
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::Fixed(_))
    }

    /// As C reads it.
    pub(crate) fn to_raw(self) -> i64 {
        match self {
            Self::Fixed(extent) => extent as i64,
            Self::Open => sys::TILEOPS_OPEN,
            Self::UpTo(most) if most > MOST => sys::TILEOPS_OPEN,
            Self::UpTo(most) => sys::TILEOPS_UP_TO(most as i64),
        }
    }

    pub(crate) fn from_raw(raw: i64) -> Self {
        match raw {
            sys::TILEOPS_OPEN => Self::Open,
            0.. => Self::Fixed(raw as usize),
            _ => Self::UpTo(raw.wrapping_sub(i64::MIN) as usize),
        }
    }
}

impl From<usize> for Extent {
    fn from(extent: usize) -> Self {
        Self::Fixed(extent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_c_reads_them() {
        for extent in [Extent::Fixed(0), Extent::Fixed(1 << 40), Extent::Open, Extent::UpTo(1)] {
            assert_eq!(Extent::from_raw(extent.to_raw()), extent);
        }
        assert_eq!((Extent::Open.to_raw(), Extent::UpTo(7).to_raw()), (-1, i64::MIN + 7));
        assert_eq!(Extent::from_raw(Extent::UpTo(MOST).to_raw()), Extent::UpTo(MOST));
        assert_eq!(Extent::from_raw(Extent::UpTo(usize::MAX).to_raw()), Extent::Open);
    }
}
