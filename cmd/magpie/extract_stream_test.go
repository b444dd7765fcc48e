package main

import (
	"bufio"
	"os/exec"
	"testing"
)

// TestExtractWritesEachPage holds that the records of a page are written before
// the next one is there.
func TestExtractWritesEachPage(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("magpie")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		format string
		want   []string
	}{
		{"jsonl", []string{`{"title":"Thing 0"}`}},
		{"csv", []string{"title", "Thing 0"}},
	} {
		t.Run(tt.format, func(t *testing.T) {
			site := newHalting(t, 2, 0)
			site.halt(1)
			cmd := exec.Command(path, "extract", site.URL+"/0", site.URL+"/1", "--css", "title=h1", "--format", tt.format)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			for _, want := range tt.want {
				if !lines.Scan() || lines.Text() != want {
					t.Errorf("got %q, want %q", lines.Text(), want)
				}
			}
			close(site.goesOn)
			for lines.Scan() {
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}
