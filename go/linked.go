//go:build cgo && !dralloc_dynamic

package dralloc

import _ "github.com/dralloc/dralloc/go/internal/linked" // The library, as part of the program.
