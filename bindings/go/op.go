package tileops

import (
	"fmt"
	"strings"
	"sync"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// Op is an operator: OpAdd, OpGelu, .... Operators that are newer than this package are found by
// [OpByName].
type Op int32

// OpInfo describes an operator.
type OpInfo struct {
	Op        Op
	Name      string // "gelu"
	Category  string // "activation"
	Doc       string // one line: what it computes
	Result    string // dtype of output 0: "promoted", "promoted_float", "bool" or "source"
	DTypes    []DType
	Inputs    []OperandInfo
	Outputs   []OperandInfo
	MinInputs int
	Attrs     []AttrInfo
}

// OperandInfo describes an operand.
type OperandInfo struct {
	Name     string
	Optional bool
	DTypes   []DType
}

// AttrInfo describes an attribute.
type AttrInfo struct {
	Name     string
	Doc      string
	Choices  []string // names of its values, or nil
	Default  any      // float64, int64 or the name of a choice; nil if it is absent unless given
	Min, Max float64  // inclusive range, -Inf and +Inf where there is none
	key      int32
}

// Ops lists the operators of the library in the order of its table; nil without one.
func Ops() []Op {
	if ready() != nil {
		return nil
	}
	list := make([]Op, capi.OpCount())
	for i := range list {
		list[i] = Op(capi.OpAt(i))
	}
	return list
}

var opNames sync.Map // string to Op

// OpByName is the operator of that name.
func OpByName(name string) (Op, error) {
	if op, ok := opNames.Load(name); ok {
		return op.(Op), nil
	}
	if err := ready(); err != nil {
		return 0, err
	}
	if !strings.Contains(name, "\x00") {
		if op := capi.OpFromName(name); op != 0 {
			opNames.Store(name, Op(op))
			return Op(op), nil
		}
	}
	return 0, invalid("OpByName", "name", -1, "no such operator (got %q)", name)
}

// String is the operator's name.
func (op Op) String() string {
	if info, err := op.Info(); err == nil {
		return info.Name
	}
	return fmt.Sprintf("Op(%d)", int32(op))
}

// label is the name for errors; "" for that of an expression.
func (op Op) label() string {
	if op == 0 {
		return ""
	}
	return op.String()
}

// Functions lists what an [Expr] may have: operators, and other functions that only expressions have.
func Functions() []Op {
	if ready() != nil {
		return nil
	}
	list := make([]Op, capi.FunctionCount())
	for i := range list {
		list[i] = Op(capi.FunctionAt(i))
	}
	return list
}

var opInfos sync.Map // Op to *OpInfo

// Info describes the operator, or function of expressions. What it points to is shared: do not change it.
func (op Op) Info() (*OpInfo, error) {
	if info, ok := opInfos.Load(op); ok {
		return info.(*OpInfo), nil
	}
	if err := ready(); err != nil {
		return nil, err
	}
	c, f := capi.OpDescribe(int32(op))
	if f != nil {
		if c, f = capi.FunctionDescribe(int32(op)); f != nil {
			return nil, failed("", f)
		}
	}
	info := &OpInfo{Op: op, Name: c.Name, Category: c.Category, Doc: c.Doc, Result: c.Result,
		DTypes: dtypeSet(c.DTypes, ""), Inputs: operandInfos(c.Inputs), Outputs: operandInfos(c.Outputs),
		MinInputs: c.MinInputs}
	for _, a := range c.Attrs {
		attr := AttrInfo{Name: a.Name, Doc: a.Doc, Default: a.Default, Min: a.Min, Max: a.Max, key: a.Key}
		if a.Choices != "" {
			attr.Choices = strings.Split(a.Choices, "|")
			if i, ok := a.Default.(int64); ok && int(i) < len(attr.Choices) {
				attr.Default = attr.Choices[i]
			}
		}
		info.Attrs = append(info.Attrs, attr)
	}
	opInfos.Store(op, info)
	return info, nil
}

func operandInfos(list []capi.OperandInfo) []OperandInfo {
	var infos []OperandInfo
	for _, o := range list {
		infos = append(infos, OperandInfo{o.Name, o.Optional, dtypeSet(o.DTypes, o.Fixed)})
	}
	return infos
}

// dtypeSet reads a set of TILEOPS_DTYPES bits, or the names of fixed dtypes.
func dtypeSet(set uint32, fixed string) []DType {
	var list []DType
	if fixed != "" {
		for _, name := range strings.Split(fixed, "|") {
			if d, err := ParseDType(name); err == nil {
				list = append(list, d)
			}
		}
		return list
	}
	for d := F16; d < numDTypes; d++ {
		if set&dtypes[d].set != 0 {
			list = append(list, d)
		}
	}
	return list
}
