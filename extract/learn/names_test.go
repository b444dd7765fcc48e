package learn

import (
	"slices"
	"strings"
	"testing"
)

// names by what is to come of them.
var names = []struct {
	verdict string
	names   string
}{
	{"stays", `price price_color product-title ArticleHeader__title entry-title h1 firstHeading product_pod ta-c MuiTypography
		breadcrumb-item StyledTitle pageTitle fooBarBaz chakra-heading wp-block-quote c-article__body mw-headline
		größe item-price productDescription js-title column2 iPhoneCase rhythm strengths sc-title css-columns id-card`},
	{"goes", `css-1x2y3z css-9a8b7c sc-bdVaJa sc-1abc2de-0 jsx-1234567 svelte-1q2w3e _3xYz9 _2kRtF Title_title__3xYz9 post-123
		product-884213 a1b2c3d4 f47ac10b-58cc-4372-a567-0e02b2c3d479 yui_3_18_1 ember123 react-aria-123 bdVaJa kRtFzQ
		daf0 9ebb id-48213 radix-r1 item-2 jss12 u_0_1 1st md:flex w-[12px] elementor-element-4fe21
		mt-4 text-lg font-bold flex grid col-md-6 row container pull-left bg-white d-flex px-2 sr-only active first
		items-center rounded-lg text-gray is-open has-image w-full clearfix`},
}

func TestNames(t *testing.T) {
	for _, c := range names {
		for name := range strings.FieldsSeq(c.names) {
			t.Run(c.verdict+"/"+name, func(t *testing.T) {
				got := "stays"
				if stability(name) == 0 || utility(name) {
					got = "goes"
				}
				if got != c.verdict {
					t.Errorf("%s: got %s, want %s", name, got, c.verdict)
				}
			})
		}
	}
}

func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"product-title":  {"product", "title"},
		"productTitle":   {"product", "title"},
		"main__navBar_2": {"main", "nav", "bar", "2"},
		"URL":            {"url"},
		"--":             nil,
		"größeÄnderung":  {"größe", "änderung"},
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestDigest(t *testing.T) {
	long := strings.Repeat("word ", 50)
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{"A Light", " A\n Li ght\u00a0", true},
		{"A Light", "A Night", false},
		{"", " ", true},
		{"ab", "ba", false},
		{long, long + " ", true},
		{long, long + "x", false},
	} {
		if got := digestOf(c.a).equal(digestOf(c.b)); got != c.equal {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
		sum, whole := digestOf(c.a).plus(digestOf(c.b)), digestOf(c.a+c.b)
		if !sum.equal(whole) || sum.short != whole.short {
			t.Errorf("%q and %q: the sum is not that of both", c.a, c.b)
		}
	}
}
