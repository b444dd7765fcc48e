package extract

import (
	"strings"
	"testing"
	"time"
)

func TestDate(t *testing.T) {
	check(t, "date", func(f found) (string, error) { return parseDate(f.text, f.language) })
}

// TestMonthNames checks that each language has twelve months.
func TestMonthNames(t *testing.T) {
	for _, l := range monthNames {
		if n := len(strings.Fields(l.names)); n != 12 {
			t.Errorf("%d months of %s", n, l.languages)
		}
	}
}

// FuzzDate checks that every date read exists.
func FuzzDate(f *testing.F) {
	for _, c := range textCases(f, "date") {
		f.Add(c.text, c.lang)
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		v, err := Date.convert(found{text: text, work: &work{lang: lang, steps: maxSteps}})
		if err != nil {
			return
		}
		if d, err := time.Parse(time.DateOnly, v.(string)); err != nil || d.Format(time.DateOnly) != v {
			t.Fatalf("%q: %v, %v", text, v, err)
		}
	})
}

func TestDateCasesAreMany(t *testing.T) {
	cases := textCases(t, "date")
	languages := map[string]bool{}
	for _, c := range cases {
		language, _ := languageOf(c.lang)
		languages[language] = true
	}
	if len(cases) < 500 || len(languages) < 60 {
		t.Errorf("%d date cases of %d languages, want at least 500 of 60", len(cases), len(languages))
	}
}
