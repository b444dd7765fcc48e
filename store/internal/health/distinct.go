package health

import (
	"math"
	"slices"
)

// sketchSize is up to which number of distinct values a sketch is exact. Above
// it the standard error is 1/√sketchSize, 3%.
const sketchSize = 1024

// sketch counts distinct values. It keeps those whose hashes are lowest: of
// how densely they lie follows how many there are.
//
// Flajolet: On adaptive sampling (1990)
type sketch struct {
	hashes map[uint64]struct{} // no more than 2 * sketchSize
	limit  uint64              // those above are not kept; 0: all are
}

// add takes in a value.
func (s *sketch) add(value string) {
	h := hashValue(value)
	if s.limit > 0 && h > s.limit {
		return
	}
	if s.hashes == nil {
		s.hashes = map[uint64]struct{}{}
	}
	if s.hashes[h] = struct{}{}; len(s.hashes) > 2*sketchSize {
		s.thin()
	}
}

// thin keeps the lower half of the hashes.
func (s *sketch) thin() {
	sorted := make([]uint64, 0, len(s.hashes))
	for h := range s.hashes {
		sorted = append(sorted, h)
	}
	slices.Sort(sorted)
	s.limit = sorted[sketchSize-1]
	for _, h := range sorted[sketchSize:] {
		delete(s.hashes, h)
	}
}

// count is the number of distinct values; exact is false if it is estimated.
func (s *sketch) count() (n int64, exact bool) {
	if s.limit == 0 {
		return int64(len(s.hashes)), true
	}
	return int64(math.Round(float64(len(s.hashes)) / (float64(s.limit) / math.MaxUint64))), false
}

// hashValue is FNV-1a with its bits spread: the same in every run, so that the
// same values give the same estimate.
func hashValue(value string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(value) {
		h = (h ^ uint64(value[i])) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// emptyValue says that a JSON value holds nothing.
func emptyValue(value string) bool {
	switch value {
	case "null", `""`, "[]", "{}":
		return true
	}
	return false
}
