//go:build !cgo && !tileops_nocgo

package capi

// This package needs cgo: a build without it, as cross builds are by default, stops here and not in
// front of a user. The remedy is in the name: CGO_ENABLED=1 and a C compiler for the target in CC.
// A program that can do without the library builds with the tag tileops_nocgo; each call then fails
// with ErrNoCgo.
var _ = tileops_needs_cgo__set_CGO_ENABLED_1_and_CC
