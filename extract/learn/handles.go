package learn

import (
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
)

// hold is what an element can be selected by, mostly a compound selector.
type hold struct {
	parts  []part
	points float64 // 0 to 100
	why    string
}

const (
	maxHeldValue   = 60 // bytes
	maxHoldClasses = 4
)

// testAttributes are given to elements for programs to find them by.
var testAttributes = setOf(`data-testid data-test-id data-test data-qa data-qa-id data-cy data-hook data-e2e data-automation
	data-automation-id data-ui data-selenium data-auto data-tid`)

// looseAttributes hold what changes, or are given to everything.
var looseAttributes = setOf(`data-src data-srcset data-href data-url data-index data-reactid data-reactroot data-id data-key
	data-time data-timestamp data-position data-width data-height data-lazy data-original data-image data-ved data-hveid
	data-style data-tracking data-track data-ga data-gtm data-analytics data-click data-event data-toggle data-target
	data-server-rendered data-react-checksum data-aid data-page`)

// isHold tells the attributes that an element may be held by.
func isHold(name string) bool {
	switch name {
	case "itemprop", "itemtype", "property", "rel", "role", "name", "aria-label", "datetime":
		return true
	}
	return strings.HasPrefix(name, "data-") && len(name) <= 40 && !looseAttributes[name] && isName(name) && !generated(name[len("data-"):])
}

// attributePoints returns what an attribute is worth with its value and
// without; 0 for nothing.
func attributePoints(tag, name string) (value, presence float64) {
	switch {
	case name == "itemprop":
		return 92, 0
	case testAttributes[name]:
		return 90, 0
	case name == "property":
		return 88, 0
	case name == "name" && tag == "meta":
		return 86, 0
	case name == "name" && formTags[tag]:
		return 82, 0
	case name == "rel":
		return 80, 0
	case name == "role":
		return 74, 0
	case name == "aria-label":
		return 72, 0
	case name == "datetime":
		return 0, 64
	case name == "itemtype":
		return 0, 0
	case strings.HasPrefix(name, "data-"):
		return 68, 64
	}
	return 0, 0
}

// formTags are the elements whose name is that of a form's value.
var formTags = setOf("input select textarea button output form fieldset")

// looseRels say how a link is to be treated, not what it links to.
var looseRels = setOf("nofollow noopener noreferrer external ugc sponsored stylesheet preload prefetch preconnect dns-prefetch icon")

// tagPoints is what the name of an element is worth where it is rare; that of
// others is 30.
var tagPoints = map[string]float64{
	"title": 84, "h1": 83, "time": 68, "main": 66, "article": 64, "address": 62, "h2": 60, "figcaption": 60, "cite": 58,
	"blockquote": 56, "caption": 58, "h3": 54, "h4": 50, "header": 54, "summary": 54, "legend": 54, "table": 50, "dl": 50,
	"form": 48, "figure": 50, "head": 70, "section": 40, "ul": 40, "ol": 40, "tr": 34, "th": 34, "dt": 34, "dd": 34,
	"strong": 36, "em": 36, "b": 34, "i": 32, "meta": 10, "link": 10,
}

func pointsOfTag(tag string) float64 {
	if points, ok := tagPoints[tag]; ok {
		return points
	}
	return 30
}

// holds returns what element i can be held by. What says the example's own
// value is left out: it is another one on the next page.
func (s *search) holds(i int32) []hold {
	e := &s.scope.elements[i]
	tag := e.node.Data
	if !isName(tag) {
		return nil
	}
	var list []hold
	add := func(points float64, why string, c compound) {
		if c.tag == "" {
			for _, f := range c.simple {
				if s.example.names(f.name) || f.kind == byAttr && s.example.names(f.value) {
					points += 4
					break
				}
			}
		}
		list = append(list, hold{[]part{{' ', c}}, points, why})
	}
	if id, ok := attr(e.node, "id"); ok && stability(id) > 0 && !s.example.tells(id) {
		add(95-30*(1-stability(id)), "id", compound{simple: []feature{{byID, id, ""}}})
	}
	for k := range e.node.Attr {
		if a := &e.node.Attr[k]; a.Namespace == "" && isHold(a.Key) {
			s.attributeHolds(tag, a.Key, a.Val, add)
		}
	}
	s.classHolds(tag, classes(e.node), add)
	add(pointsOfTag(tag), "tag", compound{tag: tag})
	return list
}

// attributeHolds adds what an attribute gives, alone and with the element's name.
func (s *search) attributeHolds(tag, name, value string, add func(float64, string, compound)) {
	withValue, presence := attributePoints(tag, name)
	why := name
	held := feature{byAttr, name, value}
	if withValue > 0 && heldValue(name, value) && !s.example.tells(value) {
		add(withValue, why, compound{simple: []feature{held}})
		add(withValue-1, why, compound{tag: tag, simple: []feature{held}})
	}
	if presence > 0 {
		add(presence, why, compound{simple: []feature{{hasAttr, name, ""}}})
		add(presence-1, why, compound{tag: tag, simple: []feature{{hasAttr, name, ""}}})
	}
}

// heldValue reports whether a value of an attribute is likely to stay.
func heldValue(name, value string) bool {
	if value == "" || len(value) > maxHeldValue || strings.ContainsAny(value, "\"\\\n\r\f\t\x00") {
		return false
	}
	switch name {
	case "itemprop", "property":
		return true
	case "name": // twitter:data1 is as good as any
		return strings.Contains(value, ":") || !generated(value)
	case "rel":
		for rel := range strings.FieldsSeq(value) {
			if looseRels[strings.ToLower(rel)] {
				return false
			}
		}
		return true
	case "aria-label":
		return digits(value) == 0
	}
	return isName(value) && !generated(value)
}

// classHolds adds the classes: alone, with the element's name, in pairs.
func (s *search) classHolds(tag string, all []string, add func(float64, string, compound)) {
	var stable []feature
	hashes := styled(all)
	for _, class := range all {
		if hashes && shortWord(class) {
			continue
		}
		f := feature{byClass, class, ""}
		if stability(class) > 0 && !utility(class) && !s.example.tells(class) && !slices.Contains(stable, f) {
			if stable = append(stable, f); len(stable) == maxHoldClasses {
				break
			}
		}
	}
	for _, class := range all[:min(len(all), maxHoldClasses)] {
		if start, ok := beforeHash(class); ok && !s.example.tells(start) {
			add(72, "class", compound{simple: []feature{{byStart, start, ""}}})
			add(71, "class", compound{tag: tag, simple: []feature{{byStart, start, ""}}})
		}
	}
	for i, f := range stable {
		points := 82 - 30*(1-stability(f.name)) - float64(i)
		add(points, "class", compound{simple: []feature{f}})
		add(points-1, "class", compound{tag: tag, simple: []feature{f}})
		for _, g := range stable[i+1:] {
			add(min(points, 82-30*(1-stability(g.name)))-3, "class", compound{simple: []feature{f, g}})
		}
	}
}

// labelTags are the elements that name what stands behind them.
var labelTags = setOf("th td dt span strong b label h3 h4 h5")

// label returns a hold on element i by the name that stands before it:
// th:contains("Weight") + td.
func (s *search) label(i int32) (hold, bool) {
	n := s.scope.elements[i].node
	p := n.PrevSibling
	for p != nil && p.Type != n.Type {
		p = p.PrevSibling
	}
	if p == nil || !labelTags[p.Data] || !isName(n.Data) {
		return hold{}, false
	}
	text := startOfText(p)
	label := strings.TrimRight(strings.TrimSpace(text), ": \u00a0：")
	if len(label) < 2 || len(label) > 40 || label != oneLine(label) || digits(label) > 0 || strings.ContainsAny(label, "\"\\") || s.example.tells(label) {
		return hold{}, false
	}
	if oneLine(text) != oneLine(extract.TextOf(p)) { // of several blocks, or hidden in part
		return hold{}, false
	}
	points := 66.0
	if p.Data == "span" || p.Data == "td" {
		points = 58
	}
	parts := []part{{' ', compound{tag: p.Data, label: label}}, {'+', compound{tag: n.Data}}}
	return hold{parts, points, "label"}, true
}
