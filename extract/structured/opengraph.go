package structured

import (
	"strings"

	"golang.org/x/net/html"
)

// OpenGraph returns what the Open Graph properties below root say. Names are
// without the prefix og:, those of other vocabularies of the protocol
// (article:tag, product:price:amount) as they are, all in lower case.
//
// image, video, audio, music:song, music:album and the like, which have
// properties of their own, are arrays of objects, even where there is one:
// {"url": …, "width": …}. Of the others one that is there once is a string,
// and one that repeats is an array of strings.
//
// https://ogp.me/#structured
func OpenGraph(root *html.Node) map[string]any {
	return openGraph(Meta(root))
}

// graphVocabularies are the prefixes of Open Graph's object types, and those
// that sites use with them.
var graphVocabularies = []string{"og:", "article:", "book:", "profile:", "music:", "video:", "product:", "place:", "business:", "fb:"}

// structuredProperties have properties of their own.
var structuredProperties = map[string]bool{
	"image": true, "video": true, "audio": true,
	"music:song": true, "music:album": true, "video:actor": true,
}

func openGraph(tags []MetaTag) map[string]any {
	graph := map[string]any{}
	for _, t := range named(tags, graphVocabularies...) {
		name := strings.TrimPrefix(strings.ToLower(t.Name), "og:")
		if name == "" || t.Content == "" {
			continue
		}
		if parent, sub := structuredName(name); parent != "" {
			graph[parent] = addToObject(graph[parent], sub, t.Content)
		} else {
			graph[name] = addToProperty(graph[name], t.Content)
		}
	}
	if len(graph) == 0 {
		return nil
	}
	return graph
}

// structuredName cuts the name of a structured property, or of a property of
// one, such as image:width, in two. The property itself is its URL.
func structuredName(name string) (parent, sub string) {
	if structuredProperties[name] {
		return name, ""
	}
	if i := strings.LastIndexByte(name, ':'); i > 0 && structuredProperties[name[:i]] {
		return name[:i], name[i+1:]
	}
	return "", ""
}

// addToProperty makes a property that repeats an array.
func addToProperty(old any, value string) any {
	switch old := old.(type) {
	case nil:
		return value
	case []any:
		return append(old, value)
	default:
		return []any{old, value}
	}
}

// addToObject adds a property to the last object of an array. The property
// itself begins a new one, also by its other name, url, unless that repeats
// the address. What an object has already stays.
func addToObject(old any, sub, value string) any {
	list, _ := old.([]any)
	var last map[string]any
	if len(list) > 0 {
		last = list[len(list)-1].(map[string]any)
	}
	begins := last == nil || sub == ""
	if sub == "" || sub == "url" {
		sub = "url"
		if last != nil {
			url, ok := last["url"]
			begins = begins && ok || ok && url != value
		}
	}
	if begins {
		return append(list, map[string]any{sub: value})
	}
	if _, ok := last[sub]; !ok {
		last[sub] = value
	}
	return list
}
