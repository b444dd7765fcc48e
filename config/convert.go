package config

import (
	"bytes"

	"github.com/goccy/go-yaml/ast"
)

// converter turns the YAML library's tree into nodes: aliases and merge keys
// are resolved, duplicate keys reported.
type converter struct {
	lines    []string
	anchors  map[string]*node
	values   int // nodes so far, see maxValues
	mistakes []*Mistake
	fatal    *Mistake // ends the conversion
}

func (c *converter) fail(p place, format string, args ...any) *node {
	if c.fatal == nil {
		c.fatal = mistakeAt(p, format, args...)
	}
	return &node{place: p}
}

// count books values that n brings in at p.
func (c *converter) count(n int, p place) {
	if c.values += n; c.values > maxValues {
		c.fail(p, "the file has more than %d values once its aliases are resolved", maxValues)
	}
}

// convert returns the node for n, which stands depth collections deep.
func (c *converter) convert(n ast.Node, depth int) *node {
	if n == nil || c.fatal != nil {
		return &node{}
	}
	at := tokenPlace(n.GetToken())
	if depth > maxNest {
		return c.fail(at, "nested more than %d levels deep", maxNest)
	}
	c.count(1, at)
	switch n := n.(type) {
	case *ast.NullNode:
		return &node{kind: nullKind, place: at}
	case *ast.BoolNode:
		return &node{kind: boolKind, place: at, text: n.Token.Value}
	case *ast.IntegerNode, *ast.FloatNode:
		return &node{kind: numberKind, place: at, text: n.GetToken().Value}
	case *ast.LiteralNode:
		return &node{kind: textKind, place: at, text: n.Value.Value}
	case *ast.MappingNode:
		return c.mapping(n.Values, n.IsFlowStyle, at, depth)
	case *ast.MappingValueNode:
		return c.mapping([]*ast.MappingValueNode{n}, n.IsFlowStyle, at, depth)
	case *ast.SequenceNode:
		return c.sequence(n, at, depth)
	case *ast.AnchorNode:
		v := c.convert(n.Value, depth)
		c.anchors[n.Name.GetToken().Value] = v
		return v
	case *ast.AliasNode:
		return c.alias(n, at)
	case *ast.TagNode:
		return c.fail(at, "a value cannot begin with ! here: put it in quotes (YAML tags are not used in job files)")
	default: // text, and the writings of infinity and not-a-number, which are nothing else here
		return &node{kind: textKind, place: at, text: n.GetToken().Value}
	}
}

func (c *converter) sequence(n *ast.SequenceNode, at place, depth int) *node {
	list := &node{kind: listKind, place: at}
	for _, v := range n.Values {
		entry := c.convert(v, depth+1)
		list.list = append(list.list, entry)
		list.size += entry.size + 1
	}
	if n.IsFlowStyle && n.End != nil {
		list.flow = c.source(at, tokenPlace(n.End))
	}
	return list
}

func (c *converter) alias(n *ast.AliasNode, at place) *node {
	name := n.Value.GetToken().Value
	v, known := c.anchors[name]
	if !known {
		return c.fail(at, `YAML reads a value that begins with * as an alias, and there is no anchor &%s above: put it in quotes: %s`,
			name, quoted("*"+name))
	}
	c.count(v.size, at)
	return v
}

func (c *converter) mapping(values []*ast.MappingValueNode, flow bool, at place, depth int) *node {
	m := &node{kind: mappingKind, place: at}
	first := map[string]place{} // of each key that m has itself
	for _, v := range values {
		if name, p, ok := c.key(v.Key); ok && first[name] == (place{}) {
			first[name] = p
		}
	}
	has := map[string]bool{}
	for i, v := range values {
		if c.fatal != nil {
			return m
		}
		name, p, ok := c.key(v.Key)
		if i == 0 && !flow {
			m.place = p
		}
		switch {
		case v.Key.IsMergeKey():
			for _, merged := range c.merge(c.convert(v.Value, depth+1), p) {
				if first[merged.key] == (place{}) && !has[merged.key] {
					has[merged.key] = true
					m.add(merged)
				}
			}
		case !ok:
			c.fail(p, "a key must be a plain name followed by a colon and a space")
		case has[name]:
			c.mistakes = append(c.mistakes, mistakeAt(p, "duplicate key %s: it stands on line %d already", quoted(name), first[name].line))
		default:
			has[name] = true
			m.add(pair{name, p, c.convert(v.Value, depth+1)})
		}
	}
	return m
}

func (n *node) add(p pair) {
	n.pairs = append(n.pairs, p)
	n.size += p.value.size + 1
}

// key returns a scalar key as it is written.
func (c *converter) key(k ast.MapKeyNode) (string, place, bool) {
	at := tokenPlace(k.GetToken())
	switch k := k.(type) {
	case *ast.StringNode:
		return k.Value, at, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return k.GetToken().Value, at, true
	}
	return "", at, false
}

// merge returns what the merge key << at p brings: the pairs of one mapping,
// or of a list of them, the first of a name counting.
func (c *converter) merge(from *node, p place) []pair {
	switch from.kind {
	case mappingKind:
		return from.pairs
	case listKind:
		var all []pair
		for _, one := range from.list {
			if one.kind != mappingKind {
				c.fail(p, "<< merges mappings, not %s", one.what())
				return nil
			}
			all = append(all, one.pairs...)
		}
		return all
	}
	c.fail(p, "<< merges a mapping, such as <<: *common, not %s", from.what())
	return nil
}

// source returns what stands between two places of one line, both included.
func (c *converter) source(from, to place) string {
	if from.line != to.line || from.line > len(c.lines) {
		return ""
	}
	runes := bytes.Runes([]byte(c.lines[from.line-1]))
	if from.column > to.column || to.column > len(runes) {
		return ""
	}
	return string(runes[from.column-1 : to.column])
}
