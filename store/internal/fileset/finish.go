package fileset

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/magpie-crawl/magpie/store/dataset"
	"github.com/magpie-crawl/magpie/store/internal/place"
)

// Written is what an export wrote.
type Written struct {
	Files   []File
	Gone    int64            // keys in the file of those that are gone
	Misfits map[string]int64 // of dataset.ParquetEncoder, of all its tables
}

// File is a file that is in its place.
type File struct {
	Path    string
	Kind    string // "records", "gone" or "manifest"
	Split   string // its part
	Records int64  // of a web archive: pages
	Bytes   int64  // of manifests 0
}

// Finish completes the files, describes them in manifests unless about is nil,
// and puts them all in their places once they are on disk: if that is full,
// nothing has changed. Of about it fills in what it knows: the name, the files
// and the misfits.
func (s *Set) Finish(about *dataset.Manifest) (*Written, error) {
	for _, f := range s.files {
		if err := f.finish(); err != nil {
			return nil, err
		}
	}
	if about != nil {
		if err := s.describe(about); err != nil {
			return nil, err
		}
	}
	places := slices.Clone(s.manifests)
	for _, f := range s.files {
		places = append(places, f.place)
	}
	for _, p := range places {
		if err := p.Settle(); err != nil {
			return nil, failed(p.Path, err)
		}
	}
	for _, p := range slices.Backward(places) { // what is described before its description
		if err := p.Commit(); err != nil {
			return nil, failed(p.Path, err)
		}
	}
	return s.written(), nil
}

// describe makes the manifests, under temporary names.
func (s *Set) describe(m *dataset.Manifest) error {
	m.Name, m.Misfits = filepath.Base(s.options.Path), s.misfits
	for _, f := range s.files {
		m.Files = append(m.Files, f.about)
	}
	for _, manner := range []struct {
		ending string
		text   func() ([]byte, error)
	}{{".datapackage.json", m.DataPackage}, {".croissant.json", m.Croissant}} {
		text, err := manner.text()
		if err != nil {
			return fmt.Errorf("describe the export: %w", err)
		}
		path := s.options.Path + manner.ending
		p, err := place.NewFile(path, s.options.Refuse)
		if err != nil {
			return failed(path, err)
		}
		s.manifests = append(s.manifests, p)
		if _, err := p.File.Write(text); err != nil {
			return failed(path, place.Cause(err))
		}
	}
	return nil
}

func (s *Set) written() *Written {
	w := &Written{Gone: s.gone, Misfits: s.misfits}
	for _, f := range s.files {
		file := File{Path: f.place.Path, Kind: "records", Split: f.about.Split, Records: f.pages, Bytes: f.about.Bytes}
		if f.about.Gone {
			file.Kind = "gone"
		}
		for _, t := range f.about.Tables {
			file.Records += t.Records
		}
		w.Files = append(w.Files, file)
	}
	for _, p := range s.manifests {
		w.Files = append(w.Files, File{Path: p.Path, Kind: "manifest"})
	}
	return w
}

func failed(path string, err error) error { return fmt.Errorf("export to %s: %w", path, err) }
