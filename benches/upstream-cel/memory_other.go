//go:build !linux

package main

// limitMemory does nothing where no limit on memory is known.
func limitMemory() {}
