package htmlparse

import "strings"

// metaContentEncoding returns the encoding that the content attribute of a
// meta element names, "" when it names none.
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements
func metaContentEncoding(content string) string {
	const charset = "charset"
	for {
		i := indexFold(content, charset)
		if i < 0 {
			return ""
		}
		content = strings.TrimLeft(content[i+len(charset):], "\t\n\f\r ")
		if strings.HasPrefix(content, "=") {
			break
		}
	}
	value := strings.TrimLeft(content[1:], "\t\n\f\r ")
	if value == "" {
		return ""
	}
	if quote := value[:1]; quote == `"` || quote == `'` {
		label, _, closed := strings.Cut(value[1:], quote)
		if !closed {
			return ""
		}
		name, _ := EncodingName(label)
		return name
	}
	if end := strings.IndexAny(value, "\t\n\f\r ;"); end >= 0 {
		value = value[:end]
	}
	name, _ := EncodingName(value)
	return name
}

// indexFold returns where lower, which is ASCII in lower case, first stands
// in s in any case; -1 if nowhere.
func indexFold(s, lower string) int {
	for i := 0; i+len(lower) <= len(s); i++ {
		if s[i]|0x20 == lower[0] && asciiLower(s[i:i+len(lower)]) == lower {
			return i
		}
	}
	return -1
}
