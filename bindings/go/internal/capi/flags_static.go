//go:build cgo && tileops_static && !tileops_customenv

package capi

// With the tag tileops_static a libtileops.a is linked, and what it needs.

// #cgo pkg-config: --static tileops
import "C"
