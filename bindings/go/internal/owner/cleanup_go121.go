//go:build !go1.24

package owner

import "runtime"

func onUnreachable(o *Owner, s *state) {
	runtime.SetFinalizer(o, func(*Owner) { s.collect() })
}

func forget(o *Owner) { runtime.SetFinalizer(o, nil) }
