package weburl

import "strings"

// Without returns u without the query parameters whose names drop accepts, and
// without such parameters behind a semicolon in the last path segment, as in
// "/a;jsessionid=1". What remains keeps its order and spelling.
func (u URL) Without(drop func(name string) bool) URL {
	if strings.IndexByte(u.href[u.host:], '?') < 0 && strings.IndexByte(u.href[u.host:], ';') < 0 {
		return u
	}
	path, query, hasQuery := strings.Cut(u.RequestURI(), "?")
	slash := strings.LastIndexByte(path, '/')
	path = path[:slash] + keepParameters(path[slash:], ";", drop)
	kept := ""
	if hasQuery {
		first := keepParameters("&"+query, "&", drop)
		if kept = "?" + strings.TrimPrefix(first, "&"); first == "" {
			kept = ""
		}
	}
	if path+kept == u.RequestURI() {
		return u
	}
	stripped, err := Parse(u.Origin() + path + kept)
	if err != nil {
		return u
	}
	return stripped
}

// keepParameters returns s, of which each part but the first is a parameter,
// without those whose names drop accepts.
func keepParameters(s, separator string, drop func(name string) bool) string {
	parts := strings.Split(s, separator)
	kept := parts[:1]
	for _, p := range parts[1:] {
		name, _, _ := strings.Cut(p, "=")
		if !drop(name) {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, separator)
}
