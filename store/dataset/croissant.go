package dataset

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

// Croissant, version 1.0: what machine learning's loaders read.
// https://docs.mlcommons.org/croissant/docs/croissant-spec.html
const croissantVersion = "http://mlcommons.org/croissant/1.0"

// croissantContext has each term of the one that mlcroissant, MLCommons' own
// reader, warns of when they are not there. The specification's own lacks the
// prefixes of its terms. That name and description may have a text for each
// language changes nothing for those that have one text.
// https://github.com/mlcommons/croissant/blob/main/python/mlcroissant/mlcroissant/_src/core/rdf.py
// https://docs.mlcommons.org/croissant/docs/croissant-spec.html#appendix-1-json-ld-context
var croissantContext = json.RawMessage(`{
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract",
    "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet",
    "format": "cr:format", "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath",
    "key": "cr:key", "md5": "cr:md5", "name": {"@container": "@language"}, "parentField": "cr:parentField",
    "path": "cr:path", "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex",
    "repeated": "cr:repeated", "replace": "cr:replace", "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField",
    "transform": "cr:transform"
  }`)

type croissant struct {
	Context     json.RawMessage `json:"@context"`
	Type        string          `json:"@type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	ConformsTo  string          `json:"conformsTo"`
	License     any             `json:"license"` // a URL, or a croissantThing that names it
	URL         string          `json:"url,omitempty"`
	Creator     *croissantThing `json:"creator,omitempty"`
	Date        string          `json:"datePublished"`
	Version     string          `json:"version"`
	croissantOrigin
	Distribution []fileObject `json:"distribution"`
	RecordSets   []recordSet  `json:"recordSet,omitempty"`
}

// croissantOrigin says how the data was collected, in the words of the
// vocabulary for responsible AI.
// https://docs.mlcommons.org/croissant/docs/croissant-rai-spec.html
type croissantOrigin struct {
	Collection string   `json:"rai:dataCollection"`
	Kind       string   `json:"rai:dataCollectionType"`
	Timeframe  []string `json:"rai:dataCollectionTimeframe,omitempty"` // its begin and end
}

type croissantThing struct {
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

// croissantLicense is a licence's URL where it has one.
func croissantLicense(text string) any {
	switch {
	case text == "":
		return croissantThing{"sc:CreativeWork", unknownLicense}
	case isURL(text):
		return text
	case licenseID.MatchString(text):
		return "https://spdx.org/licenses/" + text
	default:
		return croissantThing{"sc:CreativeWork", text}
	}
}

// Croissant is the manifest as JSON-LD of Croissant. A dataset without a
// source has no url, which the format recommends and a job should name.
func (m *Manifest) Croissant() ([]byte, error) {
	c := croissant{
		Context: croissantContext, Type: "sc:Dataset", Name: m.title(), Description: m.description(), ConformsTo: croissantVersion,
		License: croissantLicense(m.License), Date: m.Created.UTC().Format(time.DateOnly), Version: m.version(), croissantOrigin: m.croissantOrigin(), Distribution: []fileObject{},
	}
	if isURL(m.Source) {
		c.URL = m.Source
	}
	if m.Creator != "" {
		c.Creator = &croissantThing{"sc:Organization", m.Creator}
	}
	for _, f := range m.Files {
		c.Distribution = append(c.Distribution, f.fileObject())
		for _, t := range f.Tables {
			if f.hasColumns(t) {
				c.RecordSets = append(c.RecordSets, f.recordSet(t))
			}
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

// croissantOrigin names the software, the runs and their job files.
func (m *Manifest) croissantOrigin() croissantOrigin {
	var b strings.Builder
	fmt.Fprintf(&b, "Extracted from web pages by %s.", m.Software)
	var begin, end time.Time
	for _, r := range m.Runs {
		fmt.Fprintf(&b, " Run %d of job %s (%s).", r.Number, r.Job, r.State)
		if r.SpecSHA256 != "" {
			fmt.Fprintf(&b, " SHA-256 of the job file: %s.", r.SpecSHA256)
		}
		if begin.IsZero() || r.Started.Before(begin) {
			begin = r.Started
		}
		if r.Ended.After(end) {
			end = r.Ended
		}
	}
	if m.Since > 0 {
		fmt.Fprintf(&b, " Only what is new or changed since run %d.", m.Since)
	}
	if m.Where != "" {
		fmt.Fprintf(&b, " Only records for which this holds: %s.", m.Where)
	}
	if m.Duplicates > 0 {
		fmt.Fprintf(&b, " %d duplicates left out (%s).", m.Duplicates, m.Dedup)
	}
	o := croissantOrigin{Collection: b.String(), Kind: "Web Scraping"}
	for _, t := range []time.Time{begin, end} {
		if !t.IsZero() {
			o.Timeframe = append(o.Timeframe, t.UTC().Format(time.RFC3339))
		}
	}
	return o
}

// iri makes a path what can stand as an @id: a relative reference.
// https://www.rfc-editor.org/rfc/rfc3987#section-2.2
func iri(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = segment(p)
	}
	return strings.Join(parts, "/")
}

// segment makes a name a part of such a path. A colon would end a scheme.
func segment(name string) string {
	return strings.ReplaceAll(url.PathEscape(name), ":", "%3A")
}

// fileObject describes a file. Its contentUrl is the path as it stands, which
// is how readers find a file that lies beside the manifest.
func (f File) fileObject() fileObject {
	o := fileObject{
		Type: "cr:FileObject", ID: iri(f.Path), Name: path.Base(f.Path), ContentURL: f.Path, ContentSize: fmt.Sprintf("%d B", f.Bytes),
		Encoding: f.Format.MediaType(), SHA256: f.SHA256,
	}
	switch f.Format {
	case JSONL:
		o.Encoding = "application/jsonlines" // the format's own word for it
	case Parquet:
		o.Encoding = "application/x-parquet"
	}
	switch Compression(strings.ToLower(string(f.Compression))) {
	case Gzip: // readers tell it by the file's name, and want the format within
		o.Description = "Compressed by gzip."
	case Zstd:
		o.Description = "Compressed by Zstandard: " + o.Encoding + " within."
		o.Encoding = "application/zstd"
	}
	return o
}

// hasColumns tells whether a reader finds anything to make columns of: lines
// name their fields, and an empty file names none.
func (f File) hasColumns(t Table) bool {
	return f.Format != JSONL || t.Records > 0 && len(t.Absent) < len(t.Schema.Fields)
}

// recordSet describes a table. Readers refuse a set with a field of which they
// find no column, and so it has none that no record has.
func (f File) recordSet(t Table) recordSet {
	id := slug(baseName(f.Path))
	if len(f.Tables) > 1 {
		id += "-" + slug(t.Schema.Item)
	}
	s := recordSet{Type: "cr:RecordSet", ID: id, Name: id, Description: fmt.Sprintf("%d records of %s.", t.Records, t.Schema.Item)}
	if len(t.Absent) > 0 {
		s.Description += fmt.Sprintf(" No record has a value for %s.", strings.Join(t.Absent, ", "))
	}
	for _, field := range t.Schema.Fields {
		if !field.Meta && slices.Contains(t.Absent, field.Name) {
			continue
		}
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
	c := croissantField{Type: "cr:Field", ID: parent + "/" + segment(field.Name), Name: field.Name, DataType: croissantType(field.Type), Repeated: field.List}
	from := func() *croissantSource {
		return &croissantSource{FileObject: reference{iri(f.Path)}, Extract: map[string]string{"column": field.Name}}
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
		sub := croissantField{Type: "cr:Field", ID: c.ID + "/" + segment(p.Name), Name: p.Name, DataType: croissantType(p.Type), Repeated: p.List, Source: from()}
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
