package structured

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// mfProperty is a property class name: p-name is {'p', "name"}.
type mfProperty struct {
	kind byte // 'p', 'u', 'd' for dt-, 'e'
	name string
}

// sizes are class names of Tailwind CSS that look like microformats.
//
// DIVERGES from the standard, to which any h- name is one.
//
// https://tailwindcss.com/docs/height
var sizes = []string{"h-auto", "h-dvh", "h-dvw", "h-fit", "h-full", "h-lh", "h-lvh", "h-lvw", "h-max", "h-min", "h-px", "h-screen", "h-svh", "h-svw"}

// mfClasses returns what the class names of an element mean, each once.
//
// https://microformats.org/wiki/microformats2-parsing#note_about_class_names
func mfClasses(n *html.Node) (roots []string, properties []mfProperty) {
	class, _ := attr(n, "class")
	if !strings.Contains(class, "-") {
		return nil, nil
	}
	for _, name := range unique(splitSpace(class)) {
		kind, rest, ok := strings.Cut(name, "-")
		if !ok || !isMFName(rest) {
			continue
		}
		switch kind {
		case "h":
			if !slices.Contains(sizes, name) {
				roots = append(roots, name)
			}
		case "p", "u", "e", "dt":
			properties = append(properties, mfProperty{kind[0], rest})
		}
	}
	slices.Sort(roots)
	return roots, properties
}

// isMFName reports whether s is what may follow a prefix: words of lower-case
// letters with hyphens between, a vendor's prefix with digits before.
func isMFName(s string) bool {
	words := strings.Split(s, "-")
	if len(words) > 1 && isLower(words[0], true) {
		words = words[1:]
	}
	for _, w := range words {
		if !isLower(w, false) {
			return false
		}
	}
	return true
}

func isLower(s string, digits bool) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && !(digits && '0' <= c && c <= '9') {
			return false
		}
	}
	return s != ""
}

// isMFRoot reports whether an element is a microformat of its own.
func isMFRoot(n *html.Node) bool {
	roots, _ := mfClasses(n)
	return len(roots) > 0
}
