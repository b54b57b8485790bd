// Package dralloc allocates devices for Kubernetes' dynamic resource allocation.
//
// An [Engine] is told what a cluster says: nodes, slices, classes, claims. A [Snapshot] is
// what it knew at a moment, for any number of goroutines. A [Transaction] is a what-if on a
// snapshot: it allocates [Claims] on nodes, takes things back, and is committed or thrown
// away. What it answers is an [Outcome], a value: that claims do not fit is no error. An
// [Error] is something wrong with the input, with a [Code] for errors.Is and a path.
//
// Objects come as Kubernetes prints them: JSON, or any value that marshals to it, such as
// the types of k8s.io/api, which this module does not need itself.
//
// Calls that may search take a [context.Context]: its deadline is a limit of the search,
// its cancellation ends it. A context that has ended gives the outcome [Unknown] with the
// cause.
//
// # Lifetimes
//
// Objects with Close keep memory that the garbage collector does not see. Close frees it at
// once; who forgets it has it freed when nothing refers to the object any more. Close may
// come twice and at any time: calls that are under way end well, later ones find
// [ErrClosed]. What an object was made of may be closed before it. Objects are passed by
// pointer and never copied, which vet checks.
//
// # Goroutines
//
// All objects may be used by any number of goroutines. Those of an [Engine], a
// [Transaction] or a [Workspace] wait for each other; all others never change, and are used
// at once. So goroutines share snapshots and claims, and begin a transaction each.
//
// # Back ends
//
// A build with cgo has the static library in it, which pkg-config finds as dralloc-static.
// One without loads the shared library when it runs: see package dynamic. The API is one.
package dralloc
