package extract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// item is a compiled Item.
type item struct {
	name   string
	each   *selector // nil: one record for the page
	when   []*Pattern
	key    []string
	fields []field
}

// field is a compiled Field.
type field struct {
	name     string
	css      *selector // nil: the item's node
	attr     string
	document bool // css is looked up from the document
	all      bool
	regex    *regexp.Regexp
	mapping  map[string]string
	as       Type
	required bool
	def      any // converted to the field's type
	each     *selector
	fields   []field
	any      []field
}

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
		msg := fmt.Sprintf("%q can't name %s %s: small letters, digits and _, a letter first", name, article(what), what)
		if s := suggestedName(name); s != "" {
			msg += fmt.Sprintf(", such as %s", s)
		}
		c.wrong(p, "%s", msg)
	case slices.Contains(before, name):
		c.wrong(p, "there are two %ss %s: give one another name", what, name)
	}
}

func article(noun string) string {
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
	compiled := item{name: it.Name, key: it.Key}
	if it.Each != "" {
		compiled.each = c.selector(p.to("each"), it.Each)
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
	compiled.fields = c.fields(p.to("fields"), it.Fields)
	c.key(p, it)
	return compiled
}

// key checks that the key names fields of which each record has one value.
func (c *checker) key(p path, it Item) {
	names := make([]string, len(it.Fields))
	for i, f := range it.Fields {
		names[i] = f.Name
	}
	for i, name := range it.Key {
		at := slices.Index(names, name)
		switch {
		case at < 0 && nearest(name, names) != "":
			c.wrong(p.to("key", i), "the key field %s does not exist: did you mean %s?", name, nearest(name, names))
		case at < 0:
			c.wrong(p.to("key", i), "the key field %s does not exist: the fields are %s", name, strings.Join(names, ", "))
		case slices.Index(it.Key, name) < i:
			c.wrong(p.to("key", i), "the key has %s twice", name)
		case it.Fields[at].All || it.Fields[at].Each != "":
			c.wrong(p.to("key", i), "the key field %s is a list: a key needs one value", name)
		}
	}
}

func (c *checker) fields(p path, fields []Field) []field {
	compiled := make([]field, len(fields))
	var names []string
	for i, f := range fields {
		at := p.to(f.Name)
		c.name(at, "field", f.Name, names)
		names = append(names, f.Name)
		compiled[i] = c.field(at, f)
	}
	return compiled
}

func (c *checker) field(p path, f Field) field {
	compiled := field{
		name: f.Name, attr: strings.ToLower(f.Attr), document: f.From == FromDocument,
		all: f.All, mapping: f.Map, as: f.As, required: f.Required,
	}
	if f.CSS != "" {
		compiled.css = c.selector(p.to("css"), f.CSS)
	}
	if f.Regex != "" {
		re, err := compileRegexp(f.Regex)
		if err != nil {
			c.wrong(p.to("regex"), "%s", err)
		}
		compiled.regex = re
	}
	if int(f.As) >= len(typeNames) {
		c.wrong(p.to("as"), "there is no type %d: the types are %s", f.As, strings.Join(typeNames[:], ", "))
	}
	if f.From > FromDocument {
		c.wrong(p.to("from"), "a selector is looked up from the item or the document, not from %d", f.From)
	} else if f.From == FromDocument && f.CSS == "" {
		c.wrong(p.to("from"), "from says where css is looked up, and there is none: add css")
	}
	switch {
	case f.Any != nil:
		c.alternatives(p, f, &compiled)
	case f.Each != "" || f.Fields != nil:
		c.nested(p, f, &compiled)
	case f.As.structural():
		c.without(p, f, fmt.Sprintf("as: %s reads the whole element", f.As), "attr", "regex", "map")
	case f.As == HTML && f.Attr != "":
		c.wrong(p.to("attr"), "as: html is the markup within the match: leave out attr or as")
	}
	c.defaultValue(p, f, &compiled)
	return compiled
}

// alternatives compiles a field with Any.
func (c *checker) alternatives(p path, f Field, compiled *field) {
	c.without(p, f, "a list of alternatives takes its value from them, each with its own keys", "css", "attr", "from", "all", "regex", "map", "as", "each", "fields")
	if len(f.Any) == 0 {
		c.wrong(p, "the list of alternatives is empty")
	}
	for i, alternative := range f.Any {
		at := p.to(i)
		if alternative.Name != "" {
			c.wrong(at, "an alternative has no name of its own: leave out %s", alternative.Name)
		}
		if alternative.Required {
			c.wrong(at.to("required"), "required belongs to the field, not to one of its alternatives")
		}
		if alternative.Default != nil {
			c.wrong(at.to("default"), "default belongs to the field, not to one of its alternatives")
			alternative.Default = nil
		}
		compiled.any = append(compiled.any, c.field(at, alternative))
	}
}

// nested compiles a field that is an item within the item.
func (c *checker) nested(p path, f Field, compiled *field) {
	c.without(p, f, "a nested item takes its values from its fields", "attr", "regex", "map", "as")
	if f.All {
		c.wrong(p.to("all"), "a nested item is a list by each: write the selector there and leave out all")
	}
	if len(f.Fields) == 0 {
		c.wrong(p, "%s has each but no fields: for a list of plain values write css and all: true", f.Name)
	}
	if f.Each != "" {
		compiled.each = c.selector(p.to("each"), f.Each)
	}
	compiled.fields = c.fields(p.to("fields"), f.Fields)
}

// without reports the keys that make no sense beside others.
func (c *checker) without(p path, f Field, reason string, keys ...string) {
	set := map[string]bool{
		"css": f.CSS != "", "attr": f.Attr != "", "from": f.From != FromItem, "all": f.All, "regex": f.Regex != "",
		"map": f.Map != nil, "as": f.As != Text, "each": f.Each != "", "fields": f.Fields != nil,
	}
	for _, key := range keys {
		if set[key] {
			c.wrong(p.to(key), "%s: leave out %s", reason, key)
		}
	}
}

func (c *checker) selector(p path, src string) *selector {
	s, err := compileSelector(src)
	if err != nil {
		c.wrong(p, "the selector %q is wrong: %s", src, err)
	}
	return s
}
