//go:build go1.24

package owner

import "runtime"

func onUnreachable(o *Owner, s *state) { runtime.AddCleanup(o, (*state).collect, s) }

// forget leaves the cleanup to find the handle closed; it holds up nothing.
func forget(*Owner) {}
