//go:build cgo && !tileops_static && !tileops_customenv

package capi

// #cgo pkg-config: tileops
import "C"
