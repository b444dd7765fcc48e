package article

import (
	"net/url"

	readability "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
)

// answer is what go-readability says.
type answer struct {
	Node                                              *html.Node
	Title, Byline, Excerpt, SiteName, Image, Language string
}

// readFirst asks go-readability, which changes the tree, and cuts what isn't
// about the article. It reports false when the reader failed.
func readFirst(root *html.Node, page *url.URL) (a answer, ok bool) {
	defer func() {
		if recover() != nil {
			a, ok = answer{}, false
		}
	}()
	p := readability.NewParser()
	p.KeepClasses = true // they tell what is to be cut
	r, err := p.ParseAndMutate(root, page)
	if err != nil {
		return answer{}, false
	}
	if r.Node != nil {
		t := tree{root: r.Node, text: textSize(r.Node)}
		t.cut(&beside)
	}
	return answer{r.Node, r.Title(), r.Byline(), r.Excerpt(), r.SiteName(), r.ImageURL(), r.Language()}, true
}

// readAgain is the second reader if no other is wanted. Its goal is higher, so
// that go-readability goes on with looser rules where it would have stopped.
func readAgain(root *html.Node, page *url.URL) *html.Node {
	p := readability.NewParser()
	p.CharThresholds = 2000
	r, err := p.ParseAndMutate(root, page)
	if err != nil {
		return nil
	}
	return r.Node
}
