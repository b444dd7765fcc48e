package learn

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// digest stands for a text without its whitespace. Digests of parts make that
// of the whole, so that those of all elements of a page take time and memory
// in the number of elements, however deep they are nested. Texts of one
// digest are equal, but for attempts to deceive: a match is always proved.
type digest struct {
	hash  uint64
	power uint64 // base to the power of length
	size  int    // bytes
	short string // the text, as long as it has at most maxShort bytes
}

const (
	digestBase = 0x9E3779B97F4A7C15 // odd, so that powers don't vanish
	maxShort   = 96
)

var emptyDigest = digest{power: 1}

// digestOf reads a text.
func digestOf(s string) digest {
	d := emptyDigest
	for _, r := range s {
		if unicode.IsSpace(r) {
			continue
		}
		var b [utf8.UTFMax]byte
		n := utf8.EncodeRune(b[:], r)
		for _, c := range b[:n] {
			d.hash = d.hash*digestBase + uint64(c) + 1
			d.power *= digestBase
		}
		d.size += n
	}
	if 0 < d.size && d.size <= maxShort {
		d.short = squeeze(s, d.size)
	}
	return d
}

// squeeze returns s without its whitespace, which leaves size bytes.
func squeeze(s string, size int) string {
	if len(s) == size {
		return s
	}
	return strings.Join(strings.Fields(s), "")
}

// plus returns the digest of d's text with that of e behind it.
func (d digest) plus(e digest) digest {
	switch {
	case d.size == 0:
		return e
	case e.size == 0:
		return d
	}
	sum := digest{d.hash*e.power + e.hash, d.power * e.power, d.size + e.size, ""}
	if sum.size <= maxShort {
		sum.short = d.short + e.short
	}
	return sum
}

func (d digest) equal(e digest) bool { return d.size == e.size && d.hash == e.hash }

// oneLine returns s with each run of whitespace as one space, none at its ends.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
