package tileops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

// testSmallFloat compares the conversions of this package with the library's cast.
func testSmallFloat[T interface {
	tileops.Element
	~uint8 | ~uint16
	Float32() float32
}](t *testing.T, codes int, encode func(float32) T) {
	all, values := make([]T, codes), make([]float32, codes)
	for i := range all {
		all[i] = T(i)
	}
	if err := tileops.Cast(tileops.Must(tileops.Of(values)), tileops.Must(tileops.Of(all))); err != nil {
		t.Fatal(err)
	}
	for i, want := range values {
		got := all[i].Float32()
		if math.Float32bits(got) != math.Float32bits(want) && !(got != got && want != want) {
			t.Fatalf("code %#x: got %v, want %v", i, got, want)
		}
		if back := encode(got); back != all[i] && got == got {
			t.Fatalf("code %#x of value %v became %#x", i, got, back)
		}
	}
	// Around every value, and half way to the next one, where rounding decides; and far outside.
	inputs := []float32{float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -math.MaxFloat32,
		math.SmallestNonzeroFloat32, float32(math.NaN()), 447.9, 464, 464.1, 480, 61439, 61440, 65519, 65520, 65536}
	for i := 0; i+1 < codes; i++ {
		middle := values[i]/2 + values[i+1]/2
		for _, x := range []float32{values[i], middle} {
			inputs = append(inputs, x, math.Nextafter32(x, 1e38), math.Nextafter32(x, -1e38))
		}
	}
	rounded := make([]T, len(inputs))
	if err := tileops.Cast(tileops.Must(tileops.Of(rounded)), tileops.Must(tileops.Of(inputs))); err != nil {
		t.Fatal(err)
	}
	for i, want := range rounded {
		if got := encode(inputs[i]); got != want && !(got.Float32() != got.Float32() && want.Float32() != want.Float32()) {
			t.Fatalf("value %v (%#x): got code %#x, want %#x", inputs[i], math.Float32bits(inputs[i]), got, want)
		}
	}
}

// Every code, and every place where rounding changes, as in the library.
func TestSmallFloats(t *testing.T) {
	t.Run("float16", func(t *testing.T) { testSmallFloat(t, 1<<16, tileops.NewFloat16) })
	t.Run("bfloat16", func(t *testing.T) { testSmallFloat(t, 1<<16, tileops.NewBFloat16) })
	t.Run("float8_e4m3fn", func(t *testing.T) { testSmallFloat(t, 1<<8, tileops.NewFloat8E4M3FN) })
	t.Run("float8_e5m2", func(t *testing.T) { testSmallFloat(t, 1<<8, tileops.NewFloat8E5M2) })
	t.Run("float8_e8m0fnu", func(t *testing.T) { testSmallFloat(t, 1<<8, tileops.NewFloat8E8M0FNU) })
}

// Every pair of codes, and every place where rounding changes.
func TestFloat4E2M1FNx2(t *testing.T) {
	all, values := make([]tileops.Float4E2M1FNx2, 256), make([]float32, 512)
	for i := range all {
		all[i] = tileops.Float4E2M1FNx2(i)
	}
	if err := tileops.Cast(tileops.Must(tileops.Of(values)), tileops.Must(tileops.Of(all))); err != nil {
		t.Fatal(err)
	}
	for i, pair := range all {
		first, second := pair.Float32s()
		for k, got := range []float32{first, second} {
			if want := values[2*i+k]; math.Float32bits(got) != math.Float32bits(want) {
				t.Fatalf("pair %#x: got %v, want %v", i, got, want)
			}
		}
		if back := tileops.NewFloat4E2M1FNx2(first, second); back != pair {
			t.Fatalf("pair %#x of values %v, %v became %#x", i, first, second, back)
		}
	}
	inputs := []float32{float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.MaxFloat32}
	for x := float32(-8); x <= 8; x += 0.25 {
		inputs = append(inputs, x, math.Nextafter32(x, 1e38), math.Nextafter32(x, -1e38))
	}
	if len(inputs)%2 != 0 {
		inputs = append(inputs, 0)
	}
	rounded := make([]tileops.Float4E2M1FNx2, len(inputs)/2)
	if err := tileops.Cast(tileops.Must(tileops.Of(rounded)), tileops.Must(tileops.Of(inputs))); err != nil {
		t.Fatal(err)
	}
	for i, want := range rounded {
		if got := tileops.NewFloat4E2M1FNx2(inputs[2*i], inputs[2*i+1]); got != want {
			t.Fatalf("values %v, %v: got %#x, want %#x", inputs[2*i], inputs[2*i+1], got, want)
		}
	}
}

// Results that are inferred count pairs, as operands do, and so does what another library gets.
func TestFloat4E2M1FNx2InExpressions(t *testing.T) {
	e := tileops.Must(tileops.ParseExpr("(x, q) -> cast(x, e2m1fn), cast(q, f32) * x"))
	defer e.Close()
	q := []tileops.Float4E2M1FNx2{tileops.NewFloat4E2M1FNx2(1, -6), tileops.NewFloat4E2M1FNx2(0.5, 3)}
	x := tileops.Must(tileops.Of([]float32{2, 3, 4, 5}, 1, 4))
	operand := tileops.Must(tileops.Of(q, 1, 2))
	results := tileops.Must(e.Infer(x, operand))
	if d, shape := results[0].DType(), results[0].Shape(); d != tileops.F4E2M1FN || !slices.Equal(shape, []int{1, 2}) {
		t.Fatalf("result 0 is %v of %v", shape, d)
	}
	if shape := results[1].Shape(); !slices.Equal(shape, []int{1, 4}) {
		t.Fatalf("result 1 is %v", shape)
	}
	lent := tileops.Must(operand.DLPack())
	back := tileops.Must(tileops.FromDLPack(lent))
	defer back.Close()
	if back.DType() != tileops.F4E2M1FN || !slices.Equal(back.Shape(), []int{1, 2}) {
		t.Fatalf("%v of %v came back", back.Shape(), back.DType())
	}
}

type celsius float32 // a derived type

func TestDTypeOf(t *testing.T) {
	wide := tileops.I64
	if math.MaxInt == math.MaxInt32 {
		wide = tileops.I32
	}
	for want, got := range map[tileops.DType][]tileops.DType{
		tileops.F32:       {tileops.DTypeOf[float32](), tileops.DTypeOf[celsius]()},
		tileops.F64:       {tileops.DTypeOf[float64]()},
		tileops.F16:       {tileops.DTypeOf[tileops.Float16]()},
		tileops.BF16:      {tileops.DTypeOf[tileops.BFloat16]()},
		tileops.F8E4M3FN:  {tileops.DTypeOf[tileops.Float8E4M3FN]()},
		tileops.F8E8M0FNU: {tileops.DTypeOf[tileops.Float8E8M0FNU]()},
		tileops.F4E2M1FN:  {tileops.DTypeOf[tileops.Float4E2M1FNx2]()},
		tileops.F8E5M2:    {tileops.DTypeOf[tileops.Float8E5M2]()},
		tileops.I8:        {tileops.DTypeOf[int8]()},
		tileops.I16:       {tileops.DTypeOf[int16]()},
		tileops.I32:       {tileops.DTypeOf[int32](), tileops.DTypeOf[rune]()},
		tileops.U8:        {tileops.DTypeOf[byte]()},
		tileops.U16:       {tileops.DTypeOf[uint16]()},
		tileops.U32:       {tileops.DTypeOf[uint32]()},
		tileops.U64:       {tileops.DTypeOf[uint64]()},
		tileops.Bool:      {tileops.DTypeOf[bool]()},
		wide:              {tileops.DTypeOf[int]()},
	} {
		for _, d := range got {
			if d != want {
				t.Errorf("got %v, want %v", d, want)
			}
		}
		if again := tileops.Must(tileops.ParseDType(want.String())); again != want {
			t.Errorf("%v read back is %v", want, again)
		}
	}
}
