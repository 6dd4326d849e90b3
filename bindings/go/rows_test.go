package tileops_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

// softmaxes is softmax of rows and of columns, as contrastive losses have them. What one pass over x reduces is
// taken by the other one.
const softmaxes = `(x; scale = 1.0) -> {
	e = exp(scale * x - detach(amax(scale * x)));
	f = exp(scale * x - detach(amax(scale * x, axis = -2)));
	rows = e / sum(e);  columns = f / sum(f, axis = -2);  rows, columns }`

// mixed is a value and then options, for functions of any number of values.
func mixed(v tileops.Node, options []tileops.Option) []any {
	all := []any{v}
	for _, o := range options {
		all = append(all, o)
	}
	return all
}

func builtText(build func(b *tileops.Builder)) (string, error) {
	b := tileops.NewBuilder()
	build(b)
	expr, err := b.Finish()
	if err != nil {
		return "", err
	}
	defer expr.Close()
	return expr.String(), nil
}

func TestRowMethods(t *testing.T) {
	type said struct {
		options []tileops.Option
		needs   []string // the attributes
		text    string
	}
	sayings := []said{
		{nil, nil, ""},
		{[]tileops.Option{tileops.WithAxes(-2)}, []string{"axis"}, ", axis = -2"},
		{[]tileops.Option{tileops.WithAxis(-3)}, []string{"axis"}, ", axis = -3"},
		{[]tileops.Option{tileops.WithGroup(128)}, []string{"group"}, ", group = 128"},
		{[]tileops.Option{tileops.WithAxes(-4), tileops.WithGroup(16)}, []string{"group"}, ", axis = -4, group = 16"},
		{[]tileops.Option{tileops.WithCorrection(1)}, []string{"correction"}, ", correction = 1"},
		{[]tileops.Option{tileops.WithAxes(-3), tileops.WithReverse(true)}, []string{"reverse"}, ", axis = -3, reverse = true"},
		{[]tileops.Option{tileops.WithExclusive(true)}, []string{"exclusive"}, ", exclusive = true"},
		{[]tileops.Option{tileops.WithAttr("correction", 2)}, []string{"correction"}, ", correction = 2"},
	}
	for name, method := range rowMethods {
		for _, say := range sayings {
			second := ""
			if name == "spread" || name == "gather" || name == "scatter" || name == "scatter_add" {
				second = ", v"
			}
			value := name + "(x" + second + say.text + ")"
			got, err := builtText(func(b *tileops.Builder) {
				x, v := b.Operand("x"), b.Operand("v")
				b.Result(method.call(x, v, say.options))
			})
			taken := true
			for _, need := range say.needs {
				taken = taken && slices.Contains(method.attributes, need)
			}
			if !taken {
				if err == nil || !strings.Contains(err.Error(), say.needs[0]) || !strings.Contains(err.Error(), name) {
					t.Errorf("%s: got %v", value, err)
				}
			} else if want := parse(t, "(x, v) -> "+value).String(); err != nil || got != want {
				t.Errorf("%s: got %s, %v", value, got, err)
			}
		}
	}
	if len(rowMethods) < 15 {
		t.Errorf("%d functions along axes", len(rowMethods))
	}
}

func TestAxesAndGroups(t *testing.T) {
	got, err := builtText(func(b *tileops.Builder) {
		x, i := b.Operand("x"), b.Operand("i")
		b.Result(x.Argmax(tileops.WithAllAxes()))
		b.Result(x.Var(tileops.WithAxes(-1, -3), tileops.WithCorrection(1)))
		b.Result(x.Amax(tileops.WithGroup(16, 128)))
		b.Result(x.Amin(tileops.WithAxes(-3, -1), tileops.WithGroup(2, 8)))
		b.Result(x.Amax(tileops.WithGroup(4)).Spread(x, tileops.WithGroup(4)))
		b.Result(x.Gather(i, 3, tileops.WithAxes(-4, -2)))
		b.Result(x.Cumprod(tileops.WithReverse(false), tileops.WithExclusive(true)))
		b.Result(i.Tiled(8)).Result(i.Tiled(nil))
		b.Result(b.Apply(tileops.OpExtent, []any{x}, tileops.WithAxes(-2, -1)).Mul(x))
	})
	want := parse(t, `(x, i) -> argmax(x, axis = all), var(x, axis = (-3, -1), correction = 1), amax(x, group = (16, 128)),
		amin(x, axis = (-3, -1), group = (2, 8)), spread(amax(x, group = 4), x, group = 4), gather(x, i, 3, axis = (-4, -2)),
		cumprod(x, exclusive = true), tiled(i, rows = 8), tiled(i), extent(x, (-2, -1)) * x`).String()
	if err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	for message, option := range map[string]tileops.Option{
		"axes count from the end (got 0, need -1 to -32)": tileops.WithAxes(0),
		"(got -33":                           tileops.WithAxes(-33),
		"axis -1 is given twice":             tileops.WithAxes(-1, -2, -1),
		"no axes (need one, or WithAllAxes)": tileops.WithAxes(),
		"the group is out of range (got 0":   tileops.WithGroup(0),
		"one number or two (got 3)":          tileops.WithGroup(1, 2, 3),
		"no attribute":                       tileops.WithReproducible(),
	} {
		_, err := builtText(func(b *tileops.Builder) { b.Result(b.Operand("x").Sum(option)) })
		if !errors.Is(err, tileops.StatusInvalidArgument) || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: got %v", message, err)
		}
	}
	_, err = builtText(func(b *tileops.Builder) { b.Result(b.Operand("x").Sum(tileops.WithAllAxes(), tileops.WithGroup(4))) })
	if err == nil || !strings.Contains(err.Error(), "no groups of all axes") {
		t.Errorf("got %v", err)
	}
}

func wave(n, period int) []float32 {
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(i%period)/4 - 1
	}
	return data
}

// bothSoftmaxes are what softmaxes gives for 6 rows.
func bothSoftmaxes(x []float32) (rows, columns []float64) {
	n := len(x) / 6
	inRows, inColumns := make([]float64, 6), make([]float64, n)
	for i, v := range x {
		inRows[i/n] += math.Exp(float64(v))
		inColumns[i%n] += math.Exp(float64(v))
	}
	for i, v := range x {
		rows = append(rows, math.Exp(float64(v))/inRows[i/n])
		columns = append(columns, math.Exp(float64(v))/inColumns[i%n])
	}
	return rows, columns
}

func near(got []float32, want []float64) bool {
	for i, g := range got {
		if !(math.Abs(float64(g)-want[i]) <= 1e-6*math.Max(math.Abs(want[i]), 0.1)) {
			return false
		}
	}
	return len(got) == len(want)
}

// ownContext is a context whose plans, those of calls too, go with the test.
func ownContext(t *testing.T) tileops.Option {
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{}))
	t.Cleanup(func() { ctx.Close() })
	return tileops.WithContext(ctx)
}

func matrix(data []float32, rows int) *tileops.Tensor {
	return tileops.Must(tileops.Of(data, rows, len(data)/rows))
}

func TestRMSNorm(t *testing.T) {
	const rows, n = 9, 64
	b := tileops.NewBuilder()
	x, w := b.Operand("x"), b.Operand("w")
	b.Result(x.Mul(x.Mul(x).Mean().Add(b.Scalar("eps", 1e-6)).Rsqrt()).Mul(w))
	norm := tileops.Must(b.Finish())
	defer norm.Close()
	gradient := tileops.Must(norm.Gradient("x", "w"))
	defer gradient.Close()
	data, weights, g := wave(rows*n, 7), make([]float32, n), make([]float32, rows*n)
	for i := range weights {
		weights[i] = 2
	}
	for i := range g {
		g[i] = 1
	}
	y, dx, dw := make([]float32, rows*n), make([]float32, rows*n), make([]float32, n)
	ctx := ownContext(t)
	if err := norm.Call(tensors{matrix(y, rows)}, tensors{matrix(data, rows), matrix(weights, 1)}, ctx); err != nil {
		t.Fatal(err)
	}
	err := gradient.Call(tensors{matrix(dx, rows), matrix(dw, 1)}, tensors{matrix(data, rows), matrix(weights, 1), matrix(g, rows)}, ctx)
	if err != nil {
		t.Fatal(err)
	}
	wantY, wantW := make([]float64, rows*n), make([]float64, n)
	for r := 0; r < rows; r++ {
		squares, product := 0.0, 0.0
		for i := 0; i < n; i++ {
			v := float64(data[r*n+i])
			squares += v * v
			product += v * float64(dx[r*n+i])
		}
		for i := 0; i < n; i++ {
			normal := float64(data[r*n+i]) / math.Sqrt(squares/n+1e-6)
			wantY[r*n+i] = 2 * normal
			wantW[i] += normal
		}
		// dx stands at right angles to the row that was normalised.
		if math.Abs(product) > 1e-3 || slices.Max(dx[r*n:r*n+n]) < 1e-2 {
			t.Errorf("row %d: got %v, of product %v", r, dx[r*n:r*n+n], product)
		}
	}
	if !near(y, wantY) || !near(dw, wantW) {
		t.Errorf("got %v, %v, want %v", y, dw, wantW)
	}
}

func TestWorkspace(t *testing.T) {
	expr := parse(t, softmaxes)
	x := wave(60, 7)
	rows, columns := make([]float32, 60), make([]float32, 60)
	wantRows, wantColumns := bothSoftmaxes(x)
	operands := tensors{matrix(rows, 6), matrix(columns, 6), matrix(x, 6)}
	plan := tileops.Must(expr.NewPlan(operands[:2], operands[2:]))
	defer plan.Close()
	if plan.WorkspaceBytes() <= 0 || uint64(plan.WorkspaceBytes()) != tileops.Must(plan.Info()).Workspace {
		t.Fatalf("got %d bytes", plan.WorkspaceBytes())
	}
	given := tileops.Must(plan.NewWorkspace())
	defer given.Close()
	large := tileops.Must(tileops.WorkspaceOf(tileops.Must(tileops.Default().Alloc(tileops.F64, tileops.CPU(), plan.WorkspaceBytes()))))
	defer large.Close()
	if given.Bytes() != plan.WorkspaceBytes() || large.Bytes() != 8*given.Bytes() || given.Device() != tileops.CPU() {
		t.Errorf("got %d and %d bytes", given.Bytes(), large.Bytes())
	}
	ctx := ownContext(t)
	for name, execute := range map[string]func() error{
		"Execute":          func() error { return plan.Execute(operands...) },
		"ExecuteOn":        func() error { return plan.ExecuteOn(0, operands...) },
		"ExecuteUnchecked": func() error { return plan.ExecuteUnchecked(0, operands...) },
		"ExecuteWith":      func() error { return plan.ExecuteWith([]tileops.Number{tileops.Num(1.0)}, operands...) },
		"ExecuteIn":        func() error { return plan.ExecuteIn(given, 0, nil, operands...) },
		"a large one":      func() error { return plan.ExecuteIn(large, 0, []tileops.Number{{}}, operands...) },
		"Call":             func() error { return expr.Call(operands[:2], operands[2:], ctx) },
		"Call of no cache": func() error { return expr.Call(operands[:2], operands[2:], tileops.WithoutPlanCache(), ctx) },
	} {
		for round := 0; round < 3; round++ {
			clear(rows)
			clear(columns)
			if err := execute(); err != nil || !near(rows, wantRows) || !near(columns, wantColumns) {
				t.Errorf("%s: got %v, %v, %v", name, rows, columns, err)
			}
		}
	}

	// The gradient needs one as well.
	gradient := tileops.Must(expr.Gradient("x"))
	defer gradient.Close()
	g, h, dx := wave(60, 5), wave(60, 11), make([]float32, 60)
	outs, ins := tensors{matrix(dx, 6)}, tensors{matrix(x, 6), matrix(g, 6), matrix(h, 6)}
	other := tileops.Must(gradient.NewPlan(outs, ins))
	defer other.Close()
	if err := other.Execute(append(outs, ins...)...); err != nil || other.WorkspaceBytes() == 0 {
		t.Errorf("got %v, %d bytes", err, other.WorkspaceBytes())
	}
	var want []float64
	for i := range x {
		row, column := 0.0, 0.0
		for k := range x {
			if k/10 == i/10 {
				row += float64(g[k]) * wantRows[k]
			}
			if k%10 == i%10 {
				column += float64(h[k]) * wantColumns[k]
			}
		}
		want = append(want, wantRows[i]*(float64(g[i])-row)+wantColumns[i]*(float64(h[i])-column))
	}
	if !near(dx, want) {
		t.Errorf("got %v, want %v", dx, want)
	}

	// A plan without one takes any.
	plain := tileops.Must(parse(t, "(x) -> -x").NewPlan(operands[:1], operands[2:]))
	defer plain.Close()
	none := tileops.Must(plain.NewWorkspace())
	defer none.Close()
	if err := plain.ExecuteIn(none, 0, nil, operands[0], operands[2]); err != nil || plain.WorkspaceBytes() != 0 || rows[3] != -x[3] {
		t.Errorf("got %v, %v", err, rows)
	}
}

func TestWrongWorkspaces(t *testing.T) {
	expr := parse(t, softmaxes)
	operands := tensors{matrix(make([]float32, 60), 6), matrix(make([]float32, 60), 6), matrix(wave(60, 7), 6)}
	plan := tileops.Must(expr.NewPlan(operands[:2], operands[2:]))
	small := tileops.Must(tileops.NewWorkspace(tileops.CPU(), plan.WorkspaceBytes()-1))
	defer small.Close()
	closed := tileops.Must(plan.NewWorkspace())
	closed.Close()
	memory := tileops.Must(tileops.Default().Alloc(tileops.U8, tileops.CPU(), plan.WorkspaceBytes()+1))
	defer memory.Close()
	view := func(device tileops.Device, offset int, strides []int) *tileops.Tensor {
		return tileops.Must(tileops.FromPointer(memory.Address()+uintptr(offset), tileops.U8, device, []int{plan.WorkspaceBytes()}, strides))
	}
	elsewhere := tileops.Must(tileops.WorkspaceOf(view(tileops.CUDA(0), 0, nil)))
	odd := tileops.Must(tileops.WorkspaceOf(view(tileops.CPU(), 1, nil)))
	for message, w := range map[string]*tileops.Workspace{
		"workspace_bytes: is too small":                      small,
		"workspace: closed":                                  closed,
		"workspace: on another device (got cuda:0, need cpu": elsewhere,
		"workspace: is not aligned":                          odd,
		"workspace: closed or nil":                           nil,
		"workspace: closed or zero":                          {},
	} {
		err := plan.ExecuteIn(w, 0, nil, operands...)
		if !errors.Is(err, tileops.StatusInvalidArgument) || !strings.Contains(err.Error(), strings.Split(message, " or ")[0]) {
			t.Errorf("%s: got %v", message, err)
		}
	}
	for _, wrong := range []*tileops.Tensor{nil, operands[0], view(tileops.CPU(), 0, []int{2}),
		tileops.Must(tileops.Spec(tileops.U8, tileops.CPU(), 64))} {
		if _, err := tileops.WorkspaceOf(wrong); !errors.Is(err, tileops.StatusInvalidArgument) {
			t.Errorf("%v: got %v", wrong, err)
		}
	}
	plan.Close()
	if err := plan.ExecuteIn(small, 0, nil, operands...); !errors.Is(err, tileops.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// A plan's workspaces are used again, apart by streams and executes at once, and go with the plan.
func TestKeptWorkspaces(t *testing.T) {
	waitFor(t, tileops.HandleCounts{})
	expr := parse(t, softmaxes)
	operands := tensors{matrix(make([]float32, 60), 6), matrix(make([]float32, 60), 6), matrix(wave(60, 7), 6)}
	plan := tileops.Must(expr.NewPlan(operands[:2], operands[2:]))
	for i := 0; i < 10; i++ {
		if err := plan.Execute(operands...); err != nil {
			t.Error(err)
		}
	}
	if kept := tileops.KeptWorkspaces(plan); len(kept) != 1 || tileops.LiveHandles().Tensors != 1 {
		t.Errorf("got %v, %+v", kept, tileops.LiveHandles())
	}
	allocations := testing.AllocsPerRun(100, func() { plan.Execute(operands...) })
	if allocations > 2 { // none for the workspace
		t.Errorf("%v allocations", allocations)
	}
	for stream := tileops.Stream(64); stream < 64*100; stream += 64 {
		tileops.BorrowWorkspace(plan, stream, func() { tileops.BorrowWorkspace(plan, stream, func() {}) })
	}
	kept := tileops.KeptWorkspaces(plan)
	if len(kept) != 64 || kept[63] != 64*99 || kept[62] != 64*99 || tileops.LiveHandles().Tensors != 64 {
		t.Errorf("got %v, %+v", kept, tileops.LiveHandles())
	}
	if err := tileops.BorrowWorkspace(plan, 2, func() {}); err == nil || !strings.Contains(err.Error(), "cudaStreamPerThread") {
		t.Errorf("got %v", err)
	}
	tileops.BorrowWorkspace(plan, 0, func() { plan.Close() })
	if got := tileops.LiveHandles().Tensors; got != 0 {
		t.Errorf("%d workspaces of a closed plan", got)
	}
}

func TestRowsInGoroutines(t *testing.T) {
	const n = 6 * 2000
	expr, ctx := parse(t, softmaxes), ownContext(t)
	spec := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), 6, n/6))
	plan := tileops.Must(expr.NewPlan(tensors{spec, spec}, tensors{spec}))
	defer plan.Close()
	inGoroutines(8, func(g int) {
		x, rows, columns := wave(n, 7+g), make([]float32, n), make([]float32, n)
		wantRows, wantColumns := bothSoftmaxes(x)
		operands := tensors{matrix(rows, 6), matrix(columns, 6), matrix(x, 6)}
		for i := 0; i < 20; i++ {
			err := plan.Execute(operands...)
			if i%2 == 1 {
				err = expr.Call(operands[:2], operands[2:], ctx)
			}
			if err != nil || !near(rows, wantRows) || !near(columns, wantColumns) {
				t.Errorf("goroutine %d: wrong, %v", g, err)
				return
			}
		}
	})
}

// On a GPU: executes on two streams, and on one from two goroutines, without waiting between them.
func TestRowsOnDevice(t *testing.T) {
	device := cudaDevice(t)
	const n = 6 * 20000
	expr, ctx, own := parse(t, softmaxes), tileops.Default(), ownContext(t)
	spec := tileops.Must(tileops.Spec(tileops.F32, device, 6, n/6))
	plan := tileops.Must(expr.NewPlan(tensors{spec, spec}, tensors{spec}))
	defer plan.Close()
	streams := []*tileops.OwnedStream{tileops.Must(ctx.NewStream(device)), tileops.Must(ctx.NewStream(device))}
	inGoroutines(4, func(g int) {
		stream := streams[g/2].Stream()
		x, rows, columns := wave(n, 7+g), make([]float32, n), make([]float32, n)
		wantRows, wantColumns := bothSoftmaxes(x)
		var there tensors
		for i := 0; i < 3; i++ {
			tensor := tileops.Must(ctx.Alloc(tileops.F32, device, 6, n/6))
			defer tensor.Close()
			there = append(there, tensor)
		}
		for _, err := range []error{
			ctx.Copy(there[2], matrix(x, 6), stream),
			plan.ExecuteOn(stream, there...),
			plan.ExecuteOn(stream, there...),
			expr.Call(there[:2], there[2:], tileops.WithStream(stream), own),
			ctx.Copy(matrix(rows, 6), there[0], stream),
			ctx.Copy(matrix(columns, 6), there[1], stream),
			ctx.Synchronize(device, stream),
		} {
			if err != nil {
				t.Error(err)
				return
			}
		}
		if !near(rows, wantRows) || !near(columns, wantColumns) {
			t.Errorf("goroutine %d: wrong", g)
		}
	})
	for _, stream := range streams {
		stream.Close()
	}
}
