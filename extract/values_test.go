package extract

import (
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// readers are the types of values by the folder of their cases.
var readers = map[string]func(f found) (string, error){
	"number": func(f found) (string, error) { n, err := parseNumber(f, Number); return string(n), err },
	"price": func(f found) (string, error) {
		p, err := parsePrice(f)
		return string(p.Amount), err
	},
	"date":     func(f found) (string, error) { return parseDateAt(f.text, f.language, fetched) },
	"datetime": func(f found) (string, error) { return parseDateTime(f.text, f.language, fetched, india) },
	"duration": func(f found) (string, error) { return parseDuration(f.text) },
	"email":    func(f found) (string, error) { return parseEmail(f.text) },
	"phone":    func(f found) (string, error) { return parsePhone(f.text, f.work.lang) },
}

// TestValuesLetTextGo checks that no value is a part of the text it was read
// from, which would keep the page in memory.
func TestValuesLetTextGo(t *testing.T) {
	for folder, read := range readers {
		t.Run(folder, func(t *testing.T) {
			for _, c := range textCases(t, folder) {
				text := strings.Clone(c.text)
				v, err := read(found{text: text, work: &work{lang: c.lang, steps: maxSteps}})
				if err != nil || v == "" {
					continue
				}
				start, at := uintptr(unsafe.Pointer(unsafe.StringData(text))), uintptr(unsafe.Pointer(unsafe.StringData(v)))
				if start <= at && at < start+uintptr(len(text)) {
					t.Errorf("%q: %s is a part of it", text, v)
				}
			}
		})
	}
}

// TestValuesGrowth checks that twice the text takes no more than about twice
// the time.
func TestValuesGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds on a busy machine")
	}
	for folder, read := range readers {
		t.Run(folder, func(t *testing.T) {
			for _, piece := range []string{"1 ", "1-2 € ", "$1", "1:30 ", "3 jan ", "3 days ", "(", "+", ".", "@", "a@", "a.", " at ", "h ", "1日", "'", "0 0(0)"} {
				took := func(n int) time.Duration {
					f := found{text: strings.Repeat(piece, n/len(piece)), work: &work{lang: "en", steps: maxSteps}}
					start := steadytest.WorkTime()
					read(f)
					return steadytest.WorkTime() - start
				}
				once, twice, ok := time.Hour, time.Hour, false
				for tries := 0; tries < 20 && !ok; tries++ {
					once, twice = min(once, took(longestWriting/2)), min(twice, took(longestWriting))
					ok = twice < 4*once+5*time.Millisecond
				}
				if !ok {
					t.Errorf("%q: twice the text takes more than four times the time", piece)
				}
			}
		})
	}
}
