package tileops_test

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go"
)

// A line of the test vectors that the C library's own generic runner writes.
type vector struct {
	Op              string
	Attrs           map[string]json.Number
	Inputs, Outputs []*vectorTensor
	ULP             float64
	Expr            string                 // instead of an operator
	Scalars         map[string]json.Number // of the expression
}

type vectorTensor struct {
	Name  string // of an expression's result
	DType string
	Shape []int
	Data  string
}

// TestVectors runs every operator on every dtype that it takes, through a plan and by its function,
// and compares bits. TILEOPS_TEST_DEVICE=cuda:0 runs it on a device.
func TestVectors(t *testing.T) {
	path := os.Getenv("TILEOPS_VECTORS")
	if path == "" {
		t.Skip("TILEOPS_VECTORS names no file of test vectors (tests/ops/make_vectors.cc writes it)")
	}
	device := testDevice(t)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	ops, dtypes, count, expressions := map[string]bool{}, map[string]bool{}, 0, 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("line %d: %v", count+1, err)
		}
		count++
		if v.Expr == "" {
			ops[v.Op] = true
		} else {
			expressions++
		}
		for _, o := range append(v.Inputs, v.Outputs...) {
			if o != nil {
				dtypes[o.DType] = true
			}
		}
		runVector(t, count, &v, device)
		if t.Failed() && count > 20 {
			break
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if expressions < 20 {
		t.Errorf("the vectors have %d expressions", expressions)
	}
	if len(ops) != len(tileops.Ops()) || len(dtypes) != 16 {
		t.Errorf("the vectors have %d operators of %d, %d dtypes of 16", len(ops), len(tileops.Ops()), len(dtypes))
	}
	t.Logf("%d vectors, %d operators, %d expressions, %d dtypes on %v", count, len(ops), expressions, len(dtypes), device)
}

// runVector runs the operator through a plan, and then by its function.
func runVector(t *testing.T, line int, v *vector, device tileops.Device) {
	var outputs, inputs []*tileops.Tensor
	for _, o := range v.Outputs {
		outputs = append(outputs, place(t, o, device, false))
	}
	for _, o := range v.Inputs {
		inputs = append(inputs, place(t, o, device, true))
	}
	all := append(slices.Clone(outputs), inputs...)
	defer func() {
		for _, tensor := range all {
			if tensor != nil {
				tensor.Close()
			}
		}
	}()
	check := func(err error) {
		if err != nil {
			t.Errorf("line %d: %v", line, err)
			return
		}
		for i, o := range v.Outputs {
			// The bits are those of this library on the CPU. Others may differ in float64 alone.
			ulp := 0.0
			if device != tileops.CPU() && o.DType == "float64" {
				ulp = v.ULP
			}
			compare(t, line, v.Op+v.Expr, fetch(t, outputs[i]), unhex(t, o.Data), o.DType, ulp)
		}
	}
	if v.Expr != "" {
		check(runExpression(t, v, outputs, inputs))
		return
	}
	op, err := tileops.OpByName(v.Op)
	if err != nil {
		t.Fatal(err)
	}
	options := append(attributes(t, v), tileops.WithReproducible())
	plan, err := tileops.NewPlan(op, outputs, inputs, options...)
	if err != nil {
		t.Errorf("line %d: %v", line, err)
		return
	}
	defer plan.Close()
	check(plan.Execute(all...))

	for _, y := range outputs {
		erase(t, y)
	}
	info := tileops.Must(op.Info())
	y, x := make([]*tileops.Tensor, len(info.Outputs)), make([]*tileops.Tensor, len(info.Inputs))
	copy(y, outputs)
	copy(x, inputs)
	check(typedCalls[v.Op](y, x, options...))
}

// runExpression runs it by a reproducible plan, whose bits the vector has.
func runExpression(t *testing.T, v *vector, outputs, inputs []*tileops.Tensor) error {
	expr, err := tileops.ParseExpr(v.Expr)
	if err != nil {
		return err
	}
	defer expr.Close()
	inferred, err := expr.Infer(inputs...)
	if err != nil {
		return err
	}
	names := expr.Info().Results
	for i, o := range v.Outputs {
		if names[i] != o.Name || inferred[i].DType().String() != o.DType || !slices.Equal(inferred[i].Shape(), o.Shape) {
			t.Errorf("%s: result %s, %v is inferred instead of %s, %s %v", v.Expr, names[i], inferred[i], o.Name, o.DType, o.Shape)
		}
	}
	values := map[string]any{}
	for name, number := range v.Scalars {
		if i, err := number.Int64(); err == nil {
			values[name] = i
		} else {
			values[name] = tileops.Must(number.Float64())
		}
	}
	scalars, err := expr.Scalars(values)
	if err != nil {
		return err
	}
	plan, err := expr.NewPlan(outputs, inputs, tileops.WithReproducible())
	if err != nil {
		return err
	}
	defer plan.Close()
	return plan.ExecuteWith(scalars, append(slices.Clone(outputs), inputs...)...)
}

func attributes(t *testing.T, v *vector) []tileops.Option {
	var options []tileops.Option
	for name, number := range v.Attrs {
		if i, err := number.Int64(); err == nil {
			options = append(options, tileops.WithAttr(name, i))
		} else if x, err := number.Float64(); err == nil {
			options = append(options, tileops.WithAttr(name, x))
		} else {
			t.Fatal(err)
		}
	}
	return options
}

func unhex(t *testing.T, text string) []byte {
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// host is a tensor over bytes, of any dtype.
func host(t *testing.T, data []byte, dtype tileops.DType, shape []int) *tileops.Tensor {
	tensor := tileops.Must(tileops.Default().Alloc(dtype, tileops.CPU(), shape...))
	if len(data) != tensor.Len()*dtype.Size() {
		t.Fatalf("%d bytes for %v", len(data), tensor)
	}
	copy(bytesOf(tensor), data)
	return tensor
}

func bytesOf(t *tileops.Tensor) []byte {
	address := t.Address()
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), t.Len()*t.DType().Size())
}

// place makes an operand on the device.
func place(t *testing.T, o *vectorTensor, device tileops.Device, filled bool) *tileops.Tensor {
	if o == nil {
		return nil
	}
	dtype := tileops.Must(tileops.ParseDType(o.DType))
	data := unhex(t, o.Data)
	if !filled {
		data = make([]byte, len(data))
	}
	tensor := host(t, data, dtype, o.Shape)
	if device == tileops.CPU() {
		return tensor
	}
	defer tensor.Close()
	there := tileops.Must(tileops.Default().Alloc(dtype, device, o.Shape...))
	if err := tileops.Default().Copy(there, tensor, 0); err != nil {
		t.Fatal(err)
	}
	return there
}

// erase overwrites a result, so that the next one is not taken for it.
func erase(t *testing.T, tensor *tileops.Tensor) {
	blank := tileops.Must(tileops.Default().Alloc(tensor.DType(), tileops.CPU(), tensor.Shape()...))
	defer blank.Close()
	for i := range bytesOf(blank) {
		bytesOf(blank)[i] = 0xa5
	}
	if err := tileops.Default().Copy(tensor, blank, 0); err != nil {
		t.Fatal(err)
	}
}

// fetch is the bytes of a result.
func fetch(t *testing.T, tensor *tileops.Tensor) []byte {
	if tensor.Device() == tileops.CPU() {
		return slices.Clone(bytesOf(tensor))
	}
	here := tileops.Must(tileops.Default().Alloc(tensor.DType(), tileops.CPU(), tensor.Shape()...))
	defer here.Close()
	if err := tileops.Default().Copy(here, tensor, 0); err != nil {
		t.Fatal(err)
	}
	if err := tileops.Default().Synchronize(tensor.Device(), 0); err != nil {
		t.Fatal(err)
	}
	return slices.Clone(bytesOf(here))
}

func compare(t *testing.T, line int, op string, got, want []byte, dtype string, ulp float64) {
	size := tileops.Must(tileops.ParseDType(dtype)).Size()
	for i := 0; i < len(want); i += size {
		g, w := got[i:i+size], want[i:i+size]
		if string(g) == string(w) || isNaN(g, dtype) && isNaN(w, dtype) || distance(g, w, dtype) <= ulp {
			continue
		}
		t.Errorf("line %d: %s of %s, element %d: got %x, want %x", line, op, dtype, i/size, g, w)
		return
	}
}

func bitsOf(data []byte) uint64 {
	var bits uint64
	for i, b := range data {
		bits |= uint64(b) << (8 * i)
	}
	return bits
}

func isNaN(data []byte, dtype string) bool {
	bits := bitsOf(data)
	switch dtype {
	case "float64":
		return math.IsNaN(math.Float64frombits(bits))
	case "float32":
		return math.IsNaN(float64(math.Float32frombits(uint32(bits))))
	case "float16":
		return math.IsNaN(float64(tileops.Float16(bits).Float32()))
	case "bfloat16":
		return math.IsNaN(float64(tileops.BFloat16(bits).Float32()))
	case "float8_e4m3fn":
		return math.IsNaN(float64(tileops.Float8E4M3FN(bits).Float32()))
	case "float8_e5m2":
		return math.IsNaN(float64(tileops.Float8E5M2(bits).Float32()))
	}
	return false
}

// distance is in units of the last place for float32 and float64; infinite for other dtypes.
func distance(a, b []byte, dtype string) float64 {
	if dtype != "float32" && dtype != "float64" {
		return math.Inf(1)
	}
	ordered := func(data []byte) int64 { // the order of the values
		bits, sign := int64(bitsOf(data)), int64(1)<<(8*len(data)-1)
		if bits&sign != 0 {
			return -(bits &^ sign)
		}
		return bits
	}
	x, y := ordered(a), ordered(b)
	if (x < 0) != (y < 0) { // the difference may not fit
		return math.Abs(float64(x)) + math.Abs(float64(y))
	}
	return math.Abs(float64(x - y))
}

func testDevice(t *testing.T) tileops.Device {
	name := os.Getenv("TILEOPS_TEST_DEVICE")
	if name == "" || strings.HasPrefix(name, "cpu") {
		return tileops.CPU()
	}
	device := tileops.Must(tileops.ParseDevice(name))
	for _, d := range tileops.Must(tileops.Devices()) {
		if d.Device == device {
			return device
		}
	}
	t.Fatalf("TILEOPS_TEST_DEVICE=%s, but there are only %v", name, tileops.Must(tileops.Devices()))
	return device
}
