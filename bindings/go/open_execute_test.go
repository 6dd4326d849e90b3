package tileops_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go"
)

func TestOpenAddresses(t *testing.T) {
	for _, text := range []string{openTexts[0], openTexts[2]} {
		expr := parse(t, text)
		for _, rows := range []int{tileops.Open, tileops.UpTo(5000)} {
			plan := openPlan(t, expr, rows)
			for _, batch := range openBatches {
				want := tileops.Must(closedResults(expr, batch))
				x, w, y := openValues(max(batch, 1)), make([]float32, openColumns), make([]float32, max(batch, 1)*openColumns)
				copy(x, openValues(batch))
				copy(w, tileops.Must(tileops.Data[float32](openWeights())))
				var pinner runtime.Pinner
				var addresses []uintptr
				for _, list := range [][]float32{y, x, w} {
					pinner.Pin(&list[0])
					addresses = append(addresses, uintptr(unsafe.Pointer(&list[0])))
				}
				err := plan.ExecuteAddresses(0, quarter, []int{batch}, addresses...)
				pinner.Unpin()
				if err != nil || !sameBits([][]float32{y[:batch*openColumns]}, want) {
					t.Errorf("%s at %d: other results, %v", text, batch, err)
				}
			}
			if rows != tileops.Open {
				refuse(t, "extents", 0, "is too large (got 5001", plan.ExecuteAddresses(0, nil, []int{5001}, 64, 64, 64))
			}
			refuse(t, "extents", 0, "is negative", plan.ExecuteAddresses(0, nil, []int{-1}, 64, 64, 64))
			refuse(t, "num_extents", -1, "(got 2, need 1)", plan.ExecuteAddresses(0, nil, []int{1, 1}, 64, 64, 64))
			refuse(t, "output_ptrs", 0, "is NULL", plan.ExecuteAddresses(0, nil, []int{1}, 0, 64, 64))
			refuse(t, "extents", -1, "is NULL (the plan has 1)", plan.ExecuteAddresses(0, nil, nil, 64, 64, 64))
			refuse(t, "addresses", -1, "wrong number (got 2, need those of 1 outputs and 2 inputs)", plan.ExecuteAddresses(0, nil, []int{1}, 64, 64))
		}
	}
}

// A plan without open extents takes addresses as well.
func TestExecuteAddresses(t *testing.T) {
	x := tileops.Must(tileops.Default().Alloc(tileops.F32, tileops.CPU(), 2))
	defer x.Close()
	data := tileops.Must(tileops.Data[float32](x))
	data[0], data[1] = 0, 1
	plan := tileops.Must(tileops.NewPlan(tileops.OpNeg, []*tileops.Tensor{x}, []*tileops.Tensor{x}))
	defer plan.Close()
	if err := plan.ExecuteAddresses(0, nil, nil, x.Address(), x.Address()); err != nil || data[1] != -1 {
		t.Errorf("got %v, %v", data, err)
	}
	refuse(t, "extents", -1, "the plan has no open ones", plan.ExecuteAddresses(0, nil, []int{2}, x.Address(), x.Address()))
}

func TestOpenWorkspaceWithoutABound(t *testing.T) {
	expr := parse(t, openTexts[2])
	plan := openPlan(t, expr, tileops.Open)
	need := tileops.Must(plan.At(4097)).WorkspaceBytes
	if need <= tileops.Must(plan.At(1)).WorkspaceBytes || plan.WorkspaceBytes() != 0 {
		t.Fatalf("4097 rows need %d bytes, and all %d", need, plan.WorkspaceBytes())
	}
	refuse(t, "plan", -1, "open extents", second(plan.NewWorkspace()))
	for bytes, fits := range map[int]bool{need: true, need - 64: false} {
		w := tileops.Must(tileops.NewWorkspace(tileops.CPU(), bytes))
		outputs, inputs, got := openCall(expr, 4097)
		err := plan.ExecuteIn(w, 0, quarter, append(outputs, inputs...)...)
		if fits != (err == nil) || fits && !sameBits(got, tileops.Must(closedResults(expr, 4097))) {
			t.Errorf("in %d bytes: %v", bytes, err)
		}
		w.Close()
	}
}

func TestOpenParts(t *testing.T) {
	for _, text := range []string{openTexts[0], openTexts[2]} {
		expr, most := parse(t, text), 0
		plan := openPlan(t, expr, tileops.Open)
		for _, batch := range []int{6000, 1, 0, 3000} {
			outputs, inputs, got := openCall(expr, batch)
			pool := func(parts int, work func(int)) {
				most = max(most, parts)
				if want := tileops.Must(plan.At(batch)).Parts; parts != want {
					t.Errorf("at %d: %d parts, want %d", batch, parts, want)
				}
				pools["goroutines"](parts, work)
			}
			if err := plan.ExecuteParts(pool, quarter, append(outputs, inputs...)...); err != nil || !sameBits(got, tileops.Must(closedResults(expr, batch))) {
				t.Errorf("%s at %d: other results, %v", text, batch, err)
			}
		}
		if most < 2 {
			t.Errorf("%s: at most %d parts", text, most)
		}
		short := tileops.Must(tileops.Of(make([]float32, 2*openColumns-2), 2, openColumns-1))
		outputs, inputs, _ := openCall(expr, 2)
		refuse(t, "inputs", 0, "shape differs", plan.ExecuteParts(pools["in order"], nil, append(outputs, short, inputs[1])...))
	}
}

func TestOpenPlansFromManyGoroutines(t *testing.T) {
	exprs := []*tileops.Expr{parse(t, openTexts[0]), parse(t, openTexts[2])}
	plans := []*tileops.Plan{openPlan(t, exprs[0], tileops.Open), openPlan(t, exprs[1], tileops.Open)}
	var all sync.WaitGroup
	for g := 0; g < 8; g++ {
		all.Add(1)
		go func(g int) {
			defer all.Done()
			for i := 0; i < 40; i++ {
				if err := checkBatch(exprs[i%2], plans[i%2], (g*53+i*17)%190); err != nil {
					t.Error(err)
				}
			}
		}(g)
	}
	all.Wait()
}

func TestContextPaths(t *testing.T) {
	context, err := tileops.NewContext(tileops.ContextOptions{PackDirs: []string{"/no/such/folder", "another"}})
	if err != nil {
		t.Fatal(err)
	}
	context.Close()
	refuse(t, "PackDirs", 1, "has a ':'", second(tileops.NewContext(tileops.ContextOptions{PackDirs: []string{"/tmp", "a:b"}})))
	refuse(t, "PackDirs", -1, "has a NUL", second(tileops.NewContext(tileops.ContextOptions{PackDirs: []string{"a\x00b"}})))
	refuse(t, "NVRTC", -1, "has a NUL", second(tileops.NewContext(tileops.ContextOptions{NVRTC: "a\x00b"})))
}

// In a process of its own, since what a process has chosen is for all of its contexts.
func TestAProcessHasOneNVRTC(t *testing.T) {
	const child = "TILEOPS_TEST_NVRTC"
	if os.Getenv(child) == "" {
		command := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		command.Env = append(os.Environ(), child+"=1")
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	if !strings.Contains(tileops.BuildInfo(), "cuda") {
		return // a library without CUDA opens none
	}
	for i := 0; i < 2; i++ {
		defer tileops.Must(tileops.NewContext(tileops.ContextOptions{NVRTC: "/no/such/libnvrtc.so"})).Close()
	}
	err := second(tileops.NewContext(tileops.ContextOptions{NVRTC: "/another/libnvrtc.so"}))
	refuse(t, "options", -1, "nvrtc_path is another file", err)
}
