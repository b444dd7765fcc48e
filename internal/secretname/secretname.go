// Package secretname says by names of fields which values are secrets.
package secretname

import "regexp"

var parts = regexp.MustCompile(`(?i)authorization|cookie|passw|secret|token|api[-_]?key|(^|_|-)pin($|_|-)`)

// Is says that the value of a header or form field of this name tells who asks:
// it neither stands in job files nor goes into archives, which are handed on.
func Is(name string) bool { return parts.MatchString(name) }
