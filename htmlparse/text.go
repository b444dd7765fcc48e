package htmlparse

import "strings"

// A string of a token is a part of the source wherever it can be: begin marks where it starts, and text gives it.
// Only when something in it is replaced (a character reference, a NUL, a CR, an upper-case letter)
// are the parts around the replacement copied, into an arena that only grows, so that what was handed out stays.

const (
	firstChunk   = 512   // size of the first arena in bytes; each one is twice as large as the one before,
	largestChunk = 32768 // up to here
)

// arena holds the copied strings, and the one being copied behind them.
type arena struct {
	strings.Builder // never reset, so that its strings stay
	mark            int
	open            bool // the string from mark on is being copied
}

// begin starts a string at an offset of the source.
func (z *Tokenizer) begin(at int) {
	z.run = at
	z.copied.open = false
}

// replace puts s where the source has [from, to) in the current string.
func (z *Tokenizer) replace(from, to int, s string) {
	if z.run < from || s != "" {
		z.copyRun(from)
		z.room(len(s))
		z.copied.WriteString(s)
	}
	z.run = to
}

// copyRun copies what of the current string is not copied yet, up to an offset of the source.
func (z *Tokenizer) copyRun(end int) {
	if !z.copied.open {
		z.copied.open = true
		z.copied.mark = z.copied.Len()
	}
	z.room(end - z.run)
	z.copied.WriteString(z.src[z.run:end])
	z.run = end
}

// room makes room for n more bytes in the arena. When a chunk is full, the string being copied moves to a new one.
func (z *Tokenizer) room(n int) {
	a := &z.copied
	if a.Cap()-a.Len() >= n {
		return
	}
	part := a.String()[a.mark:]
	size := max(firstChunk, 2*(len(part)+n), min(2*a.Cap(), largestChunk))
	a.Builder = strings.Builder{}
	a.Grow(size)
	a.WriteString(part)
	a.mark = 0
}

// hasText says whether the current string, ended at an offset of the source, has anything in it.
func (z *Tokenizer) hasText(end int) bool { return z.run < end || z.copied.open }

// text is the current string, ended at an offset of the source.
func (z *Tokenizer) text(end int) string {
	if !z.copied.open {
		return z.src[z.run:end]
	}
	return z.copiedText(end)
}

// copiedText is text, kept apart so that the usual case is inlined.
//
//go:noinline
func (z *Tokenizer) copiedText(end int) string {
	z.copyRun(end)
	return z.copied.String()[z.copied.mark:]
}

// replaceNUL replaces the NUL at an offset by U+FFFD and reads on behind it.
func (z *Tokenizer) replaceNUL(at int) {
	z.parseError(CodeUnexpectedNullCharacter, at)
	z.replace(at, at+1, "\uFFFD")
	z.pos = at + 1
}

// replaceUpper replaces the upper-case ASCII letters at an offset by lower-case ones and reads on behind them.
func (z *Tokenizer) replaceUpper(at int) {
	z.copyRun(at)
	for at < len(z.src) && isUpper(z.src[at]) {
		z.room(1)
		z.copied.WriteByte(z.src[at] | 0x20)
		at++
	}
	z.run, z.pos = at, at
}

// normalizeNewline replaces the CR or CRLF at an offset by LF and reads on behind the CR.
// See https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream
func (z *Tokenizer) normalizeNewline(at int) {
	if at+1 < len(z.src) && z.src[at+1] == '\n' {
		z.replace(at, at+1, "")
	} else {
		z.replace(at, at+1, "\n")
	}
	z.pos = at + 1
}

// normalize replaces NUL and CR from the next input character to an offset, which becomes the next one.
func (z *Tokenizer) normalize(end int) {
	for {
		at := z.nulOrCRFrom(z.pos)
		if at >= end {
			break
		}
		if z.src[at] == 0 {
			z.replaceNUL(at)
		} else {
			z.normalizeNewline(at)
		}
	}
	z.pos = end
}
