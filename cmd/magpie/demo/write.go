package demo

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"text/template"
)

//go:embed templates
var templateFiles embed.FS

// templates are of text/template, because html/template would mend what is
// broken on purpose. They escape with the function html.
var templates = template.Must(template.New("").Option("missingkey=error").Funcs(template.FuncMap{
	"escape":  escape,
	"upper":   strings.ToUpper,
	"slashes": func(s string) string { return strings.ReplaceAll(s, "/", "&#x2F;") },
	"decimal": func(number, separator string) string { return strings.Replace(number, ".", separator, 1) },
	"stars":   func(n int) string { return strings.Repeat("★", n) + strings.Repeat("☆", 5-n) },
}).ParseFS(templateFiles, "templates/*"))

// write answers with a template's page, encoded as d says.
func write(w http.ResponseWriter, r *http.Request, name string, d declaration, zip bool, view any) {
	body, err := render(name, d, view)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", d.Type)
	if zip {
		h.Set("Vary", "Accept-Encoding")
	}
	if zip && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = gzipped(body)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body) // an error means that the client has gone
}

func render(name string, d declaration, view any) ([]byte, error) {
	var page strings.Builder
	if err := templates.ExecuteTemplate(&page, name, view); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	text := page.String()
	if strings.HasPrefix(name, "tables_") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return d.encode(text)
}

func gzipped(body []byte) []byte {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	z.Write(body) // a bytes.Buffer takes all
	z.Close()
	return buf.Bytes()
}
