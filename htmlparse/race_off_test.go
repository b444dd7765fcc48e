//go:build !race

package htmlparse

// growthBase is the length of the small input of growth tests.
const growthBase = 128 << 10
