package dataset

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/piprate/json-gold/ld"
)

const (
	cr  = "http://mlcommons.org/croissant/"
	rai = cr + "RAI/"
	sc  = "https://schema.org/"
)

// croissantLacks are the terms that the vocabulary lacks, and who has them. A
// term of no domain may stand in a context, and no statement may use it.
var croissantLacks = []struct {
	term, domain, takes string
	source              string
}{
	{cr + "recordSet", sc + "Dataset", cr + "RecordSet", "1.0, #format-example; the vocabulary has it for a DataSource only"},
	{cr + "jsonPath", cr + "Transform", sc + "Text", "1.1, #datasource: a transform may be a JSON path; the vocabulary has it for an Extract only"},
	{cr + "separator", cr + "Transform", sc + "Text", "1.1, #transform; delimiter in 1.0"},
	{cr + "md5", "", "", "1.1, #appendix-1-json-ld-context"},
	{cr + "path", "", "", "1.0, #appendix-1-json-ld-context"},
	{cr + "replace", "", "", "1.0, #appendix-1-json-ld-context"},
	{cr + "samplingRate", "", "", "the context of mlcroissant, the reader of MLCommons"},
}

// A vocabulary is what statements of RDF Schema, with the domainIncludes and
// rangeIncludes of schema.org, say of classes and properties.
type vocabulary struct {
	classes         map[string]bool
	supers          map[string][]string // of a class
	properties      map[string]bool
	domains, ranges map[string][]string // of a property
}

// publishedVocabulary is that of MLCommons, with nothing added.
func publishedVocabulary(t *testing.T) vocabulary {
	t.Helper()
	v := vocabulary{map[string]bool{}, map[string][]string{}, map[string]bool{}, map[string][]string{}, map[string][]string{}}
	for _, name := range []string{"testdata/croissant.nt", "testdata/croissant_rai.nt"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := ld.ParseNQuads(string(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, q := range data.Graphs["@default"] {
			v.add(q.Subject.GetValue(), q.Predicate.GetValue(), q.Object.GetValue())
		}
	}
	return v
}

// specifiedVocabulary is the published one and what that lacks.
func specifiedVocabulary(t *testing.T) vocabulary {
	t.Helper()
	v := publishedVocabulary(t)
	for _, l := range croissantLacks {
		v.properties[l.term] = true
		if l.domain != "" {
			v.add(l.term, sc+"domainIncludes", l.domain)
			v.add(l.term, sc+"rangeIncludes", l.takes)
		}
	}
	return v
}

func (v vocabulary) add(subject, predicate, object string) {
	switch predicate {
	case ld.RDFType:
		v.properties[subject] = v.properties[subject] || object == ld.RDFSyntaxNS+"Property"
		// Classes are rdf:Class and rdf:class, as it was published.
		v.classes[subject] = v.classes[subject] || strings.EqualFold(object, ld.RDFSyntaxNS+"Class")
	case ld.RDFSchemaNS + "subClassOf":
		v.supers[subject] = append(v.supers[subject], object)
	case sc + "domainIncludes":
		v.domains[subject] = append(v.domains[subject], object)
	case sc + "rangeIncludes":
		v.ranges[subject] = append(v.ranges[subject], object)
	}
}

// owns tells whether a name is in a namespace of the vocabulary.
func (vocabulary) owns(name string) bool { return strings.HasPrefix(name, cr) }

// isA tells whether a class is the other or below it.
func (v vocabulary) isA(class, other string) bool {
	return class == other || slices.ContainsFunc(v.supers[class], func(super string) bool { return v.isA(super, other) })
}

// among are those of the classes that are one of the others or below.
func (v vocabulary) among(classes, others []string) (fitting []string) {
	for _, c := range classes {
		if slices.ContainsFunc(others, func(o string) bool { return v.isA(c, o) }) {
			fitting = append(fitting, c)
		}
	}
	return fitting
}

// faults are statements with the vocabulary's names that are not as it says.
func (v vocabulary) faults(statements []*ld.Quad) (all []string) {
	nodes := v.nodes(statements)
	for _, q := range statements {
		fault := func(format string, args ...any) {
			all = append(all, fmt.Sprintf("%s: ", q.Subject.GetValue())+fmt.Sprintf(format, args...))
		}
		property := q.Predicate.GetValue()
		switch {
		case property == ld.RDFType:
			if class := q.Object.GetValue(); v.owns(class) && !v.classes[class] {
				fault("the vocabulary has no class %s", class)
			}
		case v.properties[property]:
			if classes := nodes.classes[q.Subject.GetValue()]; !nodes.narrow(v, q.Subject, v.domains[property]) {
				fault("%s is no property of %q", property, classes)
			}
			if !v.takes(property, q.Object, nodes) {
				fault("%s takes no %q of %q", property, q.Object.GetValue(), nodes.classes[q.Object.GetValue()])
			}
		case v.owns(property):
			fault("the vocabulary has no property %s", property)
		}
	}
	return all
}

// croissantNodes are the classes of nodes. A node that has neither a class nor
// a name is one of those that the property takes which leads to it.
type croissantNodes struct {
	classes  map[string][]string
	inferred map[string]bool
}

func (v vocabulary) nodes(statements []*ld.Quad) croissantNodes {
	n := croissantNodes{map[string][]string{}, map[string]bool{}}
	for _, q := range statements {
		if s := q.Subject.GetValue(); q.Predicate.GetValue() == ld.RDFType {
			n.classes[s] = append(n.classes[s], q.Object.GetValue())
		}
	}
	for _, q := range statements {
		if o := q.Object.GetValue(); ld.IsBlankNode(q.Object) && n.classes[o] == nil {
			n.classes[o], n.inferred[o] = v.ranges[q.Predicate.GetValue()], true
		}
	}
	return n
}

// narrow tells whether the node is of one of the classes. What an inferred
// node can be gets fewer with each property it has.
func (n croissantNodes) narrow(v vocabulary, node ld.Node, classes []string) bool {
	name := node.GetValue()
	fitting := v.among(n.classes[name], classes)
	if n.inferred[name] && len(fitting) > 0 {
		n.classes[name] = fitting
	}
	return len(fitting) > 0
}

// takes tells whether an object is in the range of a property.
func (v vocabulary) takes(property string, object ld.Node, nodes croissantNodes) bool {
	value := object.GetValue()
	for _, r := range v.ranges[property] {
		literal, isLiteral := object.(ld.Literal)
		switch {
		case isLiteral && v.isLiteral(r, literal), !isLiteral && len(v.among(nodes.classes[value], []string{r})) > 0:
			return true
		case ld.IsIRI(object) && v.isA(r, sc+"URL"): // a DataType, which names a class
			return isAbsolute(value) && (!v.owns(value) || v.classes[value])
		}
	}
	return false
}

// isLiteral tells whether a text is of a data type of schema.org, or of a
// class below one. The types are those in the vocabulary's ranges.
func (v vocabulary) isLiteral(class string, l ld.Literal) bool {
	isText := l.Datatype == ld.XSDString || l.Datatype == ld.RDFLangString
	switch {
	case v.isA(class, sc+"Text"):
		return isText
	case v.isA(class, sc+"Boolean"):
		return l.Datatype == ld.XSDBoolean
	case v.isA(class, sc+"DateTime"):
		_, err := time.Parse(time.RFC3339, l.Value)
		return isText && err == nil
	case v.isA(class, sc+"URL"):
		return isText && isAbsolute(l.Value)
	case class == ld.RDFJSONLiteral:
		return l.Datatype == ld.RDFJSONLiteral
	}
	return false
}

func isAbsolute(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.IsAbs() && u.Host != ""
}

// croissantStatements are what a manifest says, without the form it is in.
func croissantStatements(t *testing.T, text []byte) []*ld.Quad {
	t.Helper()
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	data, err := ld.NewJsonLdProcessor().ToRDF(doc, croissantOptions())
	if err != nil {
		t.Fatal(err)
	}
	return data.(*ld.RDFDataset).Graphs["@default"]
}

// TestCroissantVocabulary checks manifests by the vocabulary that MLCommons
// publishes as RDF Schema.
func TestCroissantVocabulary(t *testing.T) {
	v := specifiedVocabulary(t)
	for name, m := range manifests() {
		t.Run(name, func(t *testing.T) {
			text, err := m.Croissant()
			if err != nil {
				t.Fatal(err)
			}
			statements := croissantStatements(t, text)
			if len(statements) == 0 {
				t.Fatal("it says nothing")
			}
			for _, fault := range v.faults(statements) {
				t.Errorf("%s in\n%s", fault, text)
			}
		})
	}
}

// TestCroissantVocabularyFaults shows that the check finds what it looks for.
func TestCroissantVocabularyFaults(t *testing.T) {
	m := manifests()["parquet, all said"]
	text, err := m.Croissant()
	if err != nil {
		t.Fatal(err)
	}
	v := specifiedVocabulary(t)
	for name, c := range map[string]struct{ old, new, want string }{
		"a property of another class":          {`"contentSize"`, `"column"`, "croissant/column is no property of"},
		"a property of an inferred class":      {`"extract": {`, `"extract": {"fileObject": {"@id": "things.parquet"},`, "croissant/fileObject is no property of"},
		"properties of two classes in one":     {`"extract": {`, `"includes": "*", "extract": {`, "croissant/includes is no property of"},
		"a property of the dataset elsewhere":  {`"@type": "cr:RecordSet",`, `"@type": "cr:RecordSet", "rai:dataCollection": "here",`, "RAI/dataCollection is no property of"},
		"an unknown property":                  {`"cr:FileObject",`, `"cr:FileObject", "cr:lines": 7,`, "has no property http://mlcommons.org/croissant/lines"},
		"an unknown property, responsible AI":  {`"rai:dataCollectionType"`, `"rai:collectionType"`, "has no property http://mlcommons.org/croissant/RAI/collectionType"},
		"a property that is in a context only": {`"cr:FileObject",`, `"cr:FileObject", "md5": "00",`, "croissant/md5 is no property of"},
		"a text for a truth value":             {`"repeated": true`, `"repeated": "true"`, "croissant/repeated takes no"},
		"words for a time":                     {`"1970-01-01T00:00:00Z"`, `"in spring"`, "RAI/dataCollectionTimeframe takes no"},
		"a number for a text":                  {`"column": "text"`, `"column": 1`, "croissant/column takes no"},
		"a file for a table":                   {`"@type": "cr:RecordSet"`, `"@type": "cr:FileObject"`, "croissant/recordSet takes no"},
		"a table for a file":                   {`"fileObject": {`, `"fileObject": {"@id": "things"}, "x": {`, "croissant/fileObject takes no"},
		"a file that is not there":             {`"fileObject": {`, `"fileObject": {"@id": "nothing"}, "x": {`, "croissant/fileObject takes no"},
		"a class misspelt":                     {`"cr:RecordSet"`, `"cr:Recordset"`, "has no class http://mlcommons.org/croissant/Recordset"},
		"a data type misspelt":                 {`"sc:Float"`, `"cr:BoundingBoxes"`, "croissant/dataType takes no"},
		"a dataset of another namespace":       {`"@type": "sc:Dataset"`, `"@type": "http://schema.org/Dataset"`, "schema.org/distribution is no property of"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(string(text), c.old) {
				t.Fatalf("there is no %s in\n%s", c.old, text)
			}
			changed := strings.ReplaceAll(string(text), c.old, c.new)
			if faults := strings.Join(v.faults(croissantStatements(t, []byte(changed))), "\n"); !strings.Contains(faults, c.want) {
				t.Errorf("found: %s", faults)
			}
		})
	}
}

// What is listed as lacking is lacking: a later vocabulary may have it.
func TestCroissantLacks(t *testing.T) {
	v := publishedVocabulary(t)
	for _, l := range croissantLacks {
		t.Run(strings.TrimPrefix(l.term, cr), func(t *testing.T) {
			if v.properties[l.term] && (l.domain == "" || slices.Contains(v.domains[l.term], l.domain)) {
				t.Error("the vocabulary has it")
			}
		})
	}
}

// The context names nothing in Croissant's namespace that nobody has.
func TestCroissantContext(t *testing.T) {
	v := specifiedVocabulary(t)
	var terms map[string]any
	if err := json.Unmarshal(croissantContext, &terms); err != nil {
		t.Fatal(err)
	}
	for term, meaning := range terms {
		if m, ok := meaning.(map[string]any); ok {
			meaning = m["@id"]
		}
		name, ours := strings.CutPrefix(fmt.Sprint(meaning), "cr:")
		if !ours {
			continue
		}
		t.Run(term, func(t *testing.T) {
			if name != term || !v.properties[cr+name] {
				t.Errorf("cr:%s is not in the vocabulary", name)
			}
		})
	}
}
