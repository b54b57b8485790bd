package dralloc

import "github.com/dralloc/dralloc/go/internal/abi"

// Version returns the version of the library, such as `0.1.0`.
func Version() (string, error) {
	if err := abi.Need(); err != nil {
		return "", err
	}
	return abi.Text(abi.Version), nil
}

// LiveHandles returns how many objects of the library were made and not freed yet: none
// when a program has closed all, for tests of leaks.
func LiveHandles() (uint64, error) {
	if err := abi.Need(); err != nil {
		return 0, err
	}
	c := begin(abi.LiveHandles)
	defer c.end()
	return uint64(abi.Call(c.function, &c.arguments)), nil
}
