package robots

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// matchCases are written from RFC 9309. allowed and disallowed hold paths with
// their query.
var matchCases = []struct {
	name, robots, agent string
	allowed, disallowed []string
}{
	// Section 2.1: what a file consists of.
	{"empty file", "", "foobot", []string{"/", "/a"}, nil},
	{"rules before any group are ignored", "Disallow: /\nUser-agent: foobot\nDisallow: /b\n", "foobot", []string{"/a"}, []string{"/b"}},
	{"rules before any group, and no group", "Disallow: /\n", "foobot", []string{"/"}, nil},
	{"keys in any case", "USER-AGENT: foobot\ndisallow: /a\naLLoW: /a/b\n", "foobot", []string{"/a/b", "/c"}, []string{"/a"}},
	{"spaces and tabs around keys and values", "  User-agent\t:  foobot \t\n \tDisallow : /a\t \n", "foobot", []string{"/b"}, []string{"/a"}},
	{"comments", "# all\nUser-agent: foobot # that's us\nDisallow: /a # this\n#Disallow: /b\n", "foobot", []string{"/b"}, []string{"/a"}},
	{"LF", "User-agent: foobot\nDisallow: /a\nDisallow: /b", "foobot", []string{"/c"}, []string{"/a", "/b"}},
	{"CR", "User-agent: foobot\rDisallow: /a\rDisallow: /b", "foobot", []string{"/c"}, []string{"/a", "/b"}},
	{"CRLF", "User-agent: foobot\r\nDisallow: /a\r\nDisallow: /b\r\n", "foobot", []string{"/c"}, []string{"/a", "/b"}},
	{"line ends mixed", "User-agent: foobot\n\rDisallow: /a\n\n\r\nDisallow: /b\r", "foobot", []string{"/c"}, []string{"/a", "/b"}},
	{"byte order mark", "\ufeffUser-agent: foobot\nDisallow: /a\n", "foobot", []string{"/b"}, []string{"/a"}},
	{"half a byte order mark spoils its line alone", "\xef\xbbUser-agent: foobot\nDisallow: /a\nUser-agent: *\nDisallow: /b\n", "foobot", []string{"/a"}, []string{"/b"}},
	{"empty lines do not end a group", "User-agent: foobot\n\n\nDisallow: /a\n\nDisallow: /b\n", "foobot", nil, []string{"/a", "/b"}},
	{"unknown lines", "User-agent: foobot\nNoindex: /x\n???\n: /\nDisallow: /a\n", "foobot", []string{"/x"}, []string{"/a"}},
	{"path with a colon", "User-agent: foobot\nDisallow: /a:b\n", "foobot", []string{"/a"}, []string{"/a:b"}},

	// Section 2.2.1: the user-agent line.
	{"product token in any case", "User-agent: FooBot\nDisallow: /a\n", "fOObOT", nil, []string{"/a"}},
	{"agent is a whole User-Agent field", "User-agent: foobot\nDisallow: /a\n", "FooBot/1.2 (+https://foo.example/)", nil, []string{"/a"}},
	{"line with a version", "User-agent: FooBot/1.0\nDisallow: /a\n", "foobot", nil, []string{"/a"}},
	{"line with a second word", "User-agent: foobot images\nDisallow: /a\n", "foobot", nil, []string{"/a"}},
	{"a token is not matched by its start", "User-agent: foo\nDisallow: /a\n", "foobot", []string{"/a"}, nil},
	{"nor by a longer one", "User-agent: foobot-news\nDisallow: /a\n", "foobot", []string{"/a"}, nil},
	{"several agents, one group", "User-agent: barbot\nUser-agent: foobot\nDisallow: /a\n", "foobot", nil, []string{"/a"}},
	{"own group, not the default one", "User-agent: *\nDisallow: /a\nUser-agent: foobot\nDisallow: /b\n", "foobot", []string{"/a"}, []string{"/b"}},
	{"the default group", "User-agent: barbot\nDisallow: /a\nUser-agent: *\nDisallow: /b\n", "foobot", []string{"/a"}, []string{"/b"}},
	{"no group that applies", "User-agent: barbot\nDisallow: /\n", "foobot", []string{"/a"}, nil},
	{"own group without rules", "User-agent: *\nDisallow: /\n\nUser-agent: foobot\n", "foobot", []string{"/a"}, nil},
	{"agents without rules share those that follow", "User-agent: foobot\n\nUser-agent: barbot\nDisallow: /a\n", "foobot", nil, []string{"/a"}},
	{"groups of one agent are merged", "User-agent: foobot\nDisallow: /a\nUser-agent: barbot\nDisallow: /b\nUser-agent: foobot\nDisallow: /c\n", "foobot", []string{"/b"}, []string{"/a", "/c"}},
	{"default groups are merged", "User-agent: *\nDisallow: /a\nUser-agent: barbot\nDisallow: /b\nUser-agent: *\nDisallow: /c\n", "foobot", []string{"/b"}, []string{"/a", "/c"}},
	{"default and another agent in one group", "User-agent: *\nUser-agent: foobot\nDisallow: /a\n", "quxbot", nil, []string{"/a"}},
	{"asterisk and a word", "User-agent: * all\nDisallow: /a\n", "foobot", nil, []string{"/a"}},
	{"a user agent that is no name", "User-agent: ???\nDisallow: /a\n", "foobot", []string{"/a"}, nil},
	{"a crawler without a name", "User-agent: ???\nDisallow: /a\nUser-agent: *\nDisallow: /b\n", "", []string{"/a"}, []string{"/b"}},

	// Section 2.2.2: which rule decides.
	{"prefix", "User-agent: *\nDisallow: /fish\n", "foobot", []string{"/", "/Fish", "/catfish", "/?id=/fish"}, []string{"/fish", "/fish.html", "/fish/salmon", "/fishheads", "/fish?id=1"}},
	{"prefix with a slash at its end", "User-agent: *\nDisallow: /fish/\n", "foobot", []string{"/fish", "/fish.html"}, []string{"/fish/", "/fish/?id=1", "/fish/salmon"}},
	{"paths are case-sensitive", "User-agent: *\nDisallow: /A\n", "foobot", []string{"/a"}, []string{"/A"}},
	{"everything", "User-agent: *\nDisallow: /\n", "foobot", []string{"/robots.txt"}, []string{"/", "/a", "/?a"}},
	{"robots.txt itself", "User-agent: *\nDisallow: /robots.txt\n", "foobot", []string{"/robots.txt"}, []string{"/robots.txt.old", "/robots.txt?a"}},
	{"empty Disallow", "User-agent: *\nDisallow:\n", "foobot", []string{"/"}, nil},
	{"empty Allow", "User-agent: *\nDisallow: /\nAllow:\n", "foobot", nil, []string{"/a"}},
	{"empty rule ends the list of agents", "User-agent: foobot\nDisallow:\nUser-agent: barbot\nDisallow: /\n", "foobot", []string{"/"}, nil},
	{"longest match, Allow", "User-agent: *\nDisallow: /a\nAllow: /a/b\n", "foobot", []string{"/a/b", "/a/bc"}, []string{"/a", "/a/c"}},
	{"longest match, Disallow", "User-agent: *\nAllow: /a\nDisallow: /a/b\n", "foobot", []string{"/a", "/a/c"}, []string{"/a/b", "/a/bc"}},
	{"order is nothing", "User-agent: *\nAllow: /a/b/c\nDisallow: /a\nDisallow: /a/b/c/d\nAllow: /\n", "foobot", []string{"/", "/a/b/c"}, []string{"/a", "/a/b", "/a/b/c/d"}},
	{"Allow wins a tie", "User-agent: *\nDisallow: /a\nAllow: /a\n", "foobot", []string{"/a"}, nil},
	{"a tie of different patterns", "User-agent: *\nDisallow: /*b\nAllow: /a*\n", "foobot", []string{"/ab"}, []string{"/bb"}},
	{"asterisk counts as an octet", "User-agent: *\nAllow: /page\nDisallow: /*.htm\n", "foobot", []string{"/page"}, []string{"/page.htm"}},
	{"rule that starts with neither slash nor asterisk", "User-agent: *\nDisallow: a\n", "foobot", []string{"/a", "/"}, nil},

	// Section 2.2.2: percent-encoding.
	{"not ASCII in the rule", "User-agent: *\nDisallow: /foo/bar/ツ\n", "foobot", nil, []string{"/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84", "/foo/bar/ツ"}},
	{"encoded in the rule", "User-agent: *\nDisallow: /foo/bar/%E3%83%84\n", "foobot", nil, []string{"/foo/bar/%E3%83%84", "/foo/bar/ツ"}},
	{"encoded in lower case in the rule", "User-agent: *\nDisallow: /foo/bar/%e3%83%84\n", "foobot", nil, []string{"/foo/bar/%E3%83%84"}},
	{"encoded ASCII in the rule", "User-agent: *\nDisallow: /foo/bar/%62%61%7A\n", "foobot", nil, []string{"/foo/bar/baz", "/foo/bar/%62az"}},
	{"encoded ASCII in the URL", "User-agent: *\nDisallow: /~joe\n", "foobot", nil, []string{"/%7Ejoe", "/%7ejoe", "/~joe"}},
	{"reserved in a query", "User-agent: *\nDisallow: /foo/bar?baz=https://foo.bar\n", "foobot", []string{"/foo/bar?baz=quz"}, []string{"/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar"}},
	{"reserved in a path", "User-agent: *\nDisallow: /wiki/Special:\n", "foobot", nil, []string{"/wiki/Special:Search", "/wiki/Special%3ASearch"}},
	{"an encoded slash is none", "User-agent: *\nDisallow: /a/b\n", "foobot", []string{"/a%2Fb"}, []string{"/a/b"}},
	{"an encoded question mark is none", "User-agent: *\nDisallow: /a?\n", "foobot", []string{"/a%3F", "/a"}, []string{"/a?", "/a?b"}},
	{"an encoded percent sign is none", "User-agent: *\nDisallow: /a%2541\n", "foobot", []string{"/aA", "/a%41"}, []string{"/a%2541"}},
	{"percent signs alone", "User-agent: *\nDisallow: /100%\nDisallow: /%zz\n", "foobot", []string{"/100"}, []string{"/100%", "/100%/a", "/%zz"}},
	{"bytes that are not UTF-8", "User-agent: *\nDisallow: /caf\xe9\n", "foobot", nil, []string{"/caf%E9"}},
	{"an octet is ranked as one", "User-agent: *\nAllow: /%61%61\nDisallow: /aaa\n", "foobot", []string{"/aa"}, []string{"/aaa"}},

	// Section 2.2.3: special characters.
	{"end", "User-agent: *\nDisallow: /a$\n", "foobot", []string{"/ab", "/a?b", "/a/"}, []string{"/a"}},
	{"end of the root", "User-agent: *\nDisallow: /\nAllow: /$\n", "foobot", []string{"/"}, []string{"/a"}},
	{"asterisk", "User-agent: *\nDisallow: /a*c\n", "foobot", []string{"/ab", "/b/ac"}, []string{"/ac", "/abc", "/a/b/cd", "/a?x=c"}},
	{"asterisk in front", "User-agent: *\nDisallow: *.gif\n", "foobot", []string{"/a"}, []string{"/a.gif", "/a.gif?b"}},
	{"asterisk at the end", "User-agent: *\nDisallow: /a*\n", "foobot", []string{"/b"}, []string{"/a", "/ab"}},
	{"asterisk and end", "User-agent: *\nDisallow: /*.gif$\n", "foobot", []string{"/a.gif?b", "/a.giff"}, []string{"/a.gif", "/.gif", "/a.gif.gif"}},
	{"asterisk before the end", "User-agent: *\nDisallow: /a*$\n", "foobot", nil, []string{"/a", "/ab"}},
	{"several asterisks", "User-agent: *\nDisallow: /a*b**c$\n", "foobot", []string{"/acb", "/abcd", "/abd"}, []string{"/abc", "/axbxc", "/abbcc"}},
	{"the end is not shared with what was matched", "User-agent: *\nDisallow: /*aba$\nAllow: /*aba*ba$\n", "foobot", []string{"/ababa"}, []string{"/aba"}},
	{"dollar sign in the middle", "User-agent: *\nDisallow: /a$b\n", "foobot", []string{"/a"}, []string{"/a$b", "/a$bc", "/a%24b"}},
	{"encoded special characters are themselves", "User-agent: *\nDisallow: /file-with-a-%2A.html\nDisallow: /foo-%24\n", "foobot", []string{"/file-with-a-b.html", "/foo-"}, []string{"/file-with-a-*.html", "/file-with-a-%2A.html", "/foo-$", "/foo-%24"}},
	{"asterisk in the URL is no wildcard", "User-agent: *\nDisallow: /abc\n", "foobot", []string{"/*"}, nil},
	{"query", "User-agent: *\nDisallow: /*?*sort=\n", "foobot", []string{"/a", "/a?b=c", "/sort="}, []string{"/a?sort=x", "/a?b=c&sort=x"}},
	{"path in the query", "User-agent: *\nDisallow: /*/print/\n", "foobot", []string{"/print/"}, []string{"/a/print/", "/index.php?/print/", "/index.php?q=%2Fprint%2F"}},

	// Section 2.2.4: other records.
	{"Sitemap does not end a group", "User-agent: foobot\nSitemap: https://foo.example/s.xml\nDisallow: /a\n", "foobot", nil, []string{"/a"}},
	{"nor a list of agents", "User-agent: foobot\nSitemap: https://foo.example/s.xml\nUser-agent: barbot\nDisallow: /a\n", "foobot", nil, []string{"/a"}},
	{"nor does Crawl-delay", "User-agent: foobot\nCrawl-delay: 5\nUser-agent: barbot\nDisallow: /a\n", "foobot", nil, []string{"/a"}},

	// Section 5.1: the example.
	{"section 5.1, the default group", section51, "crawler", []string{"/publications/", "/x"}, []string{"/example/", "/a.gif"}},
	{"section 5.1, foobot", section51, "foobot", []string{"/example/page.html", "/example/allowed.gif"}, []string{"/", "/example/", "/a.gif"}},
	{"section 5.1, barbot", section51, "barbot", []string{"/x"}, []string{"/example/page.html"}},
	{"section 5.1, quxbot", section51, "quxbot", []string{"/", "/example/", "/a.gif"}, nil},
	{"section 5.2", "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n", "foobot", []string{"/example/page/", "/example/page/allowed.gif"}, []string{"/example/page/disallowed.gif"}},

	// What is no robots.txt, and mistakes in those that are.
	{"HTML", "<!DOCTYPE html>\n<html><head><title>404</title>\n<p>Disallow: /</p></html>", "foobot", []string{"/"}, nil},
	{"binary", "\x00\x01\xff\xfe\x00User-agent: *\x00\nDisallow: /\n\x89PNG\r\n\x1a\n", "foobot", []string{"/"}, nil},
	{"misspelt", "useragent: foobot\nDissallow: /a\nDisalow: /b\n", "foobot", []string{"/c"}, []string{"/a", "/b"}},
	{"without colons", "User-agent foobot\nDisallow /a\nDisallow any /b\n", "foobot", []string{"/b"}, []string{"/a"}},
	{"token with a digit and a dot", "User-agent: MJ12bot\nDisallow: /a\nUser-agent: archive.org_bot\nDisallow: /b\n", "mj12bot/1.0", []string{"/b"}, []string{"/a"}},
}

const section51 = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot

`

func TestAllowed(t *testing.T) {
	for _, tt := range matchCases {
		t.Run(tt.name, func(t *testing.T) {
			g := Parse([]byte(tt.robots)).Group(tt.agent)
			for _, path := range tt.allowed {
				if ok, rule := g.Allowed(path); !ok {
					t.Errorf("%s is disallowed by %q", path, rule)
				}
			}
			for _, path := range tt.disallowed {
				if ok, rule := g.Allowed(path); ok {
					t.Errorf("%s is allowed by %q", path, rule)
				}
			}
		})
	}
}

func TestRule(t *testing.T) {
	g := Parse([]byte("User-agent: *\nDISALLOW:   /a%e4*  # why\nAllow: /a%e4/ok\n")).Group("foobot")
	for path, want := range map[string]string{
		"/a%E4b":   "Disallow: /a%e4*",
		"/a%E4/ok": "Allow: /a%e4/ok",
		"/b":       "",
	} {
		t.Run(path, func(t *testing.T) {
			if _, rule := g.Allowed(path); rule != want {
				t.Errorf("decided by %q, want %q", rule, want)
			}
		})
	}
}

func TestUnavailable(t *testing.T) {
	for _, tt := range []struct {
		name    string
		robots  *Robots
		path    string
		allowed bool
	}{
		{"all allowed", AllowAll, "/a", true},
		{"all disallowed", DisallowAll, "/a", false},
		{"robots.txt when all is disallowed", DisallowAll, "/robots.txt", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ok, rule := tt.robots.Group("foobot").Allowed(tt.path)
			if ok != tt.allowed || !ok && rule == "" {
				t.Errorf("Allowed = %v, %q", ok, rule)
			}
		})
	}
}

func TestSize(t *testing.T) {
	head := "User-agent: *\nDisallow: /first\n"
	filler := strings.Repeat("#", MaxSize-len(head)-len("\nDisallow: /"))
	t.Run("a line that the limit cuts is left out", func(t *testing.T) {
		g := Parse([]byte(head + filler + "\nDisallow: /private\nDisallow: /later\n")).Group("foobot")
		for path, want := range map[string]bool{"/": true, "/first": false, "/private": true, "/later": true} {
			if ok, rule := g.Allowed(path); ok != want {
				t.Errorf("%s: %v by %q", path, ok, rule)
			}
		}
	})
	t.Run("a line that ends at the limit counts", func(t *testing.T) {
		g := Parse([]byte(head + filler + "\nDisallow: /")).Group("foobot")
		if ok, _ := g.Allowed("/"); ok {
			t.Error("/ is allowed")
		}
	})
	t.Run("long lines", func(t *testing.T) {
		long := strings.Repeat("a", 100_000)
		g := Parse([]byte("User-agent: *\nDisallow: /" + long + "\n" + long + ": x\nDisallow: /b\n")).Group("foobot")
		for path, want := range map[string]bool{"/" + long: false, "/" + long[1:]: true, "/b": false} {
			if ok, _ := g.Allowed(path); ok != want {
				t.Errorf("%.10s: %v", path, ok)
			}
		}
	})
}

func TestCrawlDelay(t *testing.T) {
	tests := []struct {
		name, robots string
		want         time.Duration
	}{
		{"seconds", "User-agent: foobot\nCrawl-delay: 10\n", 10 * time.Second},
		{"decimal", "User-agent: foobot\nCrawl-delay: 0.5\n", 500 * time.Millisecond},
		{"decimal without a zero", "User-agent: foobot\ncrawl-delay: .25 # slow\n", 250 * time.Millisecond},
		{"default group", "User-agent: *\nDisallow:\nCrawl-delay: 3\n", 3 * time.Second},
		{"own group has none", "User-agent: *\nCrawl-delay: 3\nDisallow:\nUser-agent: foobot\nDisallow: /a\n", 0},
		{"before any group", "Crawl-delay: 3\nUser-agent: foobot\nDisallow: /a\n", 0},
		{"all agents of the group", "User-agent: foobot\nUser-agent: barbot\nDisallow: /a\nCrawl-delay: 3\n", 3 * time.Second},
		{"a delay after each name", "User-agent: foobot\nCrawl-delay: 1\nUser-agent: barbot\nCrawl-delay: 20\nUser-agent: *\nDisallow: /a\n", time.Second},
		{"the first of two in a group", "User-agent: foobot\nCrawl-delay: 1\nCrawl-delay: 20\n", time.Second},
		{"the longest of several groups", "User-agent: foobot\nCrawl-delay: 1\nDisallow: /a\nUser-agent: foobot\nCrawl-delay: 20\n", 20 * time.Second},
		{"a word", "User-agent: foobot\nCrawl-delay: slow\n", 0},
		{"a unit", "User-agent: foobot\nCrawl-delay: 10s\n", 0},
		{"negative", "User-agent: foobot\nCrawl-delay: -1\n", 0},
		{"not a number", "User-agent: foobot\nCrawl-delay: NaN\n", 0},
		{"two points", "User-agent: foobot\nCrawl-delay: 1.2.3\n", 0},
		{"empty", "User-agent: foobot\nCrawl-delay:\n", 0},
		{"capped", "User-agent: foobot\nCrawl-delay: 99999999999999999999\n", MaxCrawlDelay},
		{"beyond any number", "User-agent: foobot\nCrawl-delay: " + strings.Repeat("9", 400) + "\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse([]byte(tt.robots)).Group("foobot").CrawlDelay(); got != tt.want {
				t.Errorf("CrawlDelay = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSitemaps(t *testing.T) {
	tests := []struct {
		name, robots string
		want         []string
	}{
		{"anywhere", "Sitemap: https://foo.example/a.xml\nUser-agent: *\nsitemap:http://bar.example/b.xml.gz # too\n", []string{"https://foo.example/a.xml", "http://bar.example/b.xml.gz"}},
		{"canonical, each once", "Sitemap: https://FOO.example:443/a.xml\nSitemap: https://foo.example/a.xml\n", []string{"https://foo.example/a.xml"}},
		{"no absolute http URLs", "Sitemap: /a.xml\nSitemap:\nSitemap: ftp://foo.example/\nSitemap: foo\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Parse([]byte(tt.robots)).Sitemaps); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	t.Run("capped", func(t *testing.T) {
		var b strings.Builder
		for i := range MaxSitemaps + 10 {
			fmt.Fprintf(&b, "Sitemap: http://a/%d\n", i)
		}
		if n := len(Parse([]byte(b.String())).Sitemaps); n != MaxSitemaps {
			t.Errorf("%d sitemaps", n)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, tt := range matchCases {
		f.Add([]byte(tt.robots), "/a?b=%2F*$")
	}
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		r := Parse(body)
		for _, agent := range []string{"foobot", "*", ""} {
			g := r.Group(agent)
			ok, rule := g.Allowed(path)
			if ok != (rule == "" || strings.HasPrefix(rule, "Allow: ")) {
				t.Errorf("Allowed(%q) = %v by %q", path, ok, rule)
			}
			if d := g.CrawlDelay(); d < 0 || d > MaxCrawlDelay {
				t.Errorf("CrawlDelay = %v", d)
			}
		}
		for _, isPattern := range []bool{false, true} {
			if once := normalize(path, isPattern); normalize(once, isPattern) != once {
				t.Errorf("normalize(%q) = %q, again %q", path, once, normalize(once, isPattern))
			}
		}
	})
}

// FuzzMatch holds the matcher against the plainest one there is.
func FuzzMatch(f *testing.F) {
	f.Add("/a*b*c$", "/axbxc")
	f.Add("*aba*ba$", "/ababa")
	f.Add("/**$", "/")
	f.Fuzz(func(t *testing.T, path, target string) {
		if len(path) > 40 || len(target) > 40 {
			return
		}
		p := compile(path)
		text, anchored := strings.CutSuffix(path, "$")
		want := matchesSlowly(normalize(text, true), normalize(target, false), anchored)
		if got := p.matches(normalize(target, false)); got != want {
			t.Errorf("%q on %q: %v", path, target, got)
		}
	})
}

// matchesSlowly reads the two from left to right and keeps the set of places
// in the pattern that it can be at.
func matchesSlowly(pattern, target string, anchored bool) bool {
	at := map[int]bool{0: true}
	for i := 0; ; i++ {
		for j := range len(pattern) {
			if at[j] && pattern[j] == '*' {
				at[j+1] = true
			}
		}
		if at[len(pattern)] && (!anchored || i == len(target)) {
			return true
		}
		if i == len(target) {
			return false
		}
		next := map[int]bool{}
		for j := range at {
			if j < len(pattern) && pattern[j] == '*' {
				next[j] = true
			} else if j < len(pattern) && pattern[j] == target[i] {
				next[j+1] = true
			}
		}
		at = next
	}
}

const bombSize = MaxSize - 100 // room for a group around the bomb

// bombs are the texts of files that are costly to match.
var bombs = map[string]string{
	"many rules":             strings.Repeat("Allow:/b\n", bombSize/9),
	"asterisks":              "Disallow: /" + strings.Repeat("*", bombSize),
	"asterisks and a":        "Disallow: /" + strings.Repeat("*a", bombSize/2),
	"many with asterisks":    strings.Repeat("Allow:*a*b\n", bombSize/11),
	"many ends":              strings.Repeat("Allow:*aab$\n", bombSize/12),
	"many that nearly match": strings.Repeat("Allow:*"+strings.Repeat("a", 200)+"b\n", bombSize/209),
	"many asterisks each":    strings.Repeat("Allow:"+strings.Repeat("*a", 100)+"b\n", bombSize/208),
}

func TestBombs(t *testing.T) {
	target := "/" + strings.Repeat("a", 8000)
	for name, bomb := range bombs {
		t.Run(name, func(t *testing.T) {
			g := Parse([]byte("User-agent: *\n" + bomb + "\nDisallow: /aa\n")).Group("foobot")
			if ok, rule := g.Allowed(target); ok {
				t.Errorf("allowed by %.40q", rule)
			}
		})
	}
}

func BenchmarkBombs(b *testing.B) {
	target := "/" + strings.Repeat("a", 8000)
	for name, bomb := range bombs {
		b.Run(name, func(b *testing.B) {
			g := Parse([]byte("User-agent: *\n" + bomb + "\nDisallow: /aa\n")).Group("foobot")
			for b.Loop() {
				g.Allowed(target)
			}
		})
	}
}

func BenchmarkAllowed(b *testing.B) {
	var file strings.Builder
	file.WriteString("User-agent: *\n")
	for i := range 100 {
		fmt.Fprintf(&file, "Disallow: /section-%d/*?sort=\n", i)
	}
	g := Parse([]byte(file.String())).Group("foobot")
	b.ReportAllocs()
	for b.Loop() {
		g.Allowed("/catalogue/a-light-in-the-attic_1000/index.html?ref=home")
	}
}
