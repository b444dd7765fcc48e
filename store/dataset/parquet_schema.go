package dataset

import (
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// A field's column in Parquet, each of them optional:
//
//	text, html, markdown, url   STRING
//	number                      DOUBLE: decimals of up to 15 digits come back as they were
//	integer                     INT64
//	price                       group of amount and amount_max (DOUBLE) and currency (STRING)
//	bool                        BOOLEAN
//	date                        DATE
//	datetime                    TIMESTAMP in UTC, microseconds
//	nested item                 group
//	lists of these              LIST
//	anything else               JSON
//
// https://github.com/apache/parquet-format/blob/master/LogicalTypes.md

// priceFields are those of a price.
var priceFields = []Field{{Name: "amount", Type: Number}, {Name: "amount_max", Type: Number}, {Name: "currency", Type: Text}}

// column is a node of the schema: a leaf, a group or a list.
type parquetNode struct {
	field    string
	kind     Type           // Object for a group, "" for a list
	leaf     int            // place of its first leaf
	leaves   int            // how many
	children []*parquetNode // of a group
	members  *members       // of a group: the values of its children
	element  *parquetNode   // of a list
	depth    int            // of a list: how many lists stand around its elements
}

const parquetList Type = ""

// group is a group that keeps the order of its fields, which parquet.Group
// does not.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

func (g *orderedGroup) Fields() []parquet.Field { return g.fields }

type namedNode struct {
	parquet.Node
	name string
}

func (n *namedNode) Name() string { return n.name }

// Value is for rows of Go types, which are not written here.
func (n *namedNode) Value(base reflect.Value) reflect.Value { return base }

// parquetGroup builds a group of fields and the node that fills it.
func parquetGroup(fields []Field, leaf, depth int) (parquet.Node, *parquetNode) {
	group := &orderedGroup{Group: parquet.Group{}}
	plan := &parquetNode{kind: Object, leaf: leaf}
	var names []string
	for _, f := range fields {
		node, child := parquetField(f, leaf+plan.leaves, depth)
		group.Group[f.Name] = node
		group.fields = append(group.fields, &namedNode{node, f.Name})
		plan.children = append(plan.children, child)
		plan.leaves += child.leaves
		names = append(names, f.Name)
	}
	plan.members = newMembers(names...)
	return group, plan
}

// parquetField builds the node of a field, optional as all are.
func parquetField(f Field, leaf, depth int) (parquet.Node, *parquetNode) {
	if f.List {
		f.List = false
		element, child := parquetField(f, leaf, depth+1)
		return parquet.Optional(parquet.List(element)),
			&parquetNode{field: f.Name, kind: parquetList, leaf: leaf, leaves: child.leaves, element: child, depth: depth + 1}
	}
	fields := f.Fields
	if f.Type == Price {
		fields = priceFields
	}
	if len(fields) > 0 {
		group, plan := parquetGroup(fields, leaf, depth)
		plan.field = f.Name
		return parquet.Optional(group), plan
	}
	return parquet.Optional(parquetLeaf(f.Type)), &parquetNode{field: f.Name, kind: f.Type, leaf: leaf, leaves: 1}
}

func parquetLeaf(t Type) parquet.Node {
	node := parquet.JSON()
	switch t {
	case Text, HTML, MarkdownText, URL:
		node = parquet.String()
	case Number:
		node = parquet.Leaf(parquet.DoubleType)
	case Integer:
		node = parquet.Leaf(parquet.Int64Type)
	case Bool:
		node = parquet.Leaf(parquet.BooleanType)
	case Date:
		node = parquet.Date()
	case DateTime:
		node = parquet.Timestamp(parquet.Microsecond)
	}
	// The plainest encoding, which every reader knows; zstd does the rest.
	return parquet.Encoded(node, &parquet.Plain)
}
