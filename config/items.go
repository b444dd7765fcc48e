package config

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
)

// items reads the item types. What they say is checked by extract.Compile.
func (d *decoder) items(v value) extract.Spec {
	var spec extract.Spec
	if v.kind != mappingKind {
		d.want(v, "a mapping of item names, such as book, to what an item is")
		return spec
	}
	for _, p := range v.pairs {
		if err := checkItemName(p.key); err != nil {
			d.wrong(p.place, "%s", err)
		}
		if p.value.kind == nullKind {
			d.noValue(p)
			continue
		}
		spec.Items = append(spec.Items, d.item(value{p.value, p.key}))
	}
	return spec
}

func (d *decoder) item(v value) extract.Item {
	item := extract.Item{Name: v.name}
	d.mapping(v, []key{
		{name: "each", read: func(v value) { item.Each, _ = d.text(v, `".product"`) }},
		{name: "siblings", read: func(v value) { item.Siblings = d.boolean(v) }},
		{name: "check", read: func(v value) { item.Check, _ = d.text(v, `"price.amount > 0"`) }},
		{name: "when", read: func(v value) {
			d.mapping(v, []key{{name: "url", read: func(v value) { item.When.URL = plainTexts(d.texts(v, `"*/catalogue/*"`)) }}})
		}},
		{name: "key", read: func(v value) { item.Key = plainTexts(d.texts(v, "sku")) }},
		{name: "index", read: func(v value) { item.Index = plainTexts(d.texts(v, "[price, sku]")) }},
		{name: "fields", read: func(v value) { item.Fields = d.fields(v) }},
	})
	return item
}

// fields reads a mapping of names to fields.
func (d *decoder) fields(v value) []extract.Field {
	if v.kind != mappingKind {
		d.want(v, "a mapping of field names to selectors, such as title: h1")
		return nil
	}
	var fields []extract.Field
	for _, p := range v.pairs {
		if p.value.kind == nullKind {
			d.noValue(p)
			continue
		}
		f := d.field(value{p.value, p.key})
		f.Name = p.key
		fields = append(fields, f)
	}
	return fields
}

// field reads a selector, a list of alternatives, or a mapping.
func (d *decoder) field(v value) extract.Field {
	var f extract.Field
	switch v.kind {
	case listKind:
		f.Any = d.alternatives(v)
	case mappingKind:
		d.mapping(v, d.fieldKeys(&f))
	default:
		f.CSS, _ = d.text(v, `"h1"`)
	}
	return f
}

func (d *decoder) fieldKeys(f *extract.Field) []key {
	text := func(name string, to *string, example string) key {
		return key{name: name, read: func(v value) { *to, _ = d.text(v, example) }}
	}
	truth := func(name string, to *bool) key {
		return key{name: name, read: func(v value) { *to = d.boolean(v) }}
	}
	return []key{
		text("css", &f.CSS, `"h1"`),
		text("xpath", &f.XPath, `"//th[.='UPC']/following-sibling::td"`),
		text("jsonld", &f.JSONLD, `"Product.sku"`),
		text("microdata", &f.Microdata, `"Product.sku"`),
		text("rdfa", &f.RDFa, `"Product.sku"`),
		text("opengraph", &f.OpenGraph, "title"),
		text("meta", &f.Meta, "description"),
		text("json", &f.JSON, "__NEXT_DATA__"),
		text("header", &f.Header, "Last-Modified"),
		text("url", &f.URLPart, "query.id"),
		text("article", &f.Article, "text"),
		{name: "const", read: func(v value) { f.Const = d.any(v) }},
		text("expr", &f.Expr, `"price.amount * stock"`),
		text("jq", &f.JQ, `".offers[0].price"`),
		text("attr", &f.Attr, "href"),
		{name: "from", read: func(v value) {
			i, _ := d.choice(v, []string{"item", "document"})
			f.From = []extract.From{extract.FromItem, extract.FromDocument}[i]
		}},
		truth("all", &f.All),
		{name: "nth", read: func(v value) { f.Nth = d.nth(v) }},
		truth("one", &f.One),
		truth("raw", &f.Raw),
		text("regex", &f.Regex, `'star-(\d)'`),
		{name: "trim", read: func(v value) { f.Trim, _ = d.verbatim(v, `"•-"`) }},
		{name: "replace", read: func(v value) { f.Replace = d.replace(v) }},
		{name: "split", read: func(v value) { f.Split, _ = d.verbatim(v, `","`) }},
		truth("lower", &f.Lower),
		truth("upper", &f.Upper),
		{name: "map", read: func(v value) { f.Map = d.replacements(v) }},
		{name: "as", read: func(v value) {
			i, _ := d.choice(v, extract.TypeNames())
			f.As, _ = extract.ParseType(extract.TypeNames()[i])
		}},
		{name: "values", read: func(v value) { f.Values = plainTexts(d.texts(v, "[new, used]")) }},
		text("zone", &f.Zone, "Europe/Berlin"),
		{name: "join", read: func(v value) {
			if s, ok := d.verbatim(v, `", "`); ok {
				f.Join = &s
			}
		}},
		text("check", &f.Check, `"value > 0"`),
		truth("required", &f.Required),
		{name: "default", read: func(v value) { f.Default = d.any(v) }, null: true},
		text("each", &f.Each, `".review"`),
		truth("siblings", &f.Siblings),
		{name: "fields", read: func(v value) { f.Fields = d.fields(v) }},
		{name: "any", read: func(v value) { f.Any = d.alternatives(v) }},
	}
}

// alternatives reads fields of which the first that yields is taken.
func (d *decoder) alternatives(v value) []extract.Field {
	if v.kind != listKind {
		d.want(v, "a list of alternatives")
		return nil
	}
	if len(v.list) == 0 {
		d.wrong(v.place, "%s is an empty list: write a selector or alternatives", v.name)
	}
	if d.attributeSelector(v) {
		return nil
	}
	var fields []extract.Field
	for _, n := range v.list {
		fields = append(fields, d.field(value{n, "an alternative of " + v.name}))
	}
	return fields
}

// attributeSelector reports a selector such as [itemprop=sku] that YAML read
// as a list because it has no quotes.
func (d *decoder) attributeSelector(v value) bool {
	if len(v.list) != 1 || v.flow == "" || v.list[0].kind != textKind {
		return false
	}
	if isSelector(v.list[0].text) && !isAttributeName(v.list[0].text) || !isSelector(v.flow) {
		return false
	}
	d.wrong(v.place, "to YAML %s is a list: write the selector in quotes, %s", v.flow, singleQuoted(v.flow))
	return true
}

// isAttributeName tells words that are names of attributes rather than of
// elements.
func isAttributeName(s string) bool {
	return strings.HasPrefix(s, "data-") || strings.HasPrefix(s, "aria-") || s == "itemprop" || s == "itemscope" || s == "role" || s == "href"
}

// nth reads which of several is meant: a number, first or last.
func (d *decoder) nth(v value) int {
	switch v.text {
	case "first":
		return 1
	case "last":
		return -1
	}
	n, err := strconv.Atoi(v.text)
	if v.kind != numberKind || err != nil || n == 0 || n < -maxNth || n > maxNth {
		d.want(v, "first, last or a number such as 2 or, counted from the end, -2")
	}
	return n
}

// maxNth bounds nth: so many are kept in memory to count from the end.
const maxNth = 1000

// replace reads a mapping of texts, or regular expressions between slashes, to
// what replaces them.
func (d *decoder) replace(v value) []extract.Replacement {
	if v.kind != mappingKind {
		d.want(v, `a mapping of texts to what replaces them, such as {",": "."}`)
		return nil
	}
	list := make([]extract.Replacement, len(v.pairs))
	for i, p := range v.pairs {
		if p.value.kind == listKind || p.value.kind == mappingKind {
			d.want(value{p.value, "what " + quoted(p.key) + " is replaced by"}, "text")
		}
		list[i] = extract.Replacement{From: p.key, To: p.value.text}
	}
	return list
}

// replacements reads a mapping of texts to texts; numbers and such count as
// they are written.
func (d *decoder) replacements(v value) map[string]string {
	if v.kind != mappingKind {
		d.want(v, "a mapping of texts found to texts wanted, such as {One: 1, Two: 2}")
		return nil
	}
	m := make(map[string]string, len(v.pairs))
	for _, p := range v.pairs {
		if p.value.kind == listKind || p.value.kind == mappingKind {
			d.want(value{p.value, "what " + quoted(p.key) + " is replaced by"}, "text")
		}
		m[p.key] = p.value.text
	}
	return m
}

// any reads a value of a record.
func (d *decoder) any(v value) any {
	switch v.kind {
	case boolKind:
		return d.boolean(v)
	case numberKind:
		if n, err := strconv.ParseInt(v.text, 10, 64); err == nil {
			return n
		}
		if !json.Valid([]byte(v.text)) {
			d.want(v, "a number in plain decimal digits, such as 9.99,")
		}
		return json.Number(v.text)
	case textKind:
		return v.text
	case listKind:
		list := make([]any, len(v.list))
		for i, n := range v.list {
			list[i] = d.any(value{n, v.name})
		}
		return list
	case mappingKind:
		object := make(extract.Object, len(v.pairs))
		for i, p := range v.pairs {
			object[i] = extract.Member{Name: p.key, Value: d.any(value{p.value, v.name})}
		}
		return object
	}
	return nil
}

// specError puts a mistake that extract found where it stands below items.
func (d *decoder) specError(items *node, e *extract.SpecError) {
	n, at := items, items.place
	for _, step := range e.Path {
		var next *node
		switch step := step.(type) {
		case string:
			if p, has := n.get(step); has {
				next, at = p.value, p.place
			}
		case int:
			if any, has := n.get("any"); has {
				n = any.value
			}
			if step >= 0 && step < len(n.list) {
				next = n.list[step]
				at = next.place
			}
		}
		if next == nil {
			break // a short writing: the field is a text
		}
		n = next
	}
	if d.broken[n] || slices.ContainsFunc(n.pairs, func(p pair) bool { return d.broken[p.value] }) {
		return // told already, or what seems to be missing is misspelt
	}
	if n.kind != mappingKind && n.kind != listKind {
		at = n.place
	}
	d.wrong(at, "%s", e.Msg)
}
