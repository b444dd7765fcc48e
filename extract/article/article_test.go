package article_test

import (
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/article"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// sentence is what the articles of the tests are made of.
const sentence = "The heron stood in the shallow water for an hour, waited, and never once moved its head. "

// story is a page with an article in a frame of other things.
const story = `<!DOCTYPE html><html lang=en><title>A bird that waits – Marsh News</title>
<meta property=og:site_name content="Marsh News"><meta name=author content="Ada Reed">
<meta property=article:published_time content="2024-05-06T07:08:09+02:00"><link rel=canonical href=/bird>
<nav><a href=/>Home</a> <a href=/all>All stories</a></nav>
<article><h1>A bird that waits</h1>%s<div class=related-stories><p>Read this, too: fish that flee.</div></article>
<footer>All rights reserved by the marsh.</footer>`

func storyOf(paragraphs int) string {
	return fmt.Sprintf(story, strings.Repeat("<p>"+sentence+sentence+"<a href=more>More</a></p>", paragraphs))
}

func parse(t testing.TB, src string, o *htmlparse.Options) *html.Node {
	doc, err := htmlparse.ParseBytes([]byte(src), o)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root
}

func TestRead(t *testing.T) {
	a, ok := article.Read(parse(t, storyOf(8), nil), "http://marsh.test/2024/bird.html")
	if !ok {
		t.Fatal("no article")
	}
	for _, c := range []struct{ field, got, want string }{
		{"title", a.Title, "A bird that waits"},
		{"byline", a.Byline, "Ada Reed"},
		{"date", a.Date, "2024-05-06T07:08:09+02:00"},
		{"language", a.Language, "en"},
		{"site", a.SiteName, "Marsh News"},
		{"URL", a.URL, "http://marsh.test/bird"},
	} {
		t.Run(c.field, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("got %q, want %q", c.got, c.want)
			}
		})
	}
	t.Run("text", func(t *testing.T) {
		if n := strings.Count(a.Text, strings.TrimSpace(sentence)); n != 16 {
			t.Errorf("%d of 16 sentences in %q", n, a.Text)
		}
		for _, s := range []string{"Home", "rights", "flee"} {
			if strings.Contains(a.Text, s) {
				t.Errorf("%q is in %q", s, a.Text)
			}
		}
	})
	t.Run("node", func(t *testing.T) {
		var b strings.Builder
		if err := htmlparse.Render(&b, a.Node); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), `href="http://marsh.test/2024/more"`) || strings.Contains(b.String(), "class=") || a.Node.Parent != nil {
			t.Error(b.String())
		}
	})
}

func TestReadWithoutURL(t *testing.T) {
	for _, address := range []string{"", "relative", "http://[broken", "mailto:a@b.test"} {
		t.Run(address, func(t *testing.T) {
			if a, ok := article.Read(parse(t, storyOf(8), nil), address); !ok || !strings.Contains(a.Text, "heron") {
				t.Errorf("%v, %+v", ok, a)
			}
		})
	}
}

// TestReadBelowElement gives an element instead of a document.
func TestReadBelowElement(t *testing.T) {
	root := parse(t, storyOf(8), nil)
	for n := range root.Descendants() {
		if n.Data == "body" {
			if a, ok := article.Read(n, ""); !ok || !strings.Contains(a.Text, "heron") || strings.Contains(a.Text, "Home") {
				t.Errorf("%v, %+v", ok, a)
			}
		}
	}
}

func TestReadNothing(t *testing.T) {
	for name, src := range map[string]string{
		"empty page":       "",
		"no text":          "<div><img src=a></div>",
		"template alone":   "<template>" + storyOf(8) + "</template>",
		"too many nodes":   strings.Repeat("<p>a", 150_000),
		"too much in deep": strings.Repeat("<div>", 200) + strings.Repeat(sentence, 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			if a, ok := article.Read(parse(t, src, nil), ""); ok {
				t.Errorf("%.200q", a.Text)
			}
		})
	}
}

// TestSecond asks for another opinion on a page where the first reader finds little.
func TestSecond(t *testing.T) {
	little := "<article>" + strings.Repeat("<p>"+sentence+sentence, 4) + "</article>" +
		"<div class=sidebar>" + strings.Repeat("<li><a href=x>Another heading of another story in a list</a>", 90) + "</div>"
	longer := strings.TrimSpace(strings.Repeat(sentence, 20))
	answer := parse(t, "<p>"+longer, nil)
	for name, c := range map[string]struct {
		src    string
		answer func() *html.Node
		asked  bool
		want   string
	}{
		"in doubt":         {little, func() *html.Node { return answer }, true, longer},
		"in doubt, panics": {little, func() *html.Node { panic("hostile") }, true, ""},
		"in doubt, none":   {little, func() *html.Node { return nil }, true, ""},
		"no doubt":         {storyOf(20), func() *html.Node { return answer }, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			asked := false
			r := article.Reader{Second: func(*html.Node, *url.URL) *html.Node { asked = true; return c.answer() }}
			a, ok := r.Read(parse(t, c.src, nil), "")
			if !ok || asked != c.asked || c.want != "" && a.Text != c.want {
				t.Errorf("article: %v, asked: %v, %+v", ok, asked, a)
			}
		})
	}
}

// TestHostile reads pages that were made to take long, or forever.
func TestHostile(t *testing.T) {
	rep := strings.Repeat
	unlimited := &htmlparse.Options{MaxDepth: 1_000_000}
	for _, c := range []struct {
		name, src string
		o         *htmlparse.Options
	}{
		{"100,000 deep", rep("<div>", 100_000) + sentence, unlimited},
		{"1,500 deep", rep("<div>", 1_500) + rep("<p>"+sentence, 9), unlimited},
		{"500 deep in spans", rep("<span>", 500) + rep(sentence, 9), nil},
		{"tables in tables", rep("<table><tr><td>"+sentence, 500), nil},
		{"line breaks", rep("<br>", 50_000) + sentence, nil},
		{"links", rep("<a href=x>"+sentence+"</a>", 20_000), nil},
		{"attributes", "<p " + manyAttributes(50_000) + ">" + rep(sentence, 20), nil},
		{"huge class", "<div class='" + rep("related ", 200_000) + "'>" + sentence + "</div>" + rep("<p>"+sentence, 20), nil},
		{"huge title", "<title>" + rep("a - ", 100_000) + "</title>" + rep("<p>"+sentence, 20), nil},
		{"times", rep("<time datetime=2020-01-01>x</time>", 20_000) + sentence, nil},
		{"footers in footers", rep("<footer>", 200) + rep("<footer>a</footer>", 5_000) + sentence, nil},
		{"nested linked data", "<script type=application/ld+json>" + rep("[", 9_000) + rep("]", 9_000) + "</script>" + rep("<p>"+sentence, 20), nil},
		{"linked data about itself", "<script type=application/ld+json>" + rep(`{"@graph":[`, 3_000) + rep(`]}`, 3_000) + "</script>" + rep("<p>"+sentence, 20), nil},
		{"broken linked data", `<script type=application/ld+json>{"@type":["Article",1],"author":[[[]]],"image":{"url":{}},"datePublished":7}</script>` + rep("<p>"+sentence, 20), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if a, ok := article.Read(parse(t, c.src, c.o), "http://a.test/"); ok && a.Text == "" {
				t.Error("an article without text")
			}
		})
	}
}

func manyAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d=x ", i)
	}
	return b.String()
}

// TestDeepTextStays reads an article below more elements than the readers are given.
func TestDeepTextStays(t *testing.T) {
	src := strings.Repeat("<div>", 400) + "<p>" + strings.Repeat(sentence, 20)
	a, ok := article.Read(parse(t, src, nil), "")
	if !ok || strings.Count(a.Text, "heron") != 20 {
		t.Errorf("%v, %+v", ok, a)
	}
}

// TestArticleLetsPageGo keeps an article while its page is collected.
func TestArticleLetsPageGo(t *testing.T) {
	freed := make(chan struct{})
	a := func() *article.Article {
		page := append([]byte(storyOf(8)), make([]byte, 64<<10)...)
		runtime.AddCleanup(&page[0], func(done chan struct{}) { close(done) }, freed)
		doc, err := htmlparse.ParseBytes(page, &htmlparse.Options{Charset: "utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		a, ok := article.Read(doc.Root, "http://a.test/")
		if !ok {
			t.Fatal("no article")
		}
		return a
	}()
	for late := time.Now().Add(time.Minute); time.Now().Before(late); {
		runtime.GC()
		select {
		case <-freed:
			runtime.KeepAlive(a)
			return
		case <-time.After(time.Millisecond): // whoever is told needs a turn
		}
	}
	t.Errorf("the page is still in memory for the sake of %+v", a)
}

func FuzzRead(f *testing.F) {
	f.Add(storyOf(3))
	f.Add("<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"author\":{\"name\":\"a\"}}</script><p>" + sentence)
	f.Add("<table><td><svg><title>a</title></svg><noscript><img src=a></noscript><br><br>b")
	f.Fuzz(func(t *testing.T, src string) {
		root := parse(t, src, nil)
		before := render(t, root)
		if a, ok := article.Read(root, "http://a.test/"); ok && (a.Text == "" || a.Node == nil) {
			t.Errorf("an article without text: %+v", a)
		}
		if render(t, root) != before {
			t.Error("the tree is changed")
		}
	})
}
