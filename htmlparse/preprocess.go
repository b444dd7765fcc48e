package htmlparse

import "unicode/utf8"

// reportInputErrors reports the code points of the source, from where it was called last up to and with the one
// at an offset, that the input stream preprocessor complains about.
// See https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream
func (z *Tokenizer) reportInputErrors(upTo int) {
	for z.preprocessed < len(z.src) && z.preprocessed <= upTo {
		at := z.preprocessed
		code, size := inputError(z.src[at:])
		z.preprocessed += size
		if code != "" {
			z.report(code, at)
		}
	}
}

// inputError is the code of the error that the first code point of s is, "" for none, and the code point's length in bytes.
func inputError(s string) (code string, size int) {
	if c := s[0]; c < utf8.RuneSelf {
		if isControl(rune(c)) && !whitespaceClass.has(c) && c != 0 {
			return CodeControlCharacterInInputStream, 1
		}
		return "", 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case size == 1 && isEncodedSurrogate(s):
		return CodeSurrogateInInputStream, 3
	case isControl(r):
		return CodeControlCharacterInInputStream, size
	case isNoncharacter(r):
		return CodeNoncharacterInInputStream, size
	}
	return "", size
}

// isEncodedSurrogate says whether s begins with a surrogate, which only generalized UTF-8 can encode.
// Text that comes from JavaScript strings may hold them.
func isEncodedSurrogate(s string) bool {
	return len(s) >= 3 && s[0] == 0xED && 0xA0 <= s[1] && s[1] <= 0xBF && 0x80 <= s[2] && s[2] <= 0xBF
}

// isControl: https://infra.spec.whatwg.org/#control
func isControl(r rune) bool { return 0 <= r && r <= 0x1F || 0x7F <= r && r <= 0x9F }

// isNoncharacter: https://infra.spec.whatwg.org/#noncharacter
func isNoncharacter(r rune) bool {
	return 0xFDD0 <= r && r <= 0xFDEF || r&0xFFFE == 0xFFFE && r <= utf8.MaxRune
}
