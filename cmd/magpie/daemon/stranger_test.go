package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/store"
)

// Without a token a job file that is saved does nothing that a stranger must
// not do; with one, and on the disk, it may.
func TestStrangers(t *testing.T) {
	t.Setenv("MAGPIE_TEST_SECRET", "very secret")
	dir := t.TempDir()
	db, err := store.Open(filepath.Join(t.TempDir(), "magpie.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const crawl = "start: http://127.0.0.1:1/\nitems: {thing: {fields: {title: title}}}\n"
	export := func(path string) string {
		return crawl + "export: [{item: thing, format: jsonl, path: " + path + "}]\n"
	}
	former := export("/tmp/magpie-test-former.jsonl") + "warc: ../archive\n" + `notify: [{command: [./page-me.sh, "a b"]}]` + "\n"
	for name, text := range map[string]string{"former.yaml": former, "page-me.sh": "#!/bin/sh\n", "secret.yaml": crawl + `headers: {X-Key: "${MAGPIE_TEST_SECRET}"}` + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, file, source string
		refused            string // part of the error; "": it is saved
	}{
		{"crawls alone", "new.yaml", crawl, ""},
		{"tells by a webhook", "new.yaml", crawl + "notify: [{webhook: \"http://127.0.0.1:1/\"}]\n", ""},
		{"a command", "new.yaml", crawl + "notify: [{command: [sh, -c, id]}]\n", "no command"},
		{"what the file did before", "former.yaml", former + "limits: {pages: 5}\n", ""},
		{"another command", "former.yaml", strings.Replace(former, "a b", "a c", 1), "no command"},
		{"a command of other words", "former.yaml", strings.Replace(former, `"a b"`, "a, b", 1), "no command"},
		{"the command of another file", "new.yaml", crawl + `notify: [{command: [./page-me.sh, "a b"]}]` + "\n", "no command"},
		{"an export", "new.yaml", export("out/things.jsonl"), ""},
		{"an export at an absolute path", "new.yaml", export("/tmp/magpie-test.jsonl"), "in the folder of the jobs alone"},
		{"an export above", "new.yaml", export("out/../../x.jsonl"), "in the folder of the jobs alone"},
		{"an export beside the folder", "new.yaml", export("../x.jsonl"), "in the folder of the jobs alone"},
		{"an export in place of a job", "new.yaml", export("secret.yaml"), "ending of its format"},
		{"an export in place of the settings", "new.yaml", export("./serve.yaml"), "ending of its format"},
		{"an export in place of a script", "new.yaml", export("page-me.sh"), "ending of its format"},
		{"an export of no known ending", "new.yaml", export("x.txt"), "ending of its format"},
		{"an export that is compressed", "new.yaml", export("x.jsonl.gz"), ""},
		{"a folder of files", "new.yaml", crawl + "export: [{item: thing, format: markdown, path: things}]\n", ""},
		{"an archive in the folder itself", "new.yaml", crawl + "warc: .\n", "in the folder of the jobs alone"},
		{"an archive above", "new.yaml", crawl + "warc: ../archive\n", "in the folder of the jobs alone"},
		{"an archive", "new.yaml", crawl + "warc: archive\n", ""},
		{"a secret", "new.yaml", crawl + `headers: {X-Key: "${MAGPIE_TEST_SECRET}"}` + "\n", "nothing from the environment"},
		{"a secret that goes elsewhere now", "secret.yaml", strings.Replace(crawl, ":1/", ":2/", 1) + `headers: {X-Key: "${MAGPIE_TEST_SECRET}"}` + "\n", "nothing from the environment"},
		{"a secret taken out", "secret.yaml", crawl, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for strangers, d := range map[bool]*Daemon{true: newDaemon(t, dir, db, true), false: newDaemon(t, dir, db, false)} {
				before, there := os.ReadFile(filepath.Join(dir, c.file))
				err := d.Save(c.file, []byte(c.source))
				now, _ := os.ReadFile(filepath.Join(dir, c.file))
				stranger, is := errors.AsType[*StrangerError](err)
				switch {
				case !strangers || c.refused == "":
					if err != nil || string(now) != c.source {
						t.Errorf("strangers %t: %v, the file is %q", strangers, err, now)
					}
				case !is || !strings.Contains(stranger.Error(), c.refused):
					t.Errorf("strangers %t: %v, want %q", strangers, err, c.refused)
				case string(now) != string(before):
					t.Errorf("it was refused, and saved: %q", now)
				}
				if there != nil {
					os.Remove(filepath.Join(dir, c.file))
				} else if err := os.WriteFile(filepath.Join(dir, c.file), before, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Nobody has an export take the place of the database.
func TestExportToDatabase(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(filepath.Join(dir, "magpie.sqlite"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, path := range []string{"magpie.sqlite", "magpie.sqlite-wal", "x/../magpie.sqlite", db.Path()} {
		t.Run(path, func(t *testing.T) {
			err := newDaemon(t, dir, db, false).Save("new.yaml", []byte("start: http://127.0.0.1:1/\nexport: [{format: sqlite, path: "+path+"}]\n"))
			if mistakes, is := errors.AsType[config.Mistakes](err); !is || !strings.Contains(mistakes.Error(), "place of the database") {
				t.Errorf("%v", err)
			}
		})
	}
}

func newDaemon(t *testing.T, dir string, db *store.DB, strangers bool) *Daemon {
	d, err := New(Options{Dir: dir, DB: db, Strangers: strangers})
	if err != nil {
		t.Fatal(err)
	}
	return d
}
