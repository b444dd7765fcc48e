package fileset

import (
	"iter"

	"github.com/magpie-crawl/magpie/store/dataset"
	"github.com/magpie-crawl/magpie/store/internal/place"
)

// Options say which files an export makes.
type Options struct {
	Path     string // of the file; those of parts, of what is gone and of manifests are made of it
	Format   dataset.Format
	Split    []dataset.Split         // a file for each part (default: one file)
	Formulas bool                    // of dataset.NewCSV
	Refuse   func(path string) error // says why nothing may stand at a path, besides what package place says
}

// Set is the files of an export that is under way. Its methods are called in
// the order in which they stand here; Discard always is.
type Set struct {
	options   Options
	files     []*file // the parts, then that of what is gone
	manifests []*place.Place
	misfits   map[string]int64
	gone      int64
}

// Begin begins the files, under temporary names.
func Begin(o Options) (*Set, error) {
	s := &Set{options: o, misfits: map[string]int64{}}
	parts := o.Split
	if len(parts) == 0 {
		parts = []dataset.Split{{}}
	}
	for _, part := range parts {
		path := o.Path
		if part.Name != "" {
			path = dataset.SplitName(path, part.Name)
		}
		f, err := newFile(path, o.Format, o.Refuse)
		if err != nil {
			s.Discard()
			return nil, err
		}
		f.about.Split = part.Name
		s.files = append(s.files, f)
	}
	return s, nil
}

// Table writes the records of an item type, each to its part. An error among
// them ends it and is returned as it is.
func (s *Set) Table(schema dataset.Schema, records iter.Seq2[*dataset.Record, error]) error {
	for _, f := range s.files {
		if err := f.begin(schema, s.options.Formulas); err != nil {
			return err
		}
	}
	for r, err := range records {
		if err != nil {
			return err
		}
		if err := s.files[dataset.PartOf(s.options.Split, r.Item, r.Key)].write(r); err != nil {
			return err
		}
	}
	for _, f := range s.files {
		if err := f.end(s.misfits); err != nil {
			return err
		}
	}
	return nil
}

// Pages writes pages, in the format of web archives.
func (s *Set) Pages(software string, pages iter.Seq2[*dataset.Page, error]) error {
	f := s.files[0]
	archive, err := dataset.NewWARC(f.packed, f.about.Path, software)
	if err != nil {
		return f.failed(err)
	}
	for p, err := range pages {
		if err != nil {
			return err
		}
		if err := archive.Write(p); err != nil {
			return f.failed(err)
		}
		f.pages++
	}
	return nil
}

// Gone writes the keys of records that are gone to a file beside. It is written
// also when there are none, so that none of an earlier export is taken for it.
func (s *Set) Gone(keys iter.Seq2[dataset.Gone, error]) error {
	f, err := newFile(s.options.Path+".gone.jsonl", dataset.JSONL, s.options.Refuse)
	if err != nil {
		return err
	}
	s.files = append(s.files, f)
	f.about.Gone = true
	for key, err := range keys {
		if err != nil {
			return err
		}
		if _, err := f.packed.Write(key.Line()); err != nil {
			return f.failed(err)
		}
		s.gone++
	}
	f.about.Tables = []dataset.Table{{Schema: dataset.GoneSchema, Records: s.gone}}
	return nil
}

// Discard throws away what has not taken its place.
func (s *Set) Discard() {
	for _, f := range s.files {
		f.discard()
	}
	for _, p := range s.manifests {
		p.Discard()
	}
}
