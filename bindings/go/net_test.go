package tileops_test

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go"
	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// netCase is one computation: operands, which may be views of the same memory, and what is done with them.
type netCase struct {
	what            string // for messages
	outputs, inputs []*netView
	buffers         []*netBuffer
	// The safe interface and the C call; each as it likes best, on operands that are there.
	safe  func(outputs, inputs tensors) error
	plain func(outputs, inputs []capi.Tensor) *capi.Failure
	again bool // a second time, as calls that find their plan
}

// TestNet drives the safe interface and the plain C call with the same random operators and expressions: views, absent
// operands, results in place or over others, attributes and scalars, right ones and wrong ones. Results and all that
// lies beside them are equal to the bit, refusals have the same status and words, and nothing panics.
// TILEOPS_FUZZ_SECONDS goes on for so long.
func TestNet(t *testing.T) {
	deadline := fuzzDeadline()
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{NumThreads: 1, PlanCapacity: 16}))
	defer ctx.Close()
	done := map[bool]int{}
	for seed := int64(1); seed <= 3000 || time.Now().Before(deadline); seed++ {
		g := netRandom{rand.New(rand.NewSource(seed))}
		var c *netCase
		if g.chance(50) {
			c = g.operator(ctx)
		} else {
			c = g.expression(ctx, t)
		}
		ok, wrong := c.run()
		if wrong != "" {
			t.Errorf("seed %d: %s\n%v", seed, wrong, c)
			if done[true]++; done[true] > 10 {
				t.FailNow()
			}
		}
		done[ok]++
	}
	if done[true] < 1000 || done[false] < 300 {
		t.Errorf("%d results and %d refusals compare too little", done[true], done[false])
	}
	t.Logf("%d results, %d refusals", done[true], done[false])
}

func fuzzDeadline() time.Time {
	seconds, _ := strconv.Atoi(os.Getenv("TILEOPS_FUZZ_SECONDS"))
	return time.Now().Add(time.Duration(seconds) * time.Second)
}

// run computes on both sides; ok says whether there were results, wrong what differs.
func (c *netCase) run() (ok bool, wrong string) {
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprintf("panic: %v", r)
		}
	}()
	// Plain: each buffer a slice of its own.
	memory := map[*netBuffer][]uint64{}
	for _, b := range c.buffers {
		memory[b] = words(b.data)
	}
	plain := func(views []*netView) (list []capi.Tensor) {
		for _, v := range views {
			if v == nil {
				list = append(list, capi.Tensor{})
			} else {
				list = append(list, v.plain(memory[v.buffer]))
			}
		}
		return list
	}
	failure := c.plain(plain(c.outputs), plain(c.inputs))

	// Safe: each buffer a tensor, in a slice or with memory of its own.
	whole, bytes := map[*netBuffer]*tileops.Tensor{}, map[*netBuffer][]byte{}
	for _, b := range c.buffers {
		if b.owned {
			whole[b] = tileops.Must(tileops.Default().Alloc(b.dtype, tileops.CPU(), b.shape...))
			defer whole[b].Close()
			bytes[b] = bytesOf(whole[b])
		} else {
			data := words(b.data)
			whole[b] = netDTypes[b.dtype].over(data, b.shape)
			bytes[b] = unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(b.data))
		}
	}
	made := map[*netView]*tileops.Tensor{nil: nil}
	safe := func(views []*netView) (list tensors) {
		for _, v := range views {
			if made[v] == nil && v != nil {
				made[v] = v.tensor(whole[v.buffer])
			}
			list = append(list, made[v])
		}
		return list
	}
	outputs, inputs := safe(c.outputs), safe(c.inputs)
	for round := 0; round < 1 || round < 2 && c.again; round++ {
		for _, b := range c.buffers {
			copy(bytes[b], b.data)
		}
		if wrong := sameRefusal(c.safe(outputs, inputs), failure); wrong != "" {
			return false, wrong
		}
		for i, b := range c.buffers {
			want := unsafe.Slice((*byte)(unsafe.Pointer(&memory[b][0])), len(b.data))
			if !slices.Equal(bytes[b], want) {
				return true, fmt.Sprintf("round %d, buffer %d: got %x, C has %x, before %x", round, i, bytes[b], want, b.data)
			}
		}
	}
	return failure == nil, ""
}

func words(data []byte) []uint64 {
	w := make([]uint64, len(data)/8+1)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), len(data)), data)
	return w
}

// sameRefusal compares an error with a failure of C: the words, less the name of the function. Where this package
// refuses by itself C must refuse, too.
func sameRefusal(err error, failure *capi.Failure) string {
	var e *tileops.Error
	if err == nil && failure == nil {
		return ""
	}
	if err == nil || failure == nil || !errors.As(err, &e) || int32(e.Status) != failure.Status {
		return fmt.Sprintf("got %v, C says %+v", err, failure)
	}
	if !strings.HasPrefix(e.Func, "tileops_") {
		return ""
	}
	_, got, _ := strings.Cut(e.Message, ": ")
	_, want, _ := strings.Cut(failure.Message, ": ")
	if got != want || e.Offset != int(failure.Offset) {
		return fmt.Sprintf("got %q at %d, C says %q at %d", got, e.Offset, want, failure.Offset)
	}
	return ""
}

// finish lists the memory that the operands lie in.
func (c *netCase) finish() *netCase {
	for _, v := range append(slices.Clone(c.outputs), c.inputs...) {
		if v != nil && !slices.Contains(c.buffers, v.buffer) {
			c.buffers = append(c.buffers, v.buffer)
		}
	}
	return c
}

func (c *netCase) String() string {
	text := "  " + c.what
	for i, list := range [][]*netView{c.outputs, c.inputs} {
		for _, v := range list {
			text += "\n  " + []string{"output", "input"}[i] + " "
			if v == nil {
				text += "nil"
			} else {
				text += fmt.Sprintf("%v%v of buffer %d %v, axes %v, ranges %v", v.buffer.dtype, v.shape, slices.Index(c.buffers, v.buffer),
					v.buffer.shape, v.axes, v.ranges)
			}
		}
	}
	return text
}

// output is a result of a shape: new memory, or that of an input, or close to it.
func (g netRandom) output(dtype tileops.DType, shape []int, inputs []*netView) *netView {
	if g.chance(2) {
		return nil
	}
	if len(inputs) > 0 && g.chance(50) {
		if v := inputs[g.Intn(len(inputs))]; v != nil && (slices.Equal(v.shape, shape) || g.chance(5)) {
			if near := v.moved(g.Intn(3), pick(g, -1, 1)); near != nil && g.chance(10) {
				return near
			}
			return v
		}
	}
	if g.chance(10) {
		dtype = g.dtype()
	}
	if g.chance(2) {
		shape = g.broadcast(shape)
	}
	return g.view(dtype, shape, g.chance(1))
}
