package htmlparse

import (
	"strings"

	"golang.org/x/net/html"
)

// metaCharset returns the encoding that a meta element with these attributes
// declares; ok is false when it declares none that is known.
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
func metaCharset(attr []html.Attribute) (name string, ok bool) {
	var charset, httpEquiv, content string
	for _, a := range attr {
		if a.Namespace != "" {
			continue
		}
		switch a.Key {
		case "charset":
			charset = a.Val
		case "http-equiv":
			httpEquiv = a.Val
		case "content":
			content = a.Val
		}
	}
	if name, ok = EncodingName(charset); ok {
		return name, true
	}
	if asciiLower(httpEquiv) == "content-type" {
		name = metaContentEncoding(content)
	}
	return name, name != ""
}

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
