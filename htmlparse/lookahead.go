package htmlparse

import "strings"

// lookahead remembers where the next of certain bytes stand, so that a state can take everything before them at once.
// An offset is good until it is passed: each byte is searched only once, however often the states look.
type lookahead struct {
	lessThan int // the next <
	quote    int // the quote that ends the attribute value
	bracket  int // the next ]
	special  int // the next &, NUL or CR
	nulOrCR  int // the next NUL or CR

	ampersand, nul, cr int
}

// noLookahead is where nothing is known yet.
var noLookahead = lookahead{-1, -1, -1, -1, -1, -1, -1, -1}

// indexFrom is the offset of the next c at or after i, len(s) if there is none.
func indexFrom(s string, i int, c byte) int {
	if n := strings.IndexByte(s[i:], c); n >= 0 {
		return i + n
	}
	return len(s)
}

// lessThanFrom is the offset of the next <, len(src) if there is none.
func (z *Tokenizer) lessThanFrom(i int) int {
	if z.ahead.lessThan < i {
		z.ahead.lessThan = nearIndexFrom(z.src, i, '<')
	}
	return z.ahead.lessThan
}

// nearIndexFrom is indexFrom for a byte that is expected to be near: tags follow each other, and attribute values are short.
func nearIndexFrom(s string, i int, c byte) int {
	if len(s)-i >= 8 {
		if at := firstByte(load64(s[i:]), c); at < 8 {
			return i + at
		}
		i += 8
	}
	return indexFrom(s, i, c)
}

// quoteFrom is the offset of the next quote, len(src) if there is none.
// It is asked for one attribute value at a time, which ends at that quote.
func (z *Tokenizer) quoteFrom(i int, quote byte) int {
	if z.ahead.quote < i {
		z.ahead.quote = nearIndexFrom(z.src, i, quote)
	}
	return z.ahead.quote
}

// bracketFrom is the offset of the next ], len(src) if there is none.
func (z *Tokenizer) bracketFrom(i int) int {
	if z.ahead.bracket < i {
		z.ahead.bracket = indexFrom(z.src, i, ']')
	}
	return z.ahead.bracket
}

// specialFrom is the offset of the next &, NUL or CR, len(src) if there is none.
func (z *Tokenizer) specialFrom(i int) int {
	if z.ahead.special < i {
		z.findSpecial(i)
	}
	return z.ahead.special
}

// nulOrCRFrom is the offset of the next NUL or CR, len(src) if there is none.
func (z *Tokenizer) nulOrCRFrom(i int) int {
	if z.ahead.nulOrCR < i {
		z.findNULOrCR(i)
	}
	return z.ahead.nulOrCR
}

func (z *Tokenizer) findSpecial(i int) {
	if z.ahead.ampersand < i {
		z.ahead.ampersand = indexFrom(z.src, i, '&')
	}
	z.ahead.special = min(z.ahead.ampersand, z.nulOrCRFrom(i))
}

func (z *Tokenizer) findNULOrCR(i int) {
	if z.ahead.nul < i {
		z.ahead.nul = indexFrom(z.src, i, 0)
	}
	if z.ahead.cr < i {
		z.ahead.cr = indexFrom(z.src, i, '\r')
	}
	z.ahead.nulOrCR = min(z.ahead.nul, z.ahead.cr)
}
