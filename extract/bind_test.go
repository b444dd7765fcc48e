package extract_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

type boundReview struct {
	By    string `magpie:"css=b"`
	Stars int    `magpie:"css=i;attr=data-stars"`
}

func TestBind(t *testing.T) {
	const page = `<div class=p><h2>Lamp</h2><p class=price>€12,50</p><p class=weight>1.5 kg</p><p class=stock>yes</p><time datetime=2026-11-03>x</time>
		<ul><li>a<li>b</ul><p class=words>x; y</p><p class=facts data-json='{"a":1}'>.</p>
		<div class=r><b>Ann</b><i data-stars=4>.</i></div><div class=r><b>Bob</b><i data-stars=many>.</i></div></div>
		<div class=p><p>no title</p></div><div class=p><h2>Bare</h2></div>`
	type product struct {
		_         struct{}      `magpie:"each=.p"`
		Title     string        `magpie:"css=h2;required"`
		UnitPrice extract.Price `magpie:"css=.price"`
		Weight    *float64      `magpie:"css=.weight"`
		InStock   bool          `magpie:"css=.stock"`
		Seen      time.Time     `magpie:"css=time;as=date"`
		Tags      []string      `magpie:"css=li"`
		Words     []string      `magpie:"css=.words;split=;;"`
		Facts     any           `magpie:"css=.facts;attr=data-json"`
		Reviews   []boundReview `magpie:"each=.r"`
		First     boundReview   `magpie:"css=.r"`
		Note      string
	}
	x, err := extract.Bind[product]()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := htmlparse.ParseString(page, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, problems := x.Extract(extract.Page{Root: doc.Root, Lang: "de"})
	weight := 1.5
	want := []product{
		{
			Title: "Lamp", UnitPrice: extract.Price{Amount: "12.50", Currency: "EUR"}, Weight: &weight, InStock: true,
			Seen: time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC), Tags: []string{"a", "b"}, Words: []string{"x", "y"},
			Facts: extract.Object{{Name: "a", Value: json.Number("1")}}, Reviews: []boundReview{{"Ann", 4}, {By: "Bob"}}, First: boundReview{"Ann", 4},
		},
		{Title: "Bare"},
	}
	if diff := cmp.Diff(want, got, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == "._" }, cmp.Ignore())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var told []string
	for _, p := range problems {
		told = append(told, p.Field+" "+p.Code)
	}
	if diff := cmp.Diff([]string{"title missing", "reviews[1].stars type"}, told); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestBindMistakes(t *testing.T) {
	wrong := func(t *testing.T, err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	t.Run("no struct", func(t *testing.T) {
		_, err := extract.Bind[int]()
		wrong(t, err, "int is no struct")
	})
	t.Run("key", func(t *testing.T) {
		_, err := extract.Bind[struct {
			A string `magpie:"css=p;maps=x"`
		}]()
		wrong(t, err, `unknown key "maps"`)
	})
	t.Run("type", func(t *testing.T) {
		_, err := extract.Bind[struct {
			A chan int `magpie:"css=p"`
		}]()
		wrong(t, err, "holds no value of a page")
	})
	t.Run("selector", func(t *testing.T) {
		_, err := extract.Bind[struct {
			A string `magpie:"css=p["`
		}]()
		wrong(t, err, "is not closed")
	})
	t.Run("as", func(t *testing.T) {
		_, err := extract.Bind[struct {
			A string `magpie:"as=prize"`
		}]()
		wrong(t, err, `there is no type "prize"`)
	})
}
