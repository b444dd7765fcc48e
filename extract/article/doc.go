// Package article finds the article of a page: its text without menus,
// advertisements and comments, with title, author and date.
//
// Read takes a tree of package htmlparse, so that a page is parsed once:
//
//	doc, err := htmlparse.ParseBytes(page, nil)
//	…
//	a, ok := article.Read(doc.Root, "https://example.com/story")
//
// The tree stays as it is, and the article keeps nothing of it in memory.
// Pages come from strangers: a page that is too large or nested in a way that
// makes work explode has no article.
//
// # How it reads
//
// go-readability reads a copy of the tree without what is known to be no
// article. From what it finds, the boxes that their classes tell to be about
// other things are cut. When that is little of what the page has, there is
// doubt: a second reader is asked, and the longer answer counts. It is
// go-readability again, on a copy cut harder and with a higher goal, unless
// Reader.Second names another.
package article
