package chart

import (
	"flag"
	"html/template"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

var update = flag.Bool("update", false, "write the golden files anew")

const hostile = `</title><script>alert(1)</script>" onload="x & y`

// drawings are the charts that the golden files show: of usual values, of none,
// one and zeros, and of values that are no numbers.
func drawings() map[string]template.HTML {
	nan, inf := math.NaN(), math.Inf(1)
	return map[string]template.HTML{
		"sparkline":          Sparkline("Records: 12 to 60", []float64{12, 40, 33, 60}),
		"sparkline_none":     Sparkline("Records: none", nil),
		"sparkline_one":      Sparkline("one", []float64{5}),
		"sparkline_zeros":    Sparkline("zeros", []float64{0, 0, 0}),
		"sparkline_gaps":     Sparkline(hostile, []float64{nan, 3, inf, 4, 5, -1, nan}),
		"sparkline_only_nan": Sparkline("no numbers", []float64{nan, nan}),
		"bars":               SparkBars("Failed pages", []float64{0, 3, 1, 9}),
		"bars_none":          SparkBars("none", nil),
		"bars_one":           SparkBars(hostile, []float64{1e9}),
		"bars_gaps":          SparkBars("gaps", []float64{nan, 2, nan, -3, inf}),
		"bars_many":          SparkBars("many", make([]float64, 40)),
		"share":              Share("25 % have it, usually 100 %", 0.25, 1, true),
		"share_unknown":      Share(hostile, nan, nan, false),
		"share_beyond":       Share("beyond", 1.5, -2, false),
		"share_none":         Share("none", 0, 0, false),
		"cells":              Cells("fill rates", []float64{1, 0.9, 0.4, 0, nan}),
		"curve":              Curve("Pages a second", []float64{1, 4, nan, 2, 3}, 10, "3 minutes ago", "now", "pages a second"),
		"curve_none":         Curve("none", nil, 10, "then", hostile, "x"),
		"curve_one":          Curve("one", []float64{7}, 1, "then", "now", "x"),
		"curve_zeros":        Curve("zeros", []float64{0, 0}, 2, "then", "now", "x"),
		"timeline": Timeline(Stack{Title: "Run 3", From: "begin", To: "4 s", Unit: "in each 1 s", Bucket: func(i int) string { return hostile },
			Series: []Series{{"responses", "tl-ok", []float64{3, 0, 1500}}, {"failed", "tl-bad", []float64{1, nan, 20, 4}}}}),
		"timeline_none": Timeline(Stack{Title: hostile, Series: []Series{{"responses", "tl-ok", nil}}}),
		"timeline_one":  Timeline(Stack{Title: "one", Series: []Series{{"responses", "tl-ok", []float64{1}}}}),
		"mark":          Mark("warn"),
		"mark_unknown":  Mark(hostile),
	}
}

func TestDrawings(t *testing.T) {
	for name, got := range drawings() {
		t.Run(name, func(t *testing.T) {
			checkSVG(t, string(got))
			path := filepath.Join("testdata", name+".svg")
			if *update {
				if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v: go test -update writes it", err)
			}
			if string(got)+"\n" != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// checkSVG holds a drawing to what a page may have in it.
func checkSVG(t *testing.T, svg string) {
	t.Helper()
	for _, bad := range []string{"NaN", "Inf", "style=", "e+"} {
		if strings.Contains(svg, bad) {
			t.Errorf("it has %s in it", bad)
		}
	}
	doc, err := htmlparse.ParseString("<!doctype html><title>x</title><body>"+svg, &htmlparse.Options{OnError: func(e htmlparse.ParseError) {
		t.Errorf("parse error %s at %d", e.Code, e.Column)
	}})
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "script" || n.Data == "foreignObject" {
			t.Errorf("an element %s", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "href" {
				t.Errorf("an attribute %s", a.Key)
			}
		}
	}
}

func TestShort(t *testing.T) {
	for want, v := range map[string]float64{"0": 0, "0.5": 0.5, "999": 999, "1.2k": 1234, "3M": 3e6, "4.5G": 4.5e9} {
		t.Run(want, func(t *testing.T) {
			if got := short(v); got != want {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestCeiling(t *testing.T) {
	for _, c := range [][2]float64{{0, 1}, {math.NaN(), 1}, {1, 1}, {3, 4}, {55, 60}, {61, 100}, {0.03, 0.04}} {
		if got := ceiling(c[0]); math.Abs(got-c[1]) > 1e-9 {
			t.Errorf("ceiling(%g) = %g, want %g", c[0], got, c[1])
		}
	}
}
