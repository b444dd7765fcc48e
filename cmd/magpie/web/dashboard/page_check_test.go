package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// checkPage holds a page to what all views promise.
func checkPage(t *testing.T, body string) {
	t.Helper()
	for _, fault := range pageFaults(body) {
		t.Error(fault)
	}
}

// pageFaults says what is wrong with a page.
func pageFaults(body string) []string {
	c := &pageCheck{ids: map[string]bool{}, labels: map[string]bool{}, seen: map[string]bool{}}
	doc, err := htmlparse.ParseString(body, &htmlparse.Options{OnError: func(e htmlparse.ParseError) {
		c.Errorf("parse error %s at %d:%d: %.80q", e.Code, e.Line, e.Column, lineOf(body, e.Line))
	}})
	if err != nil {
		return []string{err.Error()}
	}
	for n := range doc.Root.Descendants() {
		if n.Type == html.ElementNode {
			c.collect(n)
		}
	}
	for n := range doc.Root.Descendants() {
		switch n.Type {
		case html.ElementNode:
			c.inert(n)
			c.accessible(n)
		case html.TextNode:
			c.harmless(n.Data)
		}
	}
	if c.h1 != 1 {
		c.Errorf("%d h1", c.h1)
	}
	for _, landmark := range []string{"header", "main", "footer", "nav"} {
		if !c.seen[landmark] {
			c.Errorf("no %s", landmark)
		}
	}
	return c.faults
}

// Each fault that views are held to be without is found where it is.
func TestPageFaults(t *testing.T) {
	good := `<!doctype html><html lang=en><title>x</title><body><header><nav>n</nav></header><main><h1>x</h1>%s</main><footer>f</footer>`
	if faults := pageFaults(strings.Replace(good, "%s", "<p>fine</p>", 1)); faults != nil {
		t.Errorf("of a good page: %q", faults)
	}
	for fault, body := range map[string]string{
		"parse error":     "<b><i>x</b></i>",
		"a script":        "<script>alert(1)</script>",
		"an element img":  "<img alt=x>",
		"has style":       "<p style='color:red'>x</p>",
		"has onclick":     "<p onclick=x>x</p>",
		"a link to":       "<a href='javascript:alert(1)'>x</a>",
		"sends to":        "<form action='https://evil.example/'></form>",
		"without the tok": "<form method=post action=/act></form>",
		"a control":       "<p>\u202e</p>",
		"2 h1":            "<h1>y</h1>",
		"h3 after h1":     "<h3>y</h3>",
		"has no label":    "<input name=q>",
		"without a name":  "<button></button>",
		"th without":      "<table><caption>x</caption><tr><th>x</th></tr></table>",
		"a table without": "<table><tr><td>x</td></tr></table>",
		"without a title": "<svg></svg>",
		"is there twice":  "<p id=a></p><p id=a></p>",
		"which is not":    "<section aria-labelledby=zz></section>",
	} {
		t.Run(fault, func(t *testing.T) {
			faults := strings.Join(pageFaults(strings.Replace(good, "%s", body, 1)), "\n")
			if !strings.Contains(faults, fault) {
				t.Errorf("found %q", faults)
			}
		})
	}
}

func lineOf(s string, line int) string {
	lines := strings.Split(s, "\n")
	return lines[min(max(line-1, 0), len(lines)-1)]
}

// pageCheck is what is known of a page.
type pageCheck struct {
	faults            []string
	ids, labels, seen map[string]bool
	h1, heading       int
}

func (c *pageCheck) Errorf(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

func (c *pageCheck) collect(n *html.Node) {
	c.seen[n.Data] = true
	if id := attr(n, "id"); id != "" {
		if c.ids[id] {
			c.Errorf("the id %q is there twice", id)
		}
		c.ids[id] = true
	}
	if n.Data == "label" {
		c.labels[attr(n, "for")] = true
	}
}

// inert says that nothing runs but the scripts of static/, and that nothing is
// had from elsewhere.
func (c *pageCheck) inert(n *html.Node) {
	switch n.Data {
	case "script":
		if !strings.HasPrefix(attr(n, "src"), "/static/") || n.FirstChild != nil {
			c.Errorf("a script: %v %v", n.Attr, n.FirstChild)
		}
	case "style", "iframe", "object", "embed", "base", "img", "video", "audio":
		c.Errorf("an element %s", n.Data)
	}
	for _, a := range n.Attr {
		switch {
		case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
			c.Errorf("%s has %s=%q", n.Data, a.Key, a.Val)
		case a.Key == "src" && !strings.HasPrefix(a.Val, "/static/"):
			c.Errorf("%s has src=%q", n.Data, a.Val)
		case a.Key == "action" && !strings.HasPrefix(a.Val, "/"):
			c.Errorf("a form sends to %q", a.Val)
		case a.Key == "href" && !slices.ContainsFunc([]string{"/", "#", "http://", "https://"}, func(p string) bool { return strings.HasPrefix(a.Val, p) }):
			c.Errorf("a link to %q", a.Val)
		}
		if a.Key != "value" {
			c.harmless(a.Val)
		}
	}
	if n.Data == "form" && strings.EqualFold(attr(n, "method"), "post") && !hasToken(n) {
		c.Errorf("a form without the token")
	}
}

func hasToken(form *html.Node) bool {
	for n := range form.Descendants() {
		if n.Data == "input" && attr(n, "name") == "token" && attr(n, "type") == "hidden" {
			return true
		}
	}
	return false
}

// harmless says that a text has no controls, of terminals or of direction.
func (c *pageCheck) harmless(s string) {
	if i := strings.IndexFunc(s, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7F || r >= 0x80 && r < 0xA0 || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
	}); i >= 0 {
		c.Errorf("a control character in %.60q", s[i:])
	}
}

// accessible checks names, headings and tables.
func (c *pageCheck) accessible(n *html.Node) {
	switch n.Data {
	case "html":
		if attr(n, "lang") == "" {
			c.Errorf("html without lang")
		}
	case "h1", "h2", "h3", "h4":
		level := int(n.Data[1] - '0')
		if level == 1 {
			c.h1++
		}
		if level > c.heading+1 {
			c.Errorf("%s after h%d: %q", n.Data, c.heading, textOf(n))
		}
		c.heading = level
	case "input", "select", "textarea":
		if attr(n, "type") != "hidden" && !c.labels[attr(n, "id")] && attr(n, "aria-label") == "" {
			c.Errorf("%s %q has no label", n.Data, attr(n, "name"))
		}
	case "button", "a":
		if strings.TrimSpace(textOf(n)) == "" && attr(n, "aria-label") == "" {
			c.Errorf("%s without a name: %v", n.Data, n.Attr)
		}
	case "th":
		if attr(n, "scope") == "" {
			c.Errorf("th without scope: %q", textOf(n))
		}
	case "table":
		if n.FirstChild == nil || !hasElement(n, "caption") || !hasElement(n, "th") {
			c.Errorf("a table without caption or heads")
		}
	case "svg":
		if attr(n, "aria-hidden") != "true" && !hasElement(n, "title") {
			c.Errorf("a chart without a title")
		}
	}
	if by := attr(n, "aria-labelledby"); by != "" && !c.ids[by] {
		c.Errorf("aria-labelledby names %q, which is not there", by)
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasElement(n *html.Node, name string) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name {
			return true
		}
	}
	return false
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
