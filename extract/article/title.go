package article

import (
	"strings"
	"unicode/utf8"
)

// bareTitle takes off what a page adds to a title for the lists it stands in:
// the name of the site at its end, or all that goes beyond a heading of the
// page that the title begins with.
func bareTitle(title, site string, headings []string) string {
	for _, h := range headings {
		if rest, ok := cutPrefixFold(title, h); ok && isAddition(rest) {
			return title[:len(title)-len(rest)]
		}
	}
	if site == "" || len(site) >= len(title) {
		return title
	}
	if at := len(title) - len(site); strings.EqualFold(title[at:], site) && isAddition(trimLetters(title[:at])+site) {
		return strings.TrimRight(title[:at], " "+separators)
	}
	return title
}

// separators stand between a title and what is added.
const separators = "|-–—›»·•│:/"

// isAddition reports whether a rest begins with a separator that stands apart.
func isAddition(rest string) bool {
	bare := strings.TrimLeft(rest, " ")
	if bare == "" || len(bare) == len(rest) {
		return false
	}
	r, size := utf8.DecodeRuneInString(bare)
	return strings.ContainsRune(separators, r) && strings.HasPrefix(bare[size:], " ")
}

// trimLetters gives the end of a text from its last letter on.
func trimLetters(s string) string {
	return s[len(strings.TrimRight(s, " "+separators)):]
}

// cutPrefixFold cuts a beginning off in any case. A beginning that is short
// tells nothing.
func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(prefix) < 8 || len(prefix) > len(s) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
