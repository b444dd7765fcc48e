package dataset

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"
)

// Croissant, version 1.0: what machine learning's loaders read.
// https://docs.mlcommons.org/croissant/docs/croissant-spec.html
const croissantVersion = "http://mlcommons.org/croissant/1.0"

// croissantContext is the specification's own, which its readers compare.
// https://docs.mlcommons.org/croissant/docs/croissant-spec.html#appendix-1-json-ld-context
var croissantContext = json.RawMessage(`{
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract",
    "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet",
    "format": "cr:format", "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath",
    "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "recordSet": "cr:recordSet",
    "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace",
    "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField",
    "transform": "cr:transform"
  }`)

type croissant struct {
	Context      json.RawMessage `json:"@context"`
	Type         string          `json:"@type"`
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	ConformsTo   string          `json:"conformsTo"`
	License      string          `json:"license"`
	URL          string          `json:"url,omitempty"`
	Creator      *croissantAgent `json:"creator,omitempty"`
	Date         string          `json:"datePublished"`
	Version      string          `json:"version"`
	CiteAs       string          `json:"citeAs,omitempty"`
	Distribution []fileObject    `json:"distribution"`
	RecordSets   []recordSet     `json:"recordSet,omitempty"`
}

type croissantAgent struct {
	Type string `json:"@type"`
	Name string `json:"name"`
}

type fileObject struct {
	Type        string `json:"@type"`
	ID          string `json:"@id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	ContentURL  string `json:"contentUrl"`
	ContentSize string `json:"contentSize"`
	Encoding    string `json:"encodingFormat"`
	SHA256      string `json:"sha256"`
}

type reference struct {
	ID string `json:"@id"`
}

type recordSet struct {
	Type        string           `json:"@type"`
	ID          string           `json:"@id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Fields      []croissantField `json:"field"`
}

type croissantField struct {
	Type        string           `json:"@type"`
	ID          string           `json:"@id"`
	Name        string           `json:"name"`
	Description string           `json:"description,omitempty"`
	DataType    string           `json:"dataType,omitempty"`
	Repeated    bool             `json:"repeated,omitempty"`
	Source      *croissantSource `json:"source,omitempty"`
	SubFields   []croissantField `json:"subField,omitempty"`
}

type croissantSource struct {
	FileObject reference           `json:"fileObject"`
	Extract    map[string]string   `json:"extract"`
	Transform  []map[string]string `json:"transform,omitempty"`
}

// unknownLicense stands where a job names none: the member is required.
const unknownLicense = "unspecified"

// Croissant is the manifest as JSON-LD of Croissant. A dataset without a
// source has no url, which the format recommends and a job should name.
func (m *Manifest) Croissant() ([]byte, error) {
	c := croissant{
		Context: croissantContext, Type: "sc:Dataset", Name: m.title(), Description: m.description(), ConformsTo: croissantVersion,
		License: m.License, Date: m.Created.UTC().Format(time.DateOnly), Version: m.version(), Distribution: []fileObject{},
	}
	if isURL(m.Source) {
		c.URL = m.Source
	}
	if c.License == "" {
		c.License = unknownLicense
	}
	if m.Creator != "" {
		c.Creator = &croissantAgent{"sc:Organization", m.Creator}
	}
	for _, f := range m.Files {
		c.Distribution = append(c.Distribution, f.fileObject())
		for _, t := range f.Tables {
			c.RecordSets = append(c.RecordSets, f.recordSet(t))
		}
	}
	return indented(c)
}

// version counts up with each run, as the format wants it: MAJOR.MINOR.PATCH.
func (m *Manifest) version() string {
	run := 0
	for _, r := range m.Runs {
		run += r.Number
	}
	return fmt.Sprintf("1.%d.0", run)
}

func (f File) fileObject() fileObject {
	o := fileObject{
		Type: "cr:FileObject", ID: f.Path, Name: path.Base(f.Path), ContentURL: f.Path, ContentSize: fmt.Sprintf("%d B", f.Bytes),
		Encoding: f.Format.MediaType(), SHA256: f.SHA256,
	}
	switch f.Format {
	case JSONL:
		o.Encoding = "application/jsonlines" // the format's own word for it
	case Parquet:
		o.Encoding = "application/x-parquet"
	}
	if f.Compression != Plain {
		o.Description = "Compressed: " + string(f.Compression) + " of " + o.Encoding
	}
	if strings.EqualFold(string(f.Compression), string(Zstd)) {
		o.Encoding = "application/zstd"
	}
	// Of gzip the format of the content stays: the loaders unpack what is
	// called .gz, and read it by this.
	return o
}

func (f File) recordSet(t Table) recordSet {
	id := slug(baseName(f.Path))
	if len(f.Tables) > 1 {
		id += "-" + slug(t.Schema.Item)
	}
	s := recordSet{Type: "cr:RecordSet", ID: id, Name: id, Description: fmt.Sprintf("%d records of %s.", t.Records, t.Schema.Item)}
	for _, field := range t.Schema.Fields {
		if !f.Format.flat() {
			s.Fields = append(s.Fields, f.croissantField(id, field))
			continue
		}
		for _, c := range field.Columns {
			s.Fields = append(s.Fields, f.croissantField(id, Field{Name: c.Name, Type: field.flatType(c)}))
		}
	}
	return s
}

// croissantField describes a column. Parts of nested values are taken from
// the column by their path.
func (f File) croissantField(parent string, field Field) croissantField {
	c := croissantField{Type: "cr:Field", ID: parent + "/" + field.Name, Name: field.Name, DataType: croissantType(field.Type), Repeated: field.List}
	from := func() *croissantSource {
		return &croissantSource{FileObject: reference{f.Path}, Extract: map[string]string{"column": field.Name}}
	}
	parts := field.Fields
	if field.Type == Price {
		parts = priceFields
	}
	if len(parts) == 0 || field.List {
		c.Source = from()
		return c
	}
	c.DataType = ""
	for _, p := range parts {
		sub := croissantField{Type: "cr:Field", ID: c.ID + "/" + p.Name, Name: p.Name, DataType: croissantType(p.Type), Repeated: p.List, Source: from()}
		sub.Source.Transform = []map[string]string{{"jsonPath": "$." + p.Name}}
		c.SubFields = append(c.SubFields, sub)
	}
	return c
}

func croissantType(t Type) string {
	switch t {
	case Number:
		return "sc:Float"
	case Integer:
		return "sc:Integer"
	case Bool:
		return "sc:Boolean"
	case URL:
		return "sc:URL"
	case Date:
		return "sc:Date"
	case DateTime:
		return "sc:DateTime"
	default:
		return "sc:Text"
	}
}
