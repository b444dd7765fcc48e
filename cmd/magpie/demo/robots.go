package demo

import (
	"maps"
	"slices"
	"strings"
)

// Forbidden returns the paths that were asked for although robots.txt forbids
// them, sorted.
func (s *Site) Forbidden() []string {
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(s.Requests())) {
		if forbidden(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// forbidden says of a path with its query what templates/robots.txt says to
// everyone.
func forbidden(path string) bool {
	switch {
	case strings.HasPrefix(path, "/private/visit.html"), strings.HasPrefix(path, "/cart/help.html"):
		return false
	case strings.HasPrefix(path, "/private/"), strings.HasPrefix(path, "/cart"):
		return true
	case strings.Contains(path, "?sort="):
		return true
	default:
		return strings.HasSuffix(path, ".pdf")
	}
}
