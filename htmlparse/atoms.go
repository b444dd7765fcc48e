package htmlparse

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// commonTags are the tag names of up to eight bytes that are looked up at once.
var commonTags = strings.Fields(`
	a abbr acronym address area article aside audio b base bdi bdo big body br button canvas caption center cite code col
	colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figure font footer form frame frameset
	g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins kbd label legend li line link main map mark
	math menu meta meter mi mn mo ms mtext nav nobr noframes noscript object ol optgroup option output p param path picture
	pre progress q rb rect rp rt rtc ruby s samp script search section select slot small source span strike strong style
	sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul use var video wbr`)

// tagEntry is a tag name, as tagKey gives it, with its atom and its tag.
type tagEntry struct {
	key  uint64
	name string
	atom atom.Atom
	tag  tag
}

// tagEntries holds commonTags by tagHash. Of the few that share a place the last one is there.
var tagEntries = func() (t [512]tagEntry) {
	for _, name := range commonTags {
		if a := atom.Lookup([]byte(name)); a != 0 {
			key := tagKey(name+"\x00\x00\x00\x00\x00\x00\x00\x00", len(name))
			t[tagHash(key)] = tagEntry{key, name, a, tagOf(a, name)}
		}
	}
	return t
}()

// tagKey is the first n bytes of s as a number. s has eight bytes or more; n is at most eight.
func tagKey(s string, n int) uint64 {
	shift := 64 - 8*n
	return load64(s) << shift >> shift
}

// tagHash is the place of a key in tagEntries. The factor was picked to let few of commonTags share one.
func tagHash(key uint64) uint64 { return key * 0x5c8105973017b31b >> (64 - 9) }

// longestAtom is the length of the longest atom.
const longestAtom = 25

// setName makes the first n bytes of s a tag's name. n is at least 1. The strings of common names are not parts of the
// source: collecting garbage is cheaper where fewer pointers lead into it.
func (t *Token) setName(s string, n int) {
	if n <= 8 && len(s) >= 8 {
		key := tagKey(s, n)
		if e := &tagEntries[tagHash(key)]; e.key == key {
			t.Name, t.atom, t.tag = e.name, e.atom, e.tag
			return
		}
	}
	t.Name = s[:n]
	t.atom = rareAtom(t.Name)
	t.tag = tagOf(t.atom, t.Name)
}

func rareAtom(name string) atom.Atom {
	if len(name) > longestAtom {
		return 0
	}
	return atom.Lookup([]byte(name))
}
