package tileops_test

import (
	"strings"
	"testing"
	"time"

	"github.com/libtileops/libtileops/bindings/go"
)

// Lines of the log arrive in Go, and the function that gets them may call the library.
func TestLog(t *testing.T) {
	lines := make(chan string, 1000)
	err := tileops.SetLog(tileops.LogInfo, func(level tileops.LogLevel, message string) {
		if level < tileops.LogError || level > tileops.LogDebug {
			t.Errorf("level %d of %q", level, message)
		}
		if err := tileops.Exp(zeros(1), zeros(1)); err != nil {
			t.Error(err)
		}
		select {
		case lines <- message:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	inGoroutines(4, func(i int) {
		plan := tileops.Must(tileops.NewPlan(tileops.OpSelu, tensors{zeros(i)}, tensors{zeros(i)},
			tileops.WithoutPlanCache()))
		plan.Close()
	})
	if err := tileops.SetLog(tileops.LogWarn, nil); err != nil {
		t.Error(err)
	}
	late := time.After(10 * time.Second)
	for {
		select {
		case line := <-lines:
			if strings.Contains(line, "selu") {
				return
			}
		case <-late:
			t.Fatal("no line about selu in the log")
		}
	}
}
