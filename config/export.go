package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/store"
)

// exports reads the files to write. items is nil when the job has none.
func (d *decoder) exports(v value, items *node) []Export {
	if v.kind != listKind {
		d.want(v, "a list of exports, such as [{item: book, format: jsonl, path: books.jsonl}]")
		return nil
	}
	var list []Export
	for _, n := range v.list {
		e := d.export(value{n, "an entry of export"}, items)
		if e.Path != "" && slices.ContainsFunc(list, func(other Export) bool { return other.Path == e.Path }) {
			d.wrong(n.place, "two exports cannot have the same path")
		}
		list = append(list, e)
	}
	return list
}

func (d *decoder) export(v value, items *node) Export {
	var e Export
	d.mapping(v, []key{
		{name: "item", read: func(v value) { e.Item = d.itemName(v, items) }},
		{name: "format", read: func(v value) { e.Format = d.format(v) }},
		{name: "path", read: func(v value) { e.Path = d.path(v) }},
	})
	if v.kind != mappingKind || d.broken[v.node] {
		return e
	}
	for _, name := range []string{"item", "format", "path"} {
		if _, has := v.get(name); !has {
			d.wrong(v.place, "%s is missing: an export has an item, a format and a path, such as {item: book, format: jsonl, path: books.jsonl}", name)
		}
	}
	return e
}

func (d *decoder) itemName(v value, items *node) string {
	name, ok := d.text(v, "book")
	if !ok {
		return ""
	}
	var known []string
	if items != nil {
		for _, p := range items.pairs {
			known = append(known, p.key)
		}
	}
	if slices.Contains(known, name) {
		return name
	}
	switch near := nearest(name, known); {
	case len(known) == 0:
		d.wrong(v.place, "there is no item %s: the job has no items", quoted(name))
	case near != "":
		d.wrong(v.place, "there is no item %s: did you mean %s?", quoted(name), near)
	default:
		d.wrong(v.place, "there is no item %s: the job has %s", quoted(name), enumerate(known, "and"))
	}
	return ""
}

func (d *decoder) format(v value) store.Format {
	var formats []string
	for _, f := range store.Formats {
		formats = append(formats, string(f))
	}
	if later := []string{"parquet", "sqlite", "warc"}; v.kind == textKind && slices.Contains(later, strings.ToLower(v.text)) {
		d.wrong(v.place, "the format %s is not available in this version: use %s", v.text, enumerate(formats, "or"))
		return ""
	}
	if i, ok := d.choice(v, formats); ok {
		return store.Formats[i]
	}
	return ""
}

// path reads a file's path, relative to the job file's folder.
func (d *decoder) path(v value) string {
	path, ok := d.text(v, "books.jsonl")
	switch {
	case !ok:
		return ""
	case strings.HasSuffix(path, "/") || filepath.Base(path) == "." || filepath.Base(path) == "..":
		d.wrong(v.place, "path %s is a folder: add a file's name", quoted(path))
		return ""
	}
	return d.fromFolder(path)
}

// fromFolder is a path that starts at the job file's folder.
func (d *decoder) fromFolder(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(d.folder, filepath.FromSlash(path))
}
