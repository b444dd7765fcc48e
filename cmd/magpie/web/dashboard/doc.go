// Package dashboard shows what a daemon does and what its database holds, as
// pages that a browser reads without a script and without anything from
// elsewhere.
//
// To add a view:
//
//   - write templates/NAME.html, which defines "content" and may define
//     fragments of its own beside it; it is given a *frame, whose Data is what
//     the view says. Pieces that views share are in templates/_pieces.html:
//     "time", "date", "state" (of a state), "long" and "address" (of texts
//     from pages), "pager";
//   - write a func (d *dashboard) NAME(r *http.Request) (*view, error) that
//     reads from d.db with r.Context(), which has a deadline, and returns
//     &view{Template: "NAME", …}; errors become pages: store.ErrNotFound is
//     404, a deadline 503, errors of the daemon 409, a *refusal is what it says;
//   - name it in routes (routes.go): d.view for pages, d.post for forms, which
//     answer with a redirect to a page, and plain handlers for the rest, such
//     as downloads and streams;
//   - a job's tab stands in jobTabs (frame.go).
//
// What comes from pages, job files and users is hostile: templates write it by
// {{text .}} within <bdi>, or by "long", which cuts it and keeps the rest
// within reach. Nothing is a template.HTML but what package chart drew.
// Neither style= nor inline scripts get past the Content-Security-Policy:
// colours come from classes in static/app.css, sizes of charts from SVG
// attributes. static/NAME.css and NAME.js of a view are named in its Styles
// and Scripts.
//
// Live figures: a handler that begins with newStream (stream.go), and ends when
// its ctx is done, sends fragments, each with the name of the [data-fragment] that it takes the place
// of; the page names the stream in [data-live]. static/app.js does the rest.
package dashboard
