package extract

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/magpie-crawl/magpie/extract/structured"
)

// dataPath leads to values of structured data: "Product.offers.price". A
// first step in capitals is a type, of which every node of the page counts,
// those that stand at the top before those within others; without it, the
// nodes at the top count. The further steps are properties, with the number
// of one of several behind it where that is wanted: "offers[2].price".
type dataPath struct {
	typ   string // "" for none
	steps []dataStep
}

type dataStep struct {
	name  string
	index int // from 1; 0: all
}

func parseDataPath(src string) (dataPath, error) {
	var p dataPath
	for i, part := range strings.Split(strings.TrimSpace(src), ".") {
		step := dataStep{name: part}
		if name, index, ok := strings.Cut(part, "["); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
			if err != nil || n < 1 || !strings.HasSuffix(index, "]") {
				return p, fmt.Errorf("%q in the path %q: write the number of one of several from 1, such as offers[1]", part, src)
			}
			step = dataStep{name, n}
		}
		if step.name == "" {
			return p, fmt.Errorf("the path %q has an empty step: write a type and its properties, such as Product.offers.price", src)
		}
		if first := rune(step.name[0]); i == 0 && step.index == 0 && unicode.IsUpper(first) {
			p.typ = step.name
			continue
		}
		p.steps = append(p.steps, step)
	}
	return p, nil
}

// structuredData is what a page says of itself in one format.
type structuredData struct {
	nodes    []any
	problems []structured.Problem      // of scripts that are not quite JSON
	ids      map[string]map[string]any // nodes by @id, once they are looked for
}

// dataSource finds values of structured data.
type dataSource struct {
	dataPath
	format string // for people
	read   func(*extraction) *structuredData
}

func (s dataSource) find(e *extraction, _ scope, yield func(found) bool) {
	data := s.read(e)
	missing := func(format string, args ...any) {
		e.why = absence{what: strings.TrimSpace(fmt.Sprintf(format, args...))}
		if len(data.problems) > 0 {
			e.why.what += "; one script: " + data.problems[0].Detail
		}
	}
	if len(data.nodes) == 0 {
		missing("the page has no %s", s.format)
		return
	}
	at := besides(nil, data.nodes)
	if s.typ != "" {
		if at = e.typed(data.nodes, s.typ); len(at) == 0 {
			missing("the page's %s has no %s", s.format, s.typ)
			return
		}
	}
	before := s.typ
	for _, step := range s.steps {
		var next []any
		for _, v := range at {
			next = append(next, e.property(data, v, step)...)
			if e.exhausted() {
				return
			}
		}
		if len(next) == 0 {
			missing("%s %s has no %s", s.format, before, step.name)
			return
		}
		at, before = next, step.name
	}
	for _, v := range at {
		if e.exhausted() || !yield(found{json: data.resolve(v), isJSON: true, work: &e.work}) {
			return
		}
	}
}

// typed returns the nodes of a type, level by level.
func (e *extraction) typed(nodes []any, typ string) (list []any) {
	for level := besides(nil, nodes); len(level) > 0; {
		var next []any
		for _, v := range level {
			if e.steps--; e.exhausted() {
				return list
			}
			node, ok := v.(map[string]any)
			if !ok {
				continue
			}
			if hasType(node, typ) {
				list = append(list, node)
			}
			for _, name := range slices.Sorted(maps.Keys(node)) {
				if name != "@graph" {
					next = besides(next, node[name])
				}
			}
		}
		level = next
	}
	return list
}

// besides appends a value to those of a level: the members of a list, and
// those of a node's graph behind it, stand on the level themselves. Readers of
// JSON bound how deep that goes.
//
// https://www.w3.org/TR/json-ld11/#named-graphs
func besides(level []any, v any) []any {
	switch v := v.(type) {
	case []any:
		for _, member := range v {
			level = besides(level, member)
		}
		return level
	case map[string]any:
		level = append(level, v)
		if graph, ok := v["@graph"]; ok {
			level = besides(level, graph)
		}
		return level
	}
	return append(level, v)
}

// hasType reports whether a node is of a type, whatever vocabulary it names.
func hasType(node map[string]any, typ string) bool {
	switch t := node["@type"].(type) {
	case string:
		return localName(t) == typ
	case []any:
		return slices.ContainsFunc(t, func(v any) bool {
			s, ok := v.(string)
			return ok && localName(s) == typ
		})
	}
	return false
}

// localName is a name without the vocabulary before it: "Product" of
// "https://schema.org/Product" and "schema:Product".
func localName(s string) string {
	return s[strings.LastIndexAny(s, "/#:")+1:]
}

// property returns the values of a property.
func (e *extraction) property(data *structuredData, v any, step dataStep) []any {
	node, ok := data.resolve(v).(map[string]any)
	if !ok {
		return nil
	}
	value, ok := node[step.name]
	if !ok {
		value, ok = e.localProperty(node, step.name)
	}
	if wrapped, isMap := value.(map[string]any); isMap && len(wrapped) == 1 {
		for _, keyword := range []string{"@list", "@set"} {
			if inner, has := wrapped[keyword]; has {
				value = inner
			}
		}
	}
	list, isList := value.([]any)
	if !isList && ok {
		list = []any{value}
	}
	e.steps -= 1 + stepsPerMember*len(list) // references may multiply them
	if step.index > 0 {
		if step.index > len(list) {
			return nil
		}
		return list[step.index-1 : step.index]
	}
	return list
}

// localProperty returns the value of the first property, by the alphabet,
// whose name is in some vocabulary.
func (e *extraction) localProperty(node map[string]any, local string) (value any, ok bool) {
	first := ""
	for name := range node {
		if e.steps -= 4 + len(name)/bytesPerStep; localName(name) == local && (!ok || name < first) {
			first, ok = name, true
		}
	}
	return node[first], ok
}

// resolve returns the node that a reference, an object with an @id alone,
// leads to.
func (d *structuredData) resolve(v any) any {
	ref, ok := v.(map[string]any)
	if !ok || len(ref) != 1 {
		return v
	}
	id, ok := ref["@id"].(string)
	if !ok {
		return v
	}
	if d.ids == nil {
		d.ids = map[string]map[string]any{}
		d.index(d.nodes)
	}
	if node, ok := d.ids[id]; ok {
		return node
	}
	return v
}

// index notes the nodes that have an @id and more.
func (d *structuredData) index(level []any) {
	for len(level) > 0 {
		var next []any
		for _, v := range level {
			switch v := v.(type) {
			case []any:
				next = append(next, v...)
			case map[string]any:
				if id, ok := v["@id"].(string); ok && len(v) > 1 && d.ids[id] == nil {
					d.ids[id] = v
				}
				for _, name := range slices.Sorted(maps.Keys(v)) {
					next = append(next, v[name])
				}
			}
		}
		level = next
	}
}
