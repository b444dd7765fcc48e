package crawl

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// exposition is a text in Prometheus' exposition format, version 0.0.4.
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
type exposition struct {
	bytes.Buffer
}

// Types of metrics.
const (
	counterMetric   = "counter"
	gaugeMetric     = "gauge"
	histogramMetric = "histogram"
)

// metric begins a metric: its samples follow.
func (e *exposition) metric(name, kind, help string) {
	fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample adds a value. labels are names and values in turn.
func (e *exposition) sample(name string, value float64, labels ...string) {
	e.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		e.WriteByte("{,"[min(i, 1)])
		fmt.Fprintf(e, `%s="%s"`, labels[i], labelValue.Replace(labels[i+1]))
	}
	if len(labels) > 0 {
		e.WriteByte('}')
	}
	fmt.Fprintf(e, " %s\n", strconv.FormatFloat(value, 'g', -1, 64))
}

var labelValue = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// single is a metric of one sample.
func (e *exposition) single(name, kind, help string, value float64) {
	e.metric(name, kind, help)
	e.sample(name, value)
}
