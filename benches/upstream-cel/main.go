// Command upstream-cel evaluates device selectors with Kubernetes' own package,
// compiled as the scheduler compiles them. See README.md.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 16 << 20

// deviceJSON is a device as the corpus writes it.
type deviceJSON struct {
	AllowMultipleAllocations *bool                                                     `json:"allowMultipleAllocations"`
	Attributes               map[resourceapi.QualifiedName]resourceapi.DeviceAttribute `json:"attributes"`
	Capacity                 map[resourceapi.QualifiedName]resourceapi.DeviceCapacity  `json:"capacity"`
}

// line is one expression; what it lacks of a device comes from the file.
type line struct {
	Name       string      `json:"name"`
	Expression string      `json:"expression"`
	Driver     *string     `json:"driver"`
	Device     *deviceJSON `json:"device"`
	// CostLimit is the limit on runtime cost, the usual one if absent.
	CostLimit *uint64 `json:"costLimit"`
}

// device returns what the line is evaluated on.
func (l line) device(shared line) cel.Device {
	if l.Driver == nil {
		l.Driver = shared.Driver
	}
	if l.Device == nil {
		l.Device = shared.Device
	}
	var device cel.Device
	if l.Driver != nil {
		device.Driver = *l.Driver
	}
	if l.Device != nil {
		device.AllowMultipleAllocations = l.Device.AllowMultipleAllocations
		device.Attributes = l.Device.Attributes
		device.Capacity = l.Device.Capacity
	}
	return device
}

// environmentOptions is what expressions are compiled for.
type environmentOptions struct {
	// derived asks for derived attributes instead of selectors.
	derived bool
	// isNew asks for the environment of expressions that are not stored yet.
	isNew bool
	// features are the names of those that are on, all if there are none.
	features []string
}

// enabled returns the features that are on, of those that this version of the package knows.
func (o environmentOptions) enabled() cel.Features {
	var enabled cel.Features
	fields := reflect.ValueOf(&enabled).Elem()
	for i := range fields.NumField() {
		name := strings.TrimPrefix(fields.Type().Field(i).Name, "Enable")
		if field := fields.Field(i); field.Kind() == reflect.Bool {
			field.SetBool(len(o.features) == 0 || slices.Contains(o.features, name))
		}
	}
	return enabled
}

func main() {
	mode, arguments := "evaluate", os.Args[1:]
	if len(arguments) > 0 && (arguments[0] == "evaluate" || arguments[0] == "bench") {
		mode, arguments = arguments[0], arguments[1:]
	}
	flags := flag.NewFlagSet("upstream-cel "+mode, flag.ExitOnError)
	devicePath := flags.String("device", "", "`file` with the device of lines that have none")
	derived := flags.Bool("derived", false, "evaluate derived attributes instead of selectors")
	isNew := flags.Bool("new", false, "evaluate: compile as expressions that are not stored yet")
	features := flags.String("features", "", "evaluate: `names` of the only features that are on, such as ConsumableCapacity,ListTypeAttributes or none")
	repeat := flags.Int("repeat", 1, "evaluate: compile and evaluate `n` times, to find what varies")
	rounds := flags.Int("rounds", 7, "bench: `rounds` of which the median is taken")
	flags.Usage = func() {
		fmt.Fprintf(os.Stderr, "usage: upstream-cel [evaluate|bench] [flags] < lines\n")
		flags.PrintDefaults()
	}
	_ = flags.Parse(arguments)
	limitMemory()
	if flags.NArg() > 0 {
		flags.Usage()
		os.Exit(2)
	}
	environment := environmentOptions{derived: *derived, isNew: *isNew}
	if *features != "" {
		environment.features = strings.Split(*features, ",")
	}
	if err := run(mode, *devicePath, environment, *repeat, *rounds); err != nil {
		fmt.Fprintf(os.Stderr, "upstream-cel: %v\n", err)
		os.Exit(1)
	}
}

func run(mode, devicePath string, environment environmentOptions, repeat, rounds int) error {
	var shared line
	if devicePath != "" {
		text, err := os.ReadFile(devicePath)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, &shared); err != nil {
			return fmt.Errorf("%s: %w", devicePath, err)
		}
	}
	answer := func(l line) (any, error) { return evaluateRepeatedly(l, l.device(shared), environment, repeat), nil }
	if mode == "bench" {
		answer = func(l line) (any, error) { return bench(l, l.device(shared), rounds) }
	}
	return answerLines(os.Stdin, os.Stdout, answer)
}

// answerLines writes one line per line read, at once: the next one may end the program.
func answerLines(in io.Reader, out io.Writer, answer func(line) (any, error)) error {
	reader := bufio.NewReaderSize(in, maxLine)
	writer := bufio.NewWriter(out)
	defer writer.Flush()
	encoder := json.NewEncoder(writer)
	for number := 1; ; number++ {
		if err := writer.Flush(); err != nil {
			return err
		}
		text, err := reader.ReadSlice('\n')
		if err == io.EOF && len(text) == 0 {
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		result, err := answer(l)
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if err := encoder.Encode(result); err != nil {
			return err
		}
	}
}
