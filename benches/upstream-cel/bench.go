package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/dynamic-resource-allocation/cel"
)

// roundTime is how long one round of a measurement takes, about.
const roundTime = 100 * time.Millisecond

// measured is how long an expression takes to compile and to evaluate.
type measured struct {
	Name       string `json:"name"`
	CompileNs  int64  `json:"compileNs"`
	EvaluateNs int64  `json:"evaluateNs"`
}

// bench measures an expression on a device.
//
// Compilation is that of the scheduler's cache when it misses: no estimate of
// costs. Evaluation is DeviceMatches, which converts the device each time.
func bench(l line, device cel.Device, rounds int) (measured, error) {
	compiler := cel.GetCompiler(environmentOptions{}.enabled())
	options := cel.Options{DisableCostEstimation: true}
	result := compiler.CompileCELExpression(l.Expression, options)
	if result.Error != nil {
		return measured{}, fmt.Errorf("`%s`: %w", l.Name, result.Error)
	}
	ctx := context.Background()
	if _, _, err := result.DeviceMatches(ctx, device); err != nil {
		return measured{}, fmt.Errorf("`%s`: %w", l.Name, err)
	}
	return measured{
		Name:      l.Name,
		CompileNs: median(rounds, func() { compiler.CompileCELExpression(l.Expression, options) }),
		EvaluateNs: median(rounds, func() {
			_, _, _ = result.DeviceMatches(ctx, device)
		}),
	}, nil
}

// median returns the time of one call in nanoseconds: the median of the rounds,
// each the mean of as many calls as fill its time. A round that warms up is not
// counted.
func median(rounds int, call func()) int64 {
	calls := 1
	for {
		if took := round(calls, call); took >= roundTime/4 {
			calls = max(1, int(float64(calls)*float64(roundTime)/float64(took)))
			break
		}
		calls *= 2
	}
	times := make([]int64, max(rounds, 1))
	for i := range times {
		times[i] = round(calls, call).Nanoseconds() / int64(calls)
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// round returns how long so many calls take.
func round(calls int, call func()) time.Duration {
	start := time.Now()
	for range calls {
		call()
	}
	return time.Since(start)
}
