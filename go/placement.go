package dralloc

type PlacedNode struct{ Rank, Free, Place uint64 }
