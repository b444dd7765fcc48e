package crawl

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/weburl"
)

// linksOf are the links of a page at http://h.test/dir/page, as path and query, with the reason of those not followed.
func linksOf(t *testing.T, o Options, src string) (links []string, warnings []string) {
	t.Helper()
	return linksOfPage(t, o, http.Header{}, src)
}

// linksOfPage is linksOf for a page with a header.
func linksOfPage(t *testing.T, o Options, header http.Header, src string) (links []string, warnings []string) {
	t.Helper()
	o.Start = []string{"http://h.test/"}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := htmlparse.ParseString(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	at, err := weburl.Parse("http://h.test/dir/page")
	if err != nil {
		t.Fatal(err)
	}
	s := c.newLinkSet(nil)
	s.addPage(header, doc.Root, at, 1, c.directives(header, doc.Root).nofollow)
	for _, l := range s.links {
		text := strings.TrimPrefix(l.URL, "http://h.test")
		if l.Skip != "" {
			text += " " + string(l.Skip)
		}
		links = append(links, text)
	}
	return links, s.warnings()
}

func TestLinks(t *testing.T) {
	forms := Options{Links: Links{Forms: true}}
	cases := []struct {
		name, src string
		options   Options
		want      []string
	}{
		{"a and area", `<a href=a>x</a><map><area href=/b></map>`, Options{}, []string{"/dir/a", "/b"}},
		{"white space and references", "<a href=' \n/a?b&amp;c=\td '>x</a>", Options{}, []string{"/a?b&c=d"}},
		{"frames", `<iframe src=a></iframe>`, Options{}, []string{"/dir/a"}},
		{"frameset", `<frameset><frame src=a></frameset>`, Options{}, []string{"/dir/a"}},
		{"base", `<base href=/x/><a href=a>`, Options{}, []string{"/x/a"}},
		{"base elsewhere", `<base href=http://e.test/><a href=a>`, Options{}, []string{"http://e.test/a scope"}},
		{"first base with href", `<base target=x><base href=/x/><base href=/y/><a href=a>`, Options{}, []string{"/x/a"}},
		{"link to pages", `<link rel=next href=2><link rel="PREV" href=0><link rel=canonical href=/c><link rel=alternate hreflang=de href=/de>`, Options{},
			[]string{"/dir/2", "/dir/0", "/c", "/de"}},
		{"link to resources", `<link rel=stylesheet href=s.css><link rel=icon href=i><link rel=alternate type=application/rss+xml href=feed><link rel=preload href=p>`, Options{}, nil},
		{"refresh", `<meta http-equiv=Refresh content="0; url=/next">`, Options{}, []string{"/next"}},
		{"no images", `<img src=a.png srcset="b.png 2x">`, Options{}, nil},
		{"images where they are selected", `<img src=a.png srcset="b.png 2x, c.png 3x">`, Options{Follow: []string{"img"}}, []string{"/dir/a.png", "/dir/b.png", "/dir/c.png"}},
		{"templates are not in the document", `<template><a href=a></template>`, Options{}, nil},
		{"other schemes", `<a href=mailto:x><a href=javascript:y><a href=tel:1><a href=data:,>`, Options{}, nil},
		{"fragment of the page itself", `<a href=#x>`, Options{}, []string{"/dir/page"}},
		{"no forms", `<form action=/s><input name=q></form>`, Options{}, nil},
		{"form", `<form action=/s?old=1#f><input name=q value="a b&c"><input type=hidden name=l value=de><button name=b value=x>go</button></form>`, forms, []string{"/s?q=a+b%26c&l=de"}},
		{"form to the page itself", `<form><input name=q></form>`, forms, []string{"/dir/page?q="}},
		{"form by POST", `<form method=post action=/s><input name=q></form>`, forms, nil},
		{"form's choices", `<form action=/s><input type=checkbox name=a checked><input type=checkbox name=b><input type=radio name=c value=1><input type=radio name=c value=2 checked>` +
			`<select name=d><option>x <option selected value=y>Y</select><select name=e><option disabled value=0><option value=1></select><select name=f multiple><option selected>1<option>2<option selected>3</select>` +
			`<textarea name=g>h</textarea><input name=i disabled value=1><fieldset disabled><input name=j></fieldset><input type=file name=k><input type=submit name=l></form>`, forms,
			[]string{"/s?a=on&c=2&d=y&e=1&f=1&f=3&g=h"}},
		{"nofollow", `<a rel="external NoFollow" href=a>x</a><a href=b>`, Options{}, []string{"/dir/a nofollow", "/dir/b"}},
		{"nofollow ignored", `<a rel=nofollow href=a>x</a>`, Options{Politeness: Politeness{Nofollow: NofollowIgnore}}, []string{"/dir/a"}},
		{"one of two is followed", `<a rel=nofollow href=a>x</a><a href=a>`, Options{}, []string{"/dir/a"}},
		{"page says nofollow", `<meta name=robots content="noindex, NOFOLLOW"><a href=a>`, Options{}, []string{"/dir/a nofollow"}},
		{"page says nofollow to us", `<meta name=Magpie content=none><a href=a>`, Options{}, []string{"/dir/a nofollow"}},
		{"page says nofollow to others", `<meta name=otherbot content=none><a href=a>`, Options{}, []string{"/dir/a"}},
		{"tracking", `<a href="/a?utm_source=x&b=1&fbclid=y&c"><a href="/a?utm_medium=z">`, Options{}, []string{"/a?b=1&c", "/a"}},
		{"tracking kept", `<a href="/a?utm_source=x">`, Options{Scope: Scope{Strip: []string{}}}, []string{"/a?utm_source=x"}},
		{"session", `<a href="/a;jsessionid=1.x?b=1&PHPSESSID=2">`, Options{}, []string{"/a?b=1"}},
		{"trap", `<a href=/a/b/a/b/a/b/>`, Options{}, []string{"/a/b/a/b/a/b/ trap-repeat"}},
		{"trap rules off", `<a href=/a/a/a/a>`, Options{Traps: NoTraps}, []string{"/a/a/a/a"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, warnings := linksOf(t, c.options, c.src)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if warnings != nil {
				t.Errorf("warnings %q", warnings)
			}
		})
	}
}

func TestRefreshField(t *testing.T) {
	for _, c := range []struct {
		name, field, src string
		options          Options
		want             []string
	}{
		{"with a URL", "5; url=/next", `<a href=a>`, Options{}, []string{"/dir/a", "/next"}},
		{"relative to the document", "0;url='next'", `<base href=/x/>`, Options{}, []string{"/x/next"}},
		{"of the page itself", "5", "", Options{}, nil},
		{"that is none", "soon; url=/next", "", Options{}, nil},
		{"where the page says nofollow", "0; url=/next", `<meta name=robots content=nofollow>`, Options{}, []string{"/next nofollow"}},
		{"where links are selected", "0; url=/next", `<a href=a>`, Options{Follow: []string{"a"}}, []string{"/dir/a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := linksOfPage(t, c.options, http.Header{"Refresh": {c.field}}, c.src)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLinksBeyondTheLimit(t *testing.T) {
	got, warnings := linksOf(t, Options{Limits: Limits{Links: 2}}, `<a href=a><a href=b><a href=a><a href=c><a href=d>`)
	if diff := cmp.Diff([]string{"/dir/a", "/dir/b"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"links beyond the limit of 2: 2"}, warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestRefreshURL(t *testing.T) {
	cases := []struct {
		content, want string
		ok            bool
	}{
		{"0; url=a", "a", true}, {"0;URL = 'a b'x", "a b", true}, {"5,a", "a", true}, {"5 a", "a", true}, {" 1.5 ; url=\"a\"", "a", true},
		{"0; urla", "urla", true}, {"0;url", "url", true}, {".5;a", "a", true}, {"0; url='a", "a", true}, {"0;url=", "", true},
		{"5", "", false}, {"", "", false}, {"a", "", false}, {"url=a", "", false}, {"5;", "", false}, {"5x;a", "", false}, {"-1;a", "", false},
	}
	for _, c := range cases {
		t.Run(c.content, func(t *testing.T) {
			if got, ok := refreshURL(c.content); got != c.want || ok != c.ok {
				t.Errorf("%q, %v, want %q, %v", got, ok, c.want, c.ok)
			}
		})
	}
}

func TestSrcset(t *testing.T) {
	cases := []struct {
		set  string
		want []string
	}{
		{"a", []string{"a"}}, {"a, b", []string{"a", "b"}}, {"a 1x,b 2x", []string{"a", "b"}}, {"a,b 2x", []string{"a,b"}},
		{" ,, a 100w , b 200w,", []string{"a", "b"}}, {"a (x,y) 1x, b", []string{"a", "b"}}, {"", nil}, {"a (x, b", []string{"a"}},
		{"data:,x 1x, b", []string{"data:,x", "b"}},
	}
	for _, c := range cases {
		t.Run(c.set, func(t *testing.T) {
			if diff := cmp.Diff(c.want, srcset(c.set)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Selectors of links are those of fields, and no page makes them take long: a
// matcher that climbs from a link has all choices of five out of 400 elements
// before it in the deep page, and 400 links.
func TestFollowedLinks(t *testing.T) {
	deep := strings.Repeat("<div>", 400) + strings.Repeat("<a href=/far>far</a>", 400)
	for _, c := range []struct {
		name, src string
		follow    []string
		want      []string
		warning   string
	}{
		{"an attribute in capitals", `<form><a rel=NEXT href=/a>x</a></form><a href=/b>`, []string{"a[rel=next]"}, []string{"/a"}, ""},
		{"an ID that begins with a figure", `<a id=1 href=/a><a href=/b>`, []string{`#\31`}, []string{"/a"}, ""},
		{"in the order of the page", `<a href=/a><b><a href=/b></b>`, []string{"b a", "a"}, []string{"/a", "/b"}, ""},
		{"many combinators in a deep page", deep, []string{"p div div div div a", ".none div div div div div a"}, nil, ""},
		{"too much to look at", "<a href=/a>" + strings.Repeat("<div>", 400) + strings.Repeat("<p>"+strings.Repeat("x", 1000), 1000),
			[]string{"div:contains(y)", "a"}, []string{"/a"}, `links to follow by "div:contains(y)": there is too much to look at`},
	} {
		t.Run(c.name, func(t *testing.T) {
			links, warnings := linksOfPage(t, Options{Follow: c.follow}, nil, c.src)
			if diff := cmp.Diff(c.want, links); diff != "" || strings.Join(warnings, "\n") != c.warning {
				t.Errorf("(-want +got):\n%s%q", diff, warnings)
			}
		})
	}
}
