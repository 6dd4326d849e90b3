// Package capi calls the C library: the one place where Go and C meet. Without cgo it has the same
// functions, and each fails with [NoCgo].
package capi

import (
	"math"
	"unsafe"
)

// Limits of the C API.
const (
	MaxInputs  = 8
	MaxOutputs = 2
	MaxAttrs   = 12
	MaxNDim    = 32

	MaxExprInputs  = 32
	MaxExprOutputs = 16
)

// Words at the front of a layout; the extents and then the strides follow.
const (
	NDim = iota
	DTypeCode
	DTypeBits
	DeviceType
	DeviceID
	Address // of memory that is not Go's
	Words
)

// Tensor is a tileops_go_tensor: see shim.h.
type Tensor struct {
	Layout *int64
	Data   unsafe.Pointer
}

// Operands is a tileops_go_operands. Its pointers may be to Go memory: the call borrows them.
type Operands struct {
	Inputs     [MaxInputs]Tensor
	Outputs    [MaxOutputs]Tensor
	NumInputs  int32
	NumOutputs int32
}

// MaxFew is the number of operands of a Few.
const MaxFew = 4

// Few is a tileops_go_few: the operands of most calls, outputs first and then inputs.
type Few struct {
	Tensors               [MaxFew]Tensor
	NumOutputs, NumInputs int32
}

// Many is a tileops_go_many: the operands of an expression.
type Many struct {
	Inputs     [MaxExprInputs]Tensor
	Outputs    [MaxExprOutputs]Tensor
	NumInputs  int32
	NumOutputs int32
}

// Kinds of a number.
const (
	NumberDefault = iota
	NumberFloat
	NumberInt
	NumberBool
)

// Number is a tileops_number: Bits are those of a float64 or an int64.
type Number struct {
	Kind int32
	_    int32
	Bits uint64
}

// Space is the workspace of an execute, in memory that is not Go's; the zero Space is none.
type Space struct {
	Address uintptr
	Bytes   uint64
}

// Part is one of as many of a phase.
type Part struct{ Phase, Part, Parts int }

// Items are the sets of operands of a list: how many there are, and of what each.
type Items struct{ Count, Outputs, Inputs, Extents int }

// Absent stands for the layout of an absent operand of a list.
const Absent = -1

// RowMajor stands for each stride of a description with open extents.
const RowMajor = math.MinInt64

// PlanFacts is what an execute is at given extents.
type PlanFacts struct {
	Phases, Parts, Way         int
	WorkspaceBytes, BytesMoved uint64
}

// ExprInfo is what an expression is.
type ExprInfo struct {
	Text                          string
	MinOperands, Nodes, HostNodes int
	Operands, Scalars             []ExprOperand
	Results                       []string
}

// ExprOperand is an operand or a scalar. Default is a float64, an int64 or a bool, or nil.
type ExprOperand struct {
	Name    string
	Default any
}

// ExprNode is a node of an expression. Value is of a constant, as ExprOperand has its default.
type ExprNode struct {
	Kind, Index, Op int
	Value           any
	Arguments       []int // -1: left out
	Attrs           map[string]any
}

// NamedExpr is an expression that has a name.
type NamedExpr struct{ Name, Text, Doc string }

// Kinds of a BuildCall.
const (
	BuildOperand = iota
	BuildScalar
	BuildConstant
	BuildOp
	BuildResult
	BuildText // an expression as a part of this one; Name is its text
	BuildPart // one of its results: the first argument is the call, the second which one
)

// BuildCall is one call of a builder. Arguments are numbers of calls, from 1 on; 0 leaves a place empty.
type BuildCall struct {
	Kind      int
	Op        int32
	Name      string
	Named     bool
	Number    Number // of kind NumberDefault: none
	Arguments []int32
	Attrs     []Attr
}

// TuneProgress is one measured candidate; TuneResult the fastest one. See tileops.h.
type TuneProgress struct {
	Done, Total, Strategy, Threads, NumPerThread int32
	Seconds, BestSeconds                         float64
}

// TuneResult is what tuning found.
type TuneResult struct {
	Strategy, Threads, NumPerThread, Candidates int32
	Seconds, AutoSeconds                        float64
}

// Kinds of an attribute's value.
const (
	AttrFloat = 1
	AttrInt   = 2
)

// Attr is a tileops_attr: Bits are those of a float64 or an int64.
type Attr struct {
	Key  int32
	Kind int32
	Bits uint64
}

// Failure is a status other than 0, and the message that came with it.
type Failure struct {
	Status      int32
	DriverError int32
	Offset      int32 // into a text; -1: it is about no text
	Message     string
}

// NoCgo is the status of every failure in a program that was built without cgo. The C library has
// no such status.
const NoCgo = -1

// Request is what a plan is made from.
type Request struct {
	Op       int32
	Flags    uint32
	NumAttrs int32
	Attrs    [MaxAttrs]Attr
}

// ContextOptions are those of the C API; empty strings ask the environment.
type ContextOptions struct {
	CacheMode     int32
	CacheDir      string
	CacheMaxBytes uint64
	PlanCapacity  uint32
	NumThreads    int32
	CPUISA        string
	PackDirs      string // with ':' between them
	NVRTC         string
}

// CacheStats are the counters of a context.
type CacheStats struct {
	PlanHits, PlanMisses, PlanEvictions, PlanEntries                     uint64
	KernelMemoryHits, KernelPackHits, KernelDiskHits, KernelCompilations uint64
	DiskBadEntries                                                       uint64
	TablesMade, TablesRefused                                            uint64
	DeviceBytes                                                          uint64
}

// OpInfo describes an operator.
type OpInfo struct {
	Name, Category, Doc, Result string
	DTypes                      uint32
	MinInputs, MinOutputs       int
	Inputs, Outputs             []OperandInfo
	Attrs                       []AttrInfo
}

// OperandInfo describes an operand; Fixed is the dtype of one that takes no part in promotion.
type OperandInfo struct {
	Name, Fixed string
	Optional    bool
	DTypes      uint32
}

// AttrInfo describes an attribute. Default is a float64 or an int64, or nil.
type AttrInfo struct {
	Name, Doc, Choices string
	Key, Kind          int32
	Default            any
	Min, Max           float64
}

// DeviceInfo describes a device.
type DeviceInfo struct {
	Type, ID    int32
	Name, Arch  string
	MemoryBytes uint64
	Units       int
}

// Managed is what a DLManagedTensorVersioned holds.
type Managed struct {
	Layout   []int64
	Lanes    int
	Known    bool // lanes of a dtype of the library
	ReadOnly bool
}

// Foreign is an address outside of Go's memory as a pointer. Going through memory says that this is
// meant: the garbage collector ignores such pointers.
func Foreign(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }
