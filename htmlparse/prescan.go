package htmlparse

import (
	"slices"
	"strings"
)

// prescan looks for an encoding in the meta elements of src. It returns ""
// when there is none before src ends.
// https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
func prescan(src string) string {
	p := prescanner{src: src}
	for {
		next := strings.IndexByte(src[p.pos:], '<')
		if next < 0 {
			return ""
		}
		p.pos += next
		rest := src[p.pos:]
		switch {
		case strings.HasPrefix(rest, "<!--"):
			// The dashes of "<!--" may be those of "-->".
			if !p.skipPast(len("<!"), "-->") {
				return ""
			}
		case beginsMeta(rest):
			p.pos += len("<meta")
			name, ok := p.meta()
			if name != "" || !ok {
				return name
			}
			p.pos++
		case beginsTag(rest):
			if !p.skipTag() {
				return ""
			}
			p.pos++
		case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "</"), strings.HasPrefix(rest, "<?"):
			if !p.skipPast(len("<"), ">") {
				return ""
			}
		default:
			p.pos++
		}
	}
}

type prescanner struct {
	src string
	pos int
}

func beginsMeta(s string) bool {
	const meta = "<meta"
	return len(s) > len(meta) && equalFoldASCII(s[:len(meta)], meta) &&
		(isASCIIWhitespace(s[len(meta)]) || s[len(meta)] == '/')
}

func beginsTag(s string) bool {
	s, ok := strings.CutPrefix(s, "<")
	s = strings.TrimPrefix(s, "/")
	return ok && s != "" && isASCIIAlpha(s[0])
}

// skipPast moves to behind the first end that stands at least offset bytes
// from here. It reports false when there is none.
func (p *prescanner) skipPast(offset int, end string) bool {
	i := strings.Index(p.src[p.pos+offset:], end)
	if i < 0 {
		return false
	}
	p.pos += offset + i + len(end)
	return true
}

// skipTag moves to the end of the tag that begins here.
func (p *prescanner) skipTag() bool {
	i := strings.IndexAny(p.src[p.pos:], "\t\n\f\r >")
	if i < 0 {
		return false
	}
	p.pos += i
	for {
		name, _, ok := p.attribute()
		if !ok {
			return false
		}
		if name == "" {
			return true
		}
	}
}

// meta reads the attributes of a meta element and returns the encoding that
// it declares, "" when it declares none. It reports false when the bytes run
// out.
func (p *prescanner) meta() (encoding string, ok bool) {
	var (
		seen       []string
		gotPragma  bool
		needPragma bool
		declares   bool // charset was set, if only to "failure"
	)
	for {
		name, value, ok := p.attribute()
		if !ok {
			return "", false
		}
		if name == "" {
			break
		}
		if slices.Contains(seen, name) {
			continue
		}
		seen = append(seen, name)
		switch name {
		case "http-equiv":
			gotPragma = gotPragma || value == "content-type"
		case "content":
			if found := metaContentEncoding(value); found != "" && !declares {
				encoding, needPragma, declares = found, true, true
			}
		case "charset":
			encoding, _ = EncodingName(value)
			needPragma, declares = false, true
		}
	}
	if needPragma && !gotPragma {
		return "", true
	}
	return declaredEncoding(encoding), true
}

// declaredEncoding returns what a declaration of encoding inside the page
// stands for. One that was read as ASCII can't be UTF-16, and windows-1252 is
// what pages that say x-user-defined want.
func declaredEncoding(encoding string) string {
	switch encoding {
	case "UTF-16BE", "UTF-16LE":
		return "UTF-8"
	case "x-user-defined":
		return "windows-1252"
	}
	return encoding
}

// attribute reads an attribute, in lower case. name is "" at the end of the
// tag. It reports false when the bytes run out.
// https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing
func (p *prescanner) attribute() (name, value string, ok bool) {
	p.skip(func(c byte) bool { return isASCIIWhitespace(c) || c == '/' })
	if p.pos == len(p.src) {
		return "", "", false
	}
	if p.src[p.pos] == '>' {
		return "", "", true
	}
	start := p.pos
	p.pos++ // even a "=" begins a name
	p.skip(func(c byte) bool { return !isASCIIWhitespace(c) && c != '/' && c != '>' && c != '=' })
	name = asciiLower(p.src[start:p.pos])
	p.skip(isASCIIWhitespace)
	if p.pos == len(p.src) {
		return "", "", false
	}
	if p.src[p.pos] != '=' {
		return name, "", true
	}
	p.pos++
	value, ok = p.attributeValue()
	return name, value, ok
}

func (p *prescanner) attributeValue() (value string, ok bool) {
	p.skip(isASCIIWhitespace)
	if p.pos == len(p.src) {
		return "", false
	}
	quote := p.src[p.pos]
	if quote != '"' && quote != '\'' {
		start := p.pos
		p.skip(func(c byte) bool { return !isASCIIWhitespace(c) && c != '>' })
		return asciiLower(p.src[start:p.pos]), p.pos < len(p.src)
	}
	p.pos++
	start := p.pos
	p.skip(func(c byte) bool { return c != quote })
	if p.pos == len(p.src) {
		return "", false
	}
	value = asciiLower(p.src[start:p.pos])
	p.pos++
	return value, true
}

// skip moves over the bytes that want accepts.
func (p *prescanner) skip(want func(byte) bool) {
	for p.pos < len(p.src) && want(p.src[p.pos]) {
		p.pos++
	}
}
