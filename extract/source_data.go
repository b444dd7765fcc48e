package extract

import (
	"github.com/magpie-crawl/magpie/extract/structured"
)

// dataSource makes the source of a path into structured data.
func (c *checker) dataSource(p path, key, text string) source {
	at, err := parseDataPath(text)
	if err != nil {
		c.wrong(p, "%s", err)
	}
	switch key {
	case "microdata":
		return dataSource{at, "microdata", (*extraction).microdata}
	case "rdfa":
		return dataSource{at, "RDFa", (*extraction).rdfa}
	}
	return dataSource{at, "JSON-LD", (*extraction).jsonld}
}

func (e *extraction) jsonld() *structuredData {
	return e.structuredData("JSON-LD", func() ([]any, []structured.Problem) { return structured.JSONLD(e.root) })
}

func (e *extraction) microdata() *structuredData {
	return e.structuredData("microdata", func() ([]any, []structured.Problem) {
		return itemNodes(structured.Microdata(e.root, e.baseAddress())), nil
	})
}

func (e *extraction) rdfa() *structuredData {
	return e.structuredData("RDFa", func() ([]any, []structured.Problem) {
		return itemNodes(structured.RDFa(e.root, e.baseAddress())), nil
	})
}

// structuredData reads a page's data of one format once, whatever fields ask
// for it.
func (e *extraction) structuredData(format string, read func() ([]any, []structured.Problem)) *structuredData {
	data := e.data[format]
	if data == nil {
		data = &structuredData{}
		data.nodes, data.problems = read()
		if e.data == nil {
			e.data = map[string]*structuredData{}
		}
		e.data[format] = data
		e.spendBelow(e.root)
	}
	return data
}

// itemNodes makes nodes as JSON-LD has them of items.
func itemNodes(items []structured.Item) []any {
	nodes := make([]any, len(items))
	for i := range items {
		nodes[i] = itemNode(&items[i])
	}
	return nodes
}

func itemNode(item *structured.Item) map[string]any {
	node := make(map[string]any, len(item.Properties)+2)
	types := make([]any, len(item.Type))
	for i, t := range item.Type {
		types[i] = t
	}
	node["@type"] = types
	if item.ID != "" {
		node["@id"] = item.ID
	}
	for name, values := range item.Properties {
		list := make([]any, len(values))
		for i, v := range values {
			switch v := v.(type) {
			case structured.Item:
				list[i] = itemNode(&v)
			case *structured.Item:
				list[i] = itemNode(v)
			default:
				list[i] = v
			}
		}
		node[name] = list
	}
	return node
}
