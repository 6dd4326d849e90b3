package tileops_test

import (
	"slices"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

// Every operator of the library has its function, constant and name, every attribute its option. It
// fails for a library that is newer than what was generated.
func TestOperatorsAreComplete(t *testing.T) {
	ops := tileops.Ops()
	if len(ops) < 73 || len(ops) != len(typedCalls) {
		t.Errorf("%d operators, %d functions", len(ops), len(typedCalls))
	}
	for _, op := range ops {
		info := tileops.Must(op.Info())
		if typedCalls[info.Name] == nil {
			t.Errorf("no function for %s", info.Name)
		}
		if again := tileops.Must(tileops.OpByName(info.Name)); again != op || op.String() != info.Name {
			t.Errorf("%s is %v and %v", info.Name, op, again)
		}
		for _, attr := range info.Attrs {
			typed, ok := typedOptions[attr.Name]
			if !ok {
				t.Errorf("%s: no option for %s", info.Name, attr.Name)
			} else if key := tileops.KeyOf(typed); key != tileops.KeyOf(tileops.Must(tileops.LookUp(op, attr.Name, 1))) {
				t.Errorf("%s: the option %s has key %d", info.Name, attr.Name, key)
			}
		}
	}
}

func TestOpInfo(t *testing.T) {
	info := tileops.Must(tileops.OpDiv.Info())
	rounding := info.Attrs[0]
	if info.Name != "div" || info.Category != "binary_arith" || info.MinInputs != 2 || len(info.Inputs) != 2 ||
		len(info.Outputs) != 1 || info.Result != "promoted_float" || len(info.DTypes) != 15 {
		t.Errorf("got %+v", info)
	}
	if rounding.Name != "rounding" || rounding.Default != "none" ||
		!slices.Equal(rounding.Choices, []string{"none", "trunc", "floor"}) {
		t.Errorf("got %+v", rounding)
	}
	if alpha := tileops.Must(tileops.OpAdd.Info()).Attrs[0]; alpha.Name != "alpha" || alpha.Default != 1.0 {
		t.Errorf("got %+v", alpha)
	}
	mask := tileops.Must(tileops.OpDropout.Info()).Outputs[1]
	if !mask.Optional || !slices.Equal(mask.DTypes, []tileops.DType{tileops.Bool}) {
		t.Errorf("got %+v", mask)
	}
	if unknown := tileops.Op(32000); unknown.String() != "Op(32000)" {
		t.Errorf("got %v", unknown)
	}
}

func of[T tileops.Element](data ...T) *tileops.Tensor { return tileops.Must(tileops.Of(data)) }

// The four ways to set an attribute do the same.
func TestAttributes(t *testing.T) {
	for _, test := range []struct {
		name    string
		options []tileops.Option
		want    float32
	}{
		{"default", nil, -2.5},
		{"typed", []tileops.Option{tileops.WithRounding(tileops.RoundingFloor)}, -3},
		{"by name", []tileops.Option{tileops.WithAttr("rounding", "trunc")}, -2},
		{"by index", []tileops.Option{tileops.WithAttr("rounding", 2)}, -3},
		{"as a float", []tileops.Option{tileops.WithAttr("rounding", float32(1))}, -2},
		{"as a byte", []tileops.Option{tileops.WithAttr("rounding", uint8(1))}, -2},
		{"as its constant", []tileops.Option{tileops.WithAttr("rounding", tileops.RoundingFloor)}, -3},
	} {
		y := []float32{0}
		if err := tileops.Div(tileops.Must(tileops.Of(y)), of[float32](-5), of[float32](2), test.options...); err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if y[0] != test.want {
			t.Errorf("%s: got %v, want %v", test.name, y[0], test.want)
		}
	}
	y := []float32{1, 1}
	x := of[float32](2, 3)
	for _, option := range []tileops.Option{tileops.WithTraining(false), tileops.WithAttr("training", false)} {
		y[0], y[1] = 0, 0
		if err := tileops.Dropout(tileops.Must(tileops.Of(y)), nil, x, nil, option, tileops.WithP(0.9)); err != nil {
			t.Error(err)
		}
		if y[0] != 2 || y[1] != 3 {
			t.Errorf("got %v", y)
		}
	}
}

func TestCallByName(t *testing.T) {
	y := []float64{0, 0}
	err := tileops.Call("clamp", []*tileops.Tensor{tileops.Must(tileops.Of(y))},
		[]*tileops.Tensor{of(-5.0, 5.0), nil, tileops.Scalar(1.5)}, tileops.WithAttr("fp8_overflow", "saturate"))
	if err != nil || y[0] != -5 || y[1] != 1.5 {
		t.Errorf("got %v, %v", y, err)
	}
	err = tileops.OpNeg.Call([]*tileops.Tensor{tileops.Must(tileops.Of(y))}, []*tileops.Tensor{of(1.0, 2.0)})
	if err != nil || y[0] != -1 || y[1] != -2 {
		t.Errorf("got %v, %v", y, err)
	}
}

// The names of statuses are those of C.
func TestStatusNames(t *testing.T) {
	for status := tileops.StatusOK; status <= tileops.StatusInternal; status++ {
		if got, want := status.String(), tileops.StatusName(status); got != want || status.Error() != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := tileops.Status(99).String(); got != "Status(99)" || tileops.StatusName(99) != "?" {
		t.Errorf("got %s", got)
	}
}
