package store

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
func (s *sketch) add(value []byte) {
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
func hashValue(value []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range value {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// eachMember calls f for each member of a JSON object, with the name and the
// value as they are written. It relies on what records.data is: an object that
// this package encoded, without blanks. ok is false if it is not.
func eachMember(object []byte, f func(name, value []byte)) (ok bool) {
	if len(object) < 2 || object[0] != '{' || object[len(object)-1] != '}' {
		return false
	}
	for i := 1; i < len(object)-1; {
		end := valueEnd(object, i)
		if object[i] != '"' || end+1 >= len(object) || object[end] != ':' {
			return false
		}
		from := end + 1
		to := valueEnd(object, from)
		if to == from || to >= len(object) || object[to] != ',' && to != len(object)-1 {
			return false
		}
		f(object[i+1:end-1], object[from:to])
		i = to + 1
	}
	return true
}

// valueEnd is the end of the JSON value that begins at i.
func valueEnd(text []byte, i int) int {
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
			if depth == 0 {
				return i + 1
			}
		case ',', ':':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

// stringEnd is the end of the JSON string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return i
}

// emptyValue says that a JSON value holds nothing.
func emptyValue(value []byte) bool {
	switch string(value) {
	case "null", `""`, "[]", "{}":
		return true
	}
	return false
}
