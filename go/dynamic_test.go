//go:build !cgo || dralloc_dynamic

package dralloc_test

import _ "github.com/dralloc/dralloc/go/dynamic"
