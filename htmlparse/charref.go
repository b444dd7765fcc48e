package htmlparse

import "unicode/utf8"

// A character reference stays in the current string as it is written, until it turns out to stand for something.

// beginCharacterReference reads the & at an offset.
func (z *Tokenizer) beginCharacterReference(at int, goOn State) State {
	z.referenceStart = at
	z.returnState = goOn
	z.pos = at + 1
	return characterReferenceState
}

// inAttribute: https://html.spec.whatwg.org/multipage/parsing.html#charref-in-attribute
func (z *Tokenizer) inAttribute() bool {
	return z.returnState != DataState && z.returnState != RCDATAState
}

// https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state
func (z *Tokenizer) characterReferenceState() State {
	if z.pos < len(z.src) {
		switch c := z.src[z.pos]; {
		case alphanumericClass.has(c):
			return namedCharacterReferenceState
		case c == '#':
			z.pos++
			return numericCharacterReferenceState
		}
	}
	return z.returnState
}

// https://html.spec.whatwg.org/multipage/parsing.html#named-character-reference-state
func (z *Tokenizer) namedCharacterReferenceState() State {
	length, text := longestEntity(z.src[z.pos:])
	if length == 0 {
		return ambiguousAmpersandState
	}
	z.pos += length
	if z.src[z.pos-1] != ';' {
		if z.inAttribute() && z.pos < len(z.src) && (z.src[z.pos] == '=' || alphanumericClass.has(z.src[z.pos])) {
			return z.returnState // for historical reasons
		}
		z.parseError(CodeMissingSemicolonAfterCharacterReference, z.pos)
	}
	z.replace(z.referenceStart, z.pos, text)
	return z.returnState
}

// https://html.spec.whatwg.org/multipage/parsing.html#ambiguous-ampersand-state
func (z *Tokenizer) ambiguousAmpersandState() State {
	z.pos = alphanumericClass.while(z.src, z.pos)
	if z.pos < len(z.src) && z.src[z.pos] == ';' {
		z.parseError(CodeUnknownNamedCharacterReference, z.pos)
	}
	return z.returnState
}

// https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-state
func (z *Tokenizer) numericCharacterReferenceState() State {
	z.characterCode = 0
	if z.pos < len(z.src) && z.src[z.pos]|0x20 == 'x' {
		z.pos++
		return hexadecimalCharacterReferenceStartState
	}
	return decimalCharacterReferenceStartState
}

// https://html.spec.whatwg.org/multipage/parsing.html#hexadecimal-character-reference-start-state
func (z *Tokenizer) hexadecimalCharacterReferenceStartState() State {
	return z.firstDigit(16, hexadecimalCharacterReferenceState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#decimal-character-reference-start-state
func (z *Tokenizer) decimalCharacterReferenceStartState() State {
	return z.firstDigit(10, decimalCharacterReferenceState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#hexadecimal-character-reference-state
func (z *Tokenizer) hexadecimalCharacterReferenceState() State { return z.digits(16) }

// https://html.spec.whatwg.org/multipage/parsing.html#decimal-character-reference-state
func (z *Tokenizer) decimalCharacterReferenceState() State { return z.digits(10) }

func (z *Tokenizer) firstDigit(base rune, digits State) State {
	if z.pos < len(z.src) && digit(z.src[z.pos]) < base {
		return digits
	}
	z.parseError(CodeAbsenceOfDigitsInNumericCharacterReference, z.pos)
	return z.returnState
}

func (z *Tokenizer) digits(base rune) State {
	for ; z.pos < len(z.src); z.pos++ {
		d := digit(z.src[z.pos])
		if d >= base {
			break
		}
		z.characterCode = min(z.characterCode*base+d, utf8.MaxRune+1)
	}
	if z.pos < len(z.src) && z.src[z.pos] == ';' {
		z.pos++
	} else {
		z.parseError(CodeMissingSemicolonAfterCharacterReference, z.pos)
	}
	return numericCharacterReferenceEndState
}

// digit is the value of an ASCII hex digit, and 16 for any other byte.
func digit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return 16
}

// https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state
func (z *Tokenizer) numericCharacterReferenceEndState() State {
	c := z.characterCode
	switch {
	case c == 0:
		z.parseError(CodeNullCharacterReference, z.pos)
		c = utf8.RuneError
	case c > utf8.MaxRune:
		z.parseError(CodeCharacterReferenceOutsideUnicodeRange, z.pos)
		c = utf8.RuneError
	case 0xD800 <= c && c <= 0xDFFF:
		z.parseError(CodeSurrogateCharacterReference, z.pos)
		c = utf8.RuneError
	case isNoncharacter(c):
		z.parseError(CodeNoncharacterCharacterReference, z.pos)
	case c == '\r', isControl(c) && !whitespaceClass.has(byte(c)):
		z.parseError(CodeControlCharacterReference, z.pos)
		if 0x80 <= c {
			c = windows1252Controls[c-0x80]
		}
	}
	z.replace(z.referenceStart, z.pos, string(c))
	return z.returnState
}

// windows1252Controls are what references to the controls U+0080 to U+009F stand for.
var windows1252Controls = [0x20]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}
