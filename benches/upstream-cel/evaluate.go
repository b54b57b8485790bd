package main

import (
	"context"
	"fmt"
	"reflect"
	"time"

	celgo "github.com/google/cel-go/cel"
	resourceapi "k8s.io/api/resource/v1"
	environmenttype "k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/utils/ptr"
)

// evaluationTimeout ends evaluations whose loops are cheap but endless.
const evaluationTimeout = 20 * time.Second

// answer is what came of an expression on a device.
type answer struct {
	// Outcome is one of match, noMatch, value, compileError, evaluationError,
	// panic, timeout.
	Outcome string `json:"outcome"`
	// Cost is the runtime cost, where the evaluation got as far as counting.
	Cost *uint64 `json:"cost,omitempty"`
	// Estimate is the largest cost that the static estimate allows for.
	Estimate *uint64 `json:"estimate,omitempty"`
	// EstimateError says why there is no estimate of what compiles.
	EstimateError string `json:"estimateError,omitempty"`
	Error         string `json:"error,omitempty"`
	// Value is that of a derived attribute.
	Value *resourceapi.DeviceAttribute `json:"value,omitempty"`
	// Alternatives are further answers that repetitions gave.
	Alternatives []answer `json:"alternatives,omitempty"`
}

// same says whether two answers differ in no more than the text of errors.
func (a answer) same(b answer) bool {
	a.Error, b.Error = "", ""
	return reflect.DeepEqual(a, b)
}

// evaluateRepeatedly returns the first answer, with the others that were seen.
func evaluateRepeatedly(l line, device cel.Device, environment environmentOptions, repeat int) answer {
	first := evaluate(l, device, environment)
	var others []answer
search:
	for range repeat - 1 {
		next := evaluate(l, device, environment)
		if next.same(first) {
			continue
		}
		for _, other := range others {
			if next.same(other) {
				continue search
			}
		}
		others = append(others, next)
	}
	first.Alternatives = others
	return first
}

// compile compiles an expression; a panic comes back as text.
func compile(expression string, features cel.Features, options cel.Options) (result cel.CompilationResult, crash string) {
	defer func() {
		if cause := recover(); cause != nil {
			crash = fmt.Sprint("panic: ", cause)
		}
	}()
	return cel.GetCompiler(features).CompileCELExpression(expression, options), ""
}

// options asks for derived attributes where this version of the package has them.
func (l line) options(environment environmentOptions, estimate bool) cel.Options {
	result := cel.Options{CostLimit: l.CostLimit, DisableCostEstimation: !estimate}
	if field := reflect.ValueOf(&result).Elem().FieldByName("DerivedAttribute"); environment.derived && field.IsValid() {
		field.SetBool(true)
	}
	if environment.isNew {
		result.EnvType = ptr.To(environmenttype.NewExpressions)
	}
	return result
}

func evaluate(l line, device cel.Device, environment environmentOptions) answer {
	var found answer
	// The scheduler asks for no estimate, so its failure fails nothing else.
	result, crash := compile(l.Expression, environment.enabled(), l.options(environment, true))
	switch {
	case crash != "":
		found.EstimateError = crash
		result, crash = compile(l.Expression, environment.enabled(), l.options(environment, false))
	case result.Error != nil && result.Program != nil:
		found.EstimateError = result.Error.Error()
		result.Error = nil
	case result.Error == nil:
		found.Estimate = &result.MaxCost
	}
	if crash != "" {
		return answer{Outcome: "panic", Error: crash}
	}
	if result.Error != nil {
		return answer{Outcome: "compileError", Error: result.Error.Error()}
	}
	found.run(result, device, environment.derived)
	return found
}

// deriver is what versions with derived attributes implement.
type deriver interface {
	EvaluateDerivedAttribute(context.Context, cel.Device) (*resourceapi.DeviceAttribute, *celgo.EvalDetails, error)
}

// run evaluates a compiled expression and fills in the answer.
func (a *answer) run(result cel.CompilationResult, device cel.Device, derived bool) {
	defer func() {
		if cause := recover(); cause != nil {
			a.Outcome, a.Error, a.Cost = "panic", fmt.Sprint("panic: ", cause), nil
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), evaluationTimeout)
	defer cancel()
	var details *celgo.EvalDetails
	var matches bool
	var err error
	if derived {
		attributes, ok := any(result).(deriver)
		if !ok {
			a.Outcome, a.Error = "compileError", "no derived attributes in this version"
			return
		}
		a.Value, details, err = attributes.EvaluateDerivedAttribute(ctx, device)
	} else {
		matches, details, err = result.DeviceMatches(ctx, device)
	}
	if details != nil {
		a.Cost = details.ActualCost()
	}
	switch {
	case err != nil && ctx.Err() != nil:
		a.Outcome, a.Error = "timeout", err.Error()
	case err != nil:
		a.Outcome, a.Error = "evaluationError", err.Error()
	case derived:
		a.Outcome = "value"
	case matches:
		a.Outcome = "match"
	default:
		a.Outcome = "noMatch"
	}
}
