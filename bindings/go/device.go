package tileops

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// DeviceType is a kind of memory, with the values of DLPack.
type DeviceType int32

// The kinds of memory that the library knows.
const (
	DeviceCPU  DeviceType = 1
	DeviceCUDA DeviceType = 2
)

// Device is where a tensor's memory is.
type Device struct {
	Type  DeviceType
	Index int
}

// CPU is the device of host memory.
func CPU() Device { return Device{DeviceCPU, 0} }

// CUDA is the CUDA device of that index.
func CUDA(index int) Device { return Device{DeviceCUDA, index} }

// check refuses an index that the library's 32 bits would wrap to another device.
func (d Device) check(function string) error {
	if int(int32(d.Index)) == d.Index {
		return nil
	}
	err := invalid(function, "device", -1, "no such device (got %v, need an index of at most %d)", d, math.MaxInt32)
	err.Status = StatusNoDevice
	return err
}

// ParseDevice reads "cpu", "cuda" and "cuda:1".
func ParseDevice(text string) (Device, error) {
	kind, index, indexed := strings.Cut(text, ":")
	d := Device{DeviceCPU, 0}
	if kind == "cuda" {
		d.Type = DeviceCUDA
	} else if kind != "cpu" {
		return Device{}, invalid("ParseDevice", "text", -1, "no device (got %q, need cpu or cuda:N)", text)
	}
	if indexed {
		n, err := strconv.ParseUint(index, 10, 31)
		if err != nil {
			return Device{}, invalid("ParseDevice", "text", -1, "no index (got %q, need cuda:N)", text)
		}
		d.Index = int(n)
	}
	return d, nil
}

// String is "cpu" or "cuda:N".
func (d Device) String() string {
	switch {
	case d.Type == DeviceCPU && d.Index == 0:
		return "cpu"
	case d.Type == DeviceCPU:
		return fmt.Sprintf("cpu:%d", d.Index)
	case d.Type == DeviceCUDA:
		return fmt.Sprintf("cuda:%d", d.Index)
	}
	return fmt.Sprintf("device(%d, %d)", d.Type, d.Index)
}

// DeviceInfo describes a device that plans can be made for.
type DeviceInfo struct {
	Device      Device
	Name        string // product name
	Arch        string // such as "avx512" or "sm_90"
	MemoryBytes uint64
	Units       int // CPU threads or GPU multiprocessors
}

// Devices lists the CPU and then the CUDA devices.
func Devices() ([]DeviceInfo, error) {
	if err := ready(); err != nil {
		return nil, err
	}
	var list []DeviceInfo
	for i := 0; i < capi.DeviceCount(); i++ {
		d, f := capi.DeviceDescribe(i)
		if f != nil {
			return nil, failed("", f)
		}
		list = append(list, DeviceInfo{Device{DeviceType(d.Type), int(d.ID)}, d.Name, d.Arch,
			d.MemoryBytes, d.Units})
	}
	return list, nil
}

// Stream is the value of a cudaStream_t or CUstream, from this package or from any other: work on
// it runs in order. 0 is the legacy default stream, and the only stream of the CPU. Packages that
// have a stream as an integer convert it (Stream(s)); those that have a pointer go through uintptr.
type Stream uintptr
