package dataset

import (
	"io"
	"math"
	"strconv"
	"time"
	"unsafe"

	"github.com/parquet-go/parquet-go"
)

// Bounds of a row group: it is held in memory until it is written.
const (
	rowGroupRows  = 64 << 10
	rowGroupBytes = 16 << 20 // of the records' JSON
	rowBatch      = 64
)

// ParquetEncoder writes a Parquet file.
type ParquetEncoder struct {
	out     *parquet.GenericWriter[any]
	schema  Schema
	root    *parquetNode
	columns [][]parquet.Value // of the record at hand
	rows    []parquet.Row     // not yet passed on
	held    int               // bytes of the row group
	n       int               // rows of the row group
	misfits map[string]int64
}

// NewParquet returns an encoder that writes a Parquet file.
func NewParquet(w io.Writer, s Schema) *ParquetEncoder {
	group, root := parquetGroup(s.Fields, 0, 0)
	return &ParquetEncoder{
		out: parquet.NewGenericWriter[any](w, parquet.NewSchema(s.Item, group), parquet.Compression(newPageCodec()),
			parquet.DataPageVersion(1), parquet.PageBufferSize(pageSize), parquet.CreatedBy("magpie", "", "")),
		schema: s, root: root, columns: make([][]parquet.Value, root.leaves), misfits: map[string]int64{},
	}
}

// Misfits counts, by field, the values that are absent from the file because
// they are not of their column's type: the record was stored by another spec.
func (e *ParquetEncoder) Misfits() map[string]int64 { return e.misfits }

func (e *ParquetEncoder) Write(r *Record) error {
	if err := e.root.members.read(r.Data); err != nil {
		return recordError(r, err)
	}
	for i := range e.columns {
		e.columns[i] = e.columns[i][:0]
	}
	for i, child := range e.root.children {
		if f := e.schema.Fields[i]; f.Meta {
			e.columns[child.leaf] = append(e.columns[child.leaf], metaValue(r.meta(f.Name)).Level(0, 1, child.leaf))
			continue
		}
		e.put(child, e.root.members.values[i], 0, 0)
	}
	e.addRow()
	e.n++
	e.held += len(r.Data)
	if len(e.rows) == rowBatch || e.n >= rowGroupRows || e.held >= rowGroupBytes {
		return e.pass()
	}
	return nil
}

func metaValue(v any) parquet.Value {
	if n, ok := v.(int); ok {
		return parquet.Int64Value(int64(n))
	}
	return parquet.ByteArrayValue([]byte(v.(string)))
}

// addRow takes the record at hand into the batch, in a row that was used
// before where there is one.
func (e *ParquetEncoder) addRow() {
	if len(e.rows) < cap(e.rows) {
		e.rows = e.rows[:len(e.rows)+1]
	} else {
		e.rows = append(e.rows, nil)
	}
	row := e.rows[len(e.rows)-1][:0]
	for _, values := range e.columns {
		row = append(row, values...)
	}
	e.rows[len(e.rows)-1] = row
}

// pass hands the batch to the writer, which copies it, and ends a row group
// that is full.
func (e *ParquetEncoder) pass() error {
	if _, err := e.out.WriteRows(e.rows); err != nil {
		return err
	}
	e.rows = e.rows[:0]
	if e.n < rowGroupRows && e.held < rowGroupBytes {
		return nil
	}
	e.n, e.held = 0, 0
	return e.out.Flush()
}

// Close writes what is left and the footer.
func (e *ParquetEncoder) Close() error {
	if err := e.pass(); err != nil {
		return err
	}
	return e.out.Close()
}

// put adds a value to the columns of its node. rep and def are the levels of
// what it stands in. https://github.com/apache/parquet-format#nested-encoding
func (e *ParquetEncoder) put(n *parquetNode, value []byte, rep, def int) {
	switch {
	case isNull(value):
		e.absent(n, rep, def)
	case n.kind == parquetList:
		e.putList(n, value, rep, def)
	case n.kind == Object:
		if n.members.read(value) != nil {
			e.misfit(n, rep, def)
			return
		}
		for i, child := range n.children {
			e.put(child, n.members.values[i], rep, def+1)
		}
	default:
		v, ok := parquetValue(n.kind, value)
		if !ok {
			e.misfit(n, rep, def)
			return
		}
		e.columns[n.leaf] = append(e.columns[n.leaf], v.Level(rep, def+1, n.leaf))
	}
}

func (e *ParquetEncoder) putList(n *parquetNode, value []byte, rep, def int) {
	first := true
	err := eachElement(value, func(element []byte) {
		if !first {
			rep = n.depth
		}
		first = false
		e.put(n.element, element, rep, def+2)
	})
	switch {
	case err != nil && first:
		e.misfit(n, rep, def)
	case first: // an empty list is no absent one
		e.absent(n.element, rep, def+1)
	}
}

func (e *ParquetEncoder) misfit(n *parquetNode, rep, def int) {
	e.misfits[n.field]++
	e.absent(n, rep, def)
}

// absent says in all columns of a node that there is nothing from level def
// on.
func (e *ParquetEncoder) absent(n *parquetNode, rep, def int) {
	for leaf := n.leaf; leaf < n.leaf+n.leaves; leaf++ {
		e.columns[leaf] = append(e.columns[leaf], parquet.NullValue().Level(rep, def, leaf))
	}
}

// parquetValue reads a value as its column wants it; ok is false for a value
// of another type.
func parquetValue(t Type, value []byte) (v parquet.Value, ok bool) {
	switch t {
	case Number:
		f, err := strconv.ParseFloat(view(value), 64)
		return parquet.DoubleValue(f), err == nil && !math.IsNaN(f)
	case Integer:
		n, err := strconv.ParseInt(view(value), 10, 64)
		return parquet.Int64Value(n), err == nil
	case Bool:
		return parquet.BooleanValue(value[0] == 't'), value[0] == 't' || value[0] == 'f'
	case JSON, Object, Price:
		return parquet.ByteArrayValue(value), true
	}
	s, ok := text(value)
	switch {
	case ok:
	case t == Date, t == DateTime:
		return v, false
	default: // a text column holds any value as JSON writes it
		s = value
	}
	switch t {
	case Date:
		day, err := time.Parse(time.DateOnly, view(s))
		return parquet.Int32Value(int32(floorDiv(day.Unix(), 24*60*60))), err == nil
	case DateTime:
		at, err := time.Parse(time.RFC3339Nano, view(s))
		return parquet.Int64Value(at.UnixMicro()), err == nil
	}
	return parquet.ByteArrayValue(s), true
}

func floorDiv(a, b int64) int64 {
	if a%b < 0 {
		return a/b - 1
	}
	return a / b
}

// view reads bytes as a string for as long as they don't change.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
