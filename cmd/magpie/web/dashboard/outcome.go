package dashboard

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// outcome is what a run came to, in words.
type outcome = state

// lastOutcome is what a job's last run came to; of one that is going on, the
// one before.
func lastOutcome(j *daemon.Job, f *jobFigures) outcome {
	if j != nil && j.Err != "" {
		return outcome{"bad", "Failed", firstLine(j.Err)}
	}
	if f == nil || len(f.runs) == 0 {
		return outcome{"idle", "Never run", ""}
	}
	run := f.ended()
	if run == nil {
		return outcome{"idle", "No result yet", ""}
	}
	o := outcomeOf(run)
	// A green mark beside a job that has never found anything would hide that
	// its selectors are wrong.
	if pages := run.Counters.Pages; o.Kind == "ok" && f.records == 0 && pages > 0 && j != nil && j.Config != nil && len(j.Config.Items.Items) > 0 {
		n, _ := plural(pages, "page")
		return outcome{"warn", "Found no records", n + " had nothing that items ask for: Try, at the job file, shows why"}
	}
	return o
}

// outcomeOf says what a run came to.
func outcomeOf(r *store.Run) outcome {
	c := r.Counters
	detail := recordsText(r)
	switch {
	case r.State == store.RunRunning:
		return outcome{"running", "Running", detail}
	case r.State == store.RunInterrupted:
		return outcome{"warn", "Interrupted", "the next start goes on with it"}
	case r.State == store.RunAbandoned:
		return outcome{"stopped", "Given up", "for a fresh start"}
	case r.Kind == store.ReextractRun:
		return outcome{"ok", "Extracted again", detail}
	case c.Pages == 0 && c.Failed > 0:
		return outcome{"bad", "Nothing was fetched", failedText(&c)}
	case r.Reason != "":
		return outcome{"ok", "Ended at the limit of " + r.Reason, joined(detail, failedText(&c))}
	case many(c.Failed, c.Pages) || many(c.Rejects, c.Records()):
		return outcome{"warn", "Finished with faults", joined(detail, failedText(&c), rejectsText(&c))}
	}
	return outcome{"ok", "Finished", joined(detail, failedText(&c), rejectsText(&c))}
}

// many says that so many faults beside good ones are worth a look. Most sites
// have some dead links: one in twenty is usual, and told without alarm.
func many(faults, good int64) bool { return faults*20 > faults+good }

// recordsText tells of a run's records and what of them is new.
func recordsText(r *store.Run) string {
	c := r.Counters
	text, _ := plural(c.Records(), "record")
	for _, part := range []struct {
		n    int64
		name string
	}{{c.New, "new"}, {c.Changed, "changed"}, {c.RecordsGone, "gone"}} {
		if part.n > 0 {
			n, _ := count(part.n)
			text += ", " + n + " " + part.name
		}
	}
	return text
}

func failedText(c *crawl.Counters) string {
	if c.Failed == 0 {
		return ""
	}
	n, _ := plural(c.Failed, "page")
	return n + " failed"
}

func rejectsText(c *crawl.Counters) string {
	if c.Rejects == 0 {
		return ""
	}
	n, _ := plural(c.Rejects, "record")
	return n + " set aside"
}

// joined puts texts into one line, without those that are empty.
func joined(texts ...string) string {
	var some []string
	for _, t := range texts {
		if t != "" {
			some = append(some, t)
		}
	}
	return strings.Join(some, "; ")
}

// runPath is the page of a run.
func runPath(job string, number int) string {
	return jobPath(job) + "/runs/" + strconv.Itoa(number)
}

// reasonTexts say why a URL was not fetched, or its fetch failed, in a few
// words.
var reasonTexts = map[crawl.Reason]string{
	crawl.ReasonScope:             "outside of the job's scope",
	crawl.ReasonRobots:            "forbidden by robots.txt",
	crawl.ReasonNofollow:          "marked as not to be followed",
	crawl.ReasonDepth:             "further from the start than limits.depth",
	crawl.ReasonRedirects:         "too many redirects",
	crawl.ReasonBudget:            "a budget of its host or path is used up",
	crawl.ReasonNotDue:            "not due for another visit",
	crawl.ReasonTrapRepeat:        "a trap: the same path segments again and again",
	crawl.ReasonTrapLength:        "a trap: a very long URL",
	crawl.ReasonTrapDuplicates:    "a trap: pages that are nearly the same",
	crawl.ReasonBadRedirect:       "a redirect that leads nowhere",
	crawl.ReasonRobotsUnreachable: "robots.txt could not be had",
	crawl.ReasonHostDown:          "the host failed too often in a row",
	crawl.ReasonParse:             "the body could not be read",
	crawl.ReasonPanic:             "the program failed on this page",
	crawl.ReasonHook:              "left out by a hook",
	crawl.ReasonStore:             "what came of it could not be kept",
	crawl.ReasonLoggedOut:         "the login has ended",
}

// reasonText says a reason in words.
func reasonText(reason crawl.Reason) string {
	if text, ok := reasonTexts[reason]; ok {
		return text
	}
	if status, ok := strings.CutPrefix(string(reason), "http-"); ok {
		return fmt.Sprintf("the server answered with status %s", harmless.Text(status))
	}
	return harmless.Text(strings.ReplaceAll(string(reason), "-", " "))
}
