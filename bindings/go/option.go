package tileops

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// Option is an attribute of an operator (WithAlpha, ...), a property of a plan (WithReproducible,
// ...), or says where a call runs ([WithContext], [WithStream]).
type Option struct {
	kind optionKind
	attr capi.Attr
	flag uint32
	ctx  *Context
	name string // of an attribute that is looked up in the operator's table
	text string // and the name of its choice, or what is wrong with its value
}

type optionKind uint8

const (
	attrOption optionKind = iota + 1
	namedOption
	choiceOption
	wrongOption // an attribute with a value that there cannot be
	invalidOption
	flagOption
	contextOption
	streamOption
)

// isAttr says whether it is an attribute, rather than something of a plan or a call.
func (o *Option) isAttr() bool { return o.kind >= attrOption && o.kind <= invalidOption }

func floatAttr(key int32, v float64) Option {
	attr := capi.Attr{Key: key, Kind: capi.AttrFloat, Bits: math.Float64bits(v)}
	return Option{kind: attrOption, attr: attr}
}

func intAttr(key int32, v int64) Option {
	attr := capi.Attr{Key: key, Kind: capi.AttrInt, Bits: uint64(v)}
	return Option{kind: attrOption, attr: attr}
}

func boolAttr(key int32, v bool) Option {
	if v {
		return intAttr(key, 1)
	}
	return intAttr(key, 0)
}

// WithAttr sets an attribute by name. The value is an integer of any type up to that of int64, a
// float, a bool for 0 and 1, or the name of a choice.
func WithAttr(name string, value any) Option {
	o := Option{kind: namedOption, name: name}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.String:
		o.kind, o.text = choiceOption, v.String()
	case reflect.Bool:
		o.attr = boolAttr(0, v.Bool()).attr
	case reflect.Float32, reflect.Float64:
		o.attr = floatAttr(0, v.Float()).attr
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		o.attr = intAttr(0, v.Int()).attr
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if o.attr = intAttr(0, int64(v.Uint())).attr; v.Uint() > math.MaxInt64 {
			o.kind, o.text = invalidOption, fmt.Sprintf("too large (got %d, need at most %d)", v.Uint(), math.MaxInt64)
		}
	default:
		o.kind = invalidOption
		o.text = fmt.Sprintf("no attribute's type (got %T, need an integer, a float, a bool or a string)", value)
	}
	return o
}

// WithReproducible asks for float32 and float64 results with the same bits on the CPU and on CUDA.
func WithReproducible() Option { return Option{kind: flagOption, flag: 1} }

// WithoutJIT makes planning fail rather than compile a kernel at run time.
func WithoutJIT() Option { return Option{kind: flagOption, flag: 2} }

// WithoutPlanCache neither looks for the plan among those that were made before nor keeps it.
func WithoutPlanCache() Option { return Option{kind: flagOption, flag: planNoCache} }

const planNoCache = 4 // TILEOPS_PLAN_NO_CACHE

// WithList makes a plan one for [Plan.ExecuteList].
func WithList() Option { return Option{kind: flagOption, flag: 16} }

// WithContext makes a call use ctx rather than [Default]. Methods of a context ignore it.
func WithContext(ctx *Context) Option { return Option{kind: contextOption, ctx: ctx} }

// WithStream makes a call enqueue its work on a stream. The making of plans ignores it.
func WithStream(s Stream) Option {
	return Option{kind: streamOption, attr: capi.Attr{Bits: uint64(s)}}
}

// request is what options say together.
type request struct {
	capi.Request
	expr   uint64 // of an expression, which stands instead of an operator; else 0
	ctx    *Context
	stream Stream
}

func (q *request) add(op Op, i int, attr capi.Attr) error {
	if q.NumAttrs == capi.MaxAttrs {
		return q.wrong(op, i, "too many attributes (need at most %d)", capi.MaxAttrs)
	}
	q.Attrs[q.NumAttrs] = attr
	q.NumAttrs++
	return nil
}

func (q *request) read(op Op, options []Option) error {
	q.Op = int32(op)
	for i := range options {
		switch o := &options[i]; o.kind {
		case attrOption:
			if err := q.add(op, i, o.attr); err != nil {
				return err
			}
		case namedOption, choiceOption, invalidOption:
			attr, err := lookUp(op, i, o)
			if err != nil {
				return err
			}
			if err := q.add(op, i, attr); err != nil {
				return err
			}
		case wrongOption:
			return q.wrong(op, i, "%s", o.text)
		case flagOption:
			q.Flags |= o.flag
		case contextOption:
			q.ctx = o.ctx
		case streamOption:
			q.stream = Stream(o.attr.Bits)
		default:
			return q.wrong(op, i, "the zero Option")
		}
	}
	return nil
}

// readPlan reads the options of an expression, which has no attributes.
func (q *request) readPlan(function string, options []Option) error {
	for i := range options {
		if o := &options[i]; o.kind == 0 || o.isAttr() {
			return invalid(function, "options", i, "an attribute, which only operators have, or the zero Option")
		}
	}
	return q.read(0, options)
}

func (*request) wrong(op Op, i int, format string, args ...any) error {
	err := invalid("Option", "options", i, format, args...)
	err.Op = op.String()
	return err
}

// lookUp finds the key of a named attribute, and the index of a choice.
func lookUp(op Op, i int, o *Option) (capi.Attr, error) {
	var q *request
	info, err := op.Info()
	if err != nil {
		return capi.Attr{}, err
	}
	for _, a := range info.Attrs {
		if a.Name != o.name {
			continue
		}
		attr := o.attr
		attr.Key = a.key
		switch o.kind {
		case invalidOption:
			return attr, q.wrong(op, i, "%s: %s", a.Name, o.text)
		case choiceOption:
			if a.Choices == nil {
				return attr, q.wrong(op, i, "%s: not a number (got %q)", a.Name, o.text)
			}
			choice := slices.Index(a.Choices, o.text)
			if choice < 0 {
				return attr, q.wrong(op, i, "%s: no such choice (got %q, need one of %s)", a.Name, o.text,
					strings.Join(a.Choices, ", "))
			}
			attr.Kind, attr.Bits = capi.AttrInt, uint64(choice)
		}
		return attr, nil
	}
	return capi.Attr{}, q.wrong(op, i, "no such attribute (got %q)", o.name)
}
