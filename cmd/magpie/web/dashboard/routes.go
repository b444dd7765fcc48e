package dashboard

import "net/http"

// routes names the views. Names of jobs are escaped as one segment of a path.
func (d *dashboard) routes() {
	d.mux.Handle("GET /static/{name}", d.assets)
	d.view("GET /{$}", d.overview)
	d.view("GET /", d.nothing)
	d.view("GET /jobs/{job}", d.job)
	d.view("GET /jobs/{job}/runs/{n}", d.run)
	d.view("GET /jobs/{job}/runs/{n}/changes", d.changes)
	d.view("GET /jobs/{job}/live", d.live)
	d.mux.HandleFunc("GET /jobs/{job}/events", d.liveEvents)
	d.mux.HandleFunc("GET /events", d.overviewEvents)
	d.dataRoutes()
	d.view("GET /messages", d.messages)
	d.mux.HandleFunc("POST /jobs/{job}/trial", d.trial)
	d.mux.HandleFunc("POST /messages/trial", d.trials)
	d.post("POST /theme", d.setTheme)
	d.post("POST /act", d.act)
}

// nothing is what stands at addresses that no view has.
func (d *dashboard) nothing(r *http.Request) (*view, error) {
	return nil, &refusal{Status: http.StatusNotFound, Text: "There is no page at this address."}
}
