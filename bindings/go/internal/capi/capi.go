//go:build cgo

package capi

// #include "shim.h"
import "C"

import (
	"unsafe"
)

// The structs that are handed over as they lie in memory have the size of their C forms.
var (
	_ [unsafe.Sizeof(Operands{})]byte = [unsafe.Sizeof(C.tileops_go_operands{})]byte{}
	_ [unsafe.Sizeof(Few{})]byte      = [unsafe.Sizeof(C.tileops_go_few{})]byte{}
	_ [unsafe.Sizeof(Attr{})]byte     = [unsafe.Sizeof(C.tileops_attr{})]byte{}
)

// Context and Plan are C handles. The null context is the process's default one.
type (
	Context = unsafe.Pointer
	Plan    = unsafe.Pointer
)

func failure(r C.tileops_go_result) *Failure {
	if r.status == 0 {
		return nil
	}
	return failureOf(r)
}

func failureOf(r C.tileops_go_result) *Failure {
	f := &Failure{Status: int32(r.status), DriverError: int32(r.driver_error), Offset: int32(r.offset)}
	if r.message != nil {
		f.Message = C.GoString(r.message)
		C.free(unsafe.Pointer(r.message))
	}
	return f
}

func take(text unsafe.Pointer) string {
	if text == nil {
		return ""
	}
	defer C.free(text)
	return C.GoString((*C.char)(text))
}

func cstring(s string) *C.char {
	if s == "" {
		return nil
	}
	return C.CString(s)
}

func operands(o *Operands) C.tileops_go_operands {
	return *(*C.tileops_go_operands)(unsafe.Pointer(o))
}

func attrs(q *Request) (*C.tileops_attr, C.int32_t) {
	return (*C.tileops_attr)(unsafe.Pointer(&q.Attrs)), C.int32_t(q.NumAttrs)
}

// HeaderVersion is that of the header this program was compiled with.
func HeaderVersion() uint32 { return uint32(C.tileops_go_header_version()) }

// Version is that of the library this program has loaded.
func Version() uint32 { return uint32(C.tileops_version()) }

// VersionString is Version as text.
func VersionString() string { return C.GoString(C.tileops_version_string()) }

// BuildInfo is one line about the library.
func BuildInfo() string { return C.GoString(C.tileops_build_info()) }

// StatusName is the constant's name in C.
func StatusName(status int32) string { return C.GoString(C.tileops_status_name(C.int32_t(status))) }

// ContextCreate makes a context.
func ContextCreate(o ContextOptions) (Context, *Failure) {
	options := C.tileops_context_options{
		cache_mode:      C.int32_t(o.CacheMode),
		cache_max_bytes: C.uint64_t(o.CacheMaxBytes),
		plan_capacity:   C.uint32_t(o.PlanCapacity),
		num_threads:     C.int32_t(o.NumThreads),
	}
	strings := C.tileops_go_context_strings{cstring(o.CacheDir), cstring(o.CPUISA), cstring(o.PackDirs), cstring(o.NVRTC)}
	defer C.free(unsafe.Pointer(strings.cache_dir))
	defer C.free(unsafe.Pointer(strings.cpu_isa))
	defer C.free(unsafe.Pointer(strings.pack_dirs))
	defer C.free(unsafe.Pointer(strings.nvrtc_path))
	r := C.tileops_go_context_create(&options, strings)
	return r.value, failure(r)
}

// ContextDestroy frees a context.
func ContextDestroy(ctx Context) { C.tileops_context_destroy((*C.tileops_context)(ctx)) }

// GetCacheStats reads the counters of a context.
func GetCacheStats(ctx Context) (CacheStats, *Failure) {
	var s C.tileops_cache_stats
	if f := failure(C.tileops_go_cache_stats((*C.tileops_context)(ctx), &s)); f != nil {
		return CacheStats{}, f
	}
	return CacheStats{
		PlanHits: uint64(s.plan_hits), PlanMisses: uint64(s.plan_misses),
		PlanEvictions: uint64(s.plan_evictions), PlanEntries: uint64(s.plan_entries),
		KernelMemoryHits: uint64(s.kernel_memory_hits), KernelPackHits: uint64(s.kernel_pack_hits),
		KernelDiskHits: uint64(s.kernel_disk_hits), KernelCompilations: uint64(s.kernel_compiles),
		DiskBadEntries: uint64(s.disk_bad_entries),
		TablesMade:     uint64(s.tables_made), TablesRefused: uint64(s.tables_refused),
		DeviceBytes: uint64(s.device_bytes),
	}, nil
}

// CacheClear empties caches.
func CacheClear(ctx Context, which uint32) *Failure {
	return failure(C.tileops_go_cache_clear((*C.tileops_context)(ctx), C.uint32_t(which)))
}

// CacheDir is the directory of the kernel cache.
func CacheDir(ctx Context) (string, *Failure) {
	r := C.tileops_go_cache_dir((*C.tileops_context)(ctx))
	return take(r.value), failure(r)
}

// LogOpen makes the pipe of the log, once, and gives the end to read from; negative if it fails.
func LogOpen() int { return int(C.tileops_go_log_open()) }

// SetLog sets the level of the library's log, which goes to the pipe or where the library has it.
func SetLog(level int32, piped bool) *Failure {
	to := C.int(0)
	if piped {
		to = 1
	}
	return failure(C.tileops_go_log_set(C.int32_t(level), to))
}

// PlanCheck asks whether PlanCreate would succeed.
func PlanCheck(ctx Context, q *Request, o *Operands) *Failure {
	list, n := attrs(q)
	return failure(C.tileops_go_plan_check((*C.tileops_context)(ctx), C.tileops_op(q.Op),
		C.uint32_t(q.Flags), operands(o), list, n))
}

// PlanCreate makes a plan from the layouts of the operands.
func PlanCreate(ctx Context, q *Request, o *Operands) (Plan, *Failure) {
	list, n := attrs(q)
	r := C.tileops_go_plan_create((*C.tileops_context)(ctx), C.tileops_op(q.Op),
		C.uint32_t(q.Flags), operands(o), list, n)
	return r.value, failure(r)
}

// PlanDestroy drops a plan.
func PlanDestroy(plan Plan) { C.tileops_plan_destroy((*C.tileops_plan)(plan)) }

// PlanQuery reads a property.
func PlanQuery(plan Plan, prop int32) ([]byte, *Failure) {
	var size C.size_t
	r := C.tileops_go_plan_query((*C.tileops_plan)(plan), C.int32_t(prop), &size)
	value := C.GoBytes(r.value, C.int(size))
	C.free(r.value)
	return value, failure(r)
}

// Execute runs a plan.
func Execute(plan Plan, o *Operands, stream uintptr) *Failure {
	return failure(C.tileops_go_execute(C.uintptr_t(uintptr(plan)), operands(o), C.uintptr_t(stream)))
}

// ExecuteFew is Execute for few operands.
func ExecuteFew(plan Plan, few *Few, stream uintptr) *Failure {
	return failure(C.tileops_go_execute_few(C.uintptr_t(uintptr(plan)), *(*C.tileops_go_few)(unsafe.Pointer(few)),
		C.uintptr_t(stream)))
}

// ExecuteUnchecked runs a plan without looking at the layouts of the operands.
func ExecuteUnchecked(plan Plan, o *Operands, stream uintptr) *Failure {
	return failure(C.tileops_go_execute_unchecked(C.uintptr_t(uintptr(plan)), operands(o),
		C.uintptr_t(stream)))
}

// Call plans and runs.
func Call(ctx Context, q *Request, o *Operands, stream uintptr) *Failure {
	list, n := attrs(q)
	return failure(C.tileops_go_call(C.uintptr_t(uintptr(ctx)), C.tileops_op(q.Op),
		C.uint32_t(q.Flags), operands(o), list, n, C.uintptr_t(stream)))
}

func tensor(t Tensor) C.tileops_go_tensor { return *(*C.tileops_go_tensor)(unsafe.Pointer(&t)) }

// TensorAlloc makes a row-major tensor and gives its managed form.
func TensorAlloc(ctx Context, layout *int64) (unsafe.Pointer, *Failure) {
	r := C.tileops_go_tensor_alloc((*C.tileops_context)(ctx), (*C.int64_t)(layout))
	return r.value, failure(r)
}

// TensorCopy copies between any two devices.
func TensorCopy(ctx Context, src, dst Tensor, stream uintptr) *Failure {
	return failure(C.tileops_go_tensor_copy((*C.tileops_context)(ctx), tensor(src), tensor(dst),
		C.uintptr_t(stream)))
}

// StreamCreate makes a stream.
func StreamCreate(ctx Context, deviceType, deviceID int32) (uintptr, *Failure) {
	r := C.tileops_go_stream_create((*C.tileops_context)(ctx), C.int32_t(deviceType),
		C.int32_t(deviceID))
	return uintptr(r.value), failure(r)
}

// StreamDestroy destroys a stream of StreamCreate.
func StreamDestroy(ctx Context, deviceType, deviceID int32, stream uintptr) *Failure {
	return failure(C.tileops_go_stream_destroy((*C.tileops_context)(ctx), C.int32_t(deviceType),
		C.int32_t(deviceID), C.uintptr_t(stream)))
}

// StreamSynchronize waits for the work on a stream.
func StreamSynchronize(ctx Context, deviceType, deviceID int32, stream uintptr) *Failure {
	return failure(C.tileops_go_stream_synchronize((*C.tileops_context)(ctx), C.int32_t(deviceType),
		C.int32_t(deviceID), C.uintptr_t(stream)))
}
