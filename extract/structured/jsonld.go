package structured

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/structured/loosejson"
)

// JSONLD reads the JSON-LD scripts below root and returns their objects as
// they stand there, those of arrays one by one. What is not quite JSON is
// repaired as package loosejson does; each script that was repaired or could
// not be read is a Problem.
//
// https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents
func JSONLD(root *html.Node) (nodes []any, problems []Problem) {
	return newPage(root, "").jsonLD()
}

func (p *page) jsonLD() (nodes []any, problems []Problem) {
	for _, script := range p.scripts {
		v, repairs, err := loosejson.Read(childText(script))
		if err != nil {
			problems = append(problems, unreadable(err))
			continue
		}
		if len(repairs) > 0 {
			problems = append(problems, repaired(repairs))
		}
		var others int
		nodes, others = flatten(nodes, v)
		if others > 0 {
			problems = append(problems, Problem{jsonLD, 1, fmt.Sprintf("left out %d values that are no objects", others)})
		}
	}
	return nodes, problems
}

const jsonLD = "json-ld"

// isJSONLD reports whether a script has the media type of JSON-LD.
func isJSONLD(script *html.Node) bool {
	mediaType, _ := attr(script, "type")
	mediaType, _, _ = strings.Cut(mediaType, ";")
	return strings.EqualFold(strings.Trim(mediaType, asciiWhitespace), "application/ld+json")
}

// flatten adds an object, or the objects in an array, and counts what is
// neither. loosejson bounds how deep arrays are nested.
func flatten(nodes []any, v any) (all []any, others int) {
	switch v := v.(type) {
	case map[string]any:
		nodes = append(nodes, v)
	case []any:
		for _, member := range v {
			var n int
			nodes, n = flatten(nodes, member)
			others += n
		}
	default:
		others++
	}
	return nodes, others
}

func unreadable(err error) Problem {
	p := Problem{Syntax: jsonLD, Detail: "unreadable: " + err.Error()}
	var at *loosejson.SyntaxError
	if errors.As(err, &at) {
		p.Line, p.Detail = at.Line, "unreadable: "+at.What
	}
	return p
}

func repaired(repairs []loosejson.Repair) Problem {
	p := Problem{jsonLD, repairs[0].Line, "repaired: "}
	for i, r := range repairs {
		p.Line = min(p.Line, r.Line)
		if i > 0 {
			p.Detail += ", "
		}
		p.Detail += r.What
	}
	return p
}
