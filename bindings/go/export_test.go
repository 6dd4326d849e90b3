package tileops

import (
	"time"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// What the tests, which are outside of the package, see of its inside.

// CheckVersion is what stands before every context.
var CheckVersion = checkVersion

// TimeAdd is the time of C alone.
func (p *Plan) TimeAdd(n, repeats int) time.Duration { return capi.TimeAdd(p.handle, n, repeats) }
