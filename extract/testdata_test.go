package extract

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// textCase is a line "text => want" of a file in testdata; "lang: tag" lines
// say the language of those that follow.
type textCase struct {
	file, lang, text, want string
}

// textCases reads the files of a folder in testdata.
func textCases(t testing.TB, folder string) []textCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata/%s: %v", folder, err)
	}
	var cases []textCase
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lang := ""
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			line := lines.Text()
			if line == "" || strings.HasPrefix(line, "# ") {
				continue
			}
			if tag, ok := strings.CutPrefix(line, "lang: "); ok {
				lang = tag
				continue
			}
			text, want, ok := strings.Cut(line, " => ")
			if !ok {
				t.Fatalf("%s: no => in %q", name, line)
			}
			cases = append(cases, textCase{filepath.Base(name), lang, unescape(t, text), unescape(t, want)})
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return cases
}

// unescape reads the escapes of a Go string.
func unescape(t testing.TB, s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	u, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return u
}

// check runs the cases of a folder against what read makes of a text; an
// error is "problem".
func check(t *testing.T, folder string, read func(f found) (string, error)) {
	for _, c := range textCases(t, folder) {
		t.Run(c.file+"/"+c.lang+"/"+c.text, func(t *testing.T) {
			got, err := read(found{text: c.text, work: &work{lang: c.lang, steps: maxSteps}})
			if err != nil {
				got = "problem"
			}
			if got != c.want {
				t.Errorf("%q (lang %q): got %s, want %s (error: %v)", c.text, c.lang, got, c.want, err)
			}
		})
	}
}
