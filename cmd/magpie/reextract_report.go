package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// changeMarks stand in front of records, as in a diff.
var changeMarks = map[string]string{"added": "+", "changed": "~", "gone": "-"}

// machineReread is a record that reads otherwise, for programs.
type machineReread struct {
	Change string                        `json:"change"` // added, changed or gone
	Item   string                        `json:"item"`
	Key    string                        `json:"key"`
	URL    string                        `json:"url"`
	Fields map[string]machineRereadField `json:"fields"`
}

type machineRereadField struct {
	Old json.RawMessage `json:"old,omitempty"`
	New json.RawMessage `json:"new,omitempty"`
}

// tell shows how a record changes, field by field, up to the limit.
func (c *reextractCommand) tell(change store.ReextractChange) error {
	if c.told >= c.limit {
		return fs.SkipAll
	}
	c.told++
	if c.json {
		m := machineReread{change.Change, change.Item, change.Key, change.URL, map[string]machineRereadField{}}
		for _, f := range change.Fields {
			m.Fields[f.Name] = machineRereadField{f.Old, f.New}
		}
		return c.writeJSON(m)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", changeMarks[change.Change], change.Item, harmless.Text(values.Short(values.Key(change.Key))))
	if change.Key != change.URL {
		fmt.Fprintf(&b, " on %s", harmless.Text(change.URL))
	}
	b.WriteString("\n")
	for _, f := range change.Fields {
		fmt.Fprintf(&b, "    %s: %s\n", harmless.Text(f.Name), rereadText(change.Change, f))
	}
	_, err := c.stdout.Write([]byte(b.String()))
	return err
}

// rereadText says what a field of a record reads as; of one that reads
// otherwise, also as what it did.
func rereadText(change string, f store.ReextractField) string {
	switch change {
	case "added":
		return harmless.Text(values.Short(values.Stored(f.New)))
	case "gone":
		return harmless.Text(values.Short(values.Stored(f.Old)))
	}
	return changeText(f.Old, f.New)
}

// print writes the summary.
func (c *reextractCommand) print(r *store.Reextraction) error {
	if c.json {
		return c.writeJSON(machineReextractionOf(r))
	}
	var b strings.Builder
	if left := r.New + r.Changed + r.Ended - int64(c.told); left > 0 && c.told > 0 {
		fmt.Fprintf(&b, "… and %s more; --limit shows more of them.\n", words.Counted(left, "record"))
	}
	what := fmt.Sprintf("run %d", r.Run)
	if r.Run == 0 {
		what = "a preview, nothing is written"
	}
	fmt.Fprintf(&b, "%s, %s: %s read again in %s\n", harmless.Text(r.Job), what, words.Counted(r.Pages, "page"), r.Elapsed.Round(10*time.Millisecond))
	line := func(name string, n int64, rest string) {
		if n > 0 {
			fmt.Fprintf(&b, "  %-9s %d%s\n", name, n, rest)
		}
	}
	line("not HTML", r.NotHTML, ": their records stay as they are")
	line("no body", r.NoBody, " is stored of these pages: their records stay as they are")
	line("gone", r.Gone, " pages: their records stay as they are")
	line("failed", r.Failed, ": their records stay as they are, such as of "+harmless.Text(values.Short(r.FailedOn)))
	fmt.Fprintf(&b, "  %-9s %d: %d new, %d changed, %d unchanged\n", "records", r.New+r.Changed+r.Unchanged, r.New, r.Changed, r.Unchanged)
	line("ended", r.Ended, " records that their pages do not give any more")
	line("kept", r.Kept, " records of pages that were not read")
	if r.Rejects+r.RejectsBefore > 0 {
		fmt.Fprintf(&b, "  %-9s %d without a required value (before: %d)\n", "rejects", r.Rejects, r.RejectsBefore)
	}
	line("problems", r.Problems, " values that could not be had")
	c.fields(&b, r.Fields)
	b.WriteString(c.hint(r))
	_, err := c.stdout.Write([]byte(b.String()))
	return err
}

// fields tells which fields the problems are of, before and now.
func (c *reextractCommand) fields(b *strings.Builder, sums []store.ReextractSum) {
	for i, s := range sums {
		if i == maxFields {
			fmt.Fprintf(b, "    … and %s more\n", count(len(sums)-i, "kind"))
			break
		}
		state := ""
		switch {
		case s.Now == 0:
			state = ", solved"
		case s.Before == 0:
			state = ", new"
		}
		name := strings.TrimSuffix(s.Item+"."+s.Field, ".")
		fmt.Fprintf(b, "    %s: %s %d (before: %d%s), such as: %s\n", harmless.Text(name), s.Code, s.Now, s.Before, state, harmless.Text(values.Short(s.Example)))
	}
}

// hint says what to do next.
func (c *reextractCommand) hint(r *store.Reextraction) string {
	switch {
	case r.Pages+r.NotHTML+r.NoBody+r.Failed == 0:
		return "No pages are stored: crawl the job first.\n"
	case r.Run == 0:
		return "Without --sample and --dry-run the new records take the place of the old ones.\n"
	case r.Rejects > 0 || r.Problems > 0:
		return fmt.Sprintf("See which with: %s records --problems%s\n", program(), c.dbFlag())
	}
	return ""
}

// machineReextraction is the summary for programs.
type machineReextraction struct {
	Job           string                  `json:"job"`
	Run           int                     `json:"run,omitempty"` // left out: a preview
	Preview       bool                    `json:"preview"`
	Seconds       float64                 `json:"seconds"`
	Pages         int64                   `json:"pages"`
	Bytes         int64                   `json:"bytes"`
	NotHTML       int64                   `json:"not_html"`
	NoBody        int64                   `json:"no_body"`
	Gone          int64                   `json:"gone"`
	Failed        int64                   `json:"failed"`
	FailedOn      string                  `json:"failed_on,omitempty"`
	New           int64                   `json:"new"`
	Changed       int64                   `json:"changed"`
	Unchanged     int64                   `json:"unchanged"`
	Ended         int64                   `json:"ended"`
	Kept          int64                   `json:"kept"`
	Rejects       int64                   `json:"rejects"`
	RejectsBefore int64                   `json:"rejects_before"`
	Problems      int64                   `json:"problems"`
	Fields        []machineReextractedSum `json:"fields"`
}

// machineReextractedSum is how often a field fails in one way, before and now.
type machineReextractedSum struct {
	Item    string `json:"item"`
	Field   string `json:"field"`
	Code    string `json:"code"`
	Before  int64  `json:"before"`
	Now     int64  `json:"now"`
	Example string `json:"example"`
}

func machineReextractionOf(r *store.Reextraction) machineReextraction {
	m := machineReextraction{
		Job: r.Job, Run: r.Run, Preview: r.Run == 0, Seconds: r.Elapsed.Seconds(), Pages: r.Pages, Bytes: r.Bytes,
		NotHTML: r.NotHTML, NoBody: r.NoBody, Gone: r.Gone, Failed: r.Failed, FailedOn: r.FailedOn,
		New: r.New, Changed: r.Changed, Unchanged: r.Unchanged, Ended: r.Ended, Kept: r.Kept,
		Rejects: r.Rejects, RejectsBefore: r.RejectsBefore, Problems: r.Problems, Fields: []machineReextractedSum{},
	}
	for _, s := range r.Fields {
		m.Fields = append(m.Fields, machineReextractedSum(s))
	}
	return m
}
