package body

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// A dictionary is text that many bodies of a host share, in front of which
// each of them is compressed as if it had followed it.
//
// The text is chosen here: the builder of klauspost/compress/dict makes less of
// pages from one template, as it says itself, and looks at the beginning of
// pages alone. Its tables are zstd.BuildDict's.

// dictionarySizes are tried, largest last. A frame refers to a smaller
// dictionary in fewer bits, and it takes less room itself.
var dictionarySizes = []int{32 << 10, 256 << 10, 4 << 20}

// tablesFrom is how much of a sample goes into a dictionary's tables.
// BuildDict takes no more than a block.
const tablesFrom = 64 << 10

// buildDictionary makes a dictionary of at most about size bytes, for a level;
// nil if the samples have too little in common for one.
func buildDictionary(samples [][]byte, size int, level zstd.EncoderLevel) []byte {
	text := commonText(samples, size)
	if len(text) < 256 {
		return nil
	}
	heads := make([][]byte, len(samples))
	for i, s := range samples {
		heads[i] = s[:min(len(s), tablesFrom)]
	}
	d, err := zstd.BuildDict(zstd.BuildDictOptions{
		// Numbers below 32768 are not for everyone.
		ID: 1<<15 + crc32.ChecksumIEEE(text)>>2, Contents: heads, History: text, Offsets: [3]int{1, 4, 8}, Level: level,
	})
	if err != nil {
		return nil // such as too few literals: there is nothing to gain
	}
	return d
}

// Text is compared by windows, of which one in anchorEvery, chosen by what it
// says, stands for those around it.
const (
	windowBytes = 16
	anchorEvery = 8
	maxGap      = 48 * anchorEvery // between anchors of what is taken to be one text
)

// anchors count in how many samples each window occurs, in a table of fixed
// size: of two windows that meet in a slot, the rarer one may be forgotten.
type anchors struct {
	slots []anchor
	shift int
}

type anchor struct {
	tag   uint32
	last  uint16 // sample
	count uint16 // samples; 0: its text has been taken
}

func newAnchors(total int) *anchors {
	n := bits.Len(uint(min(max(total/anchorEvery*2, 1<<12), 1<<22-1)))
	return &anchors{make([]anchor, 1<<n), 64 - n}
}

// each calls f for each anchor of text with its place.
func (a *anchors) each(text []byte, f func(at int, s *anchor, tag uint32)) {
	for i := 0; i+windowBytes <= len(text); i++ {
		h := binary.LittleEndian.Uint64(text[i:])*0x9E3779B97F4A7C15 ^ binary.LittleEndian.Uint64(text[i+8:])*0xC2B2AE3D27D4EB4F
		h = (h ^ h>>29) * 0xBF58476D1CE4E5B9
		if h>>32%anchorEvery == 0 {
			f(i, &a.slots[h>>a.shift], uint32(h))
		}
	}
}

func (a *anchors) add(sample int, text []byte) {
	n := uint16(sample)
	a.each(text, func(_ int, s *anchor, tag uint32) {
		switch {
		case s.count == 0 || s.tag != tag && s.count == 1:
			*s = anchor{tag, n, 1}
		case s.tag == tag && s.last != n:
			s.last = n
			s.count++
		}
	})
}

// passage is text that several samples have.
type passage struct {
	text  []byte
	count int // in how many samples its best known part occurs
}

// take returns the passages of text that other samples have too, and forgets
// them.
func (a *anchors) take(text []byte) (list []passage) {
	start, end, count := 0, 0, 0
	finish := func() {
		if end-start >= windowBytes+anchorEvery {
			list = append(list, passage{text[start:end], count})
		}
	}
	a.each(text, func(at int, s *anchor, tag uint32) {
		if s.tag != tag || s.count < 2 {
			return
		}
		if count == 0 || at > end+maxGap-windowBytes {
			finish()
			start, count = at, 0
		}
		end, count = at+windowBytes, max(count, int(s.count))
		s.count = 0
	})
	finish()
	return list
}

// commonText is the text that most samples have, at most size bytes, the most
// common at the end, where it costs the least to refer to.
func commonText(samples [][]byte, size int) []byte {
	total := 0
	for _, s := range samples {
		total += len(s)
	}
	a := newAnchors(total)
	for i, s := range samples {
		a.add(i, s)
	}
	var all []passage
	for _, s := range samples {
		all = append(all, a.take(s)...)
	}
	slices.SortStableFunc(all, func(a, b passage) int { return cmp.Compare(b.count, a.count) })
	room, n := size, 0
	for ; n < len(all) && room > 0; n++ {
		all[n].text = all[n].text[:min(len(all[n].text), room)]
		room -= len(all[n].text)
	}
	text := make([]byte, 0, size-room)
	for _, p := range slices.Backward(all[:n]) {
		text = append(text, p.text...)
	}
	return text
}
