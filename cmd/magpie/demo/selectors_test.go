package demo

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

var blanks = regexp.MustCompile(`[ \t\r\n]+`)

// TestSelectors holds what the job's selectors find on each product's page,
// before it is converted, to what the catalogue put there.
func TestSelectors(t *testing.T) {
	job, err := config.Parse("job.yaml", []byte(Job))
	if err != nil {
		t.Fatal(err)
	}
	item := job.Items.Items[0]
	site := calm()
	for _, c := range site.categories {
		for _, p := range c.Products {
			t.Run(p.SKU, func(t *testing.T) {
				resp := get(t, site, escape(p.Path))
				doc, err := htmlparse.ParseBytes(body(t, resp), &htmlparse.Options{ContentType: resp.Header.Get("Content-Type")})
				if err != nil {
					t.Fatal(err)
				}
				dropTemplates(doc.Root)
				nodes := cascadia.QueryAll(doc.Root, cascadia.MustCompile(item.Each))
				if len(nodes) != 1 {
					t.Fatalf("%d nodes match %s, want one", len(nodes), item.Each)
				}
				found := find(doc.Root, nodes[0], item.Fields)
				found["image"] = resolve(t, doc.Root, p.Path, found["image"])
				if diff := cmp.Diff(c.shown(p), found); diff != "" {
					t.Errorf("-want +found\n%s", diff)
				}
			})
		}
	}
}

// shown is what the job's selectors must find, one line for each value.
func (c *category) shown(p *entry) map[string]string {
	available := "true"
	if p.Stock == 0 {
		available = "false"
	}
	shown := map[string]string{
		"sku": p.SKU, "name": p.Name, "price": p.Price.Says, "listed": p.Date.Says,
		"available": available, "rating": strconv.Itoa(p.Rating),
		"weight": strings.Replace(p.Weight, ".", c.Decimal, 1), "language": c.Language, "category": c.Name,
		"image": "/img/" + p.SKU + ".svg", "lead": p.Lead, "tags": strings.Join(p.Tags, "\n"),
	}
	if p.Was != nil {
		shown["was"] = p.Was.Says
	}
	if p.Stock > 0 {
		shown["stock"] = strconv.Itoa(p.Stock)
	}
	var lines []string
	for _, paragraph := range p.About {
		lines = append(lines, plain(paragraph))
	}
	shown["description"] = strings.Join(lines, "\n")
	lines = nil
	for _, f := range p.Facts {
		lines = append(lines, f[0]+"|"+f[1])
	}
	shown["facts"] = strings.Join(lines, "\n")
	lines = nil
	for _, row := range c.Shipping {
		lines = append(lines, strings.Join(row, "|"))
	}
	shown["shipping"] = strings.Join(lines, "\n")
	lines = nil
	for _, r := range p.Reviews {
		lines = append(lines, fmt.Sprintf("%q", []string{r.By, r.Date.Says, strconv.Itoa(r.Stars), r.Text}))
	}
	if lines != nil {
		shown["reviews"] = strings.Join(lines, "\n")
	}
	return shown
}

// find looks the fields up and leaves out those without a match.
func find(root, node *html.Node, fields []extract.Field) map[string]string {
	found := map[string]string{}
	for _, f := range fields {
		if f.Each != "" {
			var lines []string
			for _, n := range cascadia.QueryAll(node, cascadia.MustCompile(f.Each)) {
				var values []string
				in := find(root, n, f.Fields)
				for _, name := range []string{"by", "date", "stars", "text"} {
					values = append(values, in[name])
				}
				lines = append(lines, fmt.Sprintf("%q", values))
			}
			if lines != nil {
				found[f.Name] = strings.Join(lines, "\n")
			}
			continue
		}
		from := node
		if strings.HasPrefix(f.CSS, ":root") {
			from = root
		}
		matches := cascadia.QueryAll(from, cascadia.MustCompile(f.CSS))
		if !f.All && len(matches) > 1 {
			matches = matches[:1]
		}
		var lines []string
		for _, m := range matches {
			lines = append(lines, value(m, f))
		}
		if lines != nil {
			found[f.Name] = strings.Join(lines, "\n")
		}
	}
	return found
}

func value(n *html.Node, f extract.Field) string {
	var s string
	switch {
	case f.Attr != "":
		for _, a := range n.Attr {
			if a.Key == f.Attr {
				s = a.Val
			}
		}
	case f.As == extract.HTML:
		var b strings.Builder
		for child := range n.ChildNodes() {
			htmlparse.Render(&b, child)
		}
		s = b.String()
	case f.As == extract.Pairs || f.As == extract.Table:
		s = rows(n)
	default:
		s = text(n)
	}
	if f.Regex != "" {
		groups := regexp.MustCompile(f.Regex).FindStringSubmatch(s)
		if groups == nil {
			return ""
		}
		s = groups[len(groups)-1]
	}
	if to, ok := f.Map[s]; ok {
		s = to
	}
	return s
}

// rows is a table or dl, with a line for each row or pair.
func rows(n *html.Node) string {
	var lines []string
	if n.Data == "dl" {
		for _, dt := range cascadia.QueryAll(n, cascadia.MustCompile("dt")) {
			lines = append(lines, text(dt)+"|"+text(cascadia.Query(dt.Parent, cascadia.MustCompile("dt:nth-child("+strconv.Itoa(position(dt))+") + dd"))))
		}
		return strings.Join(lines, "\n")
	}
	for _, tr := range cascadia.QueryAll(n, cascadia.MustCompile("tr")) {
		var cells []string
		for _, cell := range cascadia.QueryAll(tr, cascadia.MustCompile("th, td")) {
			cells = append(cells, text(cell))
		}
		if cells != nil {
			lines = append(lines, strings.Join(cells, "|"))
		}
	}
	return strings.Join(lines, "\n")
}

// position counts from 1 among the elements of a parent.
func position(n *html.Node) int {
	at := 1
	for s := range n.Parent.ChildNodes() {
		if s == n {
			break
		}
		if s.Type == html.ElementNode {
			at++
		}
	}
	return at
}

// dropTemplates removes the contents of templates, which no selector sees.
func dropTemplates(root *html.Node) {
	for _, n := range slices.Collect(root.Descendants()) {
		if n.Type == html.ElementNode && n.Data == "template" {
			n.Parent.RemoveChild(n)
		}
	}
}

// resolve makes a reference a path, from the document's base.
func resolve(t *testing.T, root *html.Node, page, ref string) string {
	t.Helper()
	base := &url.URL{Path: page}
	for _, href := range append(baseOf(root), strings.TrimSpace(ref)) {
		u, err := base.Parse(href)
		if err != nil {
			t.Fatal(err)
		}
		base = u
	}
	return base.Path
}

func baseOf(root *html.Node) []string {
	n := cascadia.Query(root, cascadia.MustCompile("base"))
	if n == nil {
		return nil
	}
	return []string{n.Attr[0].Val}
}
