package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/config"
)

// TestReach saves job files that would let whoever saves them do more than
// crawl.
func TestReach(t *testing.T) {
	w := newWorld(t)
	elsewhere := t.TempDir()
	item := "items: {thing: {fields: {title: h1}}}\n"
	w.job("by-hand", item+"notify: [{command: [./page-me.sh, \"{{.Job}}\"]}]\nexport: [{item: thing, format: csv, path: "+elsewhere+"/things.csv}]\n")
	w.start()
	head := "name: n\nstart: [\"http://a.test/\"]\n" + item
	for name, tt := range map[string]struct{ text, wrong string }{
		"a command":                           {"notify: [{command: [sh, -c, id]}]\n", `a new command, "sh -c id"`},
		"a command with other arguments":      {"notify: [{command: [./page-me.sh, -x]}]\n", "a new command"},
		"a command that the folder has":       {"notify: [{command: [./page-me.sh, \"{{.Job}}\"]}]\n", ""},
		"an address":                          {"notify: [{webhook: \"http://a.test/\"}]\n", ""},
		"an export in the folder":             {"export: [{item: thing, format: csv, path: out.csv}]\n", ""},
		"one below":                           {"export: [{item: thing, format: jsonl, path: data/out.jsonl.gz}]\n", ""},
		"one where the folder's jobs write":   {"export: [{item: thing, format: csv, path: " + elsewhere + "/n.csv}]\n", ""},
		"a script where they write":           {"export: [{item: thing, format: csv, path: " + elsewhere + "/.bashrc}]\n", "leads out of the folder"},
		"one beside the folder":               {"export: [{item: thing, format: csv, path: ../out.csv}]\n", "leads out of the folder"},
		"one anywhere":                        {"export: [{item: thing, format: csv, path: /tmp/out.csv}]\n", "leads out of the folder"},
		"one in place of a job file":          {"export: [{item: thing, format: jsonl, path: by-hand.yaml}]\n", "is none of jsonl"},
		"one in place of the settings":        {"export: [{item: thing, format: jsonl, path: ./serve.yaml}]\n", "is none of jsonl"},
		"one in place of a program":           {"export: [{item: thing, format: csv, path: page-me.sh}]\n", "is none of csv"},
		"one in place of the database":        {"export: [{item: thing, format: sqlite, path: " + w.db.Path() + "}]\n", "place of the database"},
		"an archive in the folder":            {"warc: archive\n", ""},
		"an archive elsewhere":                {"warc: ../archive\n", "is not in the folder"},
		"an archive in the folder of exports": {"warc: " + elsewhere + "\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := w.d.Save("n.yaml", []byte(head+tt.text))
			var mistakes config.Mistakes
			if tt.wrong == "" && err != nil || tt.wrong != "" && (!errors.As(err, &mistakes) || !strings.Contains(err.Error(), tt.wrong)) {
				t.Fatalf("%v, want %q", err, tt.wrong)
			}
			if _, there := os.Stat(filepath.Join(w.dir, "n.yaml")); (there == nil) != (err == nil) {
				t.Errorf("%v, and the file: %v", err, there)
			}
			os.Remove(filepath.Join(w.dir, "n.yaml"))
			w.d.Rescan()
		})
	}
}
