package tileops

import (
	"github.com/libtileops/libtileops/bindings/go/internal/capi"
	"github.com/libtileops/libtileops/bindings/go/internal/owner"
)

// OwnedStream is a stream that this package made. Its methods may be called from any goroutine.
type OwnedStream struct {
	device Device
	stream Stream
	owner  *owner.Owner
}

// NewStream makes a stream on a device; that of the CPU is 0.
func (c *Context) NewStream(d Device) (*OwnedStream, error) {
	if err := d.check("Context.NewStream"); err != nil {
		return nil, err
	}
	if err := c.acquire("Context.NewStream"); err != nil {
		return nil, err
	}
	defer c.release()
	handle, f := capi.StreamCreate(c.handle, int32(d.Type), int32(d.Index))
	if f != nil {
		return nil, failed("", f)
	}
	// The default context destroys it: this one may be closed first.
	free := func() { capi.StreamDestroy(nil, int32(d.Type), int32(d.Index), handle) }
	return &OwnedStream{d, Stream(handle), owner.New(owner.Stream, free)}, nil
}

// Stream is the value to execute on, 0 of nil. It is no good after Close.
func (s *OwnedStream) Stream() Stream {
	if s == nil {
		return 0
	}
	return s.stream
}

// Synchronize waits for all work on the stream.
func (s *OwnedStream) Synchronize() error {
	if s == nil || !s.owner.Acquire() {
		return closedError("OwnedStream.Synchronize", "stream", -1)
	}
	defer s.owner.Release()
	return synchronize(nil, s.device, s.stream)
}

// Close destroys the stream once its work is done.
func (s *OwnedStream) Close() error {
	if s == nil || !s.owner.Close() {
		return closedError("OwnedStream.Close", "stream", -1)
	}
	return nil
}

// Synchronize waits for all work on a stream of a device, whoever made it.
func (c *Context) Synchronize(d Device, s Stream) error {
	if err := d.check("Context.Synchronize"); err != nil {
		return err
	}
	if err := c.acquire("Context.Synchronize"); err != nil {
		return err
	}
	defer c.release()
	return synchronize(c.handle, d, s)
}

func synchronize(handle capi.Context, d Device, s Stream) error {
	return failed("", capi.StreamSynchronize(handle, int32(d.Type), int32(d.Index), uintptr(s)))
}
