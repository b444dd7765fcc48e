package htmlparse

// The standard folds case, and sees white space, in ASCII alone. The
// functions of package strings know more letters: to them the Kelvin sign is
// a k.

// isASCIIWhitespace: https://infra.spec.whatwg.org/#ascii-whitespace
func isASCIIWhitespace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

// isASCIIAlpha: https://infra.spec.whatwg.org/#ascii-alpha
func isASCIIAlpha(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z'
}

// asciiLower: https://infra.spec.whatwg.org/#ascii-lowercase
func asciiLower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}
