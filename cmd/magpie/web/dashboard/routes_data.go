package dashboard

// dataRoutes names the views of what was crawled, and the editor.
func (d *dashboard) dataRoutes() {
	d.view("GET /jobs/{job}/records", d.records)
	d.view("GET /jobs/{job}/record", d.record)
	d.view("GET /jobs/{job}/search", d.search)
	d.view("GET /jobs/{job}/pages", d.pages)
	d.view("GET /jobs/{job}/page", d.page)
	d.mux.HandleFunc("GET /jobs/{job}/page/body", d.pageBody)
	d.view("GET /jobs/{job}/exports", d.exports)
	d.mux.HandleFunc("GET /jobs/{job}/exports/now", d.exportNow)
	d.mux.HandleFunc("GET /jobs/{job}/exports/{export}/{file}", d.exportFile)
	d.view("GET /jobs/{job}/edit", d.edit)
	d.mux.HandleFunc("POST /jobs/{job}/edit", d.editForm)
	d.view("GET /new", d.newJob)
	d.mux.HandleFunc("POST /new", d.newForm)
}
