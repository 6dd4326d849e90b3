/* SPDX-License-Identifier: Apache-2.0 */
/* libtileops: tensor operators, fused expressions and row reductions on CPU and CUDA memory. C99 API, stable ABI.
 *
 * One call plans (tileops_plan_create: operator or expression, shapes, dtypes, device), one call runs
 * (tileops_execute, on the caller's stream). Tensors are DLPack DLTensors; nothing is copied. Rows are
 * expressions with sums, extremes, scans or gathers along axes: norms, softmax, losses, quantisation.
 *
 * CONVENTIONS
 *   Status     Functions that can fail return tileops_status; 0 is success. On failure every
 *              out pointer is set to NULL (or left untouched where it is the caller's struct),
 *              no output memory is written, and tileops_last_error() of the same thread says
 *              "<function>: <argument>[<index>]: <what> (got X, need Y)".
 *   Structs    Those that may grow begin with `uint32_t struct_size`; start from their _INIT
 *              macro. Zero bytes mean "default". A struct that is larger than the library
 *              knows is accepted if the unknown bytes are zero, else TILEOPS_STATUS_VERSION.
 *   Dtypes     DLDataType with lanes = 1: float16/32/64 (code 2), bfloat16 (4), float8_e4m3fn
 *              (10), float8_e5m2 (12), float8_e8m0fnu (14, for cast alone), int8..64 (0),
 *              uint8..64 (1), bool (6, 8 bits), float4_e2m1fn (17, 4 bits, for cast and
 *              expressions).
 *   4 bits     Two elements share a byte: 2i has its low bits, 2i + 1 its high ones. With lanes = 1
 *              shapes and strides count elements; with lanes = 2 (torch.float4_e2m1fn_x2) they count
 *              pairs, which is another way to say the same. The last axis has an even extent and
 *              stride 1, other strides are even.
 *   Strides    In elements, may be 0 or negative. NULL means row-major. The strides of size-1
 *              dimensions are ignored. Outputs may be strided, but no two elements of an output
 *              may share an address.
 *   Memory     data + byte_offset is element 0 and must be aligned to one element, no more.
 *   In place   An output may be exactly one of the inputs (same address, shape, strides and
 *              element size). Every other overlap of an output with an operand is refused.
 *   Absent     An optional input that is not given is a NULL tensor pointer, or a descriptor
 *              with dtype.bits == 0; trailing ones may be left off the count. A plan is executed
 *              with the count that it was made with.
 *   Arrays     Inputs are passed as an array of `const DLTensor*`: declare `const DLTensor* in[]`.
 *              C, unlike C++, does not convert an array of `DLTensor*` by itself; there it takes a
 *              cast, (const DLTensor* const*)in.
 *
 * THREADS
 *   1. Any function may be called from any thread at any time, unless its comment says otherwise.
 *   2. A plan never changes. One plan may be executed by many threads, on many streams, at once.
 *   3. Of several threads that create the same plan one prepares it; the others wait for that
 *      preparation only, not for other plans.
 *   4. tileops_plan_destroy never unloads code, and blocks in one case alone: a handle on CUDA that keeps a workspace
 *      (keep_workspace) may wait for its device. A context may be destroyed while plans made with it live; they keep
 *      what they need.
 *   5. The default context is never destroyed. Nothing of the library runs at process exit.
 *   6. Error text belongs to the thread whose call failed.
 *   7. A log callback may be called from any thread and must not call the library.
 *   8. fork(): the child may use the CPU backend if no other thread was inside the library;
 *      CUDA plans must be created after the fork.
 *   9. The current CUDA device of the calling thread is the same after a call as before.
 *  10. Everything is computed with rounding to nearest even, subnormal numbers and no floating-point
 *      traps, whatever the calling thread has set (fesetround, feenableexcept, flush to zero); its
 *      settings are the same after a call as before. Callbacks run in the library's environment.
 *  11. A call takes at most 64 KiB of its thread's stack, so that a thread of 128 KiB (musl's) may make it; of calls
 *      for a CUDA device, beside what the CUDA driver and compiler take. The scratch of CPU kernels is elsewhere:
 *      288 KiB for each thread that computes, allocated when it first makes a plan for the CPU or executes one that
 *      needs scratch, and freed when the thread ends.
 *
 * CUDA
 *   Context    Everything belongs to the primary context of its device, which is the one of the CUDA
 *              runtime: memory of operands and streams must be of it. A stream of another context or
 *              device is refused by the driver (TILEOPS_STATUS_DEVICE). Green contexts are not tested.
 *   Reset      cudaDeviceReset and cuDevicePrimaryCtxReset destroy what plans, and the caches behind
 *              them, have on the device: no CUDA call of this library may follow in that process.
 *   Memory     kDLCUDA and kDLCUDAManaged of the plan's device are operands alike. 0-d inputs may also be
 *              kDLCPU or kDLCUDAHost. CPU plans take kDLCPU and kDLCUDAHost, not kDLCUDAManaged.
 *
 * UNLOADING
 *   The shared library, once loaded, stays in the process, since worker threads of oneTBB may run in
 *   it at any time: dlclose() succeeds and unloads nothing, and a later dlopen() finds contexts,
 *   plans and caches as they were. A plugin that contains the static library stays loaded likewise,
 *   from its first context on (a call with ctx NULL makes one).
 */
#ifndef TILEOPS_TILEOPS_H
#define TILEOPS_TILEOPS_H

#include <stddef.h>
#include <stdint.h>

#include <dlpack/dlpack.h>

#define TILEOPS_VERSION_MAJOR 0
#define TILEOPS_VERSION_MINOR 1
#define TILEOPS_VERSION_PATCH 0
/* Version of this header: major * 10000 + minor * 100 + patch. */
#define TILEOPS_VERSION (TILEOPS_VERSION_MAJOR * 10000 + TILEOPS_VERSION_MINOR * 100 + TILEOPS_VERSION_PATCH)

#if defined(_WIN32)
#define TILEOPS_API
#else
#define TILEOPS_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Most dimensions of a tensor; attributes and operands of an operator. */
#define TILEOPS_MAX_NDIM 32
#define TILEOPS_MAX_INPUTS 8
#define TILEOPS_MAX_OUTPUTS 2
#define TILEOPS_MAX_ATTRS 12
/* Most operands, results, scalars and nodes of an expression, and bytes of its text. */
#define TILEOPS_MAX_EXPR_INPUTS 32
#define TILEOPS_MAX_EXPR_OUTPUTS 16
#define TILEOPS_MAX_EXPR_SCALARS 32
#define TILEOPS_MAX_EXPR_NODES 256
#define TILEOPS_MAX_EXPR_BYTES 65536

/* ------------------------------------------------------------------ status ---------------- */

/* Result of a call. Values are never renumbered. */
typedef int32_t tileops_status;
enum {
  TILEOPS_STATUS_OK = 0,
  TILEOPS_STATUS_INVALID_ARGUMENT = 1, /* the caller's mistake: NULL, shape, stride, overlap... */
  TILEOPS_STATUS_UNSUPPORTED = 2,      /* valid, but not for this operator, dtype or device */
  TILEOPS_STATUS_OUT_OF_MEMORY = 3,
  TILEOPS_STATUS_DEVICE = 4,           /* a driver call failed: tileops_last_driver_error() */
  TILEOPS_STATUS_COMPILE = 5,          /* run-time compilation failed; the log is in the message */
  TILEOPS_STATUS_IO = 6,               /* explicit cache calls only, never planning */
  TILEOPS_STATUS_VERSION = 7,          /* a struct from a header newer than this library */
  TILEOPS_STATUS_BUFFER_TOO_SMALL = 8, /* *size says how many bytes are needed */
  TILEOPS_STATUS_NO_DEVICE = 9,        /* no such device, driver or compiler library */
  TILEOPS_STATUS_INTERNAL = 10         /* a bug in the library; please report the message */
};

/* The constant's name, such as "TILEOPS_STATUS_DEVICE"; "?" for an unknown value. Never NULL.
 * Static storage. Since 0.1. */
TILEOPS_API const char* tileops_status_name(tileops_status status);

/* Text of the last failure on this thread; "" if there was none. Never NULL. Valid until the next
 * failing call on this thread; success does not clear it. Since 0.1. */
TILEOPS_API const char* tileops_last_error(void);

/* CUresult, nvrtcResult or errno behind the last failure on this thread; 0 if there is none.
 * Since 0.1. */
TILEOPS_API int32_t tileops_last_driver_error(void);

/* ------------------------------------------------------------------ version --------------- */

/* Version of the loaded library, coded like TILEOPS_VERSION. Since 0.1. */
TILEOPS_API uint32_t tileops_version(void);

/* "major.minor.patch" of the loaded library. Static storage. Since 0.1. */
TILEOPS_API const char* tileops_version_string(void);

/* One line: version, compiler, backends, and CPU instruction sets compiled in. Static storage.
 * Since 0.1. */
TILEOPS_API const char* tileops_build_info(void);

/* ------------------------------------------------------------------ context --------------- */

/* Options, caches and worker threads shared by plans. Wherever a context is asked for, NULL means
 * the process default context, which is made on first use from the environment. */
typedef struct tileops_context tileops_context;

typedef int32_t tileops_cache_mode;
enum {
  TILEOPS_CACHE_DEFAULT = 0, /* TILEOPS_CACHE, else read-write */
  TILEOPS_CACHE_OFF = 1,
  TILEOPS_CACHE_READ_ONLY = 2,
  TILEOPS_CACHE_READ_WRITE = 3
};

/* Options win over the environment; a zero field asks the environment, then the default. */
typedef struct tileops_context_options {
  uint32_t struct_size;          /* sizeof(tileops_context_options) */
  tileops_cache_mode cache_mode; /* kernel cache on disk; env TILEOPS_CACHE = off | ro | rw */
  const char* cache_dir;         /* kernel cache directory; env TILEOPS_CACHE_DIR, XDG_CACHE_HOME */
  uint64_t cache_max_bytes;      /* its size cap in bytes; env TILEOPS_CACHE_MAX_MB; 512 MiB */
  uint32_t plan_capacity;        /* most plans kept for reuse; env TILEOPS_PLAN_CAPACITY; 1024 */
  int32_t num_threads;           /* most CPU threads per execute; env TILEOPS_NUM_THREADS; at most,
                                    and by default, as many as the process may run on */
  const char* cpu_isa;           /* best CPU instruction set to use: "baseline", "avx2", "avx512",
                                    "avx512vbmi", "auto"; env TILEOPS_CPU_ISA; auto */
  int32_t keep_workspace;        /* 1: a plan that needs a workspace keeps one of its own (each handle does that
                                    a create gives), which an execute without one takes; of such executes
                                    of one handle only one may be under way, so they are for one stream or
                                    one thread, and that of a second thread is refused. Freed with the
                                    handle, on CUDA when the device has come so far. 0: none */
  int32_t reserved;              /* 0 */
  const char* pack_dirs;  /* folders, with ':' between them, in which prebuilt packs (kernels-sm_90.pack) are looked
                             for before the one beside the library; env TILEOPS_PACK_DIRS */
  const char* nvrtc_path; /* the file of the run-time compiler NVRTC, of which a process opens one: a context
                             that names another one than is open is refused; env TILEOPS_NVRTC */
} tileops_context_options;
#define TILEOPS_CONTEXT_OPTIONS_INIT {sizeof(tileops_context_options), 0, NULL, 0, 0, 0, NULL, 0, 0, NULL, NULL}

/* Makes a context. `options` may be NULL (all defaults). The environment is read here, once.
 * Errors: INVALID_ARGUMENT (out NULL, negative thread count, unknown ISA or mode), UNSUPPORTED
 * (an ISA this CPU lacks), VERSION, OUT_OF_MEMORY. Since 0.1. */
TILEOPS_API tileops_status tileops_context_create(const tileops_context_options* options, tileops_context** out);

/* Frees a context; NULL is ignored. Must not run while another thread passes the same handle to
 * the library. Plans made with it stay usable. Since 0.1. */
TILEOPS_API void tileops_context_destroy(tileops_context* ctx);

/* ------------------------------------------------------------------ operators ------------- */

/* Operators: TILEOPS_OP_EXP, TILEOPS_OP_ADD, ... one per row of tileops/ops.def. 0 is no operator;
 * values are never renumbered. */
typedef int32_t tileops_op;
enum {
  TILEOPS_OP_NONE = 0,
#define TILEOPS_OP(id, NAME, ...) TILEOPS_OP_##NAME = id,
#include "tileops/ops.def"
#undef TILEOPS_OP
/* Functions that only expressions have, one per row of tileops/functions.def. */
#define TILEOPS_FUNCTION(id, NAME, ...) TILEOPS_OP_##NAME = id,
#include "tileops/functions.def"
#undef TILEOPS_FUNCTION
  TILEOPS_OP_RESERVED_MAX = 0x7fff
};

/* Attribute keys: TILEOPS_ATTR_ALPHA, ... one per row of tileops/attrs.def. */
typedef int32_t tileops_attr_key;
enum {
  TILEOPS_ATTR_NONE = 0,
#define TILEOPS_ATTR(id, NAME, name, doc) TILEOPS_ATTR_##NAME = id,
#include "tileops/attrs.def"
#undef TILEOPS_ATTR
  TILEOPS_ATTR_RESERVED_MAX = 0x7fff
};

/* Which member of a tileops_attr holds the value. A number of the other kind is accepted where it
 * converts exactly (2 for 2.0). */
typedef int32_t tileops_attr_kind;
enum { TILEOPS_ATTR_F64 = 1, TILEOPS_ATTR_I64 = 2 };

/* An attribute value: 16 bytes, by value. Attributes with named choices (approximate, rounding,
 * fp8_overflow...) take a choice as TILEOPS_ATTR_I64: one of the constants below, its index in
 * tileops_attr_info.choices. */
typedef struct tileops_attr {
  tileops_attr_key key;
  tileops_attr_kind kind;
  union {
    double f64;
    int64_t i64;
  } value;
} tileops_attr;

/* An attribute in one expression: tileops_attr_f64(TILEOPS_ATTR_ALPHA, 2.0). Since 0.1. */
static inline tileops_attr tileops_attr_f64(tileops_attr_key key, double value) {
  tileops_attr attr;
  attr.key = key;
  attr.kind = TILEOPS_ATTR_F64;
  attr.value.f64 = value;
  return attr;
}
static inline tileops_attr tileops_attr_i64(tileops_attr_key key, int64_t value) {
  tileops_attr attr;
  attr.key = key;
  attr.kind = TILEOPS_ATTR_I64;
  attr.value.i64 = value;
  return attr;
}

/* Values of the attributes with named choices: tileops_attr_i64(TILEOPS_ATTR_APPROXIMATE,
 * TILEOPS_APPROXIMATE_TANH). */
enum { TILEOPS_APPROXIMATE_NONE = 0, TILEOPS_APPROXIMATE_TANH = 1 };
enum { TILEOPS_ROUNDING_NONE = 0, TILEOPS_ROUNDING_TRUNC = 1, TILEOPS_ROUNDING_FLOOR = 2, TILEOPS_ROUNDING_UP = 3 };
enum { TILEOPS_SLOPES_PAPER = 0, TILEOPS_SLOPES_GEOMETRIC = 1 };
enum { TILEOPS_LAYOUT_INTERLEAVED = 0, TILEOPS_LAYOUT_HALVES = 1 };
enum { TILEOPS_FP8_OVERFLOW_SATURATE = 0, TILEOPS_FP8_OVERFLOW_NONSATURATING = 1 };

typedef struct tileops_attr_info {
  tileops_attr_key key;
  tileops_attr_kind kind;
  const char* name;
  const char* choices; /* "none|tanh" for named choices (index from 0), else NULL */
  const char* doc;
  int32_t has_default; /* 0: absent unless given; the operator's text says what that means */
  int32_t reserved;
  union {
    double f64;
    int64_t i64;
  } default_value;
  double min_value, max_value; /* inclusive range; -inf and inf where there is none */
} tileops_attr_info;

/* Dtype sets, as bits. */
enum {
  TILEOPS_DTYPES_FLOAT = 1, /* float16 bfloat16 float32 float64 float8_e4m3fn float8_e5m2 */
  TILEOPS_DTYPES_INT = 2,   /* int8..int64 uint8..uint64 */
  TILEOPS_DTYPES_BOOL = 4,
  TILEOPS_DTYPES_SCALE = 8,  /* float8_e8m0fnu */
  TILEOPS_DTYPES_PACKED = 16 /* float4_e2m1fn; expressions take it as a float wherever they take floats */
};

typedef struct tileops_operand_info {
  const char* name;
  int32_t optional;  /* may be absent */
  uint32_t dtypes;   /* TILEOPS_DTYPES_* bits that this operand accepts */
  const char* dtype; /* a fixed dtype such as "bool", "int32|int64", "float32"; else NULL: takes
                        part in the promotion of the operator */
} tileops_operand_info;

/* What an operator is. All pointers are static. */
typedef struct tileops_op_info {
  uint32_t struct_size; /* set by the caller: sizeof(tileops_op_info) */
  tileops_op op;
  const char* name;     /* "gelu" */
  const char* category; /* "activation" */
  const char* doc;      /* one line: what it computes */
  uint32_t dtypes;      /* TILEOPS_DTYPES_* bits accepted by the main operands */
  const char* result;   /* dtype of output 0 unless the caller asks for another: "promoted" (inputs
                           promoted by PyTorch's rules), "promoted_float" (integers and bool give
                           float32), "bool", "source" (cast) */
  int32_t min_inputs, max_inputs;
  int32_t min_outputs, max_outputs;
  int32_t num_attrs;
  const tileops_operand_info* inputs;  /* max_inputs of them, in order */
  const tileops_operand_info* outputs; /* max_outputs of them */
  const tileops_attr_info* attrs;      /* num_attrs of them */
  const char* details;                 /* documentation beyond `doc`: shapes, attributes, dtypes, special values,
                                          accuracy, source. Plain text; a blank line ends a paragraph, each other
                                          line is one to be wrapped, and those that begin with "- " are a list */
} tileops_op_info;
#define TILEOPS_OP_INFO_INIT \
  {sizeof(tileops_op_info), 0, NULL, NULL, NULL, 0, NULL, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL}

/* Number of operators. Since 0.1. */
TILEOPS_API size_t tileops_op_count(void);

/* The i-th operator in table order, or TILEOPS_OP_NONE if i is out of range. Since 0.1. */
TILEOPS_API tileops_op tileops_op_at(size_t i);

/* The operator of that name, or TILEOPS_OP_NONE if there is none or name is NULL. Since 0.1. */
TILEOPS_API tileops_op tileops_op_from_name(const char* name);

/* Describes an operator; needs no device and creates nothing. `out->struct_size` must be set.
 * Errors: INVALID_ARGUMENT (unknown op, out NULL), VERSION. Since 0.1. */
TILEOPS_API tileops_status tileops_op_describe(tileops_op op, tileops_op_info* out);

/* ------------------------------------------------------------------ devices --------------- */

typedef struct tileops_device_info {
  uint32_t struct_size; /* set by the caller */
  int32_t reserved;
  DLDevice device; /* kDLCPU or kDLCUDA, and its index */
  char name[128];  /* product name */
  char arch[32];   /* "avx512", "sm_90" */
  uint64_t memory_bytes;
  int32_t units; /* CPU threads or GPU multiprocessors */
  int32_t reserved2;
} tileops_device_info;
#define TILEOPS_DEVICE_INFO_INIT {sizeof(tileops_device_info), 0, {(DLDeviceType)0, 0}, {0}, {0}, 0, 0, 0}

/* Devices that plans can be made for: the CPU, then the CUDA devices. Since 0.1. */
TILEOPS_API size_t tileops_device_count(void);

/* Describes the i-th device. Errors: INVALID_ARGUMENT (i out of range, out NULL), VERSION.
 * Since 0.1. */
TILEOPS_API tileops_status tileops_device_describe(size_t i, tileops_device_info* out);

/* ------------------------------------------------------------------ plans ----------------- */

/* One operator prepared for given shapes, strides, dtypes, attributes and device. */
typedef struct tileops_plan tileops_plan;

/* Extents that each execute brings, in tileops_tensor_desc.shape: any, or any up to n, which is at least 1. A plan that
 * has some is an open one: it is executed at any batch, and nothing is planned, allocated, locked or compiled then.
 * Which of them are equal follows from the text: tileops_plan_extent. Of an extent of 1 beside others nothing is
 * repeated, and one that is planned as 1 stays 1. What may be open, docs/engines.md says; what may not is refused when
 * it is planned. */
#define TILEOPS_OPEN (-1)
#define TILEOPS_UP_TO(n) (INT64_MIN + (int64_t)(n))

/* Shape and dtype of an operand, without memory. */
typedef struct tileops_tensor_desc {
  DLDataType dtype;
  int32_t ndim;
  const int64_t* shape;   /* ndim extents, >= 0, TILEOPS_OPEN or TILEOPS_UP_TO(n); may be NULL if ndim == 0 */
  const int64_t* strides; /* ndim strides in elements; NULL: row-major */
} tileops_tensor_desc;

/* Flags of a plan. */
enum {
  TILEOPS_PLAN_REPRODUCIBLE = 1, /* float32 and float64 results with the same bits on CPU and GPU */
  TILEOPS_PLAN_NO_JIT = 2,       /* fail rather than compile at run time */
  TILEOPS_PLAN_NO_CACHE = 4,     /* do not look in or add to the plan cache */
  TILEOPS_PLAN_NO_PDL = 8,       /* CUDA: plain launches. Otherwise kernels on compute capability 9.0 or
                                    newer, with a driver of CUDA 12.3 or newer, are launched so that they
                                    may begin before the one ahead in the stream has ended (programmatic
                                    dependent launch); captured graphs then have programmatic edges,
                                    which some tools refuse. Same results. Ignored by CPU plans. */
  TILEOPS_PLAN_LIST = 16         /* for tileops_execute_list, whose kernels on CUDA have many items a launch;
                                    an execute is a list of one. Same results */
};

/* How a CUDA kernel cuts its work. All give the same bits. Values are never renumbered. */
typedef int32_t tileops_strategy;
enum {
  TILEOPS_STRATEGY_AUTO = 0,              /* what tileops_tune found on this device, else the
                                             library's own table */
  TILEOPS_STRATEGY_DIRECT = 1,            /* one element a thread */
  TILEOPS_STRATEGY_EXPLICIT_PARALLEL = 2, /* num_per_thread elements a thread, each access one
                                             element, neighbouring threads on neighbouring ones */
  TILEOPS_STRATEGY_REGISTER_COPY = 3,     /* accesses of 16 bytes, staged in registers; where no
                                             operand has 16 bytes in one piece: explicit_parallel.
                                             Rows that are reduced: kept by a block's threads */
  TILEOPS_STRATEGY_TABLE = 4,             /* all results of an 8-bit operand in shared memory; of a
                                             16-bit one where a block may have 128 KiB of it */
  TILEOPS_STRATEGY_TILE = 5,              /* transposed operands through squares of shared memory */
  TILEOPS_STRATEGY_REREAD = 6,            /* rows that are reduced: a block's threads read a row once
                                             for each of its stages */
  TILEOPS_STRATEGY_CLUSTER = 7            /* rows that are reduced: kept in the shared memory of a cluster
                                             of 1 to 8 thread blocks, from sm_90 on */
};

/* An expression over operators, see below. */
typedef struct tileops_expr tileops_expr;

typedef struct tileops_plan_desc {
  uint32_t struct_size;
  tileops_op op;
  DLDevice device;
  int32_t num_inputs, num_outputs, num_attrs;
  uint32_t flags; /* TILEOPS_PLAN_* */
  const tileops_tensor_desc* inputs;
  const tileops_tensor_desc* outputs; /* the dtype may be any: results are converted once */
  const tileops_attr* attrs;
  /* CUDA plans only; all 0 (the choice is the library's) unless a strategy is given. */
  tileops_strategy strategy;
  int32_t threads;          /* of a block: a power of two from 32 to 1024; 0: the library's choice */
  int32_t num_per_thread;   /* elements of a thread: a power of two up to 128; 0: likewise */
  int32_t reserved;         /* 0 */
  const tileops_expr* expr; /* instead of an operator: op is TILEOPS_OP_NONE, num_attrs is 0 */
} tileops_plan_desc;
#define TILEOPS_PLAN_DESC_INIT \
  {sizeof(tileops_plan_desc), 0, {kDLCPU, 0}, 0, 0, 0, 0, NULL, NULL, NULL, 0, 0, 0, 0, NULL}

/* Would tileops_plan_create succeed? Checks everything, prepares and compiles nothing.
 * Errors: as tileops_plan_create, less OUT_OF_MEMORY, DEVICE and COMPILE. Since 0.1. */
TILEOPS_API tileops_status tileops_plan_check(tileops_context* ctx, const tileops_plan_desc* desc);

/* Shape and dtype of a result, before there is memory for it.
 *   desc     as for tileops_plan_create. Of its outputs nothing is needed (num_outputs may be 0), but
 *            for operators whose result may have any shape (alibi, sinusoidal), where outputs[0] says
 *            it. The device need not exist.
 *   output   which result
 *   dtype    receives the dtype that the result has unless the caller asks for another
 *   ndim     receives the number of dimensions
 *   shape    receives the extents; has room for TILEOPS_MAX_NDIM
 * Operands and attributes are checked as for a plan. Errors: INVALID_ARGUMENT, UNSUPPORTED, VERSION;
 * nothing is written then. Since 0.1. */
TILEOPS_API tileops_status tileops_plan_infer(const tileops_plan_desc* desc, size_t output, DLDataType* dtype,
                                              int32_t* ndim, int64_t* shape);

/* Prepares an operator. Everything that can fail or take long happens here: checks, kernel choice,
 * and on CUDA compilation and loading. A plan that the context knows already is shared.
 *   desc   operator, device, operands, attributes; copied. Outputs must have the result's shape.
 *   out    receives a reference; release it with tileops_plan_destroy.
 * Errors: INVALID_ARGUMENT (NULL, counts, shapes, strides, attributes, strategy), UNSUPPORTED (dtype
 * for this operator, dtypes without a common one, a strategy that these operands cannot have),
 * NO_DEVICE, VERSION, OUT_OF_MEMORY, DEVICE, COMPILE.
 * May be called while a stream is being captured.
 * Memory: a CUDA plan of 8- and 16-bit floats may need all results of its operator, up to 128 KiB on
 * the device and 0.7 MiB of gated forms; plans of the same operator, attributes and dtype share them.
 * They stay until the process ends, since captured graphs may read them after the plan is gone; a
 * device has at most 256 of them, and plans that would need another do without, with the same results
 * but slower (logged once a device; tileops_cache_stats counts both). Constants of an operator, such as
 * RoPE's frequencies, are on the device as long as a plan needs them; of those that no plan needs 64 to
 * 128 are kept for reuse, and those that a captured execute may read stay until the process ends.
 * May wait for the GPU: for the library's own copies and kernels, on a stream of its own, and, when
 * constants are freed, for all work of the device. Since 0.1. */
TILEOPS_API tileops_status tileops_plan_create(tileops_context* ctx, const tileops_plan_desc* desc, tileops_plan** out);

/* As tileops_plan_create, with shapes, strides, dtypes and device taken from tensors; their data
 * is not touched. Absent optional inputs are NULL. Since 0.1. */
TILEOPS_API tileops_status tileops_plan_create_like(tileops_context* ctx, tileops_op op, const DLTensor* const* inputs,
                                                    size_t num_inputs, DLTensor* const* outputs, size_t num_outputs,
                                                    const tileops_attr* attrs, size_t num_attrs, tileops_plan** out);

/* The same for an expression. Since 0.1. */
TILEOPS_API tileops_status tileops_plan_create_like_expr(tileops_context* ctx, const tileops_expr* expr,
                                                         const DLTensor* const* inputs, size_t num_inputs,
                                                         DLTensor* const* outputs, size_t num_outputs,
                                                         tileops_plan** out);

/* Adds a reference. Errors: INVALID_ARGUMENT (NULL, or a handle already destroyed). Since 0.1. */
TILEOPS_API tileops_status tileops_plan_retain(tileops_plan* plan);

/* Drops one reference; NULL is ignored, and so is a handle already destroyed as long as its place
 * has not been reused. Never blocks. CUDA work already enqueued is not affected. Since 0.1. */
TILEOPS_API void tileops_plan_destroy(tileops_plan* plan);

/* What tileops_plan_query can tell, and the type written to `buf`. */
typedef int32_t tileops_plan_prop;
enum {
  TILEOPS_PLAN_BYTES_MOVED = 1,      /* uint64_t: bytes read + written by one execute, each element once; of what
                                        is gathered or scattered as many as there are places for */
  TILEOPS_PLAN_KERNEL_NAME = 2,      /* char[]: body, compute type and layout, NUL-terminated */
  TILEOPS_PLAN_STRATEGY = 3,         /* char[]: CUDA "register_copy", "tile"... (tileops_strategy)
                                        or "none" without elements; CPU "rows", "program"... */
  TILEOPS_PLAN_CACHE_ORIGIN = 4,     /* char[]: where the kernel came from: "builtin", "memory",
                                        "pack", "disk", "compiled" */
  TILEOPS_PLAN_SOURCE = 5,           /* char[]: CPU: what is done, an instruction a line, for people;
                                        CUDA: source given to the run-time compiler, or "" */
  TILEOPS_PLAN_LAYOUT = 6,           /* char[]: "contiguous", "broadcast", "tiled", "strided" */
  TILEOPS_PLAN_DEVICE = 7,           /* DLDevice */
  TILEOPS_PLAN_WORKSPACE_BYTES = 8,  /* uint64_t: memory on the plan's device that an execute needs, 0 for most
                                        plans: tileops_execute_args.workspace */
  TILEOPS_PLAN_NUM_ELEMENTS = 9,     /* uint64_t: elements of output 0 */
  TILEOPS_PLAN_COMPUTE_DTYPE = 10,   /* DLDataType in which the body computes */
  TILEOPS_PLAN_THREADS = 11,         /* int32_t: most threads of a block; 0 for CPU plans */
  TILEOPS_PLAN_NUM_PER_THREAD = 12,  /* int32_t: elements of a thread; 0 for CPU plans */
  TILEOPS_PLAN_STRATEGY_ORIGIN = 13, /* char[]: who chose the strategy: "given", "tuned", "auto" */
  TILEOPS_PLAN_NUM_PASSES = 14,      /* int32_t: passes over memory of one execute: on CUDA kernels that it launches, on
                                        the CPU phases of tileops_execute_part */
  TILEOPS_PLAN_NUM_PARTS = 15,       /* int32_t: parts of a phase that are worth a thread each (tileops_execute_part): 1
                                        for fewer than 65,536 elements; 0 for CUDA plans; of open plans
                                        tileops_plan_at has it */
  TILEOPS_PLAN_NUM_EXTENTS = 16      /* int32_t: open extents, none of which must equal another; 0 for other plans */
};

/* Reads a property. *size is the size of buf in bytes on entry and the size of the value on return;
 * buf NULL asks for the size alone. Errors: INVALID_ARGUMENT (plan, size NULL, unknown property),
 * BUFFER_TOO_SMALL. Since 0.1. */
TILEOPS_API tileops_status tileops_plan_query(const tileops_plan* plan, tileops_plan_prop prop, void* buf,
                                              size_t* size);

/* Open extent i of a plan: the first input and axis (from 0) that it stands at, and the most that it may be (INT64_MAX:
 * any). They are numbered as they stand in the inputs, axes from the left. Each pointer may be NULL.
 * Errors: INVALID_ARGUMENT (i is not less than TILEOPS_PLAN_NUM_EXTENTS). Since 0.1. */
TILEOPS_API tileops_status tileops_plan_extent(const tileops_plan* plan, size_t i, int32_t* input, int32_t* axis,
                                               int64_t* most);

/* What an execute is at given extents. */
typedef struct tileops_plan_facts {
  uint32_t struct_size;
  uint32_t phases; /* TILEOPS_PLAN_NUM_PASSES */
  uint32_t parts;  /* TILEOPS_PLAN_NUM_PARTS at these extents */
  uint32_t way;    /* which of the plan's ways: for another one passes have other kernels, made with the plan */
  uint64_t workspace_bytes; /* never less where no extent is less, so that those of a bound do for all below it */
  uint64_t bytes_moved;     /* TILEOPS_PLAN_BYTES_MOVED at these extents */
} tileops_plan_facts;
#define TILEOPS_PLAN_FACTS_INIT {sizeof(tileops_plan_facts), 0, 0, 0, 0, 0}

/* For num_extents extents in the plan's order; of a plan without open ones NULL and 0. Allocates nothing.
 * Errors: INVALID_ARGUMENT (num_extents, an extent out of range), VERSION. Since 0.1. */
TILEOPS_API tileops_status tileops_plan_at(const tileops_plan* plan, const int64_t* extents, size_t num_extents,
                                           tileops_plan_facts* out);

/* Dtype and shape that outputs[output] has for these extents. `shape` has room for TILEOPS_MAX_NDIM extents. Allocates
 * nothing. Errors: as tileops_plan_at, output out of range, or a pointer NULL. Since 0.1. */
TILEOPS_API tileops_status tileops_plan_result(const tileops_plan* plan, const int64_t* extents, size_t num_extents,
                                               size_t output, DLDataType* dtype, int32_t* ndim, int64_t* shape);

/* ------------------------------------------------------------------ expressions ----------- */

/* An expression is several operators at once, in one kernel and one pass over memory:
 *
 *   (g, u, r; scale = 1.0) -> silu(g) * u * scale + r
 *
 * operands, scalars after ";", and one result or several. docs/expressions.md has the language. A tileops_expr knows
 * no shapes and no device, never changes and may be shared by threads; plans are made of it as of an operator, with
 * tileops_plan_desc.expr. Values within it are not rounded; its results are, once.
 *
 * A scalar is an integer or a float, as its default in the text is written; its value may come with each execute
 * (tileops_execute_with), also as a number of the other kind: 2 for a float, 3.0 for an integer. It never makes a plan
 * or compiles anything. */

/* A number: a constant, a default, the value of a scalar. */
typedef int32_t tileops_number_kind;
enum { TILEOPS_NUMBER_DEFAULT = 0, TILEOPS_NUMBER_F64 = 1, TILEOPS_NUMBER_I64 = 2, TILEOPS_NUMBER_BOOL = 3 };
typedef struct tileops_number {
  tileops_number_kind kind; /* DEFAULT: the value that the expression gives, where there is one */
  int32_t reserved;
  union {
    double f64;
    int64_t i64; /* BOOL: 0 or 1 */
  } value;
} tileops_number;

static inline tileops_number tileops_number_f64(double value) {
  tileops_number n;
  n.kind = TILEOPS_NUMBER_F64;
  n.reserved = 0;
  n.value.f64 = value;
  return n;
}
static inline tileops_number tileops_number_i64(int64_t value) {
  tileops_number n;
  n.kind = TILEOPS_NUMBER_I64;
  n.reserved = 0;
  n.value.i64 = value;
  return n;
}
static inline tileops_number tileops_number_bool(int value) {
  tileops_number n;
  n.kind = TILEOPS_NUMBER_BOOL;
  n.reserved = 0;
  n.value.i64 = value != 0;
  return n;
}

/* Parses a text of `length` bytes, ASCII; it need not end with NUL. Release it with tileops_expr_destroy.
 * Errors: INVALID_ARGUMENT (NULL, a text that is wrong: the message says what, shows the line with a caret, and
 * tileops_last_error_offset() is the place), UNSUPPORTED (a function that is not there yet), OUT_OF_MEMORY.
 * Since 0.1. */
TILEOPS_API tileops_status tileops_expr_parse(const char* text, size_t length, tileops_expr** out);

/* Expressions that the library knows by name, one per row of tileops/expressions.def: what engines and trainers use,
 * and the gradients of activations. Prebuilt packs have their kernels. */
typedef struct tileops_named_expr_info {
  uint32_t struct_size; /* set by the caller */
  uint32_t reserved;
  const char* name; /* "silu_backward" */
  const char* text;
  const char* doc; /* one line */
} tileops_named_expr_info;
#define TILEOPS_NAMED_EXPR_INFO_INIT {sizeof(tileops_named_expr_info), 0, NULL, NULL, NULL}

/* Number of them; the i-th one (static storage). Errors: INVALID_ARGUMENT (info, or i out of range), VERSION.
 * Since 0.1. */
TILEOPS_API size_t tileops_expr_named_count(void);
TILEOPS_API tileops_status tileops_expr_named_at(size_t i, tileops_named_expr_info* info);

/* The expression of that name. Errors: INVALID_ARGUMENT (NULL, unknown name). Since 0.1. */
TILEOPS_API tileops_status tileops_expr_named(const char* name, tileops_expr** out);

/* Offset in bytes, into the text, of what the last failure on this thread is about; -1 if it is about no text.
 * Since 0.1. */
TILEOPS_API int32_t tileops_last_error_offset(void);

/* Adds a reference. Errors: INVALID_ARGUMENT (NULL, or a handle already destroyed). Since 0.1. */
TILEOPS_API tileops_status tileops_expr_retain(const tileops_expr* expr);

/* Drops one reference; NULL is ignored. Plans made of it stay usable. Since 0.1. */
TILEOPS_API void tileops_expr_destroy(const tileops_expr* expr);

typedef struct tileops_expr_operand_info {
  const char* name;
  int32_t optional; /* may be absent; then it is `default_value` */
  int32_t reserved;
  tileops_number default_value; /* of kind DEFAULT if there is none */
} tileops_expr_operand_info;

/* What an expression is. Pointers are valid as long as the expression. */
typedef struct tileops_expr_info {
  uint32_t struct_size;               /* set by the caller */
  int32_t num_operands, min_operands; /* trailing optional ones may be left off */
  int32_t num_scalars, num_results;
  int32_t num_nodes;                         /* functions computed for each element */
  int32_t num_host_nodes;                    /* functions of scalars, computed once an execute */
  int32_t num_listed_nodes;                  /* that tileops_expr_node tells: operands, scalars and constants as well */
  const tileops_expr_operand_info* operands; /* num_operands of them */
  const tileops_expr_operand_info* scalars;  /* num_scalars of them; all have a default */
  const char* const* results;                /* their names */
} tileops_expr_info;
#define TILEOPS_EXPR_INFO_INIT {sizeof(tileops_expr_info), 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL}

/* Fills *info. Errors: INVALID_ARGUMENT, VERSION. Since 0.1. */
TILEOPS_API tileops_status tileops_expr_describe(const tileops_expr* expr, tileops_expr_info* info);

/* The canonical text, NUL-terminated: parsed, it gives the same expression, and expressions that mean the same by the
 * same steps have the same one. *size as in tileops_plan_query. Errors: INVALID_ARGUMENT, BUFFER_TOO_SMALL.
 * Since 0.1. */
TILEOPS_API tileops_status tileops_expr_text(const tileops_expr* expr, char* buf, size_t* size);

/* An expression as a function for CUDA code of your own: the text of a header, NUL-terminated, that includes
 * tileops/device/cuda.h and nothing else and has a template `name<N>` over values in registers (docs/device.md).
 *   desc   as for tileops_plan_create, with an expression. Its dtypes are those of the function's parameters; of shapes
 * it matters which operands are one element, and how long a row is where rows are reduced. Outputs may be left out
 *          (num_outputs 0). With TILEOPS_PLAN_REPRODUCIBLE the function gives the bits of the CPU. No device is needed.
 *   name   of the function: an identifier of at most 64 characters that means nothing else in CUDA code
 * *size as in tileops_plan_query. The function takes the scalars that the expression uses, then for each operand an
 * array of N values (float32 and other dtypes that C++ has) or tileops::device::packed<dtype, N>, or one value, then a
 * result of each. Of rows, which neighbouring lanes of a warp may have together, it is `name<N, Lanes, Pack>`. Errors:
 * INVALID_ARGUMENT (as tileops_plan_create; name), UNSUPPORTED (what takes more than values in registers: several
 * passes, gathers, scatters, positions, parts of operands, groups, scans; numbers that the host computes of scalars; a
 * library without CUDA), BUFFER_TOO_SMALL, VERSION. Since 0.1. */
TILEOPS_API tileops_status tileops_plan_device_function(const tileops_plan_desc* desc, const char* name, char* buf,
                                                        size_t* size);

/* The gradient with respect to operands, an expression itself. It takes the operands and scalars of `expr`, then for
 * each result r an operand grad_r of its shape, and gives for each of the operands x a result grad_x of x's shape and
 * dtype: zeros where no result depends on x. A name that an operand, a scalar or an earlier gradient has is taken with
 * a number behind it, from 2 on: grad_x_2. Subgradients at ties and kinks are in docs/expressions.md.
 *   operands   indices into the operands of `expr`, num_operands of them, none twice
 * Where an operand was broadcast its gradient is a sum; that of an operand that is no float is refused when planned
 * (INVALID_ARGUMENT, naming it).
 * Errors: INVALID_ARGUMENT (an index out of range or given twice, a limit of expressions), UNSUPPORTED (a function that
 * has no derivative yet, parts of a value that is computed), OUT_OF_MEMORY. Since 0.1. */
TILEOPS_API tileops_status tileops_expr_gradient(const tileops_expr* expr, const int32_t* operands, size_t num_operands,
                                                 tileops_expr** out);

/* The other way to make an expression: call by call. A builder is used by one thread at a time. Its first error
 * sticks: calls after it return 0 and do nothing, and tileops_builder_finish tells it. */
typedef struct tileops_builder tileops_builder;
typedef int32_t tileops_node; /* a value in a builder, > 0; 0 after an error, and where a place is left empty */

/* Makes an empty builder. Errors: INVALID_ARGUMENT (out NULL), OUT_OF_MEMORY. Since 0.1. */
TILEOPS_API tileops_status tileops_builder_create(tileops_builder** out);

/* Frees a builder; NULL is ignored. Its expression stays. Since 0.1. */
TILEOPS_API void tileops_builder_destroy(tileops_builder* builder);

/* Adds an operand. `value` is what it is where it is absent; NULL: it may not be absent. Since 0.1. */
TILEOPS_API tileops_node tileops_build_operand(tileops_builder* builder, const char* name, const tileops_number* value);

/* Adds a scalar; its default says whether it is an integer or a float. Since 0.1. */
TILEOPS_API tileops_node tileops_build_scalar(tileops_builder* builder, const char* name, tileops_number value);

/* A constant. Since 0.1. */
TILEOPS_API tileops_node tileops_build_constant(tileops_builder* builder, tileops_number value);

/* Applies a function: an operator that maps elements, or one of tileops/functions.def.
 *   arguments   its values in order; then, as in a text, its attributes in the table's order. 0 leaves a place empty
 *   attrs       attributes by key: constants, choices. The dtype of TILEOPS_OP_CAST is TILEOPS_ATTR_DTYPE, a
 *               DLDataType as code * 256 + bits; or its second argument, an operand whose dtype is taken. The axes of
 *               rows are TILEOPS_ATTR_AXES, a set: bit k - 1 for axis -k, all bits for all; of a single axis also
 *               TILEOPS_ATTR_AXIS: -2. Groups are TILEOPS_ATTR_GROUP, 32 bits an axis, the low ones for the last
 * Since 0.1. */
TILEOPS_API tileops_node tileops_build_op(tileops_builder* builder, tileops_op op, const tileops_node* arguments,
                                          size_t num_arguments, const tileops_attr* attrs, size_t num_attrs);

/* Writes another expression out as a part of this one: same functions, same bits, its shapes with it.
 *   arguments   values for its operands, then numbers for its scalars, in order. 0, and what is left off at the end, is
 *               the default, which operands that are not optional do not have
 *   results     receives a node for each of its results (tileops_expr_info.num_results); zeros after an error
 * Since 0.1. */
TILEOPS_API void tileops_build_expr(tileops_builder* builder, const tileops_expr* expr, const tileops_node* arguments,
                                    size_t num_arguments, tileops_node* results);

/* Makes a node the next result. `name` NULL: y0, y1, ... Since 0.1. */
TILEOPS_API void tileops_build_result(tileops_builder* builder, tileops_node node, const char* name);

/* The finished expression. The builder can then only be destroyed. Errors: the first one that a call met, and
 * INVALID_ARGUMENT (no results, limits). Since 0.1. */
TILEOPS_API tileops_status tileops_builder_finish(tileops_builder* builder, tileops_expr** out);

/* What a node of an expression is. */
typedef int32_t tileops_node_kind;
enum { TILEOPS_NODE_OPERAND = 1, TILEOPS_NODE_SCALAR = 2, TILEOPS_NODE_CONSTANT = 3, TILEOPS_NODE_FUNCTION = 4 };

/* A node as a builder makes it. Pointers are valid as long as the expression. */
typedef struct tileops_node_info {
  uint32_t struct_size; /* set by the caller */
  tileops_node_kind kind;
  int32_t index;       /* of an operand or a scalar: which one */
  tileops_op function; /* of a function, with arguments and attrs as tileops_build_op takes them */
  int32_t on_host;     /* 1: a number, computed from scalars and constants once an execute, or one of these */
  int32_t offset;      /* its place in the text that was parsed; -1: it has none */
  int32_t num_arguments, num_attrs;
  tileops_number value;          /* of a constant */
  const tileops_node* arguments; /* nodes before this one; 0: a place that is left empty */
  const tileops_attr* attrs;     /* those that are not at their defaults */
} tileops_node_info;
#define TILEOPS_NODE_INFO_INIT \
  {sizeof(tileops_node_info), 0, 0, 0, 0, 0, 0, 0, {TILEOPS_NUMBER_DEFAULT, 0, {0}}, NULL, NULL}

/* Reads an expression node by node: 1 to tileops_expr_info.num_listed_nodes, each behind those that it takes, so that a
 * builder that is called for one after the other makes the same expression. What a text says of shapes is not among
 * them. Errors: INVALID_ARGUMENT (no such node), VERSION. Since 0.1. */
TILEOPS_API tileops_status tileops_expr_node(const tileops_expr* expr, tileops_node node, tileops_node_info* info);

/* The node that is result `i`; 0 if there is none (INVALID_ARGUMENT). Since 0.1. */
TILEOPS_API tileops_node tileops_expr_result(const tileops_expr* expr, size_t i);

/* Functions that an expression may have: operators and those of tileops/functions.def. Since 0.1. */
TILEOPS_API size_t tileops_function_count(void);
TILEOPS_API tileops_op tileops_function_at(size_t i);
TILEOPS_API tileops_op tileops_function_from_name(const char* name);

/* What a function is, as tileops_op_describe says it of operators. Errors: INVALID_ARGUMENT, VERSION. Since 0.1. */
TILEOPS_API tileops_status tileops_function_describe(tileops_op function, tileops_op_info* info);

/* ------------------------------------------------------------------ tuning ---------------- */

/* One measured candidate. */
typedef struct tileops_tune_progress {
  uint32_t struct_size;      /* set by the library */
  int32_t done, total;       /* candidates measured so far, this one included; and altogether */
  tileops_strategy strategy; /* of this candidate */
  int32_t threads, num_per_thread;
  double seconds;      /* of one execute; the first candidate is the library's own choice */
  double best_seconds; /* least so far */
} tileops_tune_progress;

/* Called after each candidate, on the thread that called tileops_tune. Return 0 to go on; any other
 * value stops tuning, and nothing is kept. */
typedef int32_t (*tileops_tune_fn)(void* user, const tileops_tune_progress* progress);

typedef struct tileops_tune_result {
  uint32_t struct_size;      /* set by the caller */
  tileops_strategy strategy; /* the fastest */
  int32_t threads, num_per_thread;
  double seconds;      /* of one execute: median over several runs */
  double auto_seconds; /* of what the library chooses by itself */
  int32_t candidates;  /* measured */
  int32_t reserved;
} tileops_tune_result;
#define TILEOPS_TUNE_RESULT_INIT {sizeof(tileops_tune_result), 0, 0, 0, 0, 0, 0, 0}

/* Measures the strategies that a plan could have on its device and keeps the fastest, which later
 * plans with TILEOPS_STRATEGY_AUTO take: of the same kernel (operator, dtypes, layout class) and a
 * size within the same power of two, in this context, and through the kernel cache on disk in later
 * processes. What is not 1 % faster than the library's own choice is not kept. Plans that exist stay
 * what they are; the context's plan cache is emptied.
 *   desc       as for tileops_plan_create; strategy must be TILEOPS_STRATEGY_AUTO
 *   progress   may be NULL
 *   out        may be NULL
 * Allocates device memory for the operands (up to eight times, so that small problems are not
 * measured in the device's cache alone) and uses a stream of its own. Takes seconds: kernels are
 * compiled. Not during a stream capture.
 * Errors: as tileops_plan_create; UNSUPPORTED for the CPU. Since 0.1. */
TILEOPS_API tileops_status tileops_tune(tileops_context* ctx, const tileops_plan_desc* desc, tileops_tune_fn progress,
                                        void* user, tileops_tune_result* out);

/* ------------------------------------------------------------------ execution ------------- */

/* Runs a plan. Each tensor is checked against the plan: device, dtype, shape, strides, alignment,
 * overlap. On CPU the result is there on return; on CUDA the work is enqueued on `stream`.
 *   inputs, outputs   as many, and in the order, as planned; NULL for absent optional inputs
 *   stream            a cudaStream_t (NULL: the legacy default stream); NULL for CPU plans
 * A 0-d input of a CUDA plan may lie in host memory; its value is read before the call returns.
 * No allocation (but of scratch, once for a thread: THREADS, 11), no lock, no synchronisation, no compilation; may be
 * captured into a CUDA graph, which may outlive the plan.
 * The caller's reference keeps the plan alive until the call returns. On CUDA the plan may be destroyed then, with the
 * work still under way. A thread that executes a plan while another one may drop the last reference to it needs a
 * reference of its own (tileops_plan_retain).
 * Errors: INVALID_ARGUMENT, DEVICE, OUT_OF_MEMORY (that scratch). Since 0.1. */
TILEOPS_API tileops_status tileops_execute(const tileops_plan* plan, const DLTensor* const* inputs, size_t num_inputs,
                                           DLTensor* const* outputs, size_t num_outputs, void* stream);

/* As tileops_execute with bare addresses of element 0 (byte_offset applied), in plan order, and no
 * checks of them but NULL: shapes, strides, alignment and overlap are the caller's promise. It takes no scalars, so
 * that those of an expression have the values that its text gives them, and no workspace: a plan that needs one is
 * refused, unless it keeps one of its own (tileops_context_options.keep_workspace). tileops_execute_with takes both,
 * with addresses as well.
 * Errors: INVALID_ARGUMENT (plan, or an address NULL for a tensor with elements), DEVICE.
 * Since 0.1. */
TILEOPS_API tileops_status tileops_execute_ptrs(const tileops_plan* plan, const void* const* inputs,
                                                void* const* outputs, void* stream);

/* What an execute takes, by name. */
typedef struct tileops_execute_args {
  uint32_t struct_size;
  uint32_t num_inputs, num_outputs, num_scalars;
  const DLTensor* const* inputs;
  DLTensor* const* outputs;
  const tileops_number* scalars; /* of the expression, in its order; those left off, or of kind DEFAULT, have the
                                    value that the text gives them */
  void* stream;
  void* workspace; /* at least TILEOPS_PLAN_WORKSPACE_BYTES on the plan's device, aligned to 64 bytes, apart from
                      all operands and results; what it holds before does not matter. Until the execute has ended
                      it belongs to that: executes at the same time need one each. NULL: the plan needs none, or
                      keeps one of its own (tileops_context_options.keep_workspace) */
  uint64_t workspace_bytes;
  const void* const* input_ptrs; /* with output_ptrs, instead of inputs and outputs: num_inputs and num_outputs bare
                                    addresses on the plan's device, unchecked as by tileops_execute_ptrs */
  void* const* output_ptrs;
  const int64_t* extents; /* of an open plan, in its order: with addresses TILEOPS_PLAN_NUM_EXTENTS of them; with
                             tensors, which say their extents themselves, NULL or what these must have */
  uint32_t num_extents, reserved; /* reserved: 0 */
} tileops_execute_args;
#define TILEOPS_EXECUTE_ARGS_INIT \
  {sizeof(tileops_execute_args), 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0, 0}

/* As tileops_execute, or as tileops_execute_ptrs where args has addresses, with a workspace and with scalars: what
 * comes with these is computed on the host, in f64 or i64, before the call returns, and handed to the kernel; a
 * captured graph keeps the values of the capture. Operators have no scalars. Errors: INVALID_ARGUMENT (also a scalar
 * that its type cannot have: for an integer a float that is none, such as 2.5, or is out of range; a bool; tensors and
 * addresses both), DEVICE. Since 0.1. */
TILEOPS_API tileops_status tileops_execute_with(const tileops_plan* plan, const tileops_execute_args* args);

/* A part of what tileops_execute_with does, on the calling thread, for programs that have threads of their own: no
 * thread of the library works, none is made, and results have the same bits. For CPU plans.
 *   phase   less than TILEOPS_PLAN_NUM_PASSES, which is 1 for most plans. All parts of a phase end before one of the
 *           next begins
 *   part    less than `parts`, which is the same for all parts of a phase. They run in any order, at once or one after
 *           the other; there may be more of them than threads. TILEOPS_PLAN_NUM_PARTS are worth a thread each. Where
 *           there is less work than parts, some do nothing
 *   args    the same for all parts; each part checks them. Parts share the workspace, also one that the plan keeps
 * All results are there when each part of each phase has run once, and not before. That it has is the caller's promise:
 * a part that is left out, or runs twice at the same time, is no error and leaves results undefined.
 *
 *   for (phase = 0; phase < phases; ++phase)
 *     your_pool(parts, [&](part) { tileops_execute_part(plan, &args, phase, part, parts); });
 *
 * Errors: as tileops_execute_with; INVALID_ARGUMENT (phase, part, parts), UNSUPPORTED (a CUDA plan). Since 0.1. */
TILEOPS_API tileops_status tileops_execute_part(const tileops_plan* plan, const tileops_execute_args* args,
                                                uint32_t phase, uint32_t part, uint32_t parts);

/* Executes a plan with TILEOPS_PLAN_LIST for many sets of tensors at once, such as all parameters of a model for an
 * optimiser's step. On CUDA that is as few launches as kernel parameters allow (with 32 KB of these and AdamW over
 * four tensors some 400 items a launch), and nothing has to lie in device memory for it; on the CPU threads share the
 * work of all items. Results have the bits of an execute of each item for itself.
 *   items   `count` of them, each as for tileops_execute_with: what differs from one to the next may be open extents,
 *           tensors and workspace. Stream and scalars are those of items[0]; others have the same pointers there, or
 *           NULL. A scalar that differs is an operand of one element. Items without elements are passed over. A
 *           workspace is each item's own, also where the context keeps one for executes
 * Items run in any order and at the same time: none may write what another one reads or writes, which is checked where
 * items have tensors, and the caller's promise where they have addresses. Items are read before the call returns. It
 * allocates host memory, some 500 bytes an item.
 * Errors: as tileops_execute_with, naming the item; INVALID_ARGUMENT (a plan without TILEOPS_PLAN_LIST; items that
 * overlap, or whose 0-d operands are some in host memory and some not). Since 0.1. */
TILEOPS_API tileops_status tileops_execute_list(const tileops_plan* plan, const tileops_execute_args* items,
                                                size_t count);

/* ------------------------------------------------------------------ memory and streams ---- */

/* Allocates a row-major tensor on a device (not kDLCUDAManaged), 64-byte aligned, contents undefined. Free it with
 * (*out)->deleter(*out). On CUDA the deleter waits for no stream: finish the work first.
 *   shape   ndim extents, >= 0
 * Errors: INVALID_ARGUMENT, UNSUPPORTED (dtype), NO_DEVICE, OUT_OF_MEMORY. Since 0.1. */
TILEOPS_API tileops_status tileops_tensor_alloc(tileops_context* ctx, DLDevice device, DLDataType dtype, int32_t ndim,
                                                const int64_t* shape, struct DLManagedTensorVersioned** out);

/* Copies src to dst: same shape and dtype, any devices and strides. On CUDA enqueued on `stream`
 * (copies from or to pageable CPU memory return when the CPU memory may be reused).
 *   stream   of dst's device; of src's where dst is in host memory; NULL between host memories.
 *            Between two GPUs: what src's device still writes to src must be ordered before `stream`
 *            (an event, or waiting); the copy is ordered within `stream` on both devices.
 * Where a side between two devices is strided, it is packed in memory of its device: then the call
 * returns when the copy is done, and cannot be captured.
 * Errors: INVALID_ARGUMENT (shape, dtype, overlap), NO_DEVICE, DEVICE. Since 0.1. */
TILEOPS_API tileops_status tileops_tensor_copy(tileops_context* ctx, const DLTensor* src, DLTensor* dst, void* stream);

/* Makes a stream on a CUDA device, which does not wait for the default one (NULL): what is copied on that must be
 * waited for. For the CPU device *out is NULL, which is its stream. Errors: INVALID_ARGUMENT (out NULL), NO_DEVICE,
 * DEVICE. Since 0.1. */
TILEOPS_API tileops_status tileops_stream_create(tileops_context* ctx, DLDevice device, void** out);

/* Destroys a stream of tileops_stream_create once its work is done; NULL is ignored. Since 0.1. */
TILEOPS_API tileops_status tileops_stream_destroy(tileops_context* ctx, DLDevice device, void* stream);

/* Waits for all work on a stream. Errors: NO_DEVICE, DEVICE, INVALID_ARGUMENT. Since 0.1. */
TILEOPS_API tileops_status tileops_stream_synchronize(tileops_context* ctx, DLDevice device, void* stream);

/* ------------------------------------------------------------------ caches ---------------- */

typedef struct tileops_cache_stats {
  uint32_t struct_size; /* set by the caller */
  uint32_t reserved;
  uint64_t plan_hits, plan_misses, plan_evictions, plan_entries;
  uint64_t kernel_memory_hits, kernel_pack_hits, kernel_disk_hits, kernel_compiles;
  uint64_t disk_bad_entries; /* entries found damaged and made anew */
  uint64_t tables_made;      /* tables of results on CUDA devices (tileops_plan_create) */
  uint64_t tables_refused;   /* plans that do without one, since the device has 256 */
  uint64_t device_bytes; /* memory of CUDA devices that the library holds, now and for all contexts: tables of results,
                            constants, and machine code by the size of its images */
} tileops_cache_stats;
#define TILEOPS_CACHE_STATS_INIT {sizeof(tileops_cache_stats), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* Counters of a context since its creation. Errors: INVALID_ARGUMENT, VERSION. Since 0.1. */
TILEOPS_API tileops_status tileops_cache_stats_get(tileops_context* ctx, tileops_cache_stats* out);

enum { TILEOPS_CACHE_PLANS = 1, TILEOPS_CACHE_DISK = 2 };

/* Empties caches: bits of TILEOPS_CACHE_PLANS (plans in use stay valid) and TILEOPS_CACHE_DISK.
 * Errors: INVALID_ARGUMENT (unknown bits), IO. Since 0.1. */
TILEOPS_API tileops_status tileops_cache_clear(tileops_context* ctx, uint32_t which);

/* Directory of the kernel cache, NUL-terminated; "" if there is none. *size as in
 * tileops_plan_query. Errors: INVALID_ARGUMENT, BUFFER_TOO_SMALL. Since 0.1. */
TILEOPS_API tileops_status tileops_cache_dir(tileops_context* ctx, char* buf, size_t* size);

/* ------------------------------------------------------------------ logging --------------- */

typedef int32_t tileops_log_level;
enum {
  TILEOPS_LOG_OFF = 0,
  TILEOPS_LOG_ERROR = 1,
  TILEOPS_LOG_WARN = 2,
  TILEOPS_LOG_INFO = 3, /* plans made, kernels chosen */
  TILEOPS_LOG_DEBUG = 4
};
typedef void (*tileops_log_fn)(void* user, tileops_log_level level, const char* message);

/* Sets the process-wide log. fn NULL writes to stderr, or to TILEOPS_LOG_FILE. The level at start
 * is TILEOPS_LOG (off, error, warn, info, debug; default warn). Nothing is ever logged inside a
 * successful execute. The old callback may still be running on other threads on return.
 * Errors: INVALID_ARGUMENT (level). Since 0.1. */
TILEOPS_API tileops_status tileops_log_set(tileops_log_fn fn, void* user, tileops_log_level level);

#ifdef __cplusplus
}
#endif

#endif
