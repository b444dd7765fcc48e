package article

import (
	"encoding/json"
	"strings"
)

// linkedData adds what a script of JSON-LD tells about the page's article: the
// first object whose type is a kind of article, else of a page.
//
// https://schema.org/Article
func (f facts) linkedData(source string) {
	if len(source) > maxLinkedData {
		return
	}
	var v any
	if json.Unmarshal([]byte(unwrap(source)), &v) != nil {
		return
	}
	objects := objectsOf(v)
	for _, wanted := range []func(string) bool{isArticle, isPage} {
		for _, o := range objects {
			if hasType(o["@type"], wanted) {
				f.object(o)
			}
		}
	}
}

// unwrap takes off what pages put around scripts for readers of long ago.
func unwrap(source string) string {
	for _, wrap := range [][2]string{{"<!--", "-->"}, {"//", ""}, {"<![CDATA[", "]]>"}, {"", "//"}} {
		source = strings.TrimSpace(source)
		source = strings.TrimSuffix(strings.TrimPrefix(source, wrap[0]), wrap[1])
	}
	return source
}

const (
	maxLinkedData = 1 << 20
	maxObjects    = 1000
)

// objectsOf lists the objects of a script: itself, the members of a list, and
// those of a graph, with what they say to be the main thing of.
func objectsOf(v any) []map[string]any {
	var list []map[string]any
	queue := []any{v}
	for len(queue) > 0 && len(list) < maxObjects {
		switch v := queue[0].(type) {
		case []any:
			queue = append(queue, v[:min(len(v), maxObjects)]...)
		case map[string]any:
			list = append(list, v)
			for _, key := range []string{"@graph", "mainEntity", "mainEntityOfPage"} {
				queue = append(queue, v[key])
			}
		}
		queue = queue[1:]
	}
	return list
}

// hasType reports whether a type, or one of a list, is wanted.
func hasType(v any, wanted func(string) bool) bool {
	switch v := v.(type) {
	case string:
		return wanted(v)
	case []any:
		for _, t := range v {
			if s, ok := t.(string); ok && wanted(s) {
				return true
			}
		}
	}
	return false
}

// isArticle tells schema.org's kinds of article, https://schema.org/Article#subtypes
func isArticle(t string) bool {
	return strings.HasSuffix(t, "Article") || strings.HasSuffix(t, "BlogPosting") || strings.HasSuffix(t, "Report") ||
		strings.HasSuffix(t, "SocialMediaPosting") || strings.HasSuffix(t, "Recipe") || strings.HasSuffix(t, "Review")
}

func isPage(t string) bool { return strings.HasSuffix(t, "WebPage") }

// object adds the members of an object.
func (f facts) object(o map[string]any) {
	for _, key := range []string{"datePublished", "dateModified", "dateCreated", "description", "inLanguage"} {
		if s, ok := o[key].(string); ok {
			f.add("ld:"+key, s)
		}
	}
	f.add("ld:author", strings.Join(namesOf(o["author"], "name"), ", "))
	f.add("ld:publisher", strings.Join(namesOf(o["publisher"], "name"), ", "))
	if images := namesOf(o["image"], "url"); len(images) > 0 {
		f.add("ld:image", images[0])
	}
}

// namesOf lists a text, the named member of an object, or those of a list.
func namesOf(v any, member string) []string {
	switch v := v.(type) {
	case string:
		return []string{strings.TrimSpace(v)}
	case map[string]any:
		if s, ok := v[member].(string); ok && strings.TrimSpace(s) != "" {
			return []string{strings.TrimSpace(s)}
		}
	case []any:
		var list []string
		for _, o := range v[:min(len(v), 20)] {
			if _, nested := o.([]any); !nested {
				list = append(list, namesOf(o, member)...)
			}
		}
		return list
	}
	return nil
}
