package htmlparse

import "golang.org/x/net/html/atom"

// longestAtom is the length of the longest atom.
const longestAtom = 25

// atomOf is the atom of a name, 0 if it has none.
func atomOf(name string) atom.Atom {
	if len(name) > longestAtom {
		return 0
	}
	return atom.Lookup([]byte(name))
}
