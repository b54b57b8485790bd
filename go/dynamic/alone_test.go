//go:build !cgo || dralloc_dynamic

package dynamic_test

func init() { isAlone = true }
