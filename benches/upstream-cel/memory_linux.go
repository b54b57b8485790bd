package main

import "syscall"

// maxMemory is the address space that the program may take, in bytes:
// expressions of versions before 1.37 can ask for any amount.
const maxMemory = 6 << 30

// limitMemory lets the program end rather than take all memory there is.
func limitMemory() {
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: maxMemory, Max: maxMemory})
}
