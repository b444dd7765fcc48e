package dashboard

import "net/http"

// notices are what pages say of a form that was sent, by the value of the
// query's said. The words are ours: an address can't put others there.
var notices = map[string]string{
	"started": "The job is started: it begins as soon as there is room.",
	"stopped": "The run is being stopped. What it has is kept, and the next start goes on from there.",
	"trial":   "The trial message was sent.",
	"trials":  "A trial message was sent each way that messages go.",
	"paused":  "The schedule is paused. Due times are skipped until it is resumed.",
	"resumed": "The schedule is on again.",
	"saved":   "The job file is saved and in use.",
}

func noticeOf(r *http.Request) string { return notices[r.URL.Query().Get("said")] }
