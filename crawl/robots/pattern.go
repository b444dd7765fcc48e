package robots

import "strings"

// pattern is the path of a rule (RFC 9309, sections 2.2.2 and 2.2.3): "*"
// matches any octets, "$" at its end the end of the URL. Without it a prefix
// matches.
type pattern struct {
	parts    []string // the texts between the "*", in the form of normalize
	anchored bool     // ends in "$"
	length   int      // octets, by which rules are ranked
	shortest int      // octets of the shortest target that matches
}

func compile(path string) pattern {
	var p pattern
	path, p.anchored = strings.CutSuffix(path, "$")
	path = normalize(path, true)
	p.length = len(path)
	if p.anchored {
		p.length++
	}
	p.parts = strings.Split(path, "*")
	// An empty part between two "*" says nothing.
	kept := p.parts[:1]
	for i, part := range p.parts[1:] {
		if part != "" || i == len(p.parts)-2 {
			kept = append(kept, part)
		}
	}
	p.parts = kept
	for _, part := range kept {
		p.shortest += len(part)
	}
	return p
}

// matches tells whether a target in the form of normalize matches. Each part
// is looked for once, at its first place after the one before: the time grows
// with the sum of the parts and the target, whatever the number of "*".
func (p *pattern) matches(target string) bool {
	rest, ok := strings.CutPrefix(target, p.parts[0])
	if !ok || len(target) < p.shortest {
		return false
	}
	last := len(p.parts) - 1
	if last == 0 {
		return !p.anchored || rest == ""
	}
	for _, part := range p.parts[1:last] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	if p.anchored {
		return strings.HasSuffix(rest, p.parts[last])
	}
	return strings.Contains(rest, p.parts[last])
}

// normalize writes a path with its query so that two writings of one URL are
// the same octets (RFC 9309, section 2.2.2): what needs no percent-encoding
// has none, everything else has it, in upper case.
//
// Reserved characters are the same in both writings, as the RFC asks, but for
// those whose encoding changes what the URL means: "&", "=", "+" anywhere,
// "/" and "?" before the first "?".
//
// In a rule's path "*" is special and stays; everywhere else "*" and "$" are
// written as %2A and %24, which match them literally.
func normalize(s string, isPattern bool) string {
	if isNormal(s, isPattern) {
		return s
	}
	var b strings.Builder
	query := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		encoded := false
		if c == '%' && i+2 < len(s) {
			if hi, lo := unhex(s[i+1]), unhex(s[i+2]); hi >= 0 && lo >= 0 {
				c, encoded = byte(hi<<4|lo), true
				i += 2
			}
		}
		switch {
		case c == '*' && isPattern && !encoded, plain[c]:
			b.WriteByte(c)
		case c == '/' || c == '?' || c == '&' || c == '=' || c == '+':
			if query && (c == '/' || c == '?') || !encoded {
				b.WriteByte(c)
				query = query || c == '?'
				break
			}
			fallthrough
		default:
			b.WriteByte('%')
			b.WriteByte("0123456789ABCDEF"[c>>4])
			b.WriteByte("0123456789ABCDEF"[c&15])
		}
	}
	return b.String()
}

// isNormal tells whether normalize leaves s as it is, which is most often so.
func isNormal(s string, isPattern bool) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case plain[c], c == '/', c == '?', c == '&', c == '=', c == '+', c == '*' && isPattern:
		default:
			return false
		}
	}
	return true
}

// plain holds the octets that stand for themselves and mean the same when
// they are percent-encoded: the unreserved characters of RFC 3986, section
// 2.3, and most of the reserved.
var plain = func() (set [256]bool) {
	for c := range set {
		set[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	for _, c := range []byte("-._~:@[]!'(),;") {
		set[c] = true
	}
	return set
}()

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
