package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// What a manifest says of files is so.
func TestExportManifest(t *testing.T) {
	db := exportSample(t)
	splits := []dataset.Split{{Name: "train", Weight: 1}, {Name: "test", Weight: 1}}
	for name, o := range map[string]ExportOptions{
		"a.jsonl": {}, "a.csv.gz": {}, "a.parquet": {Split: splits}, "a.sqlite": {}, "a.md": {}, "a.warc.gz": {Job: "shop"},
		"since.jsonl": {Since: 1, Job: "shop"},
	} {
		t.Run(name, func(t *testing.T) {
			o.Manifest = true
			path, done := exportTo(t, db, name, o)
			var p struct {
				Resources []struct {
					Path, Hash string
					Bytes      int64
					Records    int64
				}
				Magpie struct{ Runs []dataset.Run }
			}
			if err := json.Unmarshal([]byte(readFile(t, path+".datapackage.json")), &p); err != nil {
				t.Fatal(err)
			}
			records := int64(0)
			for _, r := range p.Resources {
				data := readFile(t, filepath.Join(filepath.Dir(path), filepath.FromSlash(r.Path)))
				sum := sha256.Sum256([]byte(data))
				if r.Bytes != int64(len(data)) || r.Hash != "sha256:"+hex.EncodeToString(sum[:]) {
					t.Errorf("%s has %d bytes, the manifest says %+v", r.Path, len(data), r)
				}
				records += r.Records
			}
			if len(p.Resources) != len(done.Files)-2 || len(p.Magpie.Runs) != 1 || p.Magpie.Runs[0].Number != 1 || !strings.HasSuffix(name, "warc.gz") && records != done.Records {
				t.Errorf("%+v, while %+v was written", p, done)
			}
			if !json.Valid([]byte(readFile(t, path+".croissant.json"))) {
				t.Error("croissant is no JSON")
			}
		})
	}
}

// A field that none of the records of a file has is told by the Data Package
// alone.
func TestExportManifestOfAbsentFields(t *testing.T) {
	path, _ := exportTo(t, exportSample(t), "a.jsonl", ExportOptions{Fields: []string{"name", "price"}, Where: "price_amount IS NULL", Manifest: true})
	if data := readFile(t, path); strings.Contains(data, `"price"`) || !strings.Contains(data, `"name"`) {
		t.Fatalf("the sample is of no use here: %s", data)
	}
	var p struct {
		Resources []struct {
			Schema struct{ Fields []struct{ Name string } }
		}
	}
	var c struct {
		RecordSet []struct {
			Field []struct{ Name string }
		}
	}
	for ending, to := range map[string]any{".datapackage.json": &p, ".croissant.json": &c} {
		if err := json.Unmarshal([]byte(readFile(t, path+ending)), to); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.Resources) != 1 || len(p.Resources[0].Schema.Fields) != 2 {
		t.Errorf("the data package has %+v", p)
	}
	if len(c.RecordSet) != 1 || len(c.RecordSet[0].Field) != 1 || c.RecordSet[0].Field[0].Name != "name" {
		t.Errorf("croissant has %+v", c)
	}
}

// exportVar makes TestExportKilled export the database that it names, again
// and again, until it is killed.
const exportVar = "MAGPIE_STORE_TEST_EXPORT"

// An export that is killed at any moment leaves the former files or the new
// ones, whole.
func TestExportKilled(t *testing.T) {
	formats := []string{"a.jsonl", "a.parquet", "a.sqlite", "a.md"}
	if folder := os.Getenv(exportVar); folder != "" {
		exportUntilKilled(t, folder, formats)
	}
	folder := t.TempDir()
	db := openTest(t, filepath.Join(folder, "magpie.db"))
	var records []extract.Record
	for i := range 400 {
		records = append(records, product(fmt.Sprint("k", i), strings.Repeat("name ", i)))
	}
	storeRecords(t, db, testJob, records...)
	want := map[string]int64{}
	for _, name := range formats {
		f, _ := dataset.FormatOf(name)
		done, err := db.ExportFiles(t.Context(), filepath.Join(folder, name), ExportOptions{Item: "product", Format: f, Manifest: true})
		if err != nil {
			t.Fatal(err)
		}
		want[name] = done.Files[0].Bytes
	}
	for i := range 6 {
		child := exec.Command(os.Args[0], "-test.run=^TestExportKilled$")
		child.Env = append(os.Environ(), exportVar+"="+folder)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(80+37*i) * time.Millisecond)
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait()
		for _, name := range formats {
			path := filepath.Join(folder, name)
			if name == "a.md" {
				// Between the two renames of a folder there is none for a moment: the next export makes it.
				if _, err := os.Stat(path); os.IsNotExist(err) {
					continue
				}
				path = filepath.Join(path, dataset.IndexName)
			}
			info, err := os.Stat(path)
			if err != nil || info.Size() != want[name] {
				t.Fatalf("%s after a kill: %v, %v, want %d bytes", name, info, err, want[name])
			}
		}
	}
}

// exportUntilKilled exports without an end.
func exportUntilKilled(t *testing.T, folder string, formats []string) {
	db, err := OpenReadOnly(filepath.Join(folder, "magpie.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		for _, name := range formats {
			f, _ := dataset.FormatOf(name)
			if _, err := db.ExportFiles(t.Context(), filepath.Join(folder, name), ExportOptions{Item: "product", Format: f, Manifest: true}); err != nil {
				t.Fatal(err)
			}
		}
	}
}
