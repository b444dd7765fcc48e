// Package exposition writes metrics in Prometheus' text format.
package exposition

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ContentType is that of a Text over HTTP.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Text is a text in Prometheus' exposition format, version 0.0.4. The zero
// value is an empty one.
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
//
// The samples of a metric stand together below one heading, as the format
// demands, though it be gone on with later.
type Text struct {
	Common   []string // names and values of labels that each sample has that is added from then on
	families []*family
	named    map[string]*family
	current  *family // that samples are added to
}

// family is a metric with its samples.
type family struct {
	name, kind, help string
	samples          bytes.Buffer
}

// Types of metrics.
const (
	Counter   = "counter"
	Gauge     = "gauge"
	Histogram = "histogram"
)

// Metric begins a metric, or goes on with it: its samples follow.
func (t *Text) Metric(name, kind, help string) {
	if t.named == nil {
		t.named = map[string]*family{}
	}
	t.current = t.named[name]
	if t.current == nil {
		t.current = &family{name: name, kind: kind, help: help}
		t.named[name] = t.current
		t.families = append(t.families, t.current)
	}
}

// Sample adds a value. labels are names and values in turn.
func (t *Text) Sample(name string, value float64, labels ...string) {
	w := &t.current.samples
	w.WriteString(name)
	labels = slices.Concat(t.Common, labels)
	for i := 0; i < len(labels); i += 2 {
		w.WriteByte("{,"[min(i, 1)])
		fmt.Fprintf(w, `%s="%s"`, labels[i], labelValue.Replace(strings.ToValidUTF8(labels[i+1], "\uFFFD")))
	}
	if len(labels) > 0 {
		w.WriteByte('}')
	}
	fmt.Fprintf(w, " %s\n", strconv.FormatFloat(value, 'g', -1, 64))
}

var labelValue = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// Single adds a metric of one sample.
func (t *Text) Single(name, kind, help string, value float64) {
	t.Metric(name, kind, help)
	t.Sample(name, value)
}

// Write writes the text, nothing where there is none.
func (t *Text) Write(w io.Writer) error {
	var b bytes.Buffer
	for _, f := range t.families {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
		b.Write(f.samples.Bytes())
	}
	if b.Len() == 0 {
		return nil
	}
	_, err := w.Write(b.Bytes())
	return err
}
