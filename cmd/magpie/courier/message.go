package courier

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// PartRecords is how many records one request tells of at most.
const PartRecords = 500

const partBytes = 1 << 20 // of those records, unless one alone has more

// messageID is the same for each try of a part, so that a receiver knows what
// it has already.
func messageID(m store.Message) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %q %q %d", m.Job, m.Started.UnixMilli(), m.Hook, m.Event, m.Part)
	return "msg_" + hex.EncodeToString(h.Sum(nil)[:16])
}

// part is one request's worth of a message.
type part struct {
	body  []byte // nil: there is nothing to tell
	last  int64  // store.ChangedRecord.ID of the last record in it
	final bool
}

// hookMessage is what is sent.
type hookMessage struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"` // when the run ended
	Data      any       `json:"data"`
}

// hookRun is the data of "run.finished" and "run.drifted".
type hookRun struct {
	machine.Run
	DriftList []machine.Drift `json:"drift"`
}

// hookChanges is the data of "records.changed".
type hookChanges struct {
	Job     string                `json:"job"`
	Run     int                   `json:"run"`
	Part    int                   `json:"part"` // from 1
	Last    bool                  `json:"last"` // no other part follows
	Records []store.ChangedRecord `json:"records"`
}

func (c *Courier) compose(ctx context.Context, m store.Message) (part, error) {
	run, err := c.db.Run(ctx, m.Job, m.Run)
	if err != nil {
		return part{}, err
	}
	p := part{final: true}
	message := hookMessage{Timestamp: run.Ended.UTC()}
	switch m.Event {
	case crawl.EventChanges:
		changes := hookChanges{Job: m.Job, Run: m.Run, Part: m.Part + 1}
		if changes.Records, p.final, err = c.changes(ctx, m); err != nil || len(changes.Records) == 0 {
			return p, err
		}
		changes.Last = p.final
		p.last = changes.Records[len(changes.Records)-1].ID
		message.Type, message.Data = "records.changed", changes
	default:
		data := hookRun{Run: machine.RunOf(*run)}
		if data.DriftList, err = machine.Drifts(ctx, c.db, store.HealthFilter{Job: m.Job, Run: m.Run}); err != nil {
			return p, err
		}
		message.Type, message.Data = "run.finished", data
		if m.Event == crawl.EventDrift {
			message.Type = "run.drifted"
		}
	}
	p.body, err = json.Marshal(message)
	return p, err
}

// changes reads the records of the next part.
func (c *Courier) changes(ctx context.Context, m store.Message) (list []store.ChangedRecord, final bool, err error) {
	size := 0
	for r, err := range c.db.MessageRecords(ctx, m) {
		if err != nil {
			return nil, false, err
		}
		if size += len(r.Fields); len(list) == PartRecords || len(list) > 0 && size > partBytes {
			return list, false, nil
		}
		list = append(list, r)
	}
	return list, true, nil
}
