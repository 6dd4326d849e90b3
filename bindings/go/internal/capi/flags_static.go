//go:build cgo && tileops_static && !tileops_customenv

package capi

// With the tag tileops_static the archive libtileops.a is linked, and what it needs. It is named by
// its file, since the linker takes the shared library for -ltileops wherever both are installed.
// pkg-config adds -ltileops all the same; by then nothing is left for it to resolve, and
// --as-needed drops it. Without an archive the linker says that it cannot find -l:libtileops.a.

// #cgo LDFLAGS: -l:libtileops.a -Wl,--as-needed
// #cgo pkg-config: --static tileops
import "C"
