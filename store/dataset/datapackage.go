package dataset

import (
	"regexp"
	"strings"
	"time"
)

// A Data Package as Frictionless has it. https://datapackage.org/standard/data-package/
type dataPackage struct {
	Schema       string        `json:"$schema"`
	Name         string        `json:"name"`
	Title        string        `json:"title"`
	Description  string        `json:"description"`
	Homepage     string        `json:"homepage,omitempty"`
	Created      string        `json:"created"`
	Contributors []contributor `json:"contributors,omitempty"`
	Licenses     []license     `json:"licenses,omitempty"`
	Sources      []source      `json:"sources,omitempty"`
	Resources    []resource    `json:"resources"`
	Magpie       origin        `json:"magpie"`
}

type contributor struct {
	Title string   `json:"title"`
	Roles []string `json:"roles"`
}

type license struct {
	Name  string `json:"name,omitempty"`
	Path  string `json:"path,omitempty"`
	Title string `json:"title,omitempty"`
}

type source struct {
	Title string `json:"title,omitempty"`
	Path  string `json:"path,omitempty"`
}

// https://datapackage.org/standard/data-resource/
type resource struct {
	Name        string        `json:"name"`
	Type        string        `json:"type,omitempty"`
	Path        string        `json:"path"`
	Description string        `json:"description,omitempty"`
	Format      string        `json:"format"`
	MediaType   string        `json:"mediatype"`
	Encoding    string        `json:"encoding,omitempty"`
	Compression string        `json:"compression,omitempty"`
	Bytes       int64         `json:"bytes"`
	Hash        string        `json:"hash"`
	Records     *int64        `json:"records,omitempty"`
	Split       string        `json:"split,omitempty"`
	Dialect     *tableDialect `json:"dialect,omitempty"`
	Schema      *tableSchema  `json:"schema,omitempty"`
}

// https://datapackage.org/standard/table-dialect/
type tableDialect struct {
	LineTerminator string `json:"lineTerminator,omitempty"`
	Table          string `json:"table,omitempty"`
}

// https://datapackage.org/standard/table-schema/
type tableSchema struct {
	Fields []tableField `json:"fields"`
}

type tableField struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Format string `json:"format,omitempty"`
}

// DataPackage is the manifest as a Data Package, version 2.
func (m *Manifest) DataPackage() ([]byte, error) {
	p := dataPackage{
		Schema: "https://datapackage.org/profiles/2.0/datapackage.json",
		Name:   slug(m.Name), Title: m.title(), Description: m.description(),
		Created: m.Created.UTC().Format(time.RFC3339), Licenses: licenses(m.License), Sources: sources(m.Source),
		Resources: []resource{}, Magpie: m.origin(),
	}
	if m.Creator != "" {
		p.Contributors = []contributor{{m.Creator, []string{"creator"}}}
	}
	for _, f := range m.Files {
		p.Resources = append(p.Resources, f.resources()...)
	}
	return indented(p)
}

var licenseID = regexp.MustCompile(`^[-a-zA-Z0-9._]+$`)

func licenses(text string) []license {
	switch {
	case text == "":
		return nil
	case isURL(text):
		return []license{{Path: text}}
	case licenseID.MatchString(text):
		return []license{{Name: text}}
	default:
		return []license{{Name: "notspecified", Title: text}}
	}
}

func sources(text string) []source {
	switch {
	case text == "":
		return nil
	case isURL(text):
		return []source{{Title: text, Path: text}}
	default:
		return []source{{Title: text}}
	}
}

// resources are those of a file: one a table, or one without tables.
func (f File) resources() []resource {
	r := resource{
		Name: slug(baseName(f.Path)), Path: f.Path, Format: string(f.Format), MediaType: f.Format.MediaType(),
		Compression: strings.ToLower(strings.TrimPrefix(string(f.Compression), ".")),
		Bytes:       f.Bytes, Hash: "sha256:" + f.SHA256, Split: f.Split,
	}
	if f.Format == CSV || f.Format == JSONL {
		r.Encoding = "utf-8"
	}
	if f.Gone {
		r.Description = "Keys of records that are gone."
	}
	var list []resource
	for _, t := range f.Tables {
		r := r
		r.Type, r.Records, r.Schema = "table", &t.Records, t.Schema.tableSchema(f.Format)
		switch {
		case f.Format == CSV:
			r.Dialect = &tableDialect{LineTerminator: "\r\n"}
		case f.Format == SQLite:
			r.Dialect = &tableDialect{Table: t.Schema.Item}
			if len(f.Tables) > 1 {
				r.Name += "-" + slug(t.Schema.Item)
			}
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		list = append(list, r)
	}
	return list
}

func (f Format) flat() bool { return f == CSV || f == SQLite }

func (s Schema) tableSchema(format Format) *tableSchema {
	t := &tableSchema{}
	for _, f := range s.Fields {
		if !format.flat() {
			t.Fields = append(t.Fields, f.tableField(f.Name, f.Type, f.List))
			continue
		}
		for _, c := range f.Columns {
			t.Fields = append(t.Fields, f.tableField(c.Name, f.flatType(c), false))
		}
	}
	return t
}

func (f Field) tableField(name string, t Type, list bool) tableField {
	if list {
		return tableField{Name: name, Type: "array"}
	}
	switch t {
	case Number, Integer, Date, DateTime, Object:
		return tableField{Name: name, Type: string(t)}
	case Bool:
		return tableField{Name: name, Type: "boolean"}
	case Price:
		return tableField{Name: name, Type: "object"}
	case JSON:
		return tableField{Name: name, Type: "any"}
	case URL:
		return tableField{Name: name, Type: "string", Format: "uri"}
	default:
		return tableField{Name: name, Type: "string"}
	}
}
