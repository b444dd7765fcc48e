package store

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// parseHeaders reads pages.headers: a JSON object of lists of texts. What is
// written as Commit writes it, without rare escapes, takes a fraction of the
// work that package json would do.
func parseHeaders(text string) (http.Header, error) {
	if h, ok := plainHeaders(text); ok {
		return h, nil
	}
	var h http.Header
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return nil, fmt.Errorf("headers of a page: %w", err)
	}
	return h, nil
}

// plainHeaders reads headers as Commit writes them, without blanks.
func plainHeaders(text string) (http.Header, bool) {
	rest, ok := strings.CutPrefix(text, "{")
	h := http.Header{}
	for first := true; ok && rest != "}"; first = false {
		if !first {
			if rest, ok = strings.CutPrefix(rest, ","); !ok {
				break
			}
		}
		var name string
		var values []string
		if name, rest, ok = quoted(rest); !ok {
			break
		}
		if rest, ok = strings.CutPrefix(rest, ":["); !ok {
			break
		}
		for ok && !strings.HasPrefix(rest, "]") {
			if len(values) > 0 {
				if rest, ok = strings.CutPrefix(rest, ","); !ok {
					break
				}
			}
			var value string
			value, rest, ok = quoted(rest)
			values = append(values, value)
		}
		rest = strings.TrimPrefix(rest, "]")
		h[name] = values
	}
	return h, ok
}

// quoted cuts a quoted text off in which nothing but quotes and backslashes is
// escaped, as they are in entity tags.
func quoted(text string) (inner, rest string, ok bool) {
	text, ok = strings.CutPrefix(text, `"`)
	for ok {
		i := strings.IndexAny(text, `"\\`)
		switch {
		case i < 0 || i+1 == len(text) && text[i] == '\\':
			return "", text, false
		case text[i] == '"':
			return inner + text[:i], text[i+1:], true
		case text[i+1] != '"' && text[i+1] != '\\':
			return "", text, false
		}
		inner += text[:i] + text[i+1:i+2]
		text = text[i+2:]
	}
	return "", text, false
}
