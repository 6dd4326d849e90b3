package tileops_test

import (
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go"
)

// Rows of items, of which some are equal and one is none.
var listBatches = []int{7, 131, 0, 1, 65, 7, 300, 2}

// listPlan is one of a text for lists of any batches.
func listPlan(t *testing.T, expr *tileops.Expr, rows int) *tileops.Plan {
	t.Helper()
	x := specOfRows(rows)
	inputs := []*tileops.Tensor{x, openWeights()}
	plan, err := expr.NewPlan(tileops.Must(expr.Infer(inputs...)), inputs, tileops.WithList())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { plan.Close() })
	return plan
}

// checkList compares a list with plans of each batch alone.
func checkList(t *testing.T, expr *tileops.Expr, plan *tileops.Plan) {
	var items [][]*tileops.Tensor
	var all [][][]float32
	for _, batch := range listBatches {
		outputs, inputs, memory := openCall(expr, batch)
		items, all = append(items, append(outputs, inputs...)), append(all, memory)
	}
	if err := plan.ExecuteList(0, quarter, items...); err != nil {
		t.Error(err)
		return
	}
	for i, batch := range listBatches {
		if want := tileops.Must(closedResults(expr, batch)); !sameBits(all[i], want) {
			t.Errorf("item %d: other results", i)
		}
	}
}

func TestListsHaveTheBitsOfExecutes(t *testing.T) {
	for _, text := range openTexts {
		expr := parse(t, text)
		for _, rows := range []int{tileops.Open, tileops.UpTo(512)} {
			checkList(t, expr, listPlan(t, expr, rows))
		}
	}
}

// Goroutines share a plan while the collector works.
func TestListsOfManyGoroutines(t *testing.T) {
	expr := parse(t, openTexts[2])
	plan := listPlan(t, expr, tileops.Open)
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for k := 0; k < 5; k++ {
				checkList(t, expr, plan)
				runtime.GC()
			}
		}()
	}
	all.Wait()
}

func TestListsOnAddresses(t *testing.T) {
	for _, text := range []string{openTexts[0], openTexts[2]} {
		expr := parse(t, text)
		plan := listPlan(t, expr, tileops.Open)
		var pinner runtime.Pinner
		defer pinner.Unpin()
		var items []tileops.AddressItem
		var results [][]float32
		w := tileops.Must(tileops.Data[float32](openWeights()))
		for _, batch := range listBatches {
			x, y := append(openValues(batch), 0), make([]float32, batch*openColumns+1)
			item := tileops.AddressItem{Extents: []int{batch}}
			for _, list := range [][]float32{y, x, w} {
				pinner.Pin(&list[0])
				item.Addresses = append(item.Addresses, uintptr(unsafe.Pointer(&list[0])))
			}
			items, results = append(items, item), append(results, y[:batch*openColumns])
		}
		if err := plan.ExecuteListAddresses(0, quarter, items...); err != nil {
			t.Fatal(err)
		}
		for i, batch := range listBatches {
			if !sameBits(results[i:i+1], tileops.Must(closedResults(expr, batch))) {
				t.Errorf("%s, item %d: other results", text, i)
			}
		}
		refuse(t, "items", 1, "wrong number of addresses (got 1, need those of 1 outputs and 2 inputs)",
			plan.ExecuteListAddresses(0, nil, items[0], tileops.AddressItem{Addresses: []uintptr{64}}))
		refuse(t, "items", 0, "wrong number of extents (got 0, need 1)",
			plan.ExecuteListAddresses(0, nil, tileops.AddressItem{Addresses: items[0].Addresses}))
		refuse(t, "items", 1, "output_ptrs[0]: is NULL", plan.ExecuteListAddresses(0, nil, items[0],
			tileops.AddressItem{Extents: []int{1}, Addresses: []uintptr{0, 64, 64}}))
	}
}

// Memory of C, as slices of it and as tensors that own it, beside memory of Go; absent operands; in place.
func TestListsOfOtherMemory(t *testing.T) {
	expr := parse(t, "(x, y = 10) -> x + y")
	x := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), tileops.Open))
	absent, err := expr.NewPlan([]*tileops.Tensor{x}, []*tileops.Tensor{x, nil}, tileops.WithList())
	if err != nil {
		t.Fatal(err)
	}
	defer absent.Close()
	var items [][]*tileops.Tensor
	var values [][]float32
	for i := 1; i <= 6; i++ {
		owned := tileops.Must(tileops.Default().Alloc(tileops.F32, tileops.CPU(), i))
		defer owned.Close()
		data := tileops.Must(tileops.Data[float32](owned))
		switch i % 3 {
		case 1:
			owned = tileops.Must(tileops.Of(data))
		case 2:
			data = make([]float32, i)
			owned = tileops.Must(tileops.Of(data))
		}
		for k := range data {
			data[k] = float32(i)
		}
		items, values = append(items, []*tileops.Tensor{owned, owned, nil}), append(values, data)
	}
	if err := absent.ExecuteList(0, nil, items...); err != nil {
		t.Fatal(err)
	}
	for i, list := range values {
		for _, v := range list {
			if v != float32(i)+11 {
				t.Errorf("item %d has %g", i, v)
			}
		}
	}
	closed := tileops.Must(tileops.Default().Alloc(tileops.F32, tileops.CPU(), 1))
	closed.Close()
	refuse(t, "items", 1, "closed", absent.ExecuteList(0, nil, items[0], []*tileops.Tensor{closed, closed, nil}))
	if err := absent.ExecuteList(0, nil); err != nil {
		t.Error(err)
	}
}

// More items than a launch has on a GPU, in its memory, of which some are empty.
func TestListsOnDevice(t *testing.T) {
	device, ctx, expr := testDevice(t), tileops.Default(), parse(t, "(x; s = 1.0) -> x * s")
	x := tileops.Must(tileops.Spec(tileops.F32, device, tileops.Open))
	plan := tileops.Must(expr.NewPlan(tensors{x}, tensors{x}, tileops.WithList()))
	defer plan.Close()
	stream := tileops.Must(ctx.NewStream(device))
	defer stream.Close()
	var items [][]*tileops.Tensor
	var values [][]float32
	move := func(back bool, i int) error {
		here, there := tileops.Must(tileops.Of(values[i])), items[i][0]
		if back {
			return ctx.Copy(here, there, stream.Stream())
		}
		return ctx.Copy(there, here, stream.Stream())
	}
	for i := 0; i < 1000; i++ {
		list := make([]float32, i*7%300)
		for k := range list {
			list[k] = float32(i + k)
		}
		there := tileops.Must(ctx.Alloc(tileops.F32, device, len(list)))
		defer there.Close()
		items, values = append(items, tensors{there, there}), append(values, list)
		if err := move(false, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := plan.ExecuteList(stream.Stream(), quarter, items...); err != nil {
		t.Fatal(err)
	}
	for i := range items {
		if err := move(true, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := stream.Synchronize(); err != nil {
		t.Fatal(err)
	}
	for i, list := range values {
		for k, v := range list {
			if v != float32(i+k)/4 {
				t.Fatalf("element %d of item %d: got %g", k, i, v)
			}
		}
	}
}

func TestListsNameTheItemThatIsWrong(t *testing.T) {
	expr := parse(t, "(x; s = 2.0) -> x * s")
	x := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), tileops.Open))
	made := func(options ...tileops.Option) *tileops.Plan {
		plan := tileops.Must(expr.NewPlan([]*tileops.Tensor{x}, []*tileops.Tensor{x}, options...))
		t.Cleanup(func() { plan.Close() })
		return plan
	}
	of := func(list []float32) *tileops.Tensor { return tileops.Must(tileops.Of(list)) }
	memory := make([]float32, 16)
	first, second := []*tileops.Tensor{of(memory[:4]), of(memory[8:12])}, []*tileops.Tensor{of(memory[4:8]), of(memory[12:])}
	refuse(t, "plan", -1, "was made without TILEOPS_PLAN_LIST", made().ExecuteList(0, nil, first, second))
	plan := made(tileops.WithList())
	refuse(t, "items", 1, "wrong number of operands (got 1, need 1 outputs and 1 inputs)", plan.ExecuteList(0, nil, first, second[:1]))
	refuse(t, "items", 1, "outputs[0]: extent 0", plan.ExecuteList(0, nil, first, []*tileops.Tensor{of(memory[4:7]), second[1]}))
	refuse(t, "items", 1, "outputs[0] overlaps outputs[0] of items[0]", plan.ExecuteList(0, nil, first, []*tileops.Tensor{first[0], second[1]}))
	refuse(t, "items", 1, "inputs[0] overlaps outputs[0] of items[0]", plan.ExecuteList(0, nil, first, []*tileops.Tensor{second[0], first[0]}))
	if err := plan.ExecuteList(0, quarter, first, second); err != nil {
		t.Error(err)
	}
	var none *tileops.Plan
	refuse(t, "plan", -1, "closed", none.ExecuteList(0, nil))
	refuse(t, "plan", -1, "closed", none.ExecuteListAddresses(0, nil))
}
