package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// exports reads the files to write. items is nil when the job has none.
func (d *decoder) exports(v value, items *node) []Export {
	if v.kind != listKind {
		d.want(v, "a list of exports, such as [{item: book, path: books.jsonl}]")
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
	var format, path value
	d.mapping(v, []key{
		{name: "item", read: func(v value) { e.Item = d.itemName(v, items) }},
		{name: "format", read: func(v value) { format = v }},
		{name: "path", read: func(v value) { path = v }},
		{name: "fields", read: func(v value) { e.Fields = d.exportFields(v) }},
		{name: "where", read: func(v value) { e.Where = d.condition(v) }},
		{name: "split", read: func(v value) { e.Split = d.split(v) }},
		{name: "dedup", read: func(v value) { e.Dedup = d.dedup(v) }},
		{name: "meta", read: func(v value) { e.Meta = d.boolean(v) }},
		{name: "manifest", read: func(v value) { e.NoManifest = !d.boolean(v) && v.kind == boolKind }},
	})
	e.Format, e.Path = d.exportFile(format, path)
	if v.kind != mappingKind || d.broken[v.node] {
		return e
	}
	for _, name := range []string{"item", "path"} {
		if name == "item" && (e.Format == store.SQLite || e.Format == store.WARC) {
			continue // without one all items, or the pages, are exported
		}
		if _, has := v.get(name); !has {
			d.wrong(v.place, "%s is missing: an export has an item and a path, such as {item: book, path: books.jsonl}", name)
		}
	}
	return e
}

// exportFields reads names of fields. Which there are is for the export to
// say: metadata is among them.
func (d *decoder) exportFields(v value) []string {
	list := d.texts(v, "title")
	if v.kind == listKind && len(v.list) == 0 {
		d.wrong(v.place, "fields is empty: name at least one, or leave it out for all")
	}
	return plainTexts(list)
}

func (d *decoder) condition(v value) string {
	text, ok := d.text(v, `"price_amount > 10"`)
	if !ok {
		return ""
	}
	if err := store.CheckCondition(text); err != nil {
		d.wrong(v.place, "where: %s", err)
	}
	return text
}

// split reads the parts of a split and their shares.
func (d *decoder) split(v value) []dataset.Split {
	if v.kind != mappingKind {
		d.want(v, "parts and their shares, such as {train: 80, validation: 10, test: 10}")
		return nil
	}
	var parts []dataset.Split
	for _, p := range v.pairs {
		if n := d.integer(value{p.value, p.key}, 1, "80"); n > 0 {
			parts = append(parts, dataset.Split{Name: p.key, Weight: n})
		}
	}
	if err := dataset.CheckSplits(parts); err != nil {
		d.wrong(v.place, "%s", err)
	}
	return parts
}

func (d *decoder) dedup(v value) dataset.Dedup {
	ways := []dataset.Dedup{dataset.DropExact, dataset.DropNear}
	i, ok := d.choice(v, []string{string(ways[0]), string(ways[1])})
	if !ok {
		return dataset.KeepAll
	}
	return ways[i]
}

// dataset reads what exports say of themselves.
func (d *decoder) dataset(v value, about *dataset.Description) {
	text := func(to *string, example string) func(value) {
		return func(v value) { *to, _ = d.text(v, example) }
	}
	d.mapping(v, []key{
		{name: "title", read: text(&about.Title, `"Books of all shops"`)},
		{name: "description", read: text(&about.Description, `"Each book with its price"`)},
		{name: "license", read: text(&about.License, "CC-BY-4.0")},
		{name: "source", read: text(&about.Source, `"https://books.toscrape.com/"`)},
		{name: "creator", read: text(&about.Creator, `"The Example Company"`)},
	})
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
	if i, ok := d.choice(v, formats); ok {
		return store.Formats[i]
	}
	return ""
}

// exportFile reads the format and the path of an export, either of which may
// be left out: the path's name tells the format.
func (d *decoder) exportFile(format, path value) (f store.Format, file string) {
	if format.node != nil {
		f = d.format(format)
	}
	if path.node == nil {
		return f, ""
	}
	name, ok := d.text(path, "books.jsonl")
	if !ok {
		return f, ""
	}
	bare := strings.TrimRight(name, "/")
	told, err := dataset.FormatFor(bare, f)
	if f == store.Markdown || told == store.Markdown {
		name = bare // it is written to a folder
	}
	switch base := filepath.Base(name); {
	case strings.HasSuffix(name, "/"), base == ".", base == "..":
		d.wrong(path.place, "path %s is a folder: add a file's name", quoted(name))
	case format.node != nil && f == "": // which is a mistake already
	case err != nil:
		d.wrong(path.place, "path %s: %s", quoted(name), err)
	default:
		return told, d.fromFolder(name)
	}
	return f, ""
}

// fromFolder is a path that starts at the job file's folder.
func (d *decoder) fromFolder(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(d.folder, filepath.FromSlash(path))
}
