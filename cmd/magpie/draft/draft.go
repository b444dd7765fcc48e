// Package draft makes job files to start from, of a page alone or of examples
// of what is wanted on it.
package draft

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/extract/learn"
	"github.com/magpie-crawl/magpie/extract/structured"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// Draft is a job file in the making.
type Draft struct {
	Page    extract.Page
	Item    string // what a record is called; "": by the structured data, else item
	Now     time.Time
	Each    string          // "": one record for the page
	Learned []learn.Learned // from examples
	Others  []string        // pages that proved them
	guessed []guessedField  // without examples
}

// guessedField is a field of structured data, as YAML.
type guessedField struct {
	name, yaml, comment string
}

// Guess takes the fields from the page's structured data, else from what every
// page has.
func (d *Draft) Guess() {
	nodes, _ := structured.JSONLD(d.Page.Root)
	if node, typ := mainNode(nodes); node != nil {
		if d.Item == "" {
			d.Item = itemName(typ)
		}
		d.guessed = nodeFields(node, typ)
		return
	}
	d.guessed = []guessedField{
		{"title", `[{opengraph: title}, h1, title]`, "the first of these that there is"},
		{"description", `[{opengraph: description}, {meta: description}]`, ""},
		{"published", `{article: date}`, "of the article that the page holds"},
		{"text", `{article: markdown}`, ""},
	}
}

// mainNode is the node of structured data that the page is about: the one with
// the most values, but for what is said of the site.
func mainNode(nodes []any) (best map[string]any, typ string) {
	site := map[string]bool{"WebSite": true, "WebPage": true, "Organization": true, "BreadcrumbList": true, "ImageObject": true, "Person": true, "SearchAction": true}
	var look func(v any, depth int)
	look = func(v any, depth int) {
		switch v := v.(type) {
		case []any:
			for _, inner := range v {
				look(inner, depth)
			}
		case map[string]any:
			if graph, ok := v["@graph"]; ok && depth < 3 {
				look(graph, depth+1)
			}
			if t, ok := v["@type"].(string); ok && !site[t] && validType.MatchString(t) && len(v) > len(best) {
				best, typ = v, t
			}
		}
	}
	look(nodes, 0)
	return best, typ
}

var validType = regexp.MustCompile(`^[A-Z][A-Za-z]*$`)

// nodeFields makes fields of the properties that have one value.
func nodeFields(node map[string]any, typ string) (fields []guessedField) {
	for _, name := range slices.Sorted(maps.Keys(node)) {
		path := fmt.Sprintf("%q", typ+"."+name)
		yaml := ""
		switch v := node[name].(type) {
		case string:
			yaml = "{jsonld: " + path + "}"
			if strings.HasPrefix(name, "date") {
				yaml = "{jsonld: " + path + ", as: date}"
			} else if strings.HasPrefix(v, "http") {
				yaml = "{jsonld: " + path + ", as: url}"
			}
		case json.Number:
			yaml = "{jsonld: " + path + ", as: number}"
		case map[string]any, []any:
			switch name {
			case "offers":
				fields = append(fields, guessedField{"price", "{jsonld: " + path + ", as: price}", ""})
			case "brand", "author", "publisher", "manufacturer":
				yaml = "{jsonld: " + path + "}"
			case "image":
				yaml = "{jsonld: " + path + ", as: url}"
			}
		}
		if yaml != "" && plainWord.MatchString(name) {
			fields = append(fields, guessedField{itemName(name), yaml, ""})
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(fields, func(f guessedField) bool {
		before := seen[f.name]
		seen[f.name] = true
		return before
	})
}

var (
	plainWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)
	capital   = regexp.MustCompile(`[A-Z]+`)
)

// itemName writes a name of structured data as names are written in jobs:
// "date_published".
func itemName(s string) string {
	return strings.ToLower(strings.TrimLeft(capital.ReplaceAllString(s, "_$0"), "_"))
}

// SiteName is what a job of a site is called.
func SiteName(u *url.URL) string {
	if u == nil || u.Hostname() == "" {
		return "job"
	}
	name := strings.TrimPrefix(u.Hostname(), "www.")
	return strings.Trim(notName.ReplaceAllString(strings.ToLower(name), "-"), "-")
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// Text writes the job file.
func (d *Draft) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	start := "https://example.com/   # the page was a file: say where the crawl is to start"
	if d.Page.URL != nil && d.Page.URL.Scheme != "file" {
		start = quoteYAML(d.Page.URL.String())
	}
	line("# Made by magpie init on %s.", d.Now.Format(time.DateOnly))
	for _, other := range d.Others {
		line("# Looked at too: %s", oneLine(other))
	}
	line("name: %s", SiteName(d.Page.URL))
	line("start: %s", start)
	line("limits: {pages: 100}           # take this away once the records are right")
	line("# scope: {allow: [\"*/catalogue/*\"]}   # only links like this are followed; left out: all of the host")
	line("# follow: [\"a.next\"]                  # only links in these elements are followed")
	line("items:")
	if d.Item == "" {
		d.Item = "item"
	}
	line("  %s:", d.Item)
	if d.Each != "" {
		line("    each: %s    # one record for each match", quoteYAML(d.Each))
	}
	line("    # when: {url: \"*/catalogue/*\"}      # only pages like this hold records; left out: every page")
	line("    fields:")
	for _, f := range d.Learned {
		line("      %s: %s   # %s", f.Field, learnedYAML(f), learnedComment(f))
	}
	for _, f := range d.guessed {
		comment := ""
		if f.comment != "" {
			comment = "   # " + f.comment
		}
		line("      %s: %s%s", f.name, f.yaml, comment)
	}
	return b.String()
}

// learnedYAML writes a learned field.
func learnedYAML(f learn.Learned) string {
	var keys []string
	if f.Selector != "" {
		keys = append(keys, "css: "+quoteYAML(f.Selector))
	}
	if f.Attr != "" {
		keys = append(keys, "attr: "+quoteYAML(f.Attr))
	}
	if f.As != extract.Text {
		keys = append(keys, "as: "+f.As.String())
	}
	return "{" + strings.Join(keys, ", ") + "}"
}

// learnedComment says what a learned selector holds on to.
func learnedComment(f learn.Learned) string {
	comment := "by " + oneLine(f.Why)
	if f.Matches > 1 {
		comment += fmt.Sprintf(", the first of %d", f.Matches)
	}
	if len(f.Alternatives) > 0 && f.Alternatives[0].Selector != "" {
		comment += "; also " + oneLine(f.Alternatives[0].Selector)
		if attr := f.Alternatives[0].Attr; attr != "" {
			comment += "::attr(" + oneLine(attr) + ")"
		}
	}
	return comment
}

// quoteYAML writes text in double quotes: JSON is YAML.
func quoteYAML(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // never of a string
		return "\"\""
	}
	return strings.TrimSpace(b.String())
}

// oneLine makes text of a page fit for a comment.
func oneLine(s string) string { return harmless.Text(strings.Join(strings.Fields(s), " ")) }
