package crawl

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// exposition is a text in Prometheus' exposition format, version 0.0.4.
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
//
// Of a metric that several crawls have, the samples stand together below one
// heading, as the format demands.
type exposition struct {
	common   []string // names and values of labels that every sample has
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
	counterMetric   = "counter"
	gaugeMetric     = "gauge"
	histogramMetric = "histogram"
)

// metric begins a metric, or goes on with it: its samples follow.
func (e *exposition) metric(name, kind, help string) {
	if e.named == nil {
		e.named = map[string]*family{}
	}
	e.current = e.named[name]
	if e.current == nil {
		e.current = &family{name: name, kind: kind, help: help}
		e.named[name] = e.current
		e.families = append(e.families, e.current)
	}
}

// sample adds a value. labels are names and values in turn.
func (e *exposition) sample(name string, value float64, labels ...string) {
	w := &e.current.samples
	w.WriteString(name)
	labels = slices.Concat(e.common, labels)
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

// single is a metric of one sample.
func (e *exposition) single(name, kind, help string, value float64) {
	e.metric(name, kind, help)
	e.sample(name, value)
}

// write writes the text.
func (e *exposition) write(w io.Writer) error {
	var b bytes.Buffer
	for _, f := range e.families {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
		b.Write(f.samples.Bytes())
	}
	if b.Len() == 0 {
		return nil
	}
	_, err := w.Write(b.Bytes())
	return err
}
