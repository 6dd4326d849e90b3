package tileops

import (
	"encoding/binary"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// LogLevel says what the library logs.
type LogLevel int32

// Levels of the log; at the start it is TILEOPS_LOG, else LogWarn.
const (
	LogOff LogLevel = iota
	LogError
	LogWarn
	LogInfo // plans made, kernels chosen
	LogDebug
)

var (
	logMutex  sync.Mutex
	logReader *os.File
	logSink   atomic.Pointer[func(LogLevel, string)]
)

// SetLog sets the log of the process: its level, and what is called with each line; nil for stderr
// or TILEOPS_LOG_FILE. f runs in a goroutine of its own, some time after the line was logged, and
// may call anything. Lines are cut at 500 bytes, and dropped while f does not keep up.
func SetLog(level LogLevel, f func(level LogLevel, message string)) error {
	if err := ready(); err != nil {
		return err
	}
	logMutex.Lock()
	defer logMutex.Unlock()
	if f == nil {
		return failed("", capi.SetLog(int32(level), false))
	}
	if logReader == nil {
		end := capi.LogOpen()
		if end < 0 {
			return invalid("SetLog", "f", -1, "no pipe could be made for it")
		}
		logReader = os.NewFile(uintptr(end), "tileops log")
		go readLog(logReader)
	}
	logSink.Store(&f)
	return failed("", capi.SetLog(int32(level), true))
}

// readLog hands over the records of log.c.
func readLog(r io.Reader) {
	var header [8]byte
	for {
		if _, err := io.ReadFull(r, header[:]); err != nil {
			return // the pipe stays open as long as the process lives
		}
		text := make([]byte, binary.NativeEndian.Uint32(header[4:]))
		if _, err := io.ReadFull(r, text); err != nil {
			return
		}
		(*logSink.Load())(LogLevel(binary.NativeEndian.Uint32(header[:])), string(text))
	}
}
