package tileops_test

import (
	"errors"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/libtileops/libtileops/bindings/go"
)

func itoa(i int) string { return strconv.Itoa(i) }

func inGoroutines(n int, f func(i int)) {
	var group sync.WaitGroup
	for i := 0; i < n; i++ {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			f(i)
		}(i)
	}
	group.Wait()
}

// waitFor collects garbage until there are no more handles than that; cleanups run when they will.
func waitFor(t *testing.T, want tileops.HandleCounts) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		runtime.GC()
		got := tileops.LiveHandles()
		if got.Contexts <= want.Contexts && got.Plans <= want.Plans && got.Tensors <= want.Tensors &&
			got.Streams <= want.Streams && got.Exprs <= want.Exprs && got.Exports <= want.Exports {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("still alive: %+v, before: %+v", tileops.LiveHandles(), want)
}

func makeHandles(t *testing.T) (*tileops.Context, *tileops.Plan, *tileops.Tensor, *tileops.OwnedStream) {
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{NumThreads: 1}))
	return ctx, tileops.Must(ctx.NewPlan(tileops.OpExp, tensors{zeros(2)}, tensors{zeros(2)})),
		tileops.Must(ctx.Alloc(tileops.F32, tileops.CPU(), 2)), tileops.Must(ctx.NewStream(tileops.CPU()))
}

func TestCloseFreesEverything(t *testing.T) {
	waitFor(t, tileops.HandleCounts{})
	ctx, plan, tensor, stream := makeHandles(t)
	if got := tileops.LiveHandles(); got != (tileops.HandleCounts{Contexts: 1, Plans: 1, Tensors: 1, Streams: 1}) {
		t.Errorf("got %+v", got)
	}
	if err := ctx.Close(); err != nil {
		t.Error(err)
	}
	// The others outlive their context.
	if err := plan.Execute(tensor, zeros(2)); err != nil {
		t.Error(err)
	}
	if err := stream.Synchronize(); err != nil {
		t.Error(err)
	}
	if err := errors.Join(plan.Close(), tensor.Close(), stream.Close()); err != nil {
		t.Error(err)
	}
	if got := tileops.LiveHandles(); got != (tileops.HandleCounts{}) {
		t.Errorf("got %+v", got)
	}
}

func TestCleanupFreesWhatWasNotClosed(t *testing.T) {
	waitFor(t, tileops.HandleCounts{})
	for i := 0; i < 50; i++ {
		makeHandles(t)
	}
	if got := tileops.LiveHandles(); got.Plans == 0 || got.Tensors == 0 {
		t.Errorf("got %+v: nothing was made", got)
	}
	waitFor(t, tileops.HandleCounts{})
}

// A view keeps its memory, though nobody holds the tensor that it is a view of.
func TestViewKeepsMemory(t *testing.T) {
	view := func() *tileops.Tensor {
		tensor := tileops.Must(tileops.Default().Alloc(tileops.F32, tileops.CPU(), 2, 3))
		data := tileops.Must(tileops.Data[float32](tensor))
		for i := range data {
			data[i] = float32(i)
		}
		return tileops.Must(tensor.Transpose())
	}()
	for i := 0; i < 5; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	y := make([]float32, 6)
	if err := tileops.Cast(tileops.Must(tileops.Of(y, 3, 2)), view); err != nil {
		t.Fatal(err)
	}
	if want := [6]float32{0, 3, 1, 4, 2, 5}; [6]float32(y) != want {
		t.Errorf("got %v, want %v", y, want)
	}
	view.Close()
	if err := tileops.Cast(tileops.Must(tileops.Of(y, 3, 2)), view); !errors.Is(err, tileops.ErrClosed) {
		t.Errorf("got %v", err)
	}
	waitFor(t, tileops.HandleCounts{})
}

// One plan, from many goroutines at once.
func TestPlanFromManyGoroutines(t *testing.T) {
	const n = 1000
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i)
	}
	input := tileops.Must(tileops.Of(x))
	plan := tileops.Must(tileops.NewPlan(tileops.OpAdd, tensors{zeros(n)}, tensors{input, input}, tileops.WithAlpha(2)))
	defer plan.Close()
	inGoroutines(8, func(int) {
		y := make([]float32, n)
		output := tileops.Must(tileops.Of(y))
		for i := 0; i < 100; i++ {
			clear(y)
			if err := plan.Execute(output, input, input); err != nil {
				t.Error(err)
				return
			}
			for j := range y {
				if y[j] != 3*x[j] {
					t.Errorf("element %d: got %v, want %v", j, y[j], 3*x[j])
					return
				}
			}
		}
	})
}

// Close comes while others execute: each call works or says that the handle is closed.
func TestCloseWhileInUse(t *testing.T) {
	for round := 0; round < 50; round++ {
		ctx, plan, tensor, stream := makeHandles(t)
		start := make(chan struct{})
		accept := func(err error) {
			if err != nil && !errors.Is(err, tileops.ErrClosed) {
				t.Error(err)
			}
		}
		go func() { close(start) }()
		inGoroutines(6, func(i int) {
			y := zeros(2)
			<-start
			for n := 0; n < 100; n++ {
				if i == 0 && n == 50 {
					accept(errors.Join(plan.Close(), tensor.Close(), ctx.Close(), stream.Close()))
				}
				accept(plan.Execute(y, tensor))
				accept(tileops.Exp(y, tensor, tileops.WithContext(ctx)))
				accept(stream.Synchronize())
				_, err := ctx.CacheStats()
				accept(err)
			}
		})
		if err := plan.Execute(zeros(2), zeros(2)); !errors.Is(err, tileops.ErrClosed) {
			t.Errorf("got %v", err)
		}
	}
	waitFor(t, tileops.HandleCounts{})
}

func TestPlanInfo(t *testing.T) {
	plan := tileops.Must(tileops.NewPlan(tileops.OpAdd, tensors{zeros(6)}, tensors{zeros(6), zeros(1)}))
	defer plan.Close()
	info := tileops.Must(plan.Info())
	if info.NumElements != 6 || info.BytesMoved != 52 || info.Device != tileops.CPU() || info.Kernel == "" ||
		info.ComputeDType != tileops.F32 || info.Origin == "" || info.Layout == "" || info.Strategy == "" ||
		plan.Op() != tileops.OpAdd {
		t.Errorf("got %+v", info)
	}
}

func TestContextCaches(t *testing.T) {
	dir := t.TempDir()
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{CacheDir: dir, NumThreads: 2, CPUISA: "baseline",
		Cache: tileops.CacheReadWrite, PlanCapacity: 8}))
	defer ctx.Close()
	if got := tileops.Must(ctx.CacheDir()); got != dir {
		t.Errorf("got %s, want %s", got, dir)
	}
	for i := 0; i < 3; i++ {
		if err := tileops.Exp(zeros(2), zeros(2), tileops.WithContext(ctx)); err != nil {
			t.Fatal(err)
		}
	}
	stats := tileops.Must(ctx.CacheStats())
	if stats.PlanMisses != 1 || stats.PlanHits != 0 || stats.PlanEntries != 1 || tileops.PlansOf(ctx) != 1 {
		t.Errorf("a call plans once, then asks no more: got %+v, %d kept", stats, tileops.PlansOf(ctx))
	}
	if err := ctx.ClearCache(tileops.CachePlans | tileops.CacheDisk); err != nil {
		t.Error(err)
	}
	if stats := tileops.Must(ctx.CacheStats()); stats.PlanEntries != 0 || tileops.PlansOf(ctx) != 0 {
		t.Errorf("got %+v", stats)
	}
	if err := ctx.CheckPlan(tileops.OpExp, tensors{zeros(2)}, tensors{zeros(2)}); err != nil {
		t.Error(err)
	}
	if err := ctx.CheckPlan(tileops.OpExp, tensors{zeros(3)}, tensors{zeros(2)}); !errors.Is(err, tileops.StatusInvalidArgument) {
		t.Errorf("got %v", err)
	}
}

func TestDevices(t *testing.T) {
	list := tileops.Must(tileops.Devices())
	if len(list) == 0 || list[0].Device != tileops.CPU() || list[0].Units < 1 || list[0].MemoryBytes == 0 ||
		list[0].Arch == "" {
		t.Errorf("got %+v", list)
	}
	for _, d := range list {
		if again := tileops.Must(tileops.ParseDevice(d.Device.String())); again != d.Device {
			t.Errorf("%v read back is %v", d.Device, again)
		}
	}
}
