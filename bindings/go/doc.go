// Package tileops has tensor operators, fused expressions and row reductions on CPU and CUDA memory. It calls
// libtileops, a C library, through cgo.
//
// Tensors are shapes over memory: [Of] borrows a slice, [View] some of its elements by strides,
// [FromPointer] memory of a device. Nothing is copied. Each operator is a function, outputs first,
// as with copy:
//
//	a := tileops.Must(tileops.Of([]float32{1, 2, 3}))
//	y := tileops.Must(tileops.Of(make([]float32, 3)))
//	err := tileops.Gelu(y, a, tileops.WithApproximate(tileops.ApproximateTanh))
//
// Such a call looks its plan up in the context. A [Plan] is the same with the look-up done once:
// [NewPlan] checks and prepares, [Plan.Execute] only runs. [Call] runs an operator by its name.
//
// Several operators at once, in one pass over memory, are an [Expr]: a text such as
// "(g, u, r) -> silu(g) * u + r" for [ParseExpr], or built call by call with a [Builder]. [Expr.Call] runs one,
// [Expr.NewPlan] makes a plan of it.
//
// One plan does for any batch where extents of a [Spec] are [Open] or [UpTo]: each execute brings them.
//
// # Errors
//
// Every failure is an [*Error] with a [Status] and the argument it is about; [errors.Is] finds the
// status, [ErrClosed], [ErrVersion] and [ErrNoCgo].
//
// # Goroutines
//
// All functions and methods may be called from any goroutine at any time, Close too: it takes
// effect when the last call that uses the handle returns. What is not closed is freed some time
// after it became unreachable.
//
// # Streams
//
// On CUDA a call enqueues its work on a [Stream] and returns. Memory of a device must stay until
// that work is done; memory of Go is never left to work that goes on.
package tileops
