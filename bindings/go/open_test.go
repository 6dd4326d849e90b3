package tileops_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

const openColumns = 24

// Rising and falling, so that what is left of one extent would show at the next.
var openBatches = []int{7, 131, 3, 1, 0, 64, 65, 4097, 2}

// Rows alone; several results; sums over the rows, for which extents need a workspace of their own size.
var openTexts = []string{
	"(x, w; s = 1.5) -> rms_norm(x * s, w)",
	"(x, w; s = 1.5) -> { e = exp(x * s - amax(x * s)); e / sum(e), x * w }",
	"(x, w; s = 1.5) -> x * s / (1 + sum(abs(x))) / (1 + sum(abs(x), axis = -2)) * w",
}

func openValues(batch int) []float32 {
	values := make([]float32, batch*openColumns)
	for i := range values {
		values[i] = float32(i*37%101)/16 - 3 + float32(batch)/64
	}
	return values
}

func openWeights() *tileops.Tensor {
	weights := make([]float32, openColumns)
	for i := range weights {
		weights[i] = float32(i)/8 - 1
	}
	return tileops.Must(tileops.Of(weights))
}

func specOfRows(rows int) *tileops.Tensor {
	return tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), rows, openColumns))
}

// openPlan is one of a text for any batch.
func openPlan(t *testing.T, expr *tileops.Expr, rows int) *tileops.Plan {
	t.Helper()
	x := specOfRows(rows)
	outputs, err := expr.Infer(x, openWeights())
	if err != nil {
		t.Fatal(err)
	}
	for i, y := range outputs {
		if !slices.Equal(y.Shape(), []int{tileops.Open, openColumns}) {
			t.Fatalf("result %d is of shape %v", i, y.Shape())
		}
	}
	plan, err := expr.NewPlan(outputs, []*tileops.Tensor{x, openWeights()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { plan.Close() })
	return plan
}

// openCall has operands of a batch: outputs, inputs, and the memory of the former.
func openCall(expr *tileops.Expr, batch int) (outputs, inputs []*tileops.Tensor, memory [][]float32) {
	for range expr.Info().Results {
		y := make([]float32, batch*openColumns)
		for i := range y {
			y[i] = float32(math.NaN())
		}
		memory = append(memory, y)
		outputs = append(outputs, tileops.Must(tileops.Of(y, batch, openColumns)))
	}
	return outputs, []*tileops.Tensor{tileops.Must(tileops.Of(openValues(batch), batch, openColumns)), openWeights()}, memory
}

var quarter = []tileops.Number{tileops.Num(0.25)}

// closedResults are those of a plan for this batch alone.
func closedResults(expr *tileops.Expr, batch int) ([][]float32, error) {
	outputs, inputs, memory := openCall(expr, batch)
	plan, err := expr.NewPlan(outputs, inputs, tileops.WithoutPlanCache())
	if err != nil {
		return nil, err
	}
	defer plan.Close()
	return memory, plan.ExecuteWith(quarter, append(outputs, inputs...)...)
}

func sameBits(a, b [][]float32) bool {
	return slices.EqualFunc(a, b, func(x, y []float32) bool {
		return slices.EqualFunc(x, y, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
	})
}

// checkBatch compares an open plan with one for this batch.
func checkBatch(expr *tileops.Expr, plan *tileops.Plan, batch int) error {
	want, err := closedResults(expr, batch)
	if err != nil {
		return err
	}
	outputs, inputs, got := openCall(expr, batch)
	if err := plan.ExecuteWith(quarter, append(outputs, inputs...)...); err != nil {
		return err
	}
	if !sameBits(got, want) {
		return fmt.Errorf("at %d: other results", batch)
	}
	return nil
}

func TestOpenPlansHaveTheBitsOfClosedOnes(t *testing.T) {
	for _, text := range openTexts {
		expr := parse(t, text)
		for _, rows := range []int{tileops.Open, tileops.UpTo(5000)} {
			plan := openPlan(t, expr, rows)
			for _, batch := range openBatches {
				if err := checkBatch(expr, plan, batch); err != nil {
					t.Errorf("%s: %v", text, err)
				}
			}
		}
	}
}

func TestOpenOperator(t *testing.T) {
	x := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), tileops.Open, tileops.UpTo(100)))
	if got, want := x.String(), "float32[? <=100] on cpu"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	y := tileops.Must(tileops.Of([]float32{3}))
	plan, err := tileops.NewPlan(tileops.OpAdd, []*tileops.Tensor{x}, []*tileops.Tensor{x, y}, tileops.WithAlpha(2))
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	if got, want := plan.OpenExtents(), []tileops.OpenExtent{{0, 0, math.MaxInt}, {0, 1, 100}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, shape := range [][]int{{2, 3}, {5, 0}, {1, 1}, {300, 41}} {
		n := shape[0] * shape[1]
		out := make([]float32, n)
		tensors := []*tileops.Tensor{tileops.Must(tileops.Of(out, shape...)), tileops.Must(tileops.Of(make([]float32, n), shape...)), y}
		for name, execute := range map[string]func() error{
			"Execute":          func() error { return plan.Execute(tensors...) },
			"ExecuteUnchecked": func() error { return plan.ExecuteUnchecked(0, tensors...) },
		} {
			clear(out)
			if err := execute(); err != nil || slices.ContainsFunc(out, func(v float32) bool { return v != 6 }) {
				t.Errorf("%s of %v: %v, %v", name, shape, out, err)
			}
		}
		if extents, err := plan.ExtentsOf(tensors...); err != nil || !slices.Equal(extents, shape) {
			t.Errorf("got extents %v of %v: %v", extents, shape, err)
		}
	}
	if info, err := plan.Info(); err != nil || info.BytesMoved != 0 || info.Kernel == "" {
		t.Errorf("got %v, %v", info, err)
	}
}

func TestOpenResultsAndFacts(t *testing.T) {
	expr := parse(t, "(x[.., n], w[n]) -> { y = x * w;  cast(y, bf16), sum(y), sum(y, axis = -2) }")
	x := specOfRows(tileops.UpTo(1000))
	outputs := tileops.Must(expr.Infer(x, openWeights()))
	plan := tileops.Must(expr.NewPlan(outputs, []*tileops.Tensor{x, openWeights()}))
	defer plan.Close()
	for _, batch := range []int{0, 1, 7, 1000} {
		for i, want := range [][]int{{batch, openColumns}, {batch, 1}, {1, openColumns}} {
			y, err := plan.Result(i, batch)
			if err != nil || !slices.Equal(y.Shape(), want) || y.DType() != outputs[i].DType() {
				t.Errorf("result %d at %d is %v: %v", i, batch, y, err)
			}
		}
		facts, err := plan.At(batch)
		if err != nil || facts.Parts != 1 || facts.Phases < 1 || facts.WorkspaceBytes > plan.WorkspaceBytes() {
			t.Errorf("at %d: %+v, %v", batch, facts, err)
		}
	}
	if tileops.Must(plan.At(2)).BytesMoved <= tileops.Must(plan.At(1)).BytesMoved {
		t.Error("two rows are no more than one")
	}
	refuse(t, "extents", 0, "is too large (got 1001, need at most 1000)", second(plan.At(1001)))
	refuse(t, "extents", 0, "is negative (got -1)", second(plan.At(-1)))
	refuse(t, "num_extents", -1, "(got 0, need 1)", second(plan.At()))
	refuse(t, "output", -1, "is out of range (got 3", second(plan.Result(3, 1)))
	refuse(t, "plan", -1, "closed", second((*tileops.Plan)(nil).At(1)))
	refuse(t, "inputs", 0, "brings no extent (need a tensor with an axis 0)",
		second(plan.ExtentsOf(nil, nil, nil, tileops.Scalar(float32(1)), nil)))
}

func second[T any](_ T, err error) error { return err }

func refuse(t *testing.T, argument string, index int, said string, err error) {
	t.Helper()
	var failed *tileops.Error
	if !errors.As(err, &failed) || failed.Argument != argument || failed.Index != index || !strings.Contains(err.Error(), said) {
		t.Errorf("got %v, want %q about %s[%d]", err, said, argument, index)
	}
}

func TestOpenPlansRefuseOtherTensors(t *testing.T) {
	expr := parse(t, "(x, r) -> rms_norm(x + r, 1.0)")
	x := specOfRows(tileops.UpTo(100))
	plan := tileops.Must(expr.NewPlan([]*tileops.Tensor{x}, []*tileops.Tensor{x, x}))
	defer plan.Close()
	run := func(y, x, r, columns int) error {
		tensor := func(rows int) *tileops.Tensor {
			return tileops.Must(tileops.Of(make([]float32, rows*columns), rows, columns))
		}
		return plan.Execute(tensor(y), tensor(x), tensor(r))
	}
	for range openBatches {
		if err := run(100, 100, 100, openColumns); err != nil {
			t.Error(err)
		}
		refuse(t, "inputs", 1, "extent 0 differs from that of inputs[0] (got 3, need 4", run(4, 4, 3, openColumns))
		refuse(t, "inputs", 1, "extent 0 differs from that of inputs[0] (got 1, need 4", run(4, 4, 1, openColumns))
		refuse(t, "outputs", 0, "extent 0 differs from that of inputs[0] (got 3, need 4", run(3, 4, 4, openColumns))
		refuse(t, "inputs", 0, "extent 0 is out of range (got 101, need 0 to 100)", run(101, 101, 101, openColumns))
		refuse(t, "inputs", 0, "shape differs from the plan", run(4, 4, 4, openColumns-1))
	}

	// When it is planned, and before.
	groups := parse(t, "(x) -> x / spread(amax(x, group = 8), x, group = 8)")
	open := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), 4, tileops.Open))
	if _, err := groups.NewPlan([]*tileops.Tensor{open}, []*tileops.Tensor{open}); !errors.Is(err, tileops.StatusUnsupported) {
		t.Errorf("got %v", err)
	}
	for _, extent := range []int{-2, tileops.UpTo(0), tileops.UpTo(-1), math.MinInt} {
		refuse(t, "shape", 1, "negative extent", second(tileops.Spec(tileops.F32, tileops.CPU(), 4, extent)))
	}
	if tileops.UpTo(math.MaxInt) != tileops.Open {
		t.Error("a bound beyond all tensors is one")
	}
	refuse(t, "shape", 0, "negative extent", second(tileops.Of([]float32{}, tileops.Open)))
	for name, err := range map[string]error{
		"Transpose": second(open.Transpose()), "Slice": second(open.Slice(0, 0, 1, 1)), "Expand": second(open.Expand(2, 4, 4)),
	} {
		refuse(t, "tensor", -1, name+": tensor: has open extents (got float32[4 ?] on cpu)", err)
	}
	if open.Len() != 0 || open.Strides() != nil {
		t.Errorf("got %d elements, strides %v", open.Len(), open.Strides())
	}
}

func TestOpenStrides(t *testing.T) {
	// The middle third of each row, as of a product of three.
	third := tileops.Must(tileops.SpecStrided(tileops.F32, tileops.CPU(), []int{tileops.Open, openColumns}, []int{3 * openColumns, 1}))
	plan := tileops.Must(tileops.NewPlan(tileops.OpNeg, []*tileops.Tensor{specOfRows(tileops.Open)}, []*tileops.Tensor{third}))
	defer plan.Close()
	for _, batch := range []int{5, 1, 9} {
		memory, y := openValues(3*batch), make([]float32, batch*openColumns)
		x := tileops.Must(tileops.View(memory, tileops.Layout{Shape: []int{batch, openColumns}, Strides: []int{3 * openColumns, 1}, Offset: openColumns}))
		if err := plan.Execute(tileops.Must(tileops.Of(y, batch, openColumns)), x); err != nil {
			t.Fatal(err)
		}
		for i, v := range y {
			if v != -memory[i/openColumns*3*openColumns+openColumns+i%openColumns] {
				t.Fatalf("at %d: element %d is %g", batch, i, v)
			}
		}
	}
	refuse(t, "strides", -1, "wrong number (got 1, need 2)", second(tileops.SpecStrided(tileops.F32, tileops.CPU(), []int{2, 3}, []int{1})))
}
