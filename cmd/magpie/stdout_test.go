package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A reader that goes away ends the crawl, not the process in the middle; the
// records of the whole crawl are there in the end.
func TestStdoutReaderGoesAway(t *testing.T) {
	t.Parallel()
	site := newHalting(t, 400, time.Millisecond)
	site.halt(20)
	bin, dir := buildMagpie(t), t.TempDir()
	args := []string{"crawl", site.URL + "/0", "--name", "things", "--css", "title=h1", "--log-level", "error"}
	crawl := exec.Command(bin, append(args, "--stdout")...)
	crawl.Dir = dir
	var errs strings.Builder
	crawl.Stderr = &errs
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	crawl.Stdout = writer
	if err := errors.Join(crawl.Start(), writer.Close()); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(reader)
	for range 3 {
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), `{"title":"Thing `) {
			t.Errorf("it wrote %q", lines.Text())
		}
	}
	reader.Close()
	close(site.goesOn)
	if err := crawl.Wait(); code(err) != exitFailed || !strings.Contains(errs.String(), "nobody reads the records") {
		t.Errorf("%v, it told: %s", err, errs.String())
	}
	rest := magpie(t, bin, dir, append(args, "--stdout")...)
	all := magpie(t, bin, dir, "export", "--item", "item", "--format", "jsonl")
	if n := strings.Count(string(all), "\n"); n != 400 {
		t.Errorf("%d records are stored (%d in the second pipe)", n, strings.Count(string(rest), "\n"))
	}
	for line := range strings.Lines(string(rest)) {
		if !json.Valid([]byte(line)) {
			t.Fatalf("no JSON: %s", line)
		}
	}
}
