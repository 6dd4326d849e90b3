//go:build cgo && go1.24

package capi

// What is called often keeps no pointer and never calls Go, which spares the runtime its provisions
// for both. Toolchains before 1.24 do not know the directives.

// #cgo noescape tileops_go_execute
// #cgo nocallback tileops_go_execute
// #cgo noescape tileops_go_execute_few
// #cgo nocallback tileops_go_execute_few
// #cgo noescape tileops_go_execute_unchecked
// #cgo nocallback tileops_go_execute_unchecked
// #cgo noescape tileops_go_call
// #cgo nocallback tileops_go_call
// #cgo noescape tileops_go_execute_with
// #cgo nocallback tileops_go_execute_with
// #cgo noescape tileops_go_execute_part
// #cgo nocallback tileops_go_execute_part
// #cgo noescape tileops_go_plan_at
// #cgo nocallback tileops_go_plan_at
// #cgo noescape tileops_go_execute_addresses
// #cgo nocallback tileops_go_execute_addresses
// #cgo noescape tileops_go_execute_list
// #cgo nocallback tileops_go_execute_list
// #cgo noescape tileops_go_execute_list_addresses
// #cgo nocallback tileops_go_execute_list_addresses
// #include "shim.h"
import "C"
