package dashboard

import (
	"net/http"
	"net/url"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
)

// act does what a button of a job says. The buttons of many jobs stand in one
// form: the name of a button is what to do, its value the job.
func (d *dashboard) act(w http.ResponseWriter, r *http.Request) (string, error) {
	for _, a := range []struct {
		name, said string
		do         func(job string) error
	}{
		{"start", "started", func(job string) error { return d.jobs.Start(job, daemon.Start{}) }},
		{"fresh", "started", func(job string) error { return d.jobs.Start(job, daemon.Start{Fresh: true}) }},
		{"more", "started", func(job string) error { return d.jobs.Start(job, daemon.Start{Continue: true}) }},
		{"stop", "stopped", d.jobs.Stop},
		{"pause", "paused", func(job string) error { return d.jobs.Pause(job, true) }},
		{"resume", "resumed", func(job string) error { return d.jobs.Pause(job, false) }},
	} {
		if job, ok := r.PostForm[a.name]; ok && len(job) == 1 {
			if err := a.do(job[0]); err != nil {
				return "", err
			}
			return said(backOf(r), a.said), nil
		}
	}
	return "", &refusal{Status: http.StatusBadRequest, Text: "The form does not say what to do."}
}

// said puts a notice into the address of a page.
func said(page, notice string) string {
	u, err := url.Parse(page)
	if err != nil {
		return "/"
	}
	q := u.Query()
	q.Set("said", notice)
	u.RawQuery = q.Encode()
	return u.String()
}
