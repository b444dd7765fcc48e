package notify

import (
	"strings"
	"testing"
	"time"
)

func TestTemplatesThatHaveNoEnd(t *testing.T) {
	calls := ""
	for _, pair := range []string{"ab", "bc", "cd", "de", "ef", "fg", "gh", "hi", "ij", "jk", "kl", "lm"} {
		name, other := pair[:1], pair[1:]
		calls += `{{define "` + name + `"}}` + strings.Repeat(`{{template "`+other+`"}}`, 10) + `{{end}}`
	}
	for name, source := range map[string]string{
		"a loop over a number":             `{{range 9000000000000000000}}{{end}}`,
		"a loop in a loop":                 `{{range 100000}}{{range 100000}}{{end}}{{end}}`,
		"a loop in with, if and else":      `{{with .}}{{if false}}{{else}}{{range 9000000000}}{{continue}}{{end}}{{end}}{{end}}`,
		"a loop in else of a loop":         `{{range .Jobs}}{{break}}{{else}}{{end}}{{range 0}}{{else}}{{range 9000000000}}{{end}}{{end}}`,
		"a loop in a template":             `{{define "x"}}{{range 9000000000}}{{end}}{{end}}{{template "x"}}`,
		"a template that calls itself":     `{{define "x"}}{{template "x"}}{{end}}{{template "x"}}`,
		"many calls":                       calls + `{{define "m"}}{{end}}{{template "a"}}`,
		"a text that is doubled":           `{{$x := "aaaaaaaa"}}{{range 60}}{{$x = print $x $x}}{{end}}`,
		"a text that is doubled by printf": `{{$x := "aaaaaaaa"}}{{range 60}}{{$x = printf "%s%[1]s" $x}}{{end}}`,
		"html":                             `{{$x := "<<<<<<<<"}}{{range 60}}{{$x = html $x $x}}{{end}}`,
		"json":                             `{{$x := "<<<<<<<<"}}{{range 60}}{{$x = json $x}}{{end}}`,
		"a width":                          `{{$x := printf "%1000000000d" 1}}`,
		"a width of an argument":           `{{$x := printf "%*d" 1000000 1}}`,
		"a precision":                      `{{$x := printf "%.1000000f" 1.0}}`,
		"many widths":                      `{{$x := printf "` + strings.Repeat("%999d", 10_000) + `" 1}}{{range 60}}{{$x = printf $x 1}}{{end}}`,
		"an output without end":            `{{range 100000}}aaaaaaaaaaaaaaaaaaaaaaaa{{end}}`,
		"a template that is long":          strings.Repeat("x", 70_000),
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			if _, err := Compile(source); err == nil {
				t.Error("it is taken")
			}
			if took := time.Since(began); took > time.Minute { // a moment, where nothing is wrong
				t.Errorf("it took %s", took)
			}
		})
	}
	t.Run("good ones are as they were", func(t *testing.T) {
		c, err := Compile(`{{define "e"}}[{{.Kind}}]{{end}}{{range $i, $e := .Events}}{{if $i}}, {{end}}{{template "e" $e}}{{else}}none{{end}} {{printf "%5.1f" 2.25}} {{print 1 2}} {{html "<"}} {{json "a"}}`)
		if err != nil {
			t.Fatal(err)
		}
		text, err := c.Make(Message{Events: []Event{{Kind: Drift}, {Kind: Failure}}})
		if want := `[drift], [failure]   2.2 1 2 &lt; "a"`; err != nil || text != want {
			t.Errorf("%q, %v, want %q", text, err, want)
		}
	})
}
