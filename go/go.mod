module github.com/dralloc/dralloc/go

go 1.26

require github.com/ebitengine/purego v0.11.3
