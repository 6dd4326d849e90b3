//go:build !cgo && tileops_nocgo

package capi

import (
	"time"
	"unsafe"
)

// Context and Plan are C handles, of which there are none here.
type (
	Context = unsafe.Pointer
	Plan    = unsafe.Pointer
	Expr    = unsafe.Pointer
)

var noCgo = &Failure{Status: NoCgo, Offset: -1, Message: "this program was built without cgo: set CGO_ENABLED=1, " +
	"install a C compiler and pkg-config, and build it again"}

func HeaderVersion() uint32   { return 0 }
func Version() uint32         { return 0 }
func VersionString() string   { return "none" }
func BuildInfo() string       { return noCgo.Message }
func StatusName(int32) string { return "?" }

func ContextCreate(ContextOptions) (Context, *Failure)         { return nil, noCgo }
func ContextDestroy(Context)                                   {}
func GetCacheStats(Context) (CacheStats, *Failure)             { return CacheStats{}, noCgo }
func CacheClear(Context, uint32) *Failure                      { return noCgo }
func CacheDir(Context) (string, *Failure)                      { return "", noCgo }
func LogOpen() int                                             { return -1 }
func SetLog(int32, bool) *Failure                              { return noCgo }
func OpCount() int                                             { return 0 }
func OpAt(int) int32                                           { return 0 }
func OpFromName(string) int32                                  { return 0 }
func OpDescribe(int32) (OpInfo, *Failure)                      { return OpInfo{}, noCgo }
func DeviceCount() int                                         { return 0 }
func DeviceDescribe(int) (DeviceInfo, *Failure)                { return DeviceInfo{}, noCgo }
func PlanCheck(Context, *Request, *Operands) *Failure          { return noCgo }
func PlanCreate(Context, *Request, *Operands) (Plan, *Failure) { return nil, noCgo }
func Tune(Context, *Request, *Operands, func(TuneProgress) bool) (TuneResult, *Failure) {
	return TuneResult{}, noCgo
}
func PlanDestroy(Plan)                                          {}
func PlanQuery(Plan, int32) ([]byte, *Failure)                  { return nil, noCgo }
func Execute(Plan, *Operands, uintptr) *Failure                 { return noCgo }
func ExecuteFew(Plan, *Few, uintptr) *Failure                   { return noCgo }
func ExecuteUnchecked(Plan, *Operands, uintptr) *Failure        { return noCgo }
func Call(Context, *Request, *Operands, uintptr) *Failure       { return noCgo }
func TensorAlloc(Context, *int64) (unsafe.Pointer, *Failure)    { return nil, noCgo }
func TensorCopy(Context, Tensor, Tensor, uintptr) *Failure      { return noCgo }
func StreamCreate(Context, int32, int32) (uintptr, *Failure)    { return 0, noCgo }
func StreamDestroy(Context, int32, int32, uintptr) *Failure     { return noCgo }
func StreamSynchronize(Context, int32, int32, uintptr) *Failure { return noCgo }
func ManagedMajor(unsafe.Pointer) int                           { return 0 }
func ManagedRead(unsafe.Pointer) Managed                        { return Managed{} }
func ManagedDelete(unsafe.Pointer)                              {}
func ManagedNew(Tensor, bool, func()) unsafe.Pointer            { return nil }
func ExprParse(string) (Expr, *Failure)                         { return nil, noCgo }
func ExprNamed(string) (Expr, *Failure)                         { return nil, noCgo }
func NamedExprCount() int                                       { return 0 }
func NamedExprAt(int) NamedExpr                                 { return NamedExpr{} }
func ExprDestroy(Expr)                                          {}
func ExprDescribe(Expr) (ExprInfo, *Failure)                    { return ExprInfo{}, noCgo }
func ExprNodes(Expr) ([]ExprNode, []int)                        { return nil, nil }
func ExprGradient(Expr, []int32) (Expr, *Failure)               { return nil, noCgo }
func ExprPlan(Context, Expr, uint32, *Many) (Plan, *Failure)    { return nil, noCgo }
func ExprCheck(Context, Expr, uint32, *Many) *Failure           { return noCgo }
func ExprInfer(Expr, *Many, int) ([Words + MaxNDim]int64, *Failure) {
	return [Words + MaxNDim]int64{}, noCgo
}
func ExprDeviceFunction(Expr, uint32, *Many, string) (string, *Failure) { return "", noCgo }
func PlanWorkspace(Plan) (uint64, *Failure)                             { return 0, noCgo }
func ExecuteWith(Plan, *Many, []Number, Space, uintptr) *Failure        { return noCgo }
func PlanParts(Plan) (int, int, *Failure)                               { return 0, 0, noCgo }
func ExecutePart(Plan, *Many, []Number, Space, Part) *Failure           { return noCgo }
func PlanExtent(Plan, int) (int, int, int64, *Failure)                  { return 0, 0, 0, noCgo }
func PlanAt(Plan, []int64) (PlanFacts, *Failure)                        { return PlanFacts{}, noCgo }
func PlanResult(Plan, []int64, int) ([Words + MaxNDim]int64, *Failure) {
	return [Words + MaxNDim]int64{}, noCgo
}
func ExecuteAddresses(Plan, int, []uintptr, []int64, []Number, Space, uintptr) *Failure { return noCgo }
func FunctionCount() int                                                                { return 0 }
func FunctionAt(int) int32                                                              { return 0 }
func FunctionDescribe(int32) (OpInfo, *Failure)                                         { return OpInfo{}, noCgo }
func Build([]BuildCall) (Expr, *Failure)                                                { return nil, noCgo }
func TimeAdd(Plan, int, int) time.Duration                                              { return -1 }
func ExecuteList(Plan, Items, []int64, []uint64, []Number, uintptr, uintptr) *Failure   { return noCgo }
func ExecuteListAddresses(Plan, Items, []uintptr, []int64, []uint64, []Number, uintptr, uintptr) *Failure {
	return noCgo
}
