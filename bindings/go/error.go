package tileops

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// Status says what kind of failure an [Error] is. Each is an error of its own, for [errors.Is]:
//
//	if errors.Is(err, tileops.StatusUnsupported) { ... }
type Status int32

// Error is the name of the status in C, such as "TILEOPS_STATUS_DEVICE".
func (s Status) Error() string { return s.String() }

// Further causes that [errors.Is] finds in an [Error].
var (
	// ErrClosed is the cause where a plan, context, tensor or stream was closed, or never made.
	ErrClosed = errors.New("closed")
	// ErrNoCgo is the cause of every failure in a program that was built without cgo, which takes
	// the tag tileops_nocgo.
	ErrNoCgo = errors.New("built without cgo")
	// ErrVersion is the cause where the library that was loaded does not fit the header that the
	// program was compiled with.
	ErrVersion = errors.New("library and header do not fit")
)

// Error is a failure of the library or of this package. Its text is that of the library, which
// names the argument, what it got and what it needs.
type Error struct {
	Status      Status
	Op          string // the operator, such as "add", or ""
	Func        string // the function of the C API, or of this package, that failed
	Argument    string // the argument it names, such as "inputs", or ""
	Index       int    // index into that argument, or -1
	Offset      int    // bytes into the text of an [Expr], the place that it is about, or -1
	DriverError int    // CUresult, nvrtcResult or errno behind a failure, or 0
	Message     string // the text, with the names of function and argument
	cause       error
}

// Error is "tileops: <op>: <message>".
func (e *Error) Error() string {
	text := "tileops: "
	if e.Op != "" {
		text += e.Op + ": "
	}
	text += e.Message
	if e.DriverError != 0 {
		text += fmt.Sprintf(" [driver error %d]", e.DriverError)
	}
	return text
}

// Unwrap gives the status and the cause to [errors.Is].
func (e *Error) Unwrap() []error {
	if e.cause != nil {
		return []error{e.Status, e.cause}
	}
	return []error{e.Status}
}

// Messages are "<function>: <argument>[<index>]: <what>"; some name no argument, and finish names the call that failed.
var messageForm = regexp.MustCompile(`^(?:tileops_builder_finish: )?(tileops\w*): (?:([a-z_]+)(?:\[(\d+)\])?: )?`)

// failed makes an error of a failure of the C library; nil of nil.
func failed(op string, f *capi.Failure) error {
	if f == nil {
		return nil
	}
	e := &Error{Status: Status(f.Status), Op: op, Index: -1, Offset: int(f.Offset),
		DriverError: int(f.DriverError), Message: f.Message}
	if f.Status == capi.NoCgo {
		e.Status, e.cause = StatusUnsupported, ErrNoCgo
	}
	if m := messageForm.FindStringSubmatch(f.Message); m != nil {
		e.Func, e.Argument = m[1], m[2]
		if i, err := strconv.Atoi(m[3]); err == nil {
			e.Index = i
		}
	}
	return e
}

// invalid makes an error of this package itself, in the library's form.
func invalid(function, argument string, index int, format string, args ...any) *Error {
	where := argument
	if index >= 0 {
		where = fmt.Sprintf("%s[%d]", argument, index)
	}
	return &Error{Status: StatusInvalidArgument, Func: "tileops." + function, Argument: argument,
		Index: index, Offset: -1, Message: fmt.Sprintf("tileops.%s: %s: %s", function, where, fmt.Sprintf(format, args...))}
}

func closedError(function, argument string, index int) *Error {
	e := invalid(function, argument, index, "closed, or not made by this package")
	e.cause = ErrClosed
	return e
}

func withoutMemory(function string) error {
	return invalid(function, "tensor", -1, "a Spec, which has no memory")
}

// Must gives v, or panics if err is not nil; for programs and tests that build tensors of shapes
// they know:
//
//	y := tileops.Must(tileops.Of(out, 2, 3))
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
