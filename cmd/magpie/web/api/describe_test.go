package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
)

var update = flag.Bool("update", false, "write openapi.json")

// object is a JSON object.
type object = map[string]any

// TestDescription holds openapi.json to the table of routes and the types of
// their answers; with -update it writes it.
func TestDescription(t *testing.T) {
	text, err := json.MarshalIndent(newDescriber(t).document(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile("openapi.json", text, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(description), string(text)); diff != "" {
		t.Errorf("openapi.json is not what the routes say (-file +routes); -update writes it anew\n%s", diff)
	}
}

// describer makes the description.
// https://spec.openapis.org/oas/v3.1.1.html
type describer struct {
	t        *testing.T
	schemas  object
	types    map[string]reflect.Type // of schemas
	comments map[string]string       // by package.Type and package.Type.Field
	read     map[string]bool         // packages whose comments are
}

func newDescriber(t *testing.T) *describer {
	return &describer{t, object{}, map[string]reflect.Type{}, map[string]string{}, map[string]bool{}}
}

func (d *describer) document() object {
	paths := object{}
	for i := range routes {
		r := &routes[i]
		item, _ := paths[Base+r.path].(object)
		if item == nil {
			item = object{}
			paths[Base+r.path] = item
		}
		item[strings.ToLower(r.method)] = d.operation(r)
	}
	fault := d.typeSchema(reflect.TypeFor[problem.Problem]())
	return object{
		"openapi": "3.1.1",
		"info": object{
			"title": "magpie", "version": "1",
			"description": "What a running magpie serve knows and does. A list that goes on has next: send it as cursor for the next part.",
			"license":     object{"name": "MIT", "identifier": "MIT"},
		},
		"servers":  []any{object{"url": "/"}},
		"security": []any{object{}, object{"token": []string{}}},
		"paths":    paths,
		"components": object{
			"schemas": d.schemas,
			"responses": object{"Problem": object{
				"description": "Why it was refused or failed, and what to do about it.",
				"content":     object{problem.ContentType: object{"schema": fault}},
			}},
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "The token of the server, if it asks for one."}},
		},
	}
}

var pathParam = regexp.MustCompile(`\{(\w+)\}`)

var pathParams = map[string]string{
	"job": "Name of the job.", "file": "Name of the file.", "run": "Number of the run, or last.", "export": "Place of the export in the job file, from 1.",
}

func (d *describer) operation(r *route) object {
	params := []any{}
	for _, m := range pathParam.FindAllStringSubmatch(r.path, -1) {
		if pathParams[m[1]] == "" {
			d.t.Errorf("%s: nothing is said of {%s}", r.id, m[1])
		}
		params = append(params, object{"name": m[1], "in": "path", "required": true, "description": pathParams[m[1]], "schema": object{"type": "string"}})
	}
	for _, p := range r.params {
		params = append(params, paramObject(p))
	}
	if slices.Contains(r.faults, http.StatusPreconditionRequired) {
		params = append(params, object{"name": "If-Match", "in": "header", "description": "The ETag of the file that is meant.", "schema": object{"type": "string"}})
	}
	if r.creates {
		params = append(params, object{"name": "If-None-Match", "in": "header", "description": "With * nothing is replaced.", "schema": object{"const": "*"}})
	}
	o := object{"operationId": r.id, "summary": r.summary, "parameters": params, "responses": d.responses(r)}
	if r.doc != "" {
		o["description"] = r.doc
	}
	switch {
	case r.body != nil:
		o["requestBody"] = object{"content": object{"application/json": object{"schema": d.typeSchema(reflect.TypeOf(r.body))}}}
	case r.text != "":
		o["requestBody"] = object{"required": true, "content": object{r.text: object{"schema": object{"type": "string"}}}}
	}
	return o
}

func paramObject(p param) object {
	schema := object{"type": p.kind}
	if p.kind == "integer" {
		schema["minimum"] = p.least
		if p.most > 0 {
			schema["maximum"] = p.most
		}
		if p.usual > 0 {
			schema["default"] = p.usual
		}
	}
	if p.values != nil {
		schema["enum"] = p.values
	}
	if p.repeated {
		schema = object{"type": "array", "items": schema}
	}
	o := object{"name": p.name, "in": "query", "description": p.doc, "schema": schema}
	if p.required {
		o["required"] = true
	}
	return o
}

func (d *describer) responses(r *route) object {
	success := object{"description": "Done."}
	switch {
	case r.success() == http.StatusNoContent:
	case r.media == "":
		success["content"] = object{"application/json": object{"schema": d.typeSchema(reflect.TypeOf(r.answer))}}
	default:
		success["content"] = object{r.media: object{}}
	}
	refused := object{"$ref": "#/components/responses/Problem"}
	all := object{strconv.Itoa(r.success()): success, "default": refused}
	if r.creates {
		all["201"] = success
	}
	for _, status := range r.faults {
		all[strconv.Itoa(status)] = refused
	}
	return all
}

// typeSchema is the schema of a Go type's JSON; that of a struct is kept by
// its name.
func (d *describer) typeSchema(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[json.RawMessage]():
		return object{} // any value
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.typeSchema(t.Elem())
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Pointer { // a value, or null
			return object{"type": "array", "items": object{"type": []string{d.typeSchema(t.Elem())["type"].(string), "null"}}}
		}
		return object{"type": "array", "items": d.typeSchema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.typeSchema(t.Elem())}
	case reflect.Struct:
		name := schemaName(t)
		if former := d.types[name]; former != nil && former != t {
			d.t.Fatalf("%s and %s would be one schema", former, t)
		}
		d.types[name] = t
		if _, known := d.schemas[name]; !known {
			d.schemas[name] = nil // a type may hold itself
			d.schemas[name] = d.structSchema(t)
		}
		return object{"$ref": "#/components/schemas/" + name}
	}
	d.t.Fatalf("no schema for %s", t)
	return nil
}

var generic = regexp.MustCompile(`^List\[.*\.(\w+)\]$`)

func schemaName(t reflect.Type) string {
	if m := generic.FindStringSubmatch(t.Name()); m != nil {
		return m[1] + "List"
	}
	if t == reflect.TypeFor[problem.Problem]() {
		return "ProblemDetails" // others have problems too
	}
	return t.Name()
}

func (d *describer) structSchema(t reflect.Type) object {
	properties, required := object{}, []string{}
	d.fields(t, properties, &required)
	slices.Sort(required)
	s := object{"type": "object", "properties": properties, "required": required}
	if text := d.comment(t, ""); text != "" {
		s["description"] = text
	}
	return s
}

func (d *describer) fields(t reflect.Type, properties object, required *[]string) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
			continue
		case f.Anonymous && name == "":
			d.fields(f.Type, properties, required)
			continue
		case name == "":
			d.t.Errorf("%s.%s has no name in JSON", t, f.Name)
			continue
		}
		schema := maps.Clone(d.typeSchema(f.Type))
		if text := d.comment(t, f.Name); text != "" {
			schema["description"] = text
		}
		properties[name] = schema
		if !strings.Contains(options, "omitempty") {
			*required = append(*required, name)
		}
	}
}

// comment is what the source says of a type, or of a field of it.
func (d *describer) comment(t reflect.Type, field string) string {
	d.readComments(t.PkgPath())
	name, _, _ := strings.Cut(t.Name(), "[")
	key := t.PkgPath() + "." + name
	if field != "" {
		key += "." + field
	}
	return d.comments[key]
}

func (d *describer) readComments(pkg string) {
	rest, ours := strings.CutPrefix(pkg, "github.com/magpie-crawl/magpie/")
	if !ours || d.read[pkg] {
		return
	}
	d.read[pkg] = true
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "..", rest, "*.go"))
	if err != nil || len(files) == 0 {
		d.t.Fatalf("the source of %s: %v", pkg, err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			d.t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if decl, ok := n.(*ast.GenDecl); ok {
				for _, spec := range decl.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						d.typeComments(pkg+"."+s.Name.Name, decl, s)
					}
				}
			}
			return true
		})
	}
}

func (d *describer) typeComments(key string, decl *ast.GenDecl, s *ast.TypeSpec) {
	d.comments[key] = oneLine(decl.Doc)
	fields, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range fields.Fields.List {
		for _, name := range f.Names {
			d.comments[key+"."+name.Name] = cmpOr(oneLine(f.Doc), oneLine(f.Comment))
		}
	}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func oneLine(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return strings.Join(strings.Fields(c.Text()), " ")
}

// TestDescriptionWhole checks what a schema alone would not: references lead
// somewhere, operations have names of their own.
func TestDescriptionWhole(t *testing.T) {
	if *update {
		t.Skip("the description of before is in the program")
	}
	var doc object
	if err := json.Unmarshal(description, &doc); err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"\$ref": "#/components/(\w+)/(\w+)"`).FindAllSubmatch(description, -1) {
		components := doc["components"].(object)[string(m[1])].(object)
		if components[string(m[2])] == nil {
			t.Errorf("%s leads nowhere", m[0])
		}
	}
	ids := map[string]bool{}
	for i := range routes {
		r := &routes[i]
		if ids[r.id] {
			t.Errorf("two operations are called %s", r.id)
		}
		ids[r.id] = true
		if (r.answer == nil) == (r.media == "" && r.success() != http.StatusNoContent) {
			t.Errorf("%s: an answer is either JSON of a type or of another media type", r.id)
		}
		if r.method == http.MethodGet && (r.body != nil || r.text != "") {
			t.Errorf("%s: GET has no body", r.id)
		}
	}
	if !bytes.Contains(description, []byte(`"openapi": "3.1.1"`)) || len(ids) < 20 {
		t.Error("that is no description")
	}
}

// TestDescriptionValid holds the description to the schema of OpenAPI 3.1.
func TestDescriptionValid(t *testing.T) {
	if *update {
		t.Skip("the description of before is in the program")
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("testdata/openapi/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	check := func(text []byte) error {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(value)
	}
	if err := check(description); err != nil {
		t.Error(err)
	}
	for name, change := range map[string][2]string{
		"a parameter nowhere":   {`"in": "query"`, `"in": "body"`},
		"a response of no text": {`"description": "Done."`, `"describe": "Done."`},
		"an unknown key":        {`"operationId"`, `"operationID"`},
	} {
		if check(bytes.Replace(description, []byte(change[0]), []byte(change[1]), 1)) == nil {
			t.Errorf("%s is not noticed", name)
		}
	}
}

// answerSchema is a schema of the description that allows nothing more than it
// names, for a validator.
func answerSchema(t *testing.T, name string) object {
	t.Helper()
	var doc object
	if err := json.Unmarshal(description, &doc); err != nil {
		t.Fatal(err)
	}
	schemas := doc["components"].(object)["schemas"].(object)
	for _, s := range schemas {
		s.(object)["additionalProperties"] = false
	}
	return object{
		"$schema":    "https://json-schema.org/draft/2020-12/schema",
		"$ref":       fmt.Sprintf("#/components/schemas/%s", name),
		"components": object{"schemas": schemas},
	}
}
