package config_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/schedule"
)

var update = flag.Bool("update", false, "write what comes out to the .want files")

// TestJobFiles reads each job file of testdata. Beside it stands what comes
// of it: the job as JSON, or its mistakes.
func TestJobFiles(t *testing.T) {
	t.Setenv("MAGPIE_TEST_KEY", "key from the environment")
	t.Setenv("MAGPIE_TEST_PASSWORD", "password from the environment")
	t.Setenv("MAGPIE_TEST_KEY_PATH", "key")
	t.Setenv("MAGPIE_TEST_HOOK", "whsec_%%%")
	t.Setenv("MAGPIE_TEST_CONTROL", "a\nb")
	files, err := filepath.Glob("testdata/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no job files in testdata", err)
	}
	for _, file := range files {
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), func(t *testing.T) {
			if strings.HasPrefix(filepath.Base(file), "serve_") {
				testServeFile(t, file)
				return
			}
			job, err := config.Load(file)
			var mistakes config.Mistakes
			switch wantMistakes := filepath.Base(filepath.Dir(file)) == "wrong"; {
			case err != nil && !errors.As(err, &mistakes):
				t.Fatal(err)
			case wantMistakes && err == nil:
				t.Fatal("no mistake was found")
			case !wantMistakes && err != nil:
				t.Fatal(err)
			}
			compareGolden(t, strings.TrimSuffix(file, ".yaml")+".want", describe(t, job, mistakes))
		})
	}
}

// describe writes a job as JSON, or the mistakes without the folder.
func describe(t *testing.T, job *config.Job, mistakes config.Mistakes) string {
	t.Helper()
	if job == nil {
		var b strings.Builder
		for _, m := range mistakes {
			m.File = filepath.Base(m.File)
			b.WriteString(m.Error() + "\n")
		}
		return b.String()
	}
	for i := range job.Notify {
		job.Notify[i].Folder = filepath.ToSlash(job.Notify[i].Folder)
	}
	for i := range job.Exports {
		job.Exports[i].Path = filepath.ToSlash(job.Exports[i].Path)
	}
	o := job.Options
	out, err := json.Marshal(map[string]any{
		"Name": job.Name, "Items": job.Items.Items, "Schedule": describeSchedule(job.Schedule), "Exports": job.Exports, "Dataset": job.Dataset,
		"Start": o.Start, "Sitemaps": o.Sitemaps, "Scope": o.Scope, "Follow": o.Follow, "Limits": o.Limits,
		"Politeness": o.Politeness, "Retry": o.Retry, "AllowPrivate": o.AllowPrivate,
		"Recrawl": o.Recrawl, "Keep": o.Keep, "Links": o.Links, "Traps": o.Traps, "Requests": o.Requests, "WARC": filepath.ToSlash(o.WARC), "Login": o.Login, "Priorities": o.Priorities,
		"Health": o.Health, "Webhooks": job.Webhooks, "Notify": job.Notify, "Silence": job.Silence, "FailOnDrift": job.FailOnDrift,
	})
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	dec := json.NewDecoder(bytes.NewReader(out))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	out, err = json.MarshalIndent(withoutZeros(tree), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out) + "\n"
}

// describeSchedule is what JSON tells of a schedule; nil without one.
func describeSchedule(o schedule.Options) any {
	if o.Cron == "" {
		return nil
	}
	return map[string]any{
		"Cron": o.Cron, "Zone": o.Zone.String(), "Jitter": o.Jitter, "Start": o.Start, "End": o.End,
		"Overlap": o.Overlap.String(), "Missed": o.Missed.String(),
	}
}

// withoutZeros leaves out members with a zero value; an empty list stays.
func withoutZeros(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		for name, v := range tree {
			v = withoutZeros(v)
			tree[name] = v
			if m, isMap := v.(map[string]any); v == nil || v == false || v == "" || v == json.Number("0") || isMap && len(m) == 0 {
				delete(tree, name)
			}
		}
	case []any:
		for i, v := range tree {
			tree[i] = withoutZeros(v)
		}
	}
	return tree
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// TestLoadErrors asks for files that cannot be read: these are errors of the
// file system, not mistakes of a job.
func TestLoadErrors(t *testing.T) {
	_, err := config.Load(filepath.Join(t.TempDir(), "none.yaml"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "open job file") {
		t.Errorf("missing file: %v", err)
	}
	_, err = config.Load(t.TempDir())
	var mistakes config.Mistakes
	if err == nil || errors.As(err, &mistakes) {
		t.Errorf("folder: %v", err)
	}
}

// TestNames reads names that addresses of a job's pages could not hold: browsers
// resolve the dots, and net/http takes an escaped slash for the end of a path.
func TestNames(t *testing.T) {
	for name, want := range map[string]bool{".": false, "..": false, "/": false, "...": true, "a/b": true, "//": true, "./": true, "../..": true, "%2e%2e": true, "🐦": true} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Parse("job.yaml", fmt.Appendf(nil, "name: %q\nstart: http://a.test/\n", name))
			if (err == nil) != want {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	const marks = "this is no job file: it has more than 400000 lines and values"
	tests := []struct{ name, src, want string }{
		{"bytes", strings.Repeat("# a comment\n", 1<<20), "this is no job file: it has more than 8 MiB"},
		{"keys", "items:\n" + strings.Repeat("  a: b\n", 30_000), "this is no job file: it has more than 20000 keys"},
		{"brackets", strings.Repeat("[", 1<<18), "nested more than 64 levels deep"},
		{"dashes", strings.Repeat("- ", 1<<18), "nested more than 64 levels deep"},
		{"documents", strings.Repeat("---\na\n", 1<<16), "a second document begins here: a job file holds one job"},
		{"values", "x: [" + strings.Repeat("a,", 500_000) + "]", marks},
		{"values on lines", "x:\n" + strings.Repeat("- a\n", 500_000), marks},
		{"quotes", "x: " + strings.Repeat(`"a" `, 500_000), marks},
		{"comments", strings.Repeat("#\n", 500_000), marks},
		{"anchors", "x: " + strings.Repeat("&a ", 500_000), marks},
		{"question marks", strings.Repeat("? ", 1<<18), "nested more than 64 levels deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.Parse("job.yaml", []byte(tt.src))
			var mistakes config.Mistakes
			if !errors.As(err, &mistakes) || len(mistakes) != 1 || mistakes[0].Message != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestManyStarts reads a list of start URLs as long as programs write them.
func TestManyStarts(t *testing.T) {
	const n = 100_000
	job, err := config.Parse("job.yaml", []byte("start:\n"+strings.Repeat("  - https://example.com/some/page.html\n", n)))
	if err != nil || len(job.Options.Start) != n {
		t.Fatal(err)
	}
}

func TestDefaultName(t *testing.T) {
	for file, want := range map[string]string{
		"books.yaml": "books", "jobs/books.yml": "books", "a.b.yaml": "a.b", ".yaml": ".yaml", "books": "books",
	} {
		t.Run(file, func(t *testing.T) {
			job, err := config.Parse(file, []byte("start: https://example.com/"))
			if err != nil || job.Name != want {
				t.Errorf("got %v, %v, want %s", job, err, want)
			}
		})
	}
}

// FuzzParse holds that no input panics, and that what is refused is told
// with a message at a place within the text.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*.yaml")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		job, err := config.Parse("job.yaml", src)
		if err == nil {
			if job == nil || len(job.Options.Start) == 0 {
				t.Fatal("a job without a start")
			}
			return
		}
		var mistakes config.Mistakes
		if !errors.As(err, &mistakes) || len(mistakes) == 0 {
			t.Fatalf("not Mistakes: %v", err)
		}
		lines := bytes.Count(src, []byte("\n")) + bytes.Count(src, []byte("\r")) + 1
		for _, m := range mistakes {
			if m.Message == "" || m.File != "job.yaml" || m.Line > lines || m.Line > 0 && m.Column < 1 || !utf8.ValidString(m.Message) {
				t.Errorf("%+v", m)
			}
		}
	})
}

// TestReadme reads the files that the README shows.
func TestReadme(t *testing.T) {
	t.Setenv("SHOP_TOKEN", "x")
	t.Setenv("HOOK_SECRET", "x")
	t.Setenv("SHOP_PASSWORD", "x")
	t.Setenv("SMTP_PASSWORD", "x")
	t.Setenv("MAGPIE_TOKEN", "0123456789abcdef")
	jobs, settings := config.ReadmeFiles(t)
	for _, src := range jobs {
		if _, err := config.Parse("README.md", []byte(src)); err != nil {
			t.Error(err)
		}
	}
	for _, src := range settings {
		if _, err := config.ParseServe("README.md", []byte(src)); err != nil {
			t.Error(err)
		}
	}
}

// testServeFile is TestJobFiles for a file of settings.
func testServeFile(t *testing.T, file string) {
	t.Helper()
	serve, err := config.LoadServe(file)
	var mistakes config.Mistakes
	if wantMistakes := filepath.Base(filepath.Dir(file)) == "wrong"; err != nil && !errors.As(err, &mistakes) || wantMistakes != (err != nil) {
		t.Fatal(err)
	}
	got := describe(t, nil, mistakes)
	if serve != nil {
		out, err := json.MarshalIndent(serve, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got = strings.ReplaceAll(string(out), `\\`, "/") + "\n"
	}
	compareGolden(t, strings.TrimSuffix(file, ".yaml")+".want", got)
}
