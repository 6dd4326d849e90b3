//! Element types.

use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;
use tileops_sys::{code, DLDataType};

pub use crate::dtype_table::DType;

impl DType {
    /// Size of an element in bytes; of [`F4E2M1`](DType::F4E2M1) that of a pair, which shapes and strides count.
    pub const fn size(self) -> usize {
        let DLDataType { bits, lanes, .. } = self.to_dlpack();
        bits as usize * lanes as usize / 8
    }

    /// The least and the largest value of an integer dtype; None of others.
    pub(crate) fn integers(self) -> Option<(i128, i128)> {
        let DLDataType { code: kind, bits, .. } = self.to_dlpack();
        match kind {
            code::kDLInt => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            code::kDLUInt => Some((0, (1 << bits) - 1)),
            _ => None,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for DType {
    type Err = Error;

    /// Reads a [`name`](DType::name) or a [`label`](DType::label).
    fn from_str(text: &str) -> Result<Self> {
        let found = Self::ALL.iter().find(|d| d.name() == text || d.label() == text);
        found
            .copied()
            .ok_or_else(|| Error::invalid(format!("DType: text: unknown dtype (got {text:?})")))
    }
}

impl TryFrom<DLDataType> for DType {
    type Error = Error;

    fn try_from(dtype: DLDataType) -> Result<Self> {
        Self::ALL.iter().copied().find(|d| d.to_dlpack() == dtype).ok_or_else(|| {
            let DLDataType { code, bits, lanes } = dtype;
            Error::new(
                crate::Status::Unsupported,
                format!("DType: dtype: unknown (got code {code}, {bits} bits, {lanes} lanes)"),
            )
        })
    }
}

/// A Rust type that is the element of a tensor.
///
/// Implemented for the numbers and `bool`, and with the features `half` and `float8` for their
/// types.
///
/// # Safety
///
/// The type has the size and the representation of [`DTYPE`](Element::DTYPE), no padding, and no
/// invalid bit patterns other than those that [`valid`](Element::valid) finds.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The dtype.
    const DTYPE: DType;

    /// Whether bytes, a whole number of elements, are values of this type.
    fn valid(_bytes: &[u8]) -> bool {
        true
    }
}

macro_rules! elements {
    ($($T:ty => $DTYPE:ident),* $(,)?) => {$(
        // SAFETY: the same representation by definition; every bit pattern is a value.
        unsafe impl Element for $T {
            const DTYPE: DType = DType::$DTYPE;
        }
        const _: () = assert!(size_of::<$T>() == DType::$DTYPE.size());
    )*};
}

elements! {
    f32 => F32, f64 => F64, i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16,
    u32 => U32, u64 => U64,
}
elements! { F8E8M0 => F8E8M0, F4E2M1x2 => F4E2M1 }
#[cfg(feature = "half")]
elements! { half::f16 => F16, half::bf16 => BF16 }
#[cfg(feature = "float8")]
elements! { float8::F8E4M3 => F8E4M3, float8::F8E5M2 => F8E5M2 }

// SAFETY: one byte; 0 and 1 are the values, which `valid` checks.
unsafe impl Element for bool {
    const DTYPE: DType = DType::Bool;

    fn valid(bytes: &[u8]) -> bool {
        bytes.iter().all(|b| *b <= 1)
    }
}

/// A scale of a block of numbers, an exponent alone: code `e` is 2^(e - 127), 255 is NaN. There is no
/// sign, no zero and no infinity; `==` and the order are those of the codes.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct F8E8M0(pub u8);

impl F8E8M0 {
    /// NaN.
    pub const NAN: Self = F8E8M0(255);

    /// The power of two nearest to the magnitude, ties to the larger one, as in the library's casts:
    /// zero becomes 2^-127; infinity, and what is nearer to 2^128 than to 2^127, NaN.
    pub fn from_f32(value: f32) -> Self {
        match value.abs().to_bits() {
            0x7f80_0000.. => Self::NAN,
            0..=0x005f_ffff => F8E8M0(0), // below 1.5 * 2^-127
            bits => F8E8M0(((bits + 0x0040_0000) >> 23) as u8),
        }
    }

    /// The value, exactly.
    pub fn to_f32(self) -> f32 {
        match self.0 {
            0 => f32::from_bits(0x0040_0000),
            255 => f32::NAN,
            code => f32::from_bits(u32::from(code) << 23),
        }
    }
}

/// Two numbers of 4 bits in a byte, the first in its low half: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. Shapes
/// of tensors of these count pairs: `[4, 8]` is what the library calls 4 by 16. `==` is that of the codes.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct F4E2M1x2(pub u8);

impl F4E2M1x2 {
    const VALUES: [f32; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];

    /// The nearest numbers, ties to even codes, as in the library's casts: what is too large, and infinity, becomes 6
    /// with its sign, NaN 0.
    pub fn from_f32(values: [f32; 2]) -> Self {
        let code = |value: f32| {
            if value.is_nan() {
                return 0;
            }
            let is_below = |k: usize| {
                let tie = (Self::VALUES[k] + Self::VALUES[k + 1]) / 2.0;
                value.abs() < tie || (value.abs() == tie && k % 2 == 0)
            };
            let nearest = (0..7).find(|k| is_below(*k)).unwrap_or(7) as u8;
            nearest | (u8::from(value.is_sign_negative()) << 3)
        };
        F4E2M1x2(code(values[0]) | (code(values[1]) << 4))
    }

    /// The values, exactly.
    pub fn to_f32(self) -> [f32; 2] {
        [self.0 & 15, self.0 >> 4].map(|code| {
            let magnitude = Self::VALUES[usize::from(code & 7)];
            if code & 8 == 0 {
                magnitude
            } else {
                -magnitude
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_read_back() {
        for code in 0..=254 {
            let scale = F8E8M0(code);
            assert_eq!(F8E8M0::from_f32(scale.to_f32()), scale);
            assert_eq!(F8E8M0::from_f32(-1.49 * scale.to_f32()), scale);
            let above = F8E8M0(code + 1);
            assert_eq!(F8E8M0::from_f32(1.5 * scale.to_f32()), above);
        }
        assert_eq!(F8E8M0(127).to_f32(), 1.0);
        assert_eq!(F8E8M0::from_f32(0.0), F8E8M0(0));
        assert_eq!(F8E8M0::from_f32(f32::INFINITY), F8E8M0::NAN);
    }

    #[test]
    fn pairs_read_back() {
        for byte in 0..=255 {
            let pair = F4E2M1x2(byte);
            assert_eq!(F4E2M1x2::from_f32(pair.to_f32()), pair);
        }
        for (value, code) in
            [(0.25, 0), (0.75, 2), (1.25, 2), (1.75, 4), (2.5, 4), (3.5, 6), (5.0, 6), (5.1, 7)]
        {
            assert_eq!(
                F4E2M1x2::from_f32([value, -value]),
                F4E2M1x2(code | (code | 8) << 4),
                "{value}"
            );
        }
        assert_eq!(F4E2M1x2::from_f32([f32::NAN, f32::NEG_INFINITY]), F4E2M1x2(0xf0));
    }

    #[test]
    fn names_read_back() {
        for dtype in DType::ALL {
            assert_eq!(dtype.name().parse::<DType>().unwrap(), *dtype);
            assert_eq!(DType::try_from(dtype.to_dlpack()).unwrap(), *dtype);
        }
        let short = ["f16", "bf16", "f32", "f64", "e4m3fn", "e5m2", "i8", "i64", "u16", "bool"];
        for (text, dtype) in short.iter().zip([0, 1, 2, 3, 4, 5, 6, 9, 11, 14]) {
            assert_eq!(text.parse::<DType>().unwrap(), DType::ALL[dtype], "{text}");
        }
        assert!("f17".parse::<DType>().is_err() && "".parse::<DType>().is_err());
    }
}
