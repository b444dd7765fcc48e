package htmlparse

import "strings"

const httpWhitespace = "\t\n\r "

// transportCharset returns the charset parameter of a Content-Type value, ""
// when there is none. The value may be several headers joined by commas, of
// which the last one that is a MIME type counts; it takes over the charset of
// those before it with the same type.
// https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
func transportCharset(contentType string) string {
	var essence, charset string
	for value := range splitHeader(contentType) {
		e, c, ok := parseMIMEType(value)
		if !ok || e == "*/*" {
			continue
		}
		if e != essence {
			essence, charset = e, ""
		}
		if c != "" { // an empty charset names no encoding
			charset = c
		}
	}
	return charset
}

// splitHeader yields the values of a header at the commas outside of quoted
// strings. https://fetch.spec.whatwg.org/#header-value-get-decode-and-split
func splitHeader(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		quoted, start := false, 0
		for i := 0; i < len(s); i++ {
			switch {
			case s[i] == '"':
				quoted = !quoted
			case s[i] == '\\' && quoted:
				i++
			case s[i] == ',' && !quoted:
				if !yield(s[start:i]) {
					return
				}
				start = i + 1
			}
		}
		yield(s[start:])
	}
}

// parseMIMEType returns a MIME type's essence and its charset parameter.
// https://mimesniff.spec.whatwg.org/#parse-a-mime-type
func parseMIMEType(s string) (essence, charset string, ok bool) {
	s = strings.Trim(s, httpWhitespace)
	typ, rest, found := strings.Cut(s, "/")
	subtype, params, _ := strings.Cut(rest, ";")
	subtype = strings.TrimRight(subtype, httpWhitespace)
	if !found || !isHTTPToken(typ) || !isHTTPToken(subtype) {
		return "", "", false
	}
	for params != "" {
		var name, value string
		name, value, params = nextMIMEParameter(params)
		if asciiLower(name) == "charset" && isQuotedStringText(value) {
			charset = value
			break // the first one counts
		}
	}
	return asciiLower(typ + "/" + subtype), charset, true
}

// nextMIMEParameter splits the first parameter off s, which begins behind a
// semicolon. name is "" when there is none.
func nextMIMEParameter(s string) (name, value, rest string) {
	s = strings.TrimLeft(s, httpWhitespace)
	end := strings.IndexAny(s, ";=")
	if end < 0 {
		return "", "", ""
	}
	if s[end] == ';' {
		return "", "", s[end+1:]
	}
	name, s = s[:end], s[end+1:]
	if strings.HasPrefix(s, `"`) {
		value, s = quotedString(s[1:])
		_, rest, _ = strings.Cut(s, ";")
		return name, value, rest
	}
	value, rest, _ = strings.Cut(s, ";")
	value = strings.TrimRight(value, httpWhitespace)
	if value == "" {
		return "", "", rest // only a quoted value may be empty
	}
	return name, value, rest
}

// quotedString returns what stands before the closing quote, without the
// backslashes of escapes, and what stands behind it. A missing closing quote
// is forgiven. https://fetch.spec.whatwg.org/#collect-an-http-quoted-string
func quotedString(s string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}

// https://mimesniff.spec.whatwg.org/#http-token-code-point
func isHTTPToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isASCIIAlpha(c) && (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// https://mimesniff.spec.whatwg.org/#http-quoted-string-token-code-point
func isQuotedStringText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '\t' && (c < ' ' || c == 0x7F) {
			return false
		}
	}
	return true
}
