package extract

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"
)

// Bound extracts values of the Go type T. It is safe for concurrent use.
type Bound[T any] struct {
	x *Extractor
}

// Bind compiles a struct type whose fields say in tags where their values are
// found, with the keys of Field in small letters, as in a job file:
//
//	type Product struct {
//		_       struct{} `magpie:"each=.product"` // one for each match; left out: one for the page
//		Title   string   `magpie:"css=h1;required"`
//		Price   Price    `magpie:"css=.price"`
//		Images  []string `magpie:"css=img;attr=src;as=url"`
//		Reviews []Review `magpie:"each=.review"` // Review is such a struct too
//	}
//
// Keys are separated by semicolons; a semicolon in a value is written ;;. The
// Go type says how a value is read where as does not: string is text, an
// integer an integer, float64 a number, bool, Price, time.Time a datetime, a
// slice a list of everything found, a struct a nested item, any JSON. Fields
// without the tag are left alone.
//
// The error says which fields are wrong and how.
func Bind[T any]() (*Bound[T], error) {
	item, err := itemOf(reflect.TypeFor[T]())
	if err != nil {
		return nil, fmt.Errorf("extract: %w", err)
	}
	x, err := Compile(Spec{Items: []Item{item}})
	if err != nil {
		return nil, fmt.Errorf("extract: %s: %w", reflect.TypeFor[T](), err)
	}
	return &Bound[T]{x}, nil
}

// Extract takes the values from a page. Those that lack a required field are
// left out. The problems say what could not be read; their fields are named as
// in SQL: "UnitPrice" is unit_price.
func (b *Bound[T]) Extract(p Page) ([]T, []Problem) {
	result := b.x.Extract(p)
	var problems []Problem
	for _, r := range result.Rejects {
		problems = append(problems, r.Problems...)
	}
	list := make([]T, len(result.Records))
	for i, r := range result.Records {
		problems = append(problems, r.Problems...)
		if err := assign(reflect.ValueOf(&list[i]).Elem(), r.Fields); err != nil {
			problems = append(problems, Problem{Code: ProblemType, Detail: err.Error()})
		}
	}
	return list, problems
}

const tagKey = "magpie"

var (
	timeType  = reflect.TypeFor[time.Time]()
	priceType = reflect.TypeFor[Price]()
)

// itemOf makes an item of a struct type.
func itemOf(t reflect.Type) (Item, error) {
	if t.Kind() != reflect.Struct {
		return Item{}, fmt.Errorf("%s is no struct", t)
	}
	item := Item{Name: "item"}
	for i := range t.NumField() {
		if f := t.Field(i); f.Name == "_" {
			var each Field
			if err := each.readTag(f.Tag.Get(tagKey)); err != nil {
				return item, fmt.Errorf("%s: %w", t, err)
			}
			item.Each, item.Siblings, item.Check = each.Each, each.Siblings, each.Check
		}
	}
	var err error
	item.Fields, err = fieldsOf(t, nil)
	return item, err
}

// fieldsOf makes fields of those of a struct type that have a tag.
func fieldsOf(t reflect.Type, above []reflect.Type) ([]Field, error) {
	for _, outer := range above {
		if outer == t {
			return nil, fmt.Errorf("%s holds itself", t)
		}
	}
	var fields []Field
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup(tagKey)
		if !tagged || !f.IsExported() {
			continue
		}
		field := Field{Name: sqlName(f.Name)}
		err := field.readTag(tag)
		if err == nil {
			err = field.readType(f.Type, append(above, t))
		}
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		fields = append(fields, field)
	}
	return fields, nil
}

// readType sets what a Go type says of a field.
func (f *Field) readType(t reflect.Type, above []reflect.Type) (err error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 && !f.As.structural() {
		t = t.Elem()
		f.All = f.Each == "" && f.Split == ""
	}
	if f.As != Text {
		return nil
	}
	switch {
	case t == timeType:
		f.As = DateTime
	case t == priceType:
		f.As = PriceType
	case t.Kind() == reflect.Struct:
		f.Fields, err = fieldsOf(t, above)
	case t.Kind() == reflect.Bool:
		f.As = Bool
	case t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32:
		f.As = Number
	case t.Kind() == reflect.Interface:
		f.As = JSON
	case reflect.Int <= t.Kind() && t.Kind() <= reflect.Uint64:
		f.As = Integer
	case t.Kind() != reflect.String:
		err = fmt.Errorf("a %s holds no value of a page", t)
	}
	return err
}

// readTag reads "css=.price;as=price;required".
func (f *Field) readTag(tag string) error {
	for part := range strings.SplitSeq(strings.ReplaceAll(tag, ";;", "\x00"), ";") {
		key, value, _ := strings.Cut(strings.ReplaceAll(part, "\x00", ";"), "=")
		if key = strings.TrimSpace(key); key == "" {
			continue
		}
		if err := f.setKey(key, strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	return nil
}

// setKey sets a key of a tag.
func (f *Field) setKey(key, value string) error {
	texts := map[string]*string{
		"css": &f.CSS, "xpath": &f.XPath, "jsonld": &f.JSONLD, "microdata": &f.Microdata, "rdfa": &f.RDFa,
		"opengraph": &f.OpenGraph, "meta": &f.Meta, "json": &f.JSON, "header": &f.Header, "url": &f.URLPart,
		"article": &f.Article, "expr": &f.Expr, "jq": &f.JQ, "attr": &f.Attr, "regex": &f.Regex, "trim": &f.Trim,
		"split": &f.Split, "check": &f.Check, "each": &f.Each,
	}
	truths := map[string]*bool{
		"all": &f.All, "one": &f.One, "raw": &f.Raw, "lower": &f.Lower, "upper": &f.Upper, "required": &f.Required, "siblings": &f.Siblings,
	}
	switch {
	case texts[key] != nil:
		*texts[key] = value
	case truths[key] != nil:
		*truths[key] = value == "" || value == "true"
	case key == "as":
		var ok bool
		if f.As, ok = ParseType(value); !ok {
			return fmt.Errorf("there is no type %q: the types are %s", value, strings.Join(typeNames[:], ", "))
		}
	case key == "from" && value == "document":
		f.From = FromDocument
	case key == "join":
		f.Join = &value
	case key == "default":
		f.Default = value
	case key == "values":
		f.Values = strings.Split(value, ",")
	case key == "nth":
		if _, err := fmt.Sscan(value, &f.Nth); err != nil {
			return fmt.Errorf("nth=%s is no number", value)
		}
	default:
		return fmt.Errorf("the tag has an unknown key %q", key)
	}
	return nil
}

// sqlName is the name of a field: "unit_price" for UnitPrice.
func sqlName(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		if unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// assign stores a value of a record in a variable of Go.
func assign(to reflect.Value, v any) error {
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	switch v := v.(type) {
	case Object:
		if to.Kind() == reflect.Struct {
			return assignFields(to, v)
		}
	case []any:
		if to.Kind() == reflect.Slice {
			list := reflect.MakeSlice(to.Type(), len(v), len(v))
			for i := range v {
				if err := assign(list.Index(i), v[i]); err != nil {
					return err
				}
			}
			to.Set(list)
			return nil
		}
	case string:
		if to.Type() == timeType {
			t, err := time.Parse(time.RFC3339, v)
			if err != nil {
				t, err = time.Parse(time.DateOnly, v)
			}
			to.Set(reflect.ValueOf(t))
			return err
		}
	}
	if rv := reflect.ValueOf(v); rv.IsValid() && rv.Type().AssignableTo(to.Type()) {
		to.Set(rv)
		return nil
	}
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, to.Addr().Interface())
	}
	if err != nil {
		return fmt.Errorf("%s is no %s", quote(describe(v)), to.Type())
	}
	return nil
}

func assignFields(to reflect.Value, o Object) error {
	for i := range to.NumField() {
		f := to.Type().Field(i)
		if _, tagged := f.Tag.Lookup(tagKey); !tagged || !f.IsExported() {
			continue
		}
		v, ok := o.Get(sqlName(f.Name))
		if !ok {
			continue
		}
		if err := assign(to.Field(i), v); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}
