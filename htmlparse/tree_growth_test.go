package htmlparse

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// hostilePages are inputs that bring quadratic parsers to their knees. Each function gives about n bytes.
var hostilePages = []struct {
	name string
	make func(n int) string
}{
	{"nested div", repeat("<div>")},
	{"nested list", repeat("<ul><li>")},
	{"b with new attributes", counting("<b a%d>")},
	{"nested tables", repeat("<table><tr><td>")},
	{"nested svg groups", after("<svg>", "<g>")},
	{"font closed by p", twoParts("<font>", "</p>")},
	{"a and i closed by a", threeParts("<a>", "<i>", "</a>")},
	{"b and i with new attributes closed by b", func(n int) string {
		third := n / 3
		return numbered(third, "<b %d>") + numbered(third, "<i %d>") + repeat("x</b>")(third)
	}},
	{"misnested formatting in p", repeat("<b a><b b><b c><i d><p>x</b></b>")},
	{"reconstruction of 380 elements", func(n int) string {
		var s strings.Builder
		s.WriteString("<p>")
		for i := range 380 {
			fmt.Fprintf(&s, "<b a%d>", i)
		}
		return s.String() + repeat("</p><p>x")(n)
	}},
	{"reconstruction of a long attribute", func(n int) string {
		return `<p><a href="` + strings.Repeat("A", n/5) + `">` + repeat("<p>a")(n*4/5)
	}},
	{"many attributes", func(n int) string { return "<div " + numbered(n, "a%d=1 ") + ">" }},
	{"the same attribute", func(n int) string { return "<div " + repeat("a=1 ")(n) + ">" }},
	{"body with new attributes", counting("<body a%d>")},
	{"html with new attributes", counting("<html a%d>")},
	{"b with 100 attributes and a new one", func(n int) string {
		attrs := ""
		for i := range 100 {
			attrs += fmt.Sprintf(" x%d", i)
		}
		return numbered(n, "<p><b"+attrs+" y%d></p>")
	}},
	{"comments in a comment", repeat("<!--")},
	{"comment ends that are none", after("<!--", "--!")},
	{"double escaped script", after("<script><!--", "<script></script")},
	{"script end tags that are none", after("<script>", "</scrip ")},
	{"textarea end tags that are none", after("<textarea>", "</")},
	{"title", repeat("<title>")},
	{"ampersands", repeat("&")},
	{"long references", repeat("&notin&notit;&CounterClockwiseContourIntegra")},
	{"long number", func(n int) string { return "&#" + strings.Repeat("9", n) + ";" }},
	{"fostered text and elements", after("<table>", "a<b>")},
	{"fostered text", after("<table>", "a ")},
	{"fostered br", after("<table>", "<br>x")},
	{"fostered text around cells", after("<table>", "x<td>y</td>")},
	{"fostered text around comments", after("<table>", "a<!--b-->")},
	{"fostered text around ignored tags", after("<table>", "a</caption>")},
	{"framesets", repeat("<frameset>")},
	{"templates", repeat("<template>")},
	{"unknown end tags", repeat("</x>")},
	{"unknown elements and other end tags", twoParts("<y>", "</x>")},
	{"p end tags", repeat("</p>")},
	{"p", repeat("<p>")},
	{"long doctype", func(n int) string { return "<!DOCTYPE " + strings.Repeat("A", n) }},
	{"long tag name", func(n int) string { return "<" + strings.Repeat("A", n) + ">" }},
	{"long attribute", func(n int) string {
		return "<a " + strings.Repeat("A", n/2) + `="` + strings.Repeat("B", n/2) + `">`
	}},
	{"NUL", repeat("\x00")},
	{"CR", repeat("\r")},
	{"FF C3", repeat("\xFF\xC3")},
	{"less-than signs", repeat("<")},
	{"end tag openings", repeat("</")},
	{"processing instructions", repeat("<?a ")},
	{"CDATA ends that are none", after("<svg><![CDATA[", "]]")},
	{"buttons", repeat("<button>")},
	{"headings", repeat("<h1><h2>")},
	{"text", repeat("a")},
	{"text and comments", repeat("a<!--b-->")},
	{"text and ignored tags", repeat("a</x>")},
	{"plaintext", after("<plaintext>", "</plaintext>")},
	{"select and options", after("<select>", "<option><optgroup>")},
	{"nested options", after("<select><button><selectedcontent></button>", "<option selected><div>")},
	{"selectedcontent of many options", after("<select><selectedcontent></selectedcontent>", "<option selected>x")},
	{"nested objects", repeat("<object>")},
	{"nested dd", repeat("<dl><dd>")},
	{"nested ruby", repeat("<ruby><rt>")},
	{"foreign end tags", func(n int) string { return "<svg>" + strings.Repeat("<g>", 600) + repeat("</x>")(n) }},
	{"integration points", after("<svg>", "<desc><svg>")},
	{"forms that leave their contents open", repeat("<form><div></form>")},
	{"nobr", repeat("<nobr>")},
	{"nested a around tables", repeat("<a><table>")},
	{"body ends", repeat("</body>x")},
	{"html ends", repeat("</html><!--x-->")},
	{"div ends around tables", func(n int) string { return strings.Repeat("<div>", 500) + repeat("<table></table>")(n) }},
	{"a behind the formatting of nested cells", behindCells("<a>")},
	{"b that is no longer listed behind the formatting of nested cells", behindCells("<b><b><b><b></b></b></b></b>")},
	{"a and p misnested behind the formatting of nested cells", behindCells("<a><p></a></p>")},
	{"b behind markers of closed cells", repeat("<table><td><object></td></table><b><b><b><b></b></b></b></b>")},
	{"a and p misnested behind markers of closed cells", repeat("<table><td><object></td></table><a><p></a></p>")},
	{"scripts", repeat("<script>x</script>")},
}

// behindCells gives nested cells, each behind many formatting elements that are not open in it, and then one thing
// again and again.
func behindCells(s string) func(int) string {
	return func(n int) string {
		level := "<p>" + numbered(3500, "<b a%d>") + "</p><table><tr><td>"
		return repeat(level)(n/2) + repeat(s)(n/2)
	}
}

func after(start, s string) func(int) string { return around(start, s, "") }

func twoParts(a, b string) func(int) string {
	return func(n int) string { return repeat(a)(n/2) + repeat(b)(n/2) }
}

func threeParts(a, b, c string) func(int) string {
	return func(n int) string { return repeat(a)(n/3) + repeat(b)(n/3) + repeat(c)(n/3) }
}

func counting(format string) func(int) string {
	return func(n int) string { return numbered(n, format) }
}

// TestHostileGrowth checks that four times the hostile input takes about four times the time, and that memory is bounded.
func TestHostileGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time: left out with -short")
	}
	for _, input := range hostilePages {
		for _, listen := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/errors=%v", input.name, listen), func(t *testing.T) {
				opts := &Options{}
				if listen {
					opts.OnError = func(ParseError) {}
				}
				short, long := []byte(input.make(growthBase)), []byte(input.make(4*growthBase))
				checkGrowth(t, short, long, opts)
				if used, limit := parseMemory(t, long, opts), uint64(32<<20+200*len(long)); used > limit {
					t.Errorf("parsing %d bytes takes %d bytes of memory, more than %d", len(long), used, limit)
				}
			})
		}
	}
}

// checkGrowth compares the shortest of some runs, more of them only while they say that time grows too fast.
func checkGrowth(t *testing.T, short, long []byte, opts *Options) {
	t.Helper()
	const slack = 40 * time.Millisecond // the machine may be busy with other things
	base, grown := time.Hour, time.Hour
	for range 20 {
		base, grown = min(base, parseTime(t, short, opts)), min(grown, parseTime(t, long, opts))
		if grown <= 6*base+slack {
			return
		}
	}
	t.Errorf("%d bytes take %v, %d bytes %v", len(short), base, len(long), grown)
}

// parseTime is the time of a run without collecting garbage.
func parseTime(t *testing.T, src []byte, opts *Options) time.Duration {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	start := steadytest.WorkTime()
	if _, err := ParseBytes(src, opts); err != nil {
		t.Fatal(err)
	}
	return steadytest.WorkTime() - start
}

// parseMemory is what a parse allocates, and more than it keeps.
func parseMemory(t *testing.T, src []byte, opts *Options) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	doc, err := ParseBytes(src, opts)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(doc)
	return after.TotalAlloc - before.TotalAlloc
}
