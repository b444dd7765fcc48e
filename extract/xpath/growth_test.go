package xpath

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// element makes an element of the name with some attributes.
func element(name string, i int) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: name, Attr: []html.Attribute{{Key: "x", Val: strconv.Itoa(i)}, {Key: "id", Val: strconv.Itoa(i)}}}
}

// hostileTrees have about n nodes and are meant to cost more than that.
var hostileTrees = []struct {
	name string
	make func(n int) *html.Node
}{
	{"deep", func(n int) *html.Node {
		root := &html.Node{Type: html.DocumentNode}
		at := root
		for i := range n {
			e := element(string("abc"[i%3]), i)
			at.AppendChild(e)
			at = e
		}
		at.AppendChild(&html.Node{Type: html.TextNode, Data: "x"})
		return root
	}},
	{"wide", func(n int) *html.Node {
		root := &html.Node{Type: html.DocumentNode}
		top := element("a", 0)
		root.AppendChild(top)
		for i := range n {
			top.AppendChild(element(string("abc"[i%3]), i))
		}
		return root
	}},
	{"deep and wide", func(n int) *html.Node {
		root := &html.Node{Type: html.DocumentNode}
		at := root
		for i := range n / 4 {
			e := element(string("abc"[i%3]), i)
			at.AppendChild(e)
			for j := range 3 {
				e.AppendChild(element(string("abc"[j]), j))
			}
			at = e
		}
		return root
	}},
	{"one element's attributes", func(n int) *html.Node {
		root := &html.Node{Type: html.DocumentNode}
		e := element("a", 0)
		root.AppendChild(e)
		for i := range n {
			e.Attr = append(e.Attr, html.Attribute{Key: "a" + strconv.Itoa(i), Val: strconv.Itoa(i)})
		}
		return root
	}},
}

// linear are expressions that may take no more than time in proportion to the
// page, whatever the page.
var linear = []string{
	"//a//b//c", "//a//b//c//a//b//c", "//a/b/c", "//*//*//*//*", "//a/b[1]", "//b[1]", "//b[last()]", "//b[position() < 3]", "//*[1][1]",
	"//a/..", "//a/../..", "//a/../b", "//a/parent::b", "//b/ancestor::a", "//b/ancestor-or-self::*/c", "//a/following::b", "//a/preceding::b",
	"//a/following::*/preceding::*", "//a/following-sibling::b", "//a/preceding-sibling::b", "//a/following-sibling::*/preceding-sibling::*",
	"//a/following-sibling::b[1]", "//a/descendant-or-self::*/@x", "//@x/..", "//@x/../@x", "//@x[. = 3]", "//@*[1]", "//a | //b | //c", "(//a | //b)/c",
	"(//a)[1]", "(//a)[last()]", "(//a//b)[position() mod 2 = 1]", "count(//a//b) + count(//b//a)", "//a[@x = //b/@x]", "//a[//b]", "//a[count(//b) > 3]",
	"//a[b]", "//a[b/c]", "//a[../b]", "//*[@x > 5]", "//*[has-class('x')]", "//@x = //@id", "//@x != //@id", "//@x < //@id", "sum(//@x)", "id(//@x)/..",
	"//*[id(@x)]", "string(/)", "normalize-space(/)", "translate(/, 'x', 'y')", "//text()/ancestor::*", "//a[not(//nothing)]//b", "//*[name() = 'a']//*",
	"//a[.//z]", "//a[.//b/z]", "//a[.//b//z]", "//a[following::z]", "//a[preceding::z/@y]", "//a[ancestor::z]", "//a[following-sibling::z]", "//a[preceding-sibling::z]",
	"//a[..//z]", "//a[not(ancestor::*[@y])]", "//*[.//@y]", "//*[.//text()[. = 'y']]", "//a[b[.//z] or following::b[ancestor::z]]", "//*[descendant::*[following-sibling::z]]",
}

// TestGrowth: four times the page may take no more than six times the steps,
// and no more than that in time, as the best of some tries has it.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time: left out with -short")
	}
	const n = 4000
	for _, tree := range hostileTrees {
		small, large := tree.make(n), tree.make(4*n)
		for _, src := range linear {
			t.Run(fmt.Sprintf("%s/%s", tree.name, src), func(t *testing.T) {
				e := mustCompile(t, src)
				few, many := stepsOf(t, e, small), stepsOf(t, e, large)
				if many > 6*few+4*turnAfter {
					t.Errorf("took %d steps on %d nodes, %d on %d", few, n, many, 4*n)
				}
				if !growsLinearly(t, e, small, large) {
					t.Error("time grows faster than the page")
				}
			})
		}
	}
}

func stepsOf(t *testing.T, e *Expr, n *html.Node) int {
	t.Helper()
	const most = 1 << 40
	steps := most
	if _, err := e.Evaluate(n, &steps); err != nil {
		t.Fatal(err)
	}
	return most - steps
}

func growsLinearly(t *testing.T, e *Expr, small, large *html.Node) bool {
	const slack = 20 * time.Millisecond
	short, long := time.Hour, time.Hour
	for range 20 {
		short, long = min(short, timeOf(t, e, small)), min(long, timeOf(t, e, large))
		if long <= 6*short+slack {
			return true
		}
	}
	return false
}

func timeOf(t *testing.T, e *Expr, n *html.Node) time.Duration {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	start := steadytest.WorkTime()
	stepsOf(t, e, n)
	return steadytest.WorkTime() - start
}

// TestBudget gives expressions that are quadratic by their nature too little.
func TestBudget(t *testing.T) {
	for _, src := range []string{
		"//*[count(.//*) > 3]", "//*[contains(., 'y')]", "//*[. = 'y']", "//a/descendant::b[last()]", "//*[count(ancestor::*) > 3]", "//*[count(following::*) > 3]",
		"//*[string-length() > 3]", "//*[.//@x > 999999]", "//*/ancestor::*[position() = last()]", "//*[. = preceding::*]", "concat(//*[//* = .], ., .)", "//*[re:test(., 'y')]",
	} {
		for _, tree := range hostileTrees[:3] {
			t.Run(tree.name+"/"+src, func(t *testing.T) {
				steps := 300_000
				v, err := mustCompile(t, src).Evaluate(tree.make(20_000), &steps)
				if err != nil && (err != ErrSteps || steps >= 0 || v.Nodes() != nil) {
					t.Errorf("error %v with %d steps left and %d nodes", err, steps, len(v.Nodes()))
				}
				if steps < -1_000_000 {
					t.Errorf("goes on for %d steps behind the end", -steps)
				}
			})
		}
	}
}

func TestBudgetIsShared(t *testing.T) {
	root := parseHTML(t, "<p>1<p>2<p>3", nil)
	e, steps := mustCompile(t, "//p"), 60
	for i := 0; ; i++ {
		_, err := e.Evaluate(root, &steps)
		if err == ErrSteps {
			if i == 0 {
				t.Error("60 steps aren't enough for //p")
			}
			break
		}
		if err != nil || i == 60 {
			t.Fatal(i, err)
		}
	}
	if v, err := e.Evaluate(root, nil); err != nil || len(v.Nodes()) != 3 {
		t.Errorf("%v, %v without a budget", v, err)
	}
}
