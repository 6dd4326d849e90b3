//go:build cgo && tileops_customenv

package capi

// With the tag tileops_customenv the flags are CGO_CFLAGS and CGO_LDFLAGS alone: for cross builds
// and for machines without pkg-config.
