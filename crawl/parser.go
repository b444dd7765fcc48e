package crawl

import "github.com/magpie-crawl/magpie/htmlparse"

// takeParser returns a parser that nobody else uses until giveBack.
func (c *Crawler) takeParser() *htmlparse.Parser {
	if parser, ok := c.parsers.Get().(*htmlparse.Parser); ok {
		return parser
	}
	return &htmlparse.Parser{}
}

// giveBack ends the use of the parser's document. What came of it may hold strings of it, as links and records do, but
// no nodes. The parser keeps that one page until it gets the next, or until the pool is emptied.
func (c *Crawler) giveBack(parser *htmlparse.Parser) { c.parsers.Put(parser) }
