package tileops_test

import (
	"slices"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

// cudaDevice is the device that TILEOPS_TEST_DEVICE names; without one the test is skipped.
func cudaDevice(t *testing.T) tileops.Device {
	device := testDevice(t)
	if device == tileops.CPU() {
		t.Skip("TILEOPS_TEST_DEVICE names no CUDA device")
	}
	return device
}

// Two streams in one program, with copies from and to slices, and a scalar in host memory.
func TestStreamsOnDevice(t *testing.T) {
	device := cudaDevice(t)
	const n = 1 << 16
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i)
	}
	ctx := tileops.Default()
	there := tileops.Must(ctx.Alloc(tileops.F32, device, n))
	defer there.Close()
	inGoroutines(4, func(g int) {
		stream := tileops.Must(ctx.NewStream(device))
		defer stream.Close()
		a, y := tileops.Must(ctx.Alloc(tileops.F32, device, n)), tileops.Must(ctx.Alloc(tileops.F32, device, n))
		defer a.Close()
		defer y.Close()
		factor := tileops.Scalar(float32(g + 2))
		plan := tileops.Must(tileops.NewPlan(tileops.OpMul, tensors{y}, tensors{a, factor}))
		defer plan.Close()
		result := make([]float32, n)
		for _, err := range []error{
			ctx.Copy(a, tileops.Must(tileops.Of(x)), stream.Stream()),
			plan.ExecuteOn(stream.Stream(), y, a, factor),
			tileops.Neg(y, y, tileops.WithStream(stream.Stream())),
			ctx.Copy(tileops.Must(tileops.Of(result)), y, stream.Stream()),
			stream.Synchronize(),
		} {
			if err != nil {
				t.Error(err)
				return
			}
		}
		for i := range result {
			if result[i] != -x[i]*float32(g+2) {
				t.Errorf("element %d: got %v, want %v", i, result[i], -x[i]*float32(g+2))
				return
			}
		}
	})
}

// Memory and streams of another package are numbers; views of them are computed in Go.
func TestForeignDeviceMemory(t *testing.T) {
	device := cudaDevice(t)
	ctx := tileops.Default()
	owned := tileops.Must(ctx.Alloc(tileops.I32, device, 2, 3))
	defer owned.Close()
	x := tileops.Must(tileops.FromPointer(owned.Address(), tileops.I32, device, []int{2, 3}, nil))
	y := make([]int32, 4)
	out := tileops.Must(ctx.Alloc(tileops.I32, device, 2, 2))
	defer out.Close()
	columns := tileops.Must(x.Slice(1, 2, -1, -2))
	for _, err := range []error{
		ctx.Copy(x, tileops.Must(tileops.Of(count(6), 2, 3)), 0),
		tileops.Cast(out, columns),
		ctx.Copy(tileops.Must(tileops.Of(y, 2, 2)), out, 0),
		ctx.Synchronize(device, 0),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := []int32{2, 0, 5, 3}; !slices.Equal(y, want) {
		t.Errorf("got %v, want %v", y, want)
	}
}

// Host and device do not mix in one plan, but for scalars.
func TestMixedDevices(t *testing.T) {
	device := cudaDevice(t)
	there := tileops.Must(tileops.Default().Alloc(tileops.F32, device, 2))
	defer there.Close()
	if err := tileops.Exp(there, zeros(2)); err == nil {
		t.Error("an input in host memory was taken for the device's")
	}
}

// Tuning tells of each candidate, may be stopped, and hands a panic on.
func TestTuneOnDevice(t *testing.T) {
	device := cudaDevice(t)
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{CacheDir: t.TempDir()}))
	defer ctx.Close()
	x := tileops.Must(tileops.Spec(tileops.F32, device, 1<<20))
	calls := 0
	tune := func(goOn func(tileops.TuneProgress) bool) tileops.TuneResult {
		calls = 0
		return tileops.Must(ctx.Tune(tileops.OpExp, tensors{x}, tensors{x}, func(p tileops.TuneProgress) bool {
			calls++
			if p.Done != calls || p.Total < p.Done || p.Best > p.Time || p.Best <= 0 {
				t.Errorf("call %d: got %+v", calls, p)
			}
			return goOn(p)
		}))
	}
	if r := tune(func(tileops.TuneProgress) bool { return true }); calls < 2 || r.Candidates != calls || r.Time <= 0 ||
		r.Time > r.Auto || r.Strategy == tileops.StrategyAuto {
		t.Errorf("%d calls, got %+v", calls, r)
	}
	if tune(func(tileops.TuneProgress) bool { return false }); calls != 1 {
		t.Errorf("went on for %d calls", calls)
	}
	defer func() {
		if r := recover(); r != "stop" {
			t.Errorf("got %v", r)
		}
	}()
	tune(func(tileops.TuneProgress) bool { panic("stop") })
}
