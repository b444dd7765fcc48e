package robots

import (
	"fmt"
	"testing"
)

// Path patterns with what they match, after the tables that Google documents
// for its reading of RFC 9309:
// https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#url-matching-based-on-path-values
func TestDocumentedPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern        string
		match, noMatch []string
	}{
		{"/", []string{"/", "/any", "/any/path?q"}, nil},
		{"/*", []string{"/", "/any", "/any/path?q"}, nil},
		{"/$", []string{"/"}, []string{"/any", "/?q"}},
		{"/fish", []string{"/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fishheads/yummy.html", "/fish.php?id=anything"},
			[]string{"/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"}},
		{"/fish*", []string{"/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fishheads/yummy.html", "/fish.php?id=anything"},
			[]string{"/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"}},
		{"/fish/", []string{"/fish/", "/fish/?id=anything", "/fish/salmon.htm"}, []string{"/fish", "/fish.html", "/animals/fish/", "/Fish/Salmon.asp"}},
		{"/*.php", []string{"/index.php", "/filename.php", "/folder/filename.php", "/folder/filename.php?parameters", "/folder/any.php.file.html", "/filename.php/"},
			[]string{"/", "/windows.PHP"}},
		{"/*.php$", []string{"/filename.php", "/folder/filename.php"}, []string{"/filename.php?parameters", "/filename.php/", "/filename.php5", "/windows.PHP"}},
		{"/fish*.php", []string{"/fish.php", "/fishheads/catfish.php?parameters"}, []string{"/Fish.PHP"}},
		{"/*?", []string{"/?", "/a?b", "/a/b?c=d"}, []string{"/", "/a"}},
		{"/*?$", []string{"/?", "/a?"}, []string{"/a?b", "/a"}},
	} {
		g := Parse(fmt.Appendf(nil, "User-agent: foobot\nDisallow: %s\n", c.pattern)).Group("foobot")
		for path, want := range pathsOf(c.match, c.noMatch) {
			t.Run(c.pattern+" on "+path, func(t *testing.T) {
				if allowed, _ := g.Allowed(path); allowed == want {
					t.Errorf("matches: %v, want %v", !allowed, want)
				}
			})
		}
	}
}

func pathsOf(match, noMatch []string) map[string]bool {
	paths := map[string]bool{}
	for _, p := range match {
		paths[p] = true
	}
	for _, p := range noMatch {
		paths[p] = false
	}
	return paths
}

// Which of two rules decides, likewise:
// https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#order-of-precedence-for-rules
func TestDocumentedPrecedence(t *testing.T) {
	for _, c := range []struct {
		path, allow, disallow string
		allowed               bool
	}{
		{"/page", "/p", "/", true},
		{"/folder/page", "/folder", "/folder", true},
		{"/page.htm", "/page", "/*.htm", false},
		{"/page.php5", "/page", "/*.ph", true},
		{"/", "/$", "/", true},
		{"/page.htm", "/$", "/", false},
		{"/x/page.html", "/x/page.", "/x/", true},
		{"/x/page.html", "/x/", "/x/page.html", false},
		{"/x/page.html", "/x/page.html", "", true},
		{"/x/page.html", "", "", true},
		{"/x/page.html", "/", "/", true},
		{"/x/page.html", "", "/", false},
		{"/x/page", "/x", "/x/", false},
		{"/x/", "/x", "/x/", false},
		{"/x", "/x", "/x/", true},
	} {
		for _, order := range []string{"Allow: %[1]s\nDisallow: %[2]s\n", "Disallow: %[2]s\nAllow: %[1]s\n"} {
			rules := fmt.Sprintf(order, c.allow, c.disallow)
			t.Run(fmt.Sprintf("%s by %q", c.path, rules), func(t *testing.T) {
				g := Parse([]byte("User-agent: foobot\n" + rules)).Group("foobot")
				if allowed, rule := g.Allowed(c.path); allowed != c.allowed {
					t.Errorf("allowed: %v by %q, want %v", allowed, rule, c.allowed)
				}
			})
		}
	}
}

// Lines as they are written.
func TestDocumentedLines(t *testing.T) {
	for _, c := range []struct {
		name, file string
		allowed    bool // of /x/y
	}{
		{"as they should be", "user-agent: FooBot\ndisallow: /\n", false},
		{"unknown keys", "foo: FooBot\nbar: /\n", true},
		{"keys without colons", "user-agent FooBot\ndisallow /\n", false},
		{"no space after the colon", "user-agent:FooBot\ndisallow:/\n", false},
		{"an absolute URL for a path", "user-agent: FooBot\ndisallow: http://foo.bar/x/\n", true},
		{"two agents and an unknown line between them and the rule", "User-agent: BarBot\nUser-agent: FooBot\nInvalid-Unknown-Line: unknown\nDisallow: /\n", false},
		{"an unknown line between agents", "User-agent: FooBot\nInvalid-Unknown-Line: unknown\nUser-agent: BarBot\nDisallow: /\n", false},
		{"a group of another agent that ends with none of its rules", "User-agent: FooBot\nAllow: /\nUser-agent: *\nDisallow: /\n", true},
		{"the default group first", "User-agent: *\nDisallow: /x\nUser-agent: FooBot\nAllow: /x/y\n", true},
		{"a token that the name only begins with", "User-agent: Foo\nDisallow: /\n", true},
		{"a name with a blank", "User-agent: Foo Bot\nDisallow: /\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if allowed, rule := Parse([]byte(c.file)).Group("FooBot").Allowed("/x/y"); allowed != c.allowed {
				t.Errorf("allowed: %v by %q, want %v", allowed, rule, c.allowed)
			}
		})
	}
}
