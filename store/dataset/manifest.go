package dataset

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"time"
)

// Description says what a dataset is, in the words of who makes it: `dataset`
// in a job file. What is not said stays empty.
type Description struct {
	Title       string
	Description string
	License     string // SPDX identifier, such as CC-BY-4.0, or a URL
	Source      string // where the data comes from: a URL
	Creator     string
}

// Manifest is what is known of an export. It is written beside the files, as a
// Data Package and as Croissant.
type Manifest struct {
	Description
	Name       string // of the export: its file's
	Created    time.Time
	Software   string // name and version
	Files      []File
	Runs       []Run  // those that the records are taken from, one a job
	Since      int    // records new or changed after this run alone; 0: all
	Where      string // condition that the records fulfil
	Dedup      Dedup
	Duplicates int64            // records left out
	Misfits    map[string]int64 // see ParquetEncoder.Misfits
}

// File is one file of an export.
type File struct {
	Path        string // relative to the manifest, with slashes
	Format      Format
	Compression Compression
	Split       string // its part; "": the whole
	Gone        bool   // it holds the keys of records that are gone
	Tables      []Table
	Bytes       int64
	SHA256      string // hexadecimal
}

// Table is the records of an item type in a file. A file of pages has none.
type Table struct {
	Schema  Schema
	Records int64
	Absent  []string // of JSONL: fields that none of the records has
}

// Run is the state of a job that an export shows.
type Run struct {
	Job        string    `json:"job"`
	Number     int       `json:"run"`
	State      string    `json:"state"`
	Started    time.Time `json:"started"`
	Ended      time.Time `json:"ended,omitzero"`
	SpecSHA256 string    `json:"spec_sha256,omitempty"` // of the job file
}

// origin is what both manifests say of where the data comes from.
type origin struct {
	Software   string           `json:"software"`
	Runs       []Run            `json:"runs"`
	Since      int              `json:"since_run,omitempty"`
	Where      string           `json:"where,omitempty"`
	Dedup      Dedup            `json:"dedup,omitempty"`
	Duplicates int64            `json:"duplicates_left_out,omitempty"`
	Misfits    map[string]int64 `json:"values_of_another_type_left_out,omitempty"`
}

func (m *Manifest) origin() origin {
	return origin{m.Software, m.Runs, m.Since, m.Where, m.Dedup, m.Duplicates, m.Misfits}
}

// title is the dataset's name for people.
func (m *Manifest) title() string {
	if m.Title != "" {
		return m.Title
	}
	return m.Name
}

func (m *Manifest) description() string {
	if m.Description.Description != "" {
		return m.Description.Description
	}
	return "Records that " + m.Software + " extracted from web pages."
}

var notInSlug = regexp.MustCompile(`[^a-z0-9._-]+`)

// slug makes a name that can stand in a URL.
func slug(name string) string {
	if s := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(name), "-"), "-."); s != "" {
		return s
	}
	return "dataset"
}

// baseName is a file's name without what it ends with.
func baseName(file string) string {
	base, _ := cutCompression(path.Base(file))
	return strings.TrimSuffix(base, path.Ext(base))
}

// isURL tells whether a text is an address of the web.
func isURL(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// indented is v as JSON for people.
func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
