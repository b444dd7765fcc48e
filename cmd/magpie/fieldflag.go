package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/extract"
)

var (
	fieldName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
	// A type at the end: no selector ends with | and a word.
	typeSuffix = regexp.MustCompile(`\|\s*([A-Za-z]*)\s*$`)
	// An attribute at the end: no selector has an @ outside of quotes.
	attrSuffix = regexp.MustCompile(`@\s*([^\s@"'()\[\]]*)\s*$`)
)

// fieldFlags say what to take from pages without a job file.
type fieldFlags struct {
	css  []string
	each string
	all  bool
}

// define adds the flags to a command.
func (f *fieldFlags) define(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.css, "css", nil, "a field: `name=selector`, name=selector@attribute, name=selector|type")
	flags.StringVar(&f.each, "each", "", "one record for each match of this `selector`")
	flags.BoolVar(&f.all, "all", false, "every match of a field, as a list")
}

// given tells whether any of the flags is.
func (f *fieldFlags) given() bool { return len(f.css) > 0 || f.each != "" || f.all }

// extractor compiles what the flags ask for: one type of item, called "item".
func (f *fieldFlags) extractor(cmd *cobra.Command) (*extract.Extractor, error) {
	item := extract.Item{Name: "item", Each: f.each}
	for _, s := range f.css {
		field, err := parseField(s)
		if err != nil {
			return nil, usagef(cmd, "--css %s", err)
		}
		if slices.ContainsFunc(item.Fields, func(other extract.Field) bool { return other.Name == field.Name }) {
			return nil, usagef(cmd, "--css: two fields are named %q", field.Name)
		}
		field.All = f.all
		item.Fields = append(item.Fields, field)
	}
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{item}})
	if err != nil {
		return nil, usagef(cmd, "%s", f.mistakes(item, err))
	}
	return x, nil
}

// mistakes says which flags the mistakes of a spec made of flags are in.
func (f *fieldFlags) mistakes(item extract.Item, err error) string {
	var errs extract.SpecErrors
	if !errors.As(err, &errs) {
		return err.Error()
	}
	var lines []string
	for _, e := range errs {
		flag := ""
		for i, field := range item.Fields {
			if len(e.Path) > 2 && e.Path[1] == "fields" && e.Path[2] == field.Name {
				flag = fmt.Sprintf("--css %q: ", f.css[i])
			}
		}
		if len(e.Path) > 1 && e.Path[1] == "each" {
			flag = fmt.Sprintf("--each %q: ", f.each)
		}
		lines = append(lines, flag+e.Msg)
	}
	return strings.Join(lines, "; ")
}

// parseField reads the value of --css, name=selector@attribute|type. The
// attribute and the type may be left out; without a selector the value is
// taken from the item's node.
func parseField(s string) (extract.Field, error) {
	name, selector, found := strings.Cut(s, "=")
	name = strings.TrimSpace(name)
	if !found || !fieldName.MatchString(name) {
		return extract.Field{}, fmt.Errorf("%q does not begin with a name: write name=selector, such as title=h1", s)
	}
	f := extract.Field{Name: name}
	if m := typeSuffix.FindStringSubmatchIndex(selector); m != nil {
		word := selector[m[2]:m[3]]
		var known bool
		if f.As, known = extract.ParseType(word); !known {
			return f, fmt.Errorf("%q: there is no type %q: the types are %s", s, word, strings.Join(extract.TypeNames(), ", "))
		}
		selector = selector[:m[0]]
	}
	if m := attrSuffix.FindStringSubmatchIndex(selector); m != nil {
		if f.Attr = selector[m[2]:m[3]]; f.Attr == "" {
			return f, fmt.Errorf("%q: the name of an attribute must follow @", s)
		}
		selector = selector[:m[0]]
	}
	f.CSS = strings.TrimSpace(selector)
	return f, nil
}
