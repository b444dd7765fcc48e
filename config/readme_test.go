package config

import (
	"os"
	"strings"
	"testing"
)

// ReadmeFiles are the files that the README shows: those that begin with the
// name of serve.yaml are settings, the others jobs.
func ReadmeFiles(t *testing.T) (jobs, settings []string) {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(readme), "```yaml\n")[1:] {
		src, _, _ := strings.Cut(part, "```")
		if strings.HasPrefix(src, "# "+ServeFile) {
			settings = append(settings, src)
		} else {
			jobs = append(jobs, src)
		}
	}
	if len(jobs) < 2 || len(settings) < 1 {
		t.Fatalf("the README shows %d job files and %d serve.yaml, want two or more and one", len(jobs), len(settings))
	}
	return jobs, settings
}
