package tileops

import (
	"strings"
	"sync"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
	"github.com/libtileops/libtileops/bindings/go/internal/owner"
)

// Version is "major.minor.patch" of the library that is loaded.
func Version() string { return capi.VersionString() }

// BuildInfo is one line about the library: version, compiler, backends, instruction sets.
func BuildInfo() string { return capi.BuildInfo() }

// checkVersion says whether a library serves a program that was compiled with a header: the same
// major version (and minor version, while the major one is 0), and not older.
func checkVersion(header, library uint32) error {
	compatible := header/10000 == library/10000 && (header >= 10000 || header/100 == library/100)
	if compatible && library >= header {
		return nil
	}
	text := func(v uint32) []any { return []any{v / 10000, v / 100 % 100, v % 100} }
	err := invalid("NewContext", "library", -1, "libtileops that was loaded does not fit the header "+
		"this program was compiled with (got %d.%d.%d, need %d.%d.%d or a newer compatible one)",
		append(text(library), text(header)...)...)
	err.Status, err.cause = StatusVersion, ErrVersion
	return err
}

// ready is nil if there is a library, and it fits. It stands before whatever makes something.
var ready = sync.OnceValue(func() error {
	if capi.HeaderVersion() == 0 {
		_, f := capi.ContextCreate(capi.ContextOptions{}) // says how to build with cgo
		return failed("", f)
	}
	return checkVersion(capi.HeaderVersion(), capi.Version())
})

// CacheMode says what a context does with the kernel cache on disk.
type CacheMode int32

// Uses of the kernel cache.
const (
	CacheDefault CacheMode = iota // TILEOPS_CACHE, else read and write
	CacheOff
	CacheReadOnly
	CacheReadWrite
)

// ContextOptions win over the environment, which a zero field asks; the library's docs/configuration.md
// has the table.
type ContextOptions struct {
	Cache         CacheMode
	CacheDir      string // TILEOPS_CACHE_DIR
	CacheMaxBytes uint64 // TILEOPS_CACHE_MAX_MB
	PlanCapacity  uint32 // most plans kept for reuse, TILEOPS_PLAN_CAPACITY
	NumThreads    int32  // most CPU threads of one execute, TILEOPS_NUM_THREADS
	CPUISA        string // "baseline", "avx2", "avx512", "avx512vbmi" or "auto", TILEOPS_CPU_ISA

	// PackDirs are folders of prebuilt packs (kernels-sm_90.pack), which are looked in before the one beside the
	// library, TILEOPS_PACK_DIRS, with ':' between them.
	PackDirs []string
	// NVRTC is the file of the run-time compiler, of which a process opens one, TILEOPS_NVRTC: a context that names
	// another one than is open is refused.
	NVRTC string
}

// Context has the options, caches and worker threads that plans share. Any method may be called
// from any goroutine at any time.
type Context struct {
	handle    capi.Context // null for the default context
	owner     *owner.Owner
	plans     *planCache // of calls; nil for the default context
	isDefault bool
}

var (
	defaultContext = &Context{isDefault: true}
	defaultPlans   = sync.OnceValue(func() *planCache { return newPlanCache(0) })
)

func (c *Context) planCache() *planCache {
	if c.isDefault {
		return defaultPlans()
	}
	return c.plans
}

// Default is the context of the process, made from the environment on first use. It is never
// closed.
func Default() *Context { return defaultContext }

// NewContext makes a context. It fails with [ErrVersion] if the library that was loaded does not
// fit.
func NewContext(o ContextOptions) (*Context, error) {
	if err := ready(); err != nil {
		return nil, err
	}
	for i, dir := range o.PackDirs {
		if strings.Contains(dir, ":") {
			return nil, invalid("NewContext", "PackDirs", i, "has a ':', which stands between folders (got %q)", dir)
		}
	}
	packs := strings.Join(o.PackDirs, ":")
	for name, text := range map[string]string{"CacheDir": o.CacheDir, "CPUISA": o.CPUISA, "PackDirs": packs, "NVRTC": o.NVRTC} {
		if strings.Contains(text, "\x00") {
			return nil, invalid("NewContext", name, -1, "has a NUL (got %q)", text)
		}
	}
	handle, f := capi.ContextCreate(capi.ContextOptions{
		CacheMode: int32(o.Cache), CacheDir: o.CacheDir, CacheMaxBytes: o.CacheMaxBytes,
		PlanCapacity: o.PlanCapacity, NumThreads: o.NumThreads, CPUISA: o.CPUISA,
		PackDirs: packs, NVRTC: o.NVRTC,
	})
	if f != nil {
		return nil, failed("", f)
	}
	free := func() { capi.ContextDestroy(handle) }
	return &Context{handle: handle, owner: owner.New(owner.Context, free), plans: newPlanCache(o.PlanCapacity)}, nil
}

// Close frees the context once no call uses it. Plans and tensors made with it stay usable.
func (c *Context) Close() error {
	if c != nil && c.isDefault {
		return invalid("Context.Close", "context", -1, "the default context is never closed")
	}
	if c == nil || !c.owner.Close() {
		return closedError("Context.Close", "context", -1)
	}
	c.plans.clear()
	return nil
}

// acquire keeps the handle until release.
func (c *Context) acquire(function string) error {
	if c != nil && c.isDefault {
		return ready()
	}
	if c == nil || !c.owner.Acquire() {
		return closedError(function, "context", -1)
	}
	return nil
}

func (c *Context) release() {
	if !c.isDefault {
		c.owner.Release()
	}
}

// CacheStats are counters of a context since it was made. Kernels are those of CUDA. A call that
// finds its plan on Go's side does not ask the library, and is not counted.
type CacheStats struct {
	PlanHits, PlanMisses, PlanEvictions, PlanEntries                     uint64
	KernelMemoryHits, KernelPackHits, KernelDiskHits, KernelCompilations uint64
	DiskBadEntries                                                       uint64 // found damaged and made anew
	TablesMade, TablesRefused                                            uint64 // result tables on CUDA devices
	DeviceBytes                                                          uint64 // of CUDA devices that the library holds now, for all contexts
}

// CacheStats reads the counters.
func (c *Context) CacheStats() (CacheStats, error) {
	if err := c.acquire("Context.CacheStats"); err != nil {
		return CacheStats{}, err
	}
	defer c.release()
	stats, f := capi.GetCacheStats(c.handle)
	return CacheStats(stats), failed("", f)
}

// Caches that ClearCache empties.
const (
	CachePlans uint32 = 1
	CacheDisk  uint32 = 2
)

// ClearCache empties caches, [CachePlans] and [CacheDisk] together or alone. Plans in use stay
// valid.
func (c *Context) ClearCache(which uint32) error {
	if err := c.acquire("Context.ClearCache"); err != nil {
		return err
	}
	defer c.release()
	if which&CachePlans != 0 {
		c.planCache().clear()
	}
	return failed("", capi.CacheClear(c.handle, which))
}

// CacheDir is the directory of the kernel cache, "" if there is none.
func (c *Context) CacheDir() (string, error) {
	if err := c.acquire("Context.CacheDir"); err != nil {
		return "", err
	}
	defer c.release()
	dir, f := capi.CacheDir(c.handle)
	return dir, failed("", f)
}

// Alloc makes a row-major tensor that owns its memory, 64-byte aligned and with undefined contents.
func (c *Context) Alloc(d DType, device Device, shape ...int) (*Tensor, error) {
	t, _, err := newTensor("Context.Alloc", d, device, shape)
	if err != nil {
		return nil, err
	}
	if err := c.acquire("Context.Alloc"); err != nil {
		return nil, err
	}
	defer c.release()
	managed, f := capi.TensorAlloc(c.handle, t.raw.Layout)
	if f != nil {
		return nil, failed("", f)
	}
	return FromDLPack(managed)
}

// Copy copies src to dst: same shape and dtype, any devices and strides. Where a device is CUDA the
// work is enqueued on the stream; memory of Go may be used again when the call returns.
func (c *Context) Copy(dst, src *Tensor, stream Stream) error {
	if err := c.acquire("Context.Copy"); err != nil {
		return err
	}
	defer c.release()
	var held [2]*owner.Owner
	n := 0
	defer func() { release(held[:n]) }()
	for _, operand := range []struct {
		name string
		t    *Tensor
	}{{"dst", dst}, {"src", src}} {
		if operand.t == nil {
			return invalid("Context.Copy", operand.name, -1, "is nil")
		}
		if !hold(operand.t, held[:], &n) {
			return closedError("Context.Copy", operand.name, -1)
		}
	}
	if dst.readOnly {
		return invalid("Context.Copy", "dst", -1, "read-only")
	}
	annotate([]*Tensor{dst}, []*Tensor{src})
	return failed("", capi.TensorCopy(c.handle, src.raw, dst.raw, uintptr(stream)))
}

// HandleCounts are numbers of C handles that are not freed yet; plans that calls keep are not counted.
type HandleCounts struct {
	Contexts, Plans, Tensors, Streams int
	Exprs                             int
	Exports                           int // tensors given away by Tensor.DLPack whose deleter has not run
}

// LiveHandles counts the handles of this process, for tests that nothing leaks.
func LiveHandles() HandleCounts {
	return HandleCounts{owner.Live(owner.Context), owner.Live(owner.Plan), owner.Live(owner.Tensor),
		owner.Live(owner.Stream), owner.Live(owner.Expr), owner.Live(owner.Export)}
}
