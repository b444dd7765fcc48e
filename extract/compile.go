package extract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/itchyny/gojq"

	"github.com/magpie-crawl/magpie/extract/xpath"
	"github.com/magpie-crawl/magpie/internal/spelling"
)

// item is a compiled Item.
type item struct {
	name     string
	each     nodes // nil: one record for the page
	siblings bool
	when     []*Pattern
	key      []string
	check    *expression // nil: none
	fieldList
}

// field is a compiled Field.
type field struct {
	name       string
	source     source
	key, query string // of source, for people
	constant   any    // nil: none
	expr       *expression
	jq         *gojq.Code
	attr       string
	all        bool
	nth        int
	single     bool // there must not be several
	raw        bool
	steps      steps
	as         Type
	values     []string
	zone       *time.Location
	join       *string
	check      *expression
	required   bool
	def        any // converted to the field's type
	each       nodes
	siblings   bool
	any        []field
	slot       int // of its selector in the list's sets; 0: it is looked up alone
	fieldList
}

// list reports whether the value is a list, or put together from one.
func (f *field) list() bool { return f.all || f.steps.split != "" }

// Compile checks spec and prepares it. The error is a SpecErrors with every
// mistake found. The spec must not be changed afterwards.
func Compile(spec Spec) (*Extractor, error) {
	x := &Extractor{spec: spec}
	c := checker{}
	if len(spec.Items) == 0 {
		c.wrong(nil, "there is no item: say at least one")
	}
	var names []string
	for _, it := range spec.Items {
		p := path{it.Name}
		c.name(p, "item", it.Name, names)
		names = append(names, it.Name)
		x.items = append(x.items, c.item(p, it))
	}
	if len(c.errs) > 0 {
		return nil, c.errs
	}
	return x, nil
}

// path is a SpecError's Path.
type path []any

func (p path) to(steps ...any) path { return append(slices.Clone(p), steps...) }

// checker compiles a spec and collects what is wrong with it.
type checker struct {
	errs SpecErrors
}

func (c *checker) wrong(p path, format string, args ...any) {
	c.errs = append(c.errs, &SpecError{Path: p, Msg: fmt.Sprintf(format, args...)})
}

var validName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// name checks the name of an item or field against the rule and those before.
func (c *checker) name(p path, what, name string, before []string) {
	switch {
	case !validName.MatchString(name):
		msg := fmt.Sprintf("%q can't name %s %s: small letters, digits and _, a letter first", name, indefinite(what), what)
		if s := suggestedName(name); s != "" {
			msg += fmt.Sprintf(", such as %s", s)
		}
		c.wrong(p, "%s", msg)
	case slices.Contains(before, name):
		c.wrong(p, "there are two %ss %s: give one another name", what, name)
	}
}

func indefinite(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an"
	}
	return "a"
}

// suggestedName makes a valid name of what was written, "" if it can't.
func suggestedName(s string) string {
	s = strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == ' ' || r == '.':
			return '_'
		case r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			return r
		}
		return -1
	}, strings.ToLower(s)), "_0123456789")
	return s
}

func (c *checker) item(p path, it Item) item {
	compiled := item{name: it.Name, key: it.Key, siblings: it.Siblings}
	if it.Each != "" {
		compiled.each = c.nodes(p.to("each"), it.Each)
	} else if it.Siblings {
		c.wrong(p.to("siblings"), "siblings says what belongs to a match of each, and there is none: add each")
	}
	for i, src := range it.When.URL {
		pattern, err := CompilePattern(src)
		if err != nil {
			c.wrong(p.to("when", "url", i), "%s", err)
		}
		compiled.when = append(compiled.when, pattern)
	}
	if len(it.Fields) == 0 {
		c.wrong(p, "%s has no fields: say at least one", it.Name)
	}
	compiled.fieldList = c.fields(p.to("fields"), it.Fields)
	if it.Check != "" {
		compiled.check = c.expression(p.to("check"), it.Check, fieldNames(it.Fields))
	}
	c.key(p, it)
	c.index(p, it)
	return compiled
}

// key checks that the key names fields of which each record has one value.
func (c *checker) key(p path, it Item) {
	names := fieldNames(it.Fields)
	for i, name := range it.Key {
		at := slices.Index(names, name)
		switch {
		case at < 0 && spelling.Nearest(name, names) != "":
			c.wrong(p.to("key", i), "the key field %s does not exist: did you mean %s?", name, spelling.Nearest(name, names))
		case at < 0:
			c.wrong(p.to("key", i), "the key field %s does not exist: the fields are %s", name, strings.Join(names, ", "))
		case slices.Index(it.Key, name) < i:
			c.wrong(p.to("key", i), "the key has %s twice", name)
		case (it.Fields[at].All || it.Fields[at].Split != "") && it.Fields[at].Join == nil || it.Fields[at].Each != "":
			c.wrong(p.to("key", i), "the key field %s is a list: a key needs one value", name)
		}
	}
}

// index checks that the index names fields that have a value to compare.
func (c *checker) index(p path, it Item) {
	names := fieldNames(it.Fields)
	for i, name := range it.Index {
		at := slices.Index(names, name)
		switch {
		case at < 0 && spelling.Nearest(name, names) != "":
			c.wrong(p.to("index", i), "the index names a field %s that does not exist: did you mean %s?", name, spelling.Nearest(name, names))
		case at < 0:
			c.wrong(p.to("index", i), "the index names a field %s that does not exist: the fields are %s", name, strings.Join(names, ", "))
		case slices.Index(it.Index, name) < i:
			c.wrong(p.to("index", i), "the index has %s twice", name)
		case !hasOrder(it.Fields[at]):
			c.wrong(p.to("index", i), "the field %s cannot be indexed: it is a list or an object, not one value", name)
		}
	}
	if len(it.Index) > maxIndex {
		c.wrong(p.to("index"), "the index has %d fields: name at most %d, each makes storing a record slower", len(it.Index), maxIndex)
	}
}

// maxIndex bounds how many fields of an item are indexed.
const maxIndex = 8

// hasOrder tells whether a field's value is one that has an order.
func hasOrder(f Field) bool {
	switch {
	case len(f.Any) > 0 && !f.All:
		return !slices.ContainsFunc(f.Any, func(a Field) bool { return !hasOrder(a) })
	case (f.All || f.Split != "") && f.Join == nil || f.Each != "" || len(f.Fields) > 0:
		return false
	}
	switch f.As {
	case Pairs, Table, JSON, Links, Images, HTML, Markdown:
		return false
	}
	return true
}

func fieldNames(fields []Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

func (c *checker) fields(p path, fields []Field) fieldList {
	compiled := make([]field, len(fields))
	var names []string
	for i, f := range fields {
		at := p.to(f.Name)
		c.name(at, "field", f.Name, names)
		names = append(names, f.Name)
		compiled[i] = c.field(at, f)
	}
	for i, f := range fields {
		at := p.to(f.Name)
		if f.Expr != "" {
			// Those that are computed themselves count only before it.
			names := slices.DeleteFunc(fieldNames(fields), func(name string) bool {
				return slices.ContainsFunc(fields[i:], func(g Field) bool { return g.Expr != "" && g.Name == name })
			})
			compiled[i].expr = c.expression(at.to("expr"), f.Expr, names)
		}
		if f.Check != "" {
			compiled[i].check = c.expression(at.to("check"), f.Check, append(fieldNames(fields), ownValue))
		}
	}
	l := fieldList{fields: compiled}
	l.plan(compiled)
	return l
}

func (c *checker) expression(p path, src string, names []string) *expression {
	x, err := compileExpression(src, names)
	if err != nil {
		c.wrong(p, "%s", err)
	}
	return x
}

func (c *checker) selector(p path, src string) *selector {
	s, err := compileSelector(src)
	if err != nil {
		c.wrong(p, "the selector %q is wrong: %s", src, err)
	}
	return s
}

func (c *checker) xpath(p path, src string) *xpath.Expr {
	x, err := xpath.Compile(src)
	if err != nil {
		c.wrong(p, "the XPath %q is wrong: %s", src, err)
	}
	return x
}

// nodes compiles an each: CSS or XPath.
func (c *checker) nodes(p path, src string) nodes {
	if isXPath(src) {
		return xpathNodes{c.xpath(p, src)}
	}
	return cssNodes{c.selector(p, src)}
}
