package markdown

import "unicode"

// chooseSigns decides which emphasis is written with signs and which with
// tags, because its signs would not be read as such: next to letters and
// punctuation at once, or where runs of signs meet.
//
// https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis
func (i *inlineWriter) chooseSigns() {
	stars := 0 // that are open
	for at := range i.ops {
		o := &i.ops[at]
		switch {
		case o.kind == opClose && !o.html && o.mark != deleted:
			stars--
		case o.kind == opOpen:
			o.html = !i.signsWork(at, stars > 0)
			i.ops[o.pair].html = o.html
			if !o.html && o.mark != deleted {
				stars++
			}
		}
	}
}

// signsWork reports whether a pair of signs is read as one. nested: it stands
// between other stars.
func (i *inlineWriter) signsWork(open int, nested bool) bool {
	o := i.ops[open]
	if open > 0 && i.ops[open-1].kind == opClose {
		return false // the two runs would be one
	}
	before, _ := i.beside(open, -1)
	first, inner := i.beside(open, +1)
	last, innerEnd := i.beside(o.pair, -1)
	after, _ := i.beside(o.pair, +1)
	switch {
	case maybeSpace(first) || maybeSpace(last):
		return false
	case o.mark == deleted && (before == '~' || after == '~' || first == '~' || last == '~'):
		return false
	case (maybePunct(first) || inner) && !apart(before):
		return false
	case (maybePunct(last) || innerEnd) && !apart(after):
		return false
	case nested && o.mark != deleted && !isSpaceRune(before) && (!apart(before) || maybePunct(first) || inner):
		return false // could close what it is nested in
	}
	return true
}

// beside returns the character next to signs in a direction, other signs left
// out, and whether there are such. The ends of the text are line feeds.
func (i *inlineWriter) beside(at, step int) (r rune, signs bool) {
	for at += step; at >= 0 && at < len(i.ops); at += step {
		o := i.ops[at]
		switch {
		case o.kind == opOpen || o.kind == opClose:
			signs = true
		case step < 0:
			return lastRune(i.buf[o.start:o.end]), signs
		default:
			return firstRune(i.buf[o.start:o.end]), signs
		}
	}
	return '\n', signs
}

// apart reports whether all renderers take r for space or punctuation.
func apart(r rune) bool { return isSpaceRune(r) || r < 0x80 && maybePunct(r) || unicode.IsPunct(r) }

// maybePunct reports whether some renderer takes r for punctuation: symbols
// are since version 0.31 of the specification.
func maybePunct(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

func isSpaceRune(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || unicode.Is(unicode.Zs, r)
}

func maybeSpace(r rune) bool { return unicode.IsSpace(r) || isSpaceRune(r) || r == 0xFEFF }
