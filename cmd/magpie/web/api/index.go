package api

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"strconv"
)

//go:embed openapi.json
var description []byte

//go:embed index.html
var indexText string

//go:embed index.css
var indexStyle []byte

var indexPage = template.Must(template.New("index").Parse(indexText))

func serveDescription(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(description)))
	w.Write(description)
}

func serveIndexStyle(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Write(indexStyle)
}

// indexEntry is an operation on the index.
type indexEntry struct {
	Method, Path, Summary, Doc string
	Params                     []indexParam
}

type indexParam struct{ Name, Doc string }

// serveIndex tells people what there is.
func serveIndex(w http.ResponseWriter, _ *http.Request) {
	var entries []indexEntry
	for i := range routes {
		r := &routes[i]
		e := indexEntry{Method: r.method, Path: Base + r.path, Summary: r.summary, Doc: r.doc}
		for _, p := range r.params {
			e.Params = append(e.Params, indexParam{p.name, p.doc})
		}
		entries = append(entries, e)
	}
	var b bytes.Buffer
	if err := indexPage.Execute(&b, entries); err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(b.Bytes())
}
