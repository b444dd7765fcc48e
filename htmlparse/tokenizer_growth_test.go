package htmlparse

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// hostileInputs make source text of about n bytes that is meant to cost a tokenizer more than its length.
var hostileInputs = []struct {
	name  string
	state State
	make  func(n int) string
}{
	{"ampersands", DataState, repeat("&")},
	{"ampersands in an attribute", DataState, around("<a b=\"", "&", "\">")},
	{"ampersands in an unquoted attribute", DataState, around("<a b=", "&", ">")},
	{"names that are nearly references", DataState, repeat("&notin&notit;&CounterClockwiseContourIntegra")},
	{"digits", DataState, around("&#", "9", ";")},
	{"references", DataState, repeat("&lt;")},
	{"references in attributes", DataState, repeat("<a b='&lt;&amp;'>")},
	{"unknown name", DataState, around("&", "a", ";")},
	{"less-than signs", DataState, repeat("<")},
	{"solidi", DataState, repeat("</")},
	{"empty end tags", DataState, repeat("a</>")},
	{"tag name", DataState, around("<", "A", ">")},
	{"tags", DataState, repeat("<a>")},
	{"unclosed quotes", DataState, repeat("<a b='")},
	{"quotes", DataState, repeat("<a b='\"' c=\"'\">")},
	{"attribute name and value", DataState, func(n int) string {
		return "<a " + strings.Repeat("A", n/2) + "=\"" + strings.Repeat("B", n/2) + "\">"
	}},
	{"attributes", DataState, func(n int) string { return "<div" + numbered(n, " a%d=1") + ">" }},
	{"duplicate attributes", DataState, around("<div", " a=1", ">")},
	{"attributes, again and again", DataState, func(n int) string {
		return "<div" + numbered(n/2, " a%d=1") + ">" + strings.Repeat("<p"+numbered(200, " a%d")+">", n/400)
	}},
	{"doctype name", DataState, around("<!DOCTYPE ", "A", ">")},
	{"comments", DataState, repeat("<!--")},
	{"comment with bangs", DataState, around("<!--", "--!", "")},
	{"comment with less-than signs", DataState, around("<!--", "<!-", "")},
	{"bogus comments", DataState, repeat("<?a ")},
	{"text and comments", DataState, repeat("a<!--b-->")},
	{"NUL", DataState, repeat("\x00")},
	{"NUL in RCDATA", RCDATAState, repeat("\x00")},
	{"CR", DataState, repeat("\r")},
	{"CR in a comment", DataState, around("<!--", "\r", "-->")},
	{"NUL and CR in tags", DataState, repeat("<a\x00 b='\r\x00'>\r\x00")},
	{"RCDATA end tags", RCDATAState, repeat("</")},
	{"RCDATA references", RCDATAState, repeat("&amp;x</titl>")},
	{"nearly script end tags", ScriptDataState, repeat("</scrip ")},
	{"double escaped scripts", ScriptDataState, around("<!--", "<script></script", "")},
	{"script dashes", ScriptDataState, around("<!--", "--", "")},
	{"CDATA brackets", CDATASectionState, repeat("]]")},
	{"plaintext", PlaintextState, repeat("</plaintext>")},
	{"not UTF-8", DataState, repeat("\xFF\xC3")},
}

func repeat(s string) func(int) string { return around("", s, "") }

// around makes text of n bytes that begins and ends as given and repeats the middle.
func around(begin, middle, end string) func(int) string {
	return func(n int) string { return begin + strings.Repeat(middle, n/len(middle)) + end }
}

// numbered repeats a format with growing numbers for about n bytes.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestTokenizerGrowth: four times the input may take no more than six times the time.
func TestTokenizerGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time: left out with -short")
	}
	const n = growthBase
	for _, input := range hostileInputs {
		for _, listening := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/listening %v", input.name, listening), func(t *testing.T) {
				opts := TokenizerOptions{State: input.state, LastStartTag: "script"}
				if listening {
					opts.OnError = func(ParseError) {}
				}
				small, large := input.make(n), input.make(4*n)
				if !growsLinearly(small, large, &opts) {
					t.Errorf("%d bytes took more than six times as long as %d", len(large), len(small))
				}
			})
		}
	}
}

// growsLinearly says whether large, four times small, takes no more than six times the time. As the machine may be busy
// with other things, the best of a few tries counts, and some milliseconds do not.
func growsLinearly(small, large string, opts *TokenizerOptions) bool {
	const slack = 40 * time.Millisecond // quadratic time is a second and more
	shortSmall, shortLarge := time.Hour, time.Hour
	for range 20 {
		shortSmall = min(shortSmall, tokenizeTime(small, opts))
		shortLarge = min(shortLarge, tokenizeTime(large, opts))
		if shortLarge <= 6*shortSmall+slack {
			return true
		}
	}
	return false
}

func tokenizeTime(src string, opts *TokenizerOptions) time.Duration {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // how often it runs is not for this test
	start := steadytest.WorkTime()
	z := NewTokenizer(src, opts)
	for _, ok := z.Next(); ok; _, ok = z.Next() {
	}
	return steadytest.WorkTime() - start
}
