//go:build race

package htmlparse

// growthBase is the length of the small input of growth tests. Under the race detector, which makes everything ten times
// slower, growth shows on less.
const growthBase = 16 << 10
