package api

import (
	"net/http"
	"slices"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/store"
)

const (
	mediaBytes = "application/octet-stream"
	mediaLines = "application/jsonl"
	mediaYAML  = "application/yaml" // https://www.rfc-editor.org/rfc/rfc9512
)

// routes are all operations of the API.
var routes = slices.Concat(jobRoutes, fileRoutes, runRoutes, pageRoutes, recordRoutes, exportRoutes, listRoutes, insightRoutes, searchRoutes, settingsRoutes)

var jobRoutes = []route{
	{id: "listJobs", method: http.MethodGet, path: "/jobs", summary: "List the jobs: those of the folder, and others in the database",
		answer: List[machine.Job]{}, handle: (*call).listJobs},
	{id: "getJob", method: http.MethodGet, path: "/jobs/{job}", summary: "Tell how a job stands",
		answer: machine.Job{}, faults: []int{404}, handle: (*call).getJob},
	{id: "startJob", method: http.MethodPost, path: "/jobs/{job}/start", summary: "Start a run of a job, or go on with its unfinished one",
		doc:  "The run begins as soon as there is room for it.",
		body: Start{}, answer: machine.Job{}, status: http.StatusAccepted, faults: []int{404, 409}, handle: (*call).startJob},
	{id: "stopJob", method: http.MethodPost, path: "/jobs/{job}/stop", summary: "Stop the run of a job",
		doc:    "What has begun is finished. The next start goes on with the run.",
		answer: machine.Job{}, status: http.StatusAccepted, faults: []int{404, 409}, handle: (*call).stopJob},
	{id: "pauseJob", method: http.MethodPost, path: "/jobs/{job}/pause", summary: "Turn the schedule of a job off",
		doc:    "A run that is going on goes on.",
		answer: machine.Job{}, faults: []int{404, 409}, handle: (*call).pauseJob},
	{id: "resumeJob", method: http.MethodPost, path: "/jobs/{job}/resume", summary: "Turn the schedule of a job on again",
		answer: machine.Job{}, faults: []int{404, 409}, handle: (*call).resumeJob},
	{id: "getProgress", method: http.MethodGet, path: "/jobs/{job}/progress", summary: "Tell where the run that is going on stands",
		params: []param{{name: "hosts", kind: "integer", doc: "List this many hosts.", most: 100, usual: 10}},
		answer: machine.Progress{}, faults: []int{404, 409}, handle: (*call).getProgress},
	{id: "getStatus", method: http.MethodGet, path: "/status", summary: "Tell how jobs stand by the database, as magpie status does",
		params: []param{text("job", "Of this job alone."), {name: "hosts", kind: "integer", doc: "List this many hosts of each.", most: store.HostLimit, usual: 10}},
		answer: List[machine.Status]{}, faults: []int{404}, handle: (*call).getStatus},
	{id: "listDue", method: http.MethodGet, path: "/jobs/{job}/due", summary: "List due times of a job and what became of them, the last first",
		params: []param{limit(100, 1000), cursorParam},
		answer: List[machine.Due]{}, faults: []int{404}, handle: (*call).listDue},
	{id: "listMessages", method: http.MethodGet, path: "/messages", summary: "List the messages to webhooks that are still to be sent",
		params: []param{text("job", "About this job alone.")},
		answer: List[machine.Message]{}, handle: (*call).listMessages},
}

var fileRoutes = []route{
	{id: "checkFile", method: http.MethodPost, path: "/check", summary: "Find the mistakes in the text of a job file",
		params: []param{text("file", "Name that the file is to have.")},
		text:   mediaYAML, answer: machine.Checked{}, handle: (*call).checkFile},
	{id: "getFile", method: http.MethodGet, path: "/files/{file}", summary: "Read a job file",
		doc:   "The answer's ETag is what putFile and deleteFile take as If-Match.",
		media: mediaYAML, faults: []int{404}, handle: (*call).getFile},
	{id: "putFile", method: http.MethodPut, path: "/files/{file}", summary: "Write a job file",
		doc: "The file must be a valid job. The header If-Match must be the ETag of the file that it replaces; a new file needs none, " +
			"and with If-None-Match: * it replaces nothing.",
		text: mediaYAML, answer: machine.Checked{}, creates: true, faults: []int{412, 422, 428}, handle: (*call).putFile},
	{id: "deleteFile", method: http.MethodDelete, path: "/files/{file}", summary: "Take a job file away",
		doc:    "What the job has stored stays. The header If-Match must be the ETag of the file.",
		status: http.StatusNoContent, faults: []int{404, 412, 428}, handle: (*call).deleteFile},
}

var runRoutes = []route{
	{id: "getRun", method: http.MethodGet, path: "/jobs/{job}/runs/{run}", summary: "Tell of a run",
		doc:    "As run, last stands for the last one.",
		answer: machine.Run{}, faults: []int{404}, handle: (*call).getRun},
	{id: "listChanges", method: http.MethodGet, path: "/jobs/{job}/changes", summary: "List the records that differ between two runs",
		doc: "The answer is a Change in each line. One that breaks off is not whole.",
		params: []param{number("from", "Number of the older run; 0: before the first. Left out: the finished one before to."),
			number("to", "Number of the newer run. Left out: the last finished one."), text("item", "Of this item type alone."),
			choice("kind", "Of this kind alone.", string(store.Added), string(store.Changed), string(store.Gone)),
			{name: "limit", kind: "integer", doc: "At most this many of each kind and item; 0: all.", usual: 1000}},
		media: mediaLines, faults: []int{404}, handle: (*call).listChanges},
	{id: "getHealth", method: http.MethodGet, path: "/jobs/{job}/health", summary: "Tell how full the fields were in a finished run, and what was worse than usual",
		params: []param{number("run", "Number of the run. Left out: the last finished crawl.")},
		answer: RunHealth{}, faults: []int{404}, handle: (*call).getHealth},
	{id: "listProblems", method: http.MethodGet, path: "/jobs/{job}/problems", summary: "Count the values that failed in a run, by field",
		params: []param{runParam, text("item", "Of this item type alone.")},
		answer: List[machine.Problem]{}, faults: []int{404}, handle: (*call).listProblems},
	{id: "listRejects", method: http.MethodGet, path: "/jobs/{job}/rejects", summary: "List the records that a run set aside",
		params: []param{runParam, text("item", "Of this item type alone."), limit(100, 1000), cursorParam},
		answer: List[machine.Reject]{}, faults: []int{404}, handle: (*call).listRejects},
}

var pageRoutes = []route{
	{id: "getPage", method: http.MethodGet, path: "/jobs/{job}/page", summary: "Tell all that is known of a URL",
		params: []param{needed("url", "The URL."), number("run", "As this run left it. Left out: the last that met it.")},
		answer: machine.PageDetail{}, faults: []int{404}, handle: (*call).getPage},
	{id: "getBody", method: http.MethodGet, path: "/jobs/{job}/body", summary: "Download the stored body of a URL, as it was received",
		params: []param{needed("url", "The URL."), number("run", "Of this run. Left out: the last that met it.")},
		media:  mediaBytes, faults: []int{404, 410}, handle: (*call).getBody},
}

var recordRoutes = []route{
	{id: "listItems", method: http.MethodGet, path: "/jobs/{job}/items", summary: "List the item types of a job",
		answer: List[machine.Item]{}, faults: []int{404}, handle: (*call).listItems},
	{id: "listRecords", method: http.MethodGet, path: "/jobs/{job}/records", summary: "List the current records of an item type",
		doc: "Filters and orders by indexed fields are fast, whatever the number of records; the job file says which are indexed.",
		params: []param{needed("item", "The item type."),
			{name: "filter", kind: "string", repeated: true, doc: "A condition, such as price:<:20, title:contains:lamp or image:empty. Operators are =, <, >, <=, >=, contains, empty and present. May be given more than once."},
			text("sort", "A field, or _key, _url, _first_run or _last_run."), boolean("desc", "The largest first."),
			{name: "page", kind: "integer", doc: "Number of the page, from 1, in place of a cursor."}, text("before", "The previous of an answer, in place of a cursor."), limit(50, 1000), cursorParam},
		answer: RecordList{}, faults: []int{404}, handle: (*call).listRecords},
}

var exportRoutes = []route{
	{id: "listExports", method: http.MethodGet, path: "/jobs/{job}/exports", summary: "List the files that the exports of a job have written",
		answer: List[machine.ExportFile]{}, faults: []int{404}, handle: (*call).listExports},
	{id: "getExport", method: http.MethodGet, path: "/jobs/{job}/exports/{export}/{file}", summary: "Download a file that an export has written",
		media: mediaBytes, faults: []int{404}, handle: (*call).getExport},
	{id: "exportRecords", method: http.MethodGet, path: "/jobs/{job}/export", summary: "Export records now",
		doc: "An answer that breaks off is not whole.",
		params: []param{needed("item", "The item type."), choice("format", "Left out: jsonl.", "jsonl", "csv", "parquet"),
			text("fields", "These alone, with commas between."), text("where", "A condition in SQL over the columns of the item's view."),
			number("since", "What is new or changed after this run alone."), boolean("meta", "Add _job, _key, _url, _position, _first_run and _last_run.")},
		media: mediaBytes, faults: []int{404}, handle: (*call).exportRecords},
}
