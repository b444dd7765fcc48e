package dashboard

import (
	"fmt"
	"html/template"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/chart"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// functions are what templates may call.
func (d *dashboard) functions() template.FuncMap {
	return template.FuncMap{
		"asset":    d.assets.path,
		"text":     harmlessText,
		"typed":    typedText,
		"islong":   func(s string) bool { return len(s) > longText },
		"cut":      cutText,
		"rest":     restText,
		"lines":    func(s string) string { return harmless.Lines(strings.ReplaceAll(s, "\r\n", "\n")) },
		"cut90":    func(s string) string { return harmless.Text(s[:runeStart(s, cellLength)]) },
		"weburl":   isWebURL,
		"iso":      func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") },
		"absolute": func(t time.Time) string { return t.In(time.Local).Format("Mon 2 Jan 2006 15:04:05 MST") },
		"short":    func(t time.Time) string { return t.In(time.Local).Format("2 Jan 2006 15:04:05") },
		"ago":      func(t time.Time) string { return ago(t, d.now()) },
		"count":    count,
		"plural":   plural,
		"bytes":    words.Bytes,
		"whole":    func(f float64) int64 { return int64(f) },
		"span":     span,
		"percent":  percent,
		"mark":     chart.Mark,
		"job":      jobPath,
		"reason":   reasonText,
		"drift":    func(k store.DriftKind) string { return driftKinds[k] },
		"query":    url.QueryEscape,
	}
}

// harmlessText is a text from elsewhere, of any kind of string.
func harmlessText(v any) string {
	switch s := v.(type) {
	case string:
		return harmless.Text(s)
	case crawl.Reason:
		return harmless.Text(string(s))
	default:
		return harmless.Text(fmt.Sprint(v))
	}
}

// typedText is what somebody typed, for the field in which it stands again: it
// is sent anew from there, so that marks of direction have to stay. Controls,
// which cannot be typed, are no part of a page.
func typedText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}

// longText is how long a text may be, in bytes, to be shown whole; of longer
// ones the first cutTo are, and the rest when asked for.
const longText, cutTo = 320, 240

func cutText(s string) string {
	return harmless.Text(s[:runeStart(s, cutTo)])
}

func restText(s string) string { return harmless.Text(s[runeStart(s, cutTo):]) }

// runeStart is the last place up to i at which a character of s begins.
func runeStart(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	for j := i; j > max(0, i-4); j-- {
		if s[j]&0xC0 != 0x80 {
			return j
		}
	}
	return i
}

// isWebURL tells what may be a link: nothing but http and https.
func isWebURL(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// count writes a whole number with its thousands apart.
func count(v any) (string, error) {
	var n int64
	switch i := v.(type) {
	case int:
		n = int64(i)
	case int64:
		n = i
	default:
		return "", fmt.Errorf("count of %T", v)
	}
	s := strconv.FormatInt(n, 10)
	if n < 1000 && n > -1000 {
		return s, nil
	}
	var b strings.Builder
	for i, r := range s {
		if i > 0 && (len(s)-i)%3 == 0 && s[i-1] != '-' {
			b.WriteRune('\u202f') // narrow no-break space
		}
		b.WriteRune(r)
	}
	return b.String(), nil
}

// plural is a number with its noun.
func plural(v any, noun string) (string, error) {
	n, err := count(v)
	if err != nil || n == "1" {
		return n + " " + noun, err
	}
	if strings.HasSuffix(noun, "y") {
		return n + " " + strings.TrimSuffix(noun, "y") + "ies", nil
	}
	return n + " " + noun + "s", nil
}

// percent writes a share from 0 to 1; 0 % and 100 % are exact.
func percent(share float64) string {
	switch {
	case share != share:
		return "–"
	case share <= 0 || share >= 1:
		return fmt.Sprintf("%.0f %%", share*100)
	case share < 0.001:
		return "< 0.1 %"
	case share > 0.999:
		return "> 99.9 %"
	}
	return fmt.Sprintf("%.1f %%", share*100)
}

// nanBelow is v, or what charts take for unknown if it is below 0.
func nanBelow(v float64) float64 {
	if v < 0 {
		return math.NaN()
	}
	return v
}
