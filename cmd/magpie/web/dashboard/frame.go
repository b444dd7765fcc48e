package dashboard

import (
	"net/http"
	"net/url"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/guard"
)

// frame is what the templates of pages are given.
type frame struct {
	*view
	Token     string // for forms
	Back      string // where forms come back to: this page
	Theme     string // auto, light or dark
	NextTheme string
	ThemeName string
	Crumbs    []link
	Tabs      []tab
	Notice    string // what came of a form
	LogOut    bool
	Version   string
	Zone      string
	Waiting   int64 // messages that are to be sent
}

// tab is a page of a job.
type tab struct {
	Name, Link string
	Current    bool
}

// jobTabs are the pages of a job, in their order: name of the tab, last part
// of its path, and what it is called.
var jobTabs = []struct{ tab, path, name string }{
	{"job", "", "Summary"},
	{"live", "/live", "Live"},
	{"records", "/records", "Records"},
	{"pages", "/pages", "Pages"},
	{"exports", "/exports", "Exports"},
	{"edit", "/edit", "Job file"},
}

func (d *dashboard) frameOf(r *http.Request, v *view) *frame {
	f := &frame{view: v, Token: d.Token(r), Back: r.URL.RequestURI(), Version: d.Version, LogOut: d.LogOut, Notice: noticeOf(r)}
	if r.Method != http.MethodGet {
		f.Back = backOf(r)
	}
	f.Theme, f.NextTheme, f.ThemeName = themeOf(r)
	f.Zone = zoneName(d.now())
	// A page is no worse without the figure.
	f.Waiting, _ = d.db.MessagesWaiting(r.Context())
	if v.Job == "" {
		return f
	}
	base := jobPath(v.Job)
	for _, t := range jobTabs {
		f.Tabs = append(f.Tabs, tab{t.name, base + t.path, t.tab == v.Tab})
	}
	f.Crumbs = append([]link{{"Jobs", "/"}, {v.Job, base}}, v.Crumbs...)
	f.Crumbs[len(f.Crumbs)-1].Link = ""
	return f
}

// jobPath is where a job's pages begin.
func jobPath(job string) string { return "/jobs/" + url.PathEscape(job) }

// backOf is the page that a form came from, of this host alone.
func backOf(r *http.Request) string {
	if r.Method != http.MethodPost {
		return "/"
	}
	return guard.LocalPath(r.PostFormValue("back"))
}
