// Command golden prints what Kubernetes makes of quantity texts, one JSON
// object a line.
//
//	go run . >../quantities.jsonl          the built-in inputs
//	go run . -sums >../sums.jsonl          sums and differences of pairs
//	go run . - <inputs                     one text a line from standard input
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"

	"k8s.io/apimachinery/pkg/api/resource"
)

// record is what upstream says about one text.
type record struct {
	Input     string `json:"input"`
	Error     string `json:"error,omitempty"`
	Format    string `json:"format,omitempty"`
	Canonical string `json:"canonical,omitempty"`
	Stored    string `json:"stored,omitempty"`
	Value     int64  `json:"value"`
	Milli     int64  `json:"milli"`
	Sign      int    `json:"sign"`
	Nanos     string `json:"nanos,omitempty"`
	Integer   *int64 `json:"integer"`
	Float     string `json:"float,omitempty"`
}

// sum is what upstream says about two texts.
type sum struct {
	Left       string `json:"left"`
	Right      string `json:"right"`
	Compare    int    `json:"compare"`
	Sum        record `json:"sum"`
	Difference record `json:"difference"`
}

func describe(input string, q resource.Quantity) record {
	number, suffix := q.CanonicalizeBytes(nil)
	r := record{
		Input:     input,
		Format:    string(q.Format),
		Canonical: string(number) + string(suffix),
		Stored:    q.String(),
		Value:     q.Value(),
		Milli:     q.MilliValue(),
		Sign:      q.Sign(),
		Nanos:     nanos(q),
		Float:     fmt.Sprintf("%016x", math.Float64bits(q.AsApproximateFloat64())),
	}
	if integer, ok := q.AsInt64(); ok {
		r.Integer = &integer
	}
	return r
}

// nanos returns the exact count of nano units, or nothing for exponents no
// one wants to write out.
func nanos(q resource.Quantity) string {
	dec := q.DeepCopy()
	d := dec.AsDec()
	shift := 9 - int64(d.Scale())
	if shift > 3000 || shift < -3000 {
		if q.IsZero() {
			return "0"
		}
		return ""
	}
	result := new(big.Int).Set(d.UnscaledBig())
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(shift, -shift)), nil)
	if shift >= 0 {
		return result.Mul(result, ten).String()
	}
	quotient, rest := new(big.Int).QuoRem(result, ten, new(big.Int))
	if rest.Sign() != 0 {
		panic("finer than nano: " + q.String())
	}
	return quotient.String()
}

func parse(input string) record {
	q, err := resource.ParseQuantity(input)
	switch {
	case errors.Is(err, resource.ErrFormatWrong):
		return record{Input: input, Error: "format"}
	case errors.Is(err, resource.ErrNumeric):
		return record{Input: input, Error: "number"}
	case errors.Is(err, resource.ErrSuffix):
		return record{Input: input, Error: "suffix"}
	}
	return describe(input, q)
}

func pair(left, right string) sum {
	result := sum{Left: left, Right: right}
	a, b := resource.MustParse(left), resource.MustParse(right)
	result.Compare = a.Cmp(b)
	total := a.DeepCopy()
	total.Add(b)
	result.Sum = describe(left+" + "+right, total)
	rest := a.DeepCopy()
	rest.Sub(b)
	result.Difference = describe(left+" - "+right, rest)
	return result
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	emit := func(value any) {
		if err := encoder.Encode(value); err != nil {
			panic(err)
		}
	}
	switch {
	case len(os.Args) > 1 && os.Args[1] == "-":
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			emit(parse(lines.Text()))
		}
	case len(os.Args) > 1 && os.Args[1] == "-sums":
		for _, left := range operands {
			for _, right := range operands {
				emit(pair(left, right))
			}
		}
	default:
		for _, input := range inputs() {
			emit(parse(input))
		}
	}
}
