package dashboard

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
)

// rereadEvery is how often the overview is read anew at most, for each who
// looks at it.
const rereadEvery = 5 * time.Second

// overviewEvents is the stream of the overview: what running jobs are at, each
// second, and the rows of those that changed.
func (d *dashboard) overviewEvents(w http.ResponseWriter, r *http.Request) {
	asked, seen := overviewAsked(r), jobsSeen{}
	seen.changed(d.jobs.Jobs()) // what the page has
	s, err := newStream(w, r)
	if err != nil {
		return
	}
	defer s.close()
	var due []string // jobs whose rows are to be sent
	var read time.Time
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-ticker.C:
		}
		jobs := d.jobs.Jobs()
		due = append(due, seen.changed(jobs)...)
		if len(due) > 0 && time.Since(read) >= rereadEvery {
			read = time.Now()
			if d.sendRows(s.ctx, s, asked, due) != nil {
				return
			}
			due = nil
		}
		if d.sendStates(s, jobs) != nil || s.beat() != nil {
			return
		}
	}
}

// jobsSeen is what was last seen of jobs.
type jobsSeen map[string]jobSeen

type jobSeen struct {
	state      daemon.State
	paused     bool
	run        int
	fault, err string
	next       int64
}

// changed takes in how jobs are now, and returns which are not as they were.
func (seen jobsSeen) changed(jobs []daemon.Job) []string {
	var names []string
	for i := range jobs {
		j := &jobs[i]
		now := jobSeen{j.State, j.Paused, j.Run, j.Fault, j.Err, j.Next.Unix()}
		if was, ok := seen[j.Name]; !ok || was != now {
			seen[j.Name] = now
			names = append(names, j.Name)
		}
	}
	return names
}

// sendRows sends the rows of some jobs, and the tiles.
func (d *dashboard) sendRows(ctx context.Context, s *stream, asked *overviewPage, names []string) error {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	rows, err := d.readRows(ctx)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	for _, row := range rows {
		if wanted[row.Name] {
			if err := d.sendPiece(s, row.ID, "row", row); err != nil {
				return err
			}
		}
	}
	return d.sendPiece(s, "tiles", "tiles", asked.tiles(rows))
}

// sendStates sends what running jobs are at.
func (d *dashboard) sendStates(s *stream, jobs []daemon.Job) error {
	for i := range jobs {
		if j := &jobs[i]; j.State == daemon.Running {
			if err := d.sendPiece(s, rowID(j.Name)+"-state", "jobstate", d.stateOf(j, nil)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *dashboard) sendPiece(s *stream, place, name string, data any) error {
	var b bytes.Buffer
	if err := d.templates.fragment(&b, "overview", name, data); err != nil {
		d.Log.Error("draw a fragment", "fragment", name, "error", err)
		return err
	}
	return s.fragment(place, "", b.String())
}
