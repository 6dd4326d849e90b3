package tileops

import "math"

// Float16 is an IEEE 754 binary16: 5 bits of exponent, 10 of fraction.
type Float16 uint16

// BFloat16 is the upper half of a float32: 8 bits of exponent, 7 of fraction.
type BFloat16 uint16

// Float8E4M3FN has 4 bits of exponent and 3 of fraction, a largest value of 448, no infinities and
// one NaN of each sign.
type Float8E4M3FN uint8

// Float8E5M2 has 5 bits of exponent, 2 of fraction, infinities and NaNs, and a largest value of
// 57344.
type Float8E5M2 uint8

// Float8E8M0FNU is a scale of a block of numbers, an exponent alone: code e is 2^(e-127), and 255 is
// NaN. There is no sign, no zero and no infinity.
type Float8E8M0FNU uint8

// Float4E2M1FNx2 is two numbers of 4 bits in a byte, the first in its low half: 0, 0.5, 1, 1.5, 2, 3, 4, 6
// and their negatives. Shapes of such slices count pairs: [4, 8] is what the library calls 4 by 16.
type Float4E2M1FNx2 uint8

// smallFloat is a binary format whose values are all float32 values.
type smallFloat struct {
	exponent, fraction uint // bits
	finite             bool // no infinities: all but one of the topmost codes are numbers
}

var (
	float16      = smallFloat{exponent: 5, fraction: 10}
	bfloat16     = smallFloat{exponent: 8, fraction: 7}
	float8e4m3fn = smallFloat{exponent: 4, fraction: 3, finite: true}
	float8e5m2   = smallFloat{exponent: 5, fraction: 2}
	float4e2m1fn = smallFloat{exponent: 2, fraction: 1, finite: true}
)

// NewFloat16 rounds to the nearest Float16, ties to even; what is too large becomes infinite.
func NewFloat16(x float32) Float16 { return Float16(float16.encode(x)) }

// NewBFloat16 rounds to the nearest BFloat16, ties to even.
func NewBFloat16(x float32) BFloat16 { return BFloat16(bfloat16.encode(x)) }

// NewFloat8E4M3FN rounds to the nearest Float8E4M3FN, ties to even; what is too large, and
// infinity, becomes 448 with its sign, as in the library's casts.
func NewFloat8E4M3FN(x float32) Float8E4M3FN { return Float8E4M3FN(float8e4m3fn.encode(x)) }

// NewFloat8E5M2 rounds to the nearest Float8E5M2, ties to even; what is too large becomes infinite.
func NewFloat8E5M2(x float32) Float8E5M2 { return Float8E5M2(float8e5m2.encode(x)) }

// Float32 is the value, exactly.
func (f Float16) Float32() float32 { return float16.decode(uint32(f)) }

// Float32 is the value, exactly.
func (f BFloat16) Float32() float32 { return math.Float32frombits(uint32(f) << 16) }

// Float32 is the value, exactly.
func (f Float8E4M3FN) Float32() float32 { return float8e4m3fn.decode(uint32(f)) }

// Float32 is the value, exactly.
func (f Float8E5M2) Float32() float32 { return float8e5m2.decode(uint32(f)) }

// NewFloat8E8M0FNU is the power of two nearest to the magnitude, ties to the larger one, as in the
// library's casts: zero becomes 2^-127; infinity, and what is nearer to 2^128 than to 2^127, NaN.
func NewFloat8E8M0FNU(x float32) Float8E8M0FNU {
	switch magnitude := math.Float32bits(x) &^ (1 << 31); {
	case magnitude >= 0x7f800000: // infinity and NaN
		return 0xff
	case magnitude < 0x600000: // 1.5 * 2^-127
		return 0
	default:
		return Float8E8M0FNU((magnitude + 0x400000) >> 23)
	}
}

// Float32 is the value, exactly.
func (f Float8E8M0FNU) Float32() float32 {
	switch f {
	case 0:
		return math.Float32frombits(0x400000)
	case 0xff:
		return float32(math.NaN())
	default:
		return math.Float32frombits(uint32(f) << 23)
	}
}

// NewFloat4E2M1FNx2 rounds both to the nearest number of 4 bits, ties to even; what is too large, and
// infinity, becomes 6 with its sign, and NaN 0, as in the library's casts.
func NewFloat4E2M1FNx2(first, second float32) Float4E2M1FNx2 {
	return Float4E2M1FNx2(encodeFour(first) | encodeFour(second)<<4)
}

func encodeFour(x float32) uint32 {
	switch {
	case x != x:
		return 0
	case x > 5 || x < -5:
		return math.Float32bits(x)>>31<<3 | 7
	}
	return float4e2m1fn.encode(x)
}

// Float32s are the two values, exactly.
func (f Float4E2M1FNx2) Float32s() (first, second float32) {
	return decodeFour(uint32(f) & 15), decodeFour(uint32(f) >> 4)
}

func decodeFour(code uint32) float32 {
	if code&7 == 7 { // where the other formats have NaN
		return math.Float32frombits(code>>3<<31 | math.Float32bits(6))
	}
	return float4e2m1fn.decode(code)
}

// Codes of a positive value are ordered as the values are, subnormals included.
func (s smallFloat) infinity() uint32 { return (1<<s.exponent - 1) << s.fraction }

func (s smallFloat) nan() uint32 {
	if s.finite {
		return 1<<(s.exponent+s.fraction) - 1
	}
	return s.infinity() | 1<<(s.fraction-1)
}

// minExponent is that of the smallest normal value, and of all subnormals.
func (s smallFloat) minExponent() int { return 2 - 1<<(s.exponent-1) }

func (s smallFloat) decode(code uint32) float32 {
	sign := code >> (s.exponent + s.fraction) << 31
	code &= 1<<(s.exponent+s.fraction) - 1
	special := code >= s.infinity()
	if s.finite {
		special = code == s.nan()
	}
	if special {
		// The fraction keeps its place, so that a NaN keeps its payload.
		bits := uint32(0x7f800000) | code<<(23-s.fraction)&0x7fffff
		return math.Float32frombits(sign | bits)
	}
	fraction, exponent := code&(1<<s.fraction-1), int(code>>s.fraction)
	if exponent > 0 {
		fraction |= 1 << s.fraction
		exponent--
	}
	value := math.Ldexp(float64(fraction), s.minExponent()+exponent-int(s.fraction))
	return math.Float32frombits(sign | math.Float32bits(float32(value)))
}

func (s smallFloat) encode(x float32) uint32 {
	sign := math.Float32bits(x) >> 31 << (s.exponent + s.fraction)
	largest := s.infinity()
	if s.finite {
		largest = s.nan() - 1
	}
	magnitude := math.Abs(float64(x))
	switch {
	case math.IsNaN(magnitude):
		return sign | s.nan()
	case math.IsInf(magnitude, 0):
		return sign | largest
	case magnitude == 0:
		return sign
	}
	// In units of the last place of its binade the value is rounded to an integer; a carry into the
	// next binade gives the right code by itself.
	_, exponent := math.Frexp(magnitude)
	binade := max(exponent-1-s.minExponent(), 0)
	units := math.RoundToEven(math.Ldexp(magnitude, int(s.fraction)-s.minExponent()-binade))
	return sign | min(uint32(binade)<<s.fraction+uint32(units), largest)
}
