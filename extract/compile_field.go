package extract

import (
	"fmt"
	"strings"
	"time"
)

func (c *checker) field(p path, f Field) field {
	if f.CSS != "" && f.Attr == "" {
		f.CSS, f.Attr = cutPseudoElement(f.CSS)
	}
	compiled := field{
		name: f.Name, attr: strings.ToLower(f.Attr), all: f.All, nth: f.Nth, single: f.One, raw: f.Raw,
		steps: c.steps(p, f), as: f.As, values: f.Values, join: f.Join, required: f.Required,
	}
	if int(f.As) >= len(typeNames) {
		c.wrong(p.to("as"), "there is no type %d: the types are %s", f.As, strings.Join(typeNames[:], ", "))
	}
	if f.Zone != "" {
		zone, err := time.LoadLocation(f.Zone)
		if err != nil {
			c.wrong(p.to("zone"), "there is no time zone %q: write one such as Europe/Berlin", f.Zone)
		}
		compiled.zone = zone
	}
	c.source(p, f, &compiled)
	switch {
	case f.Any != nil:
		c.alternatives(p, f, &compiled)
	case f.Each != "" || f.Fields != nil:
		c.nested(p, f, &compiled)
	default:
		c.plain(p, f)
	}
	c.defaultValue(p, f, &compiled)
	return compiled
}

// source compiles where a field's value is found.
func (c *checker) source(p path, f Field, compiled *field) {
	key, text, more := sourceOf(&f)
	if more != "" {
		c.wrong(p.to(more), "a field has one source, and this one has %s: leave out one of them, or write alternatives with any", key)
	}
	compiled.key, compiled.query = key, text
	compiled.source = c.sourceNamed(p.to(key), key, text, f)
	if key == "const" {
		compiled.constant = f.Const
		if v, err := plainValue(f.Const); err != nil {
			c.wrong(p.to("const"), "the value %v %s", f.Const, err)
		} else if compiled.constant, err = f.As.fromDefault(v); err != nil {
			c.wrong(p.to("const"), "the value %v %s", f.Const, err)
		}
	}
	if f.From > FromDocument {
		c.wrong(p.to("from"), "a selector is looked up from the item or the document, not from %d", f.From)
	} else if f.From == FromDocument && key != "css" && key != "xpath" {
		c.wrong(p.to("from"), "from says where css or xpath is looked up, and there is none: add css")
	}
	if f.JQ != "" {
		code, err := compileJQ(f.JQ)
		if err != nil {
			c.wrong(p.to("jq"), "%s", err)
		}
		compiled.jq = code
	}
}

func (c *checker) sourceNamed(p path, key, text string, f Field) source {
	document := f.From == FromDocument
	switch key {
	case "css":
		return cssSource{c.selector(p, text), document}
	case "xpath":
		return xpathSource{c.xpath(p, text), document}
	case "meta":
		return metaSource{strings.ToLower(strings.TrimSpace(text))}
	case "opengraph":
		return metaSource{openGraphPrefix + strings.ToLower(strings.TrimPrefix(strings.TrimSpace(text), openGraphPrefix))}
	case "jsonld", "microdata", "rdfa":
		return c.dataSource(p, key, text)
	case "article":
		return c.articleSource(p, text)
	case "json":
		return c.jsonSource(p, text)
	case "header":
		return headerSource{text}
	case "url":
		part, err := parseURLPart(text)
		if err != nil {
			c.wrong(p, "%s", err)
		}
		return part
	}
	return itself{}
}

// plain checks a field that is neither nested nor has alternatives.
func (c *checker) plain(p path, f Field) {
	switch {
	case f.As.structural():
		c.without(p, f, fmt.Sprintf("as: %s reads the whole element", f.As), "attr", "jq", "regex", "trim", "replace", "split", "lower", "upper", "map", "raw", "join")
	case (f.As == HTML || f.As == Markdown) && f.Attr != "":
		c.wrong(p.to("attr"), "as: %s is the markup within the match: leave out attr or as", f.As)
	case f.Expr != "":
		c.without(p, f, "a computed field takes its value from others", "attr", "jq", "regex", "trim", "replace", "split", "lower", "upper", "map", "raw", "join", "all", "nth", "one")
	case f.Const != nil:
		c.without(p, f, "a constant is the value itself", "zone", "attr", "jq", "regex", "trim", "replace", "split", "lower", "upper", "map", "raw", "join", "all", "nth", "one")
	}
	if (f.As == Enum) != (f.Values != nil) {
		c.wrong(p, "an enum is one of some values: write as: enum and values: [new, used]")
	}
	if f.Zone != "" && f.As != DateTime {
		c.wrong(p.to("zone"), "zone is of times: write as: datetime, or leave out zone")
	}
	if f.Join != nil && !f.All && f.Split == "" {
		c.wrong(p.to("join"), "join puts the texts of a list together, and there is none: add all: true")
	}
	if f.All || f.Split != "" {
		if f.Nth != 0 {
			c.wrong(p.to("nth"), "nth takes one of several, and all takes each: leave out one of them")
		}
		if f.One {
			c.wrong(p.to("one"), "one means that there is one value, and this is a list: leave out one of them")
		}
	}
}

// alternatives compiles a field with Any.
func (c *checker) alternatives(p path, f Field, compiled *field) {
	c.without(p, f, "a list of alternatives takes its value from them, each with its own keys", fieldKeys...)
	if len(f.Any) == 0 {
		c.wrong(p, "the list of alternatives is empty")
	}
	for i, alternative := range f.Any {
		at := p.to(i)
		if alternative.Name != "" {
			c.wrong(at, "an alternative has no name of its own: leave out %s", alternative.Name)
		}
		for _, outer := range []struct {
			key string
			set bool
		}{
			{"required", alternative.Required}, {"default", alternative.Default != nil},
			{"check", alternative.Check != ""}, {"expr", alternative.Expr != ""},
		} {
			if outer.set {
				c.wrong(at.to(outer.key), "%s belongs to the field, not to one of its alternatives", outer.key)
			}
		}
		alternative.Default, alternative.Expr = nil, ""
		compiled.any = append(compiled.any, c.field(at, alternative))
	}
}

// nested compiles a field that is an item within the item.
func (c *checker) nested(p path, f Field, compiled *field) {
	c.without(p, f, "a nested item takes its values from its fields", "attr", "regex", "trim", "replace", "split", "lower", "upper", "map", "raw", "join", "as", "const", "expr", "nth", "one")
	if f.All && (f.Each != "" || f.CSS != "" || f.XPath != "") {
		c.wrong(p.to("all"), "a nested item is a list by each: write the selector there and leave out all")
	}
	if len(f.Fields) == 0 {
		c.wrong(p, "%s has each but no fields: for a list of plain values write css and all: true", f.Name)
	}
	if f.Each != "" {
		compiled.each, compiled.siblings = c.nodes(p.to("each"), f.Each), f.Siblings
	} else if f.Siblings {
		c.wrong(p.to("siblings"), "siblings says what belongs to a match of each, and there is none: add each")
	}
	compiled.fieldList = c.fields(p.to("fields"), f.Fields)
}

// fieldKeys are the keys of a field that say how its own value comes about.
var fieldKeys = []string{
	"css", "xpath", "jsonld", "microdata", "rdfa", "opengraph", "meta", "json", "header", "url", "article", "const", "expr",
	"jq", "attr", "from", "all", "nth", "one", "raw", "regex", "trim", "replace", "split", "lower", "upper", "map", "as", "values", "zone", "join",
	"each", "siblings", "fields",
}

// without reports the keys that make no sense beside others.
func (c *checker) without(p path, f Field, reason string, keys ...string) {
	set := map[string]bool{
		"const": f.Const != nil, "jq": f.JQ != "", "attr": f.Attr != "", "from": f.From != FromItem, "all": f.All, "nth": f.Nth != 0,
		"one": f.One, "raw": f.Raw, "regex": f.Regex != "", "trim": f.Trim != "", "replace": f.Replace != nil, "split": f.Split != "",
		"lower": f.Lower, "upper": f.Upper, "map": f.Map != nil, "as": f.As != Text, "values": f.Values != nil, "zone": f.Zone != "", "join": f.Join != nil,
		"each": f.Each != "", "siblings": f.Siblings, "fields": f.Fields != nil,
	}
	for _, k := range sourceKeys {
		set[k.name] = k.of(&f) != ""
	}
	for _, key := range keys {
		if set[key] {
			c.wrong(p.to(key), "%s: leave out %s", reason, key)
		}
	}
}

// cutPseudoElement takes ::text or ::attr(name) off the end of a selector, as
// users of Scrapy write them.
func cutPseudoElement(css string) (rest, attr string) {
	trimmed := strings.TrimSpace(css)
	if rest, ok := strings.CutSuffix(trimmed, "::text"); ok {
		return strings.TrimSpace(rest), ""
	}
	if i := strings.LastIndex(trimmed, "::attr("); i >= 0 && strings.HasSuffix(trimmed, ")") {
		return strings.TrimSpace(trimmed[:i]), strings.TrimSpace(trimmed[i+len("::attr(") : len(trimmed)-1])
	}
	return css, ""
}
