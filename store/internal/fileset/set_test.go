package fileset

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/store/dataset"
)

var things = dataset.Schema{Item: "thing", Whole: true, Fields: []dataset.Field{{Name: "n", Type: dataset.Integer, Columns: []dataset.Column{{Name: "n"}}}}}

// records yields n records, then err unless it is nil.
func records(n int, err error) iter.Seq2[*dataset.Record, error] {
	return func(yield func(*dataset.Record, error) bool) {
		for i := range n {
			text := strconv.Itoa(i)
			if !yield(&dataset.Record{Item: "thing", Job: "shop", Key: text, Data: []byte(`{"n":` + text + `}`)}, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func noGone(func(dataset.Gone, error) bool) {}

// export makes a set of all that there is, of records that end with err.
func export(o Options, n int, err error) (*Written, error) {
	s, wrong := Begin(o)
	if wrong != nil {
		return nil, wrong
	}
	defer s.Discard()
	if err := s.Table(things, records(n, err)); err != nil {
		return nil, err
	}
	if err := s.Gone(noGone); err != nil {
		return nil, err
	}
	return s.Finish(&dataset.Manifest{Software: "magpie"})
}

func names(t *testing.T, folder string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// All files are there once it is finished, and until then none has changed.
func TestSet(t *testing.T) {
	allow := func(string) error { return nil }
	parts := []dataset.Split{{Name: "train", Weight: 1}, {Name: "test", Weight: 1}}
	broken := errors.New("the records end here")
	for _, c := range []struct {
		name  string
		o     Options
		files []string
	}{
		{"lines", Options{Path: "a.jsonl", Format: dataset.JSONL}, []string{"a.jsonl"}},
		{"parts", Options{Path: "a.csv.gz", Format: dataset.CSV, Split: parts}, []string{"a-test.csv.gz", "a-train.csv.gz"}},
		{"a database", Options{Path: "a.sqlite", Format: dataset.SQLite}, []string{"a.sqlite"}},
		{"a folder", Options{Path: "a", Format: dataset.Markdown}, []string{"a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			o := c.o
			base := o.Path
			o.Path, o.Refuse = filepath.Join(folder, base), allow
			if _, err := export(o, 100, broken); !errors.Is(err, broken) {
				t.Errorf("with records that end by an error: %v", err)
			}
			if left := names(t, folder); len(left) > 0 {
				t.Errorf("%q is left of what was not finished", left)
			}
			done, err := export(o, 100, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := append(slices.Clone(c.files), base+".croissant.json", base+".datapackage.json", base+".gone.jsonl")
			slices.Sort(want)
			if got := names(t, folder); !slices.Equal(got, want) {
				t.Errorf("there are %q, want %q", got, want)
			}
			n := int64(0)
			for _, f := range done.Files {
				n += f.Records
			}
			if len(done.Files) != len(want) || n != 100 {
				t.Errorf("it says it wrote %+v", done.Files)
			}
		})
	}
}

// A set of which one file may not be has none.
func TestSetRefused(t *testing.T) {
	folder := t.TempDir()
	for _, ending := range []string{"", ".gone.jsonl", ".datapackage.json", ".croissant.json"} {
		t.Run("a.jsonl"+ending, func(t *testing.T) {
			o := Options{Path: filepath.Join(folder, "a.jsonl"), Format: dataset.JSONL, Refuse: func(path string) error {
				if filepath.Base(path) == "a.jsonl"+ending {
					return errors.New("it is taken")
				}
				return nil
			}}
			_, err := export(o, 1, nil)
			if want := "export to " + o.Path + ending + ": it is taken"; err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
			if left := names(t, folder); len(left) > 0 {
				t.Errorf("%q is left", left)
			}
		})
	}
}

// A folder is replaced only by what was made for it.
func TestSetFolderOfOthers(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "notes")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	o := Options{Path: folder, Format: dataset.Markdown, Refuse: func(string) error { return nil }}
	for range 2 { // one that is empty, and an export
		if _, err := export(o, 3, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(folder, dataset.IndexName)); err != nil {
		t.Fatal(err)
	}
	if _, err := export(o, 3, nil); err == nil || !strings.Contains(err.Error(), "files that no export wrote") {
		t.Errorf("%v", err)
	}
}
