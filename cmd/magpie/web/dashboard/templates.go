package dashboard

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"strings"
)

//go:embed templates/*.html
var templateFiles embed.FS

// templates are the pages, each with the layout and the pieces.
type templates struct {
	pages map[string]*template.Template
}

// loadTemplates reads what was built into the program; tests hold that it can
// be read.
func (d *dashboard) loadTemplates() *templates {
	shared := template.Must(template.New("").Funcs(d.functions()).Option("missingkey=error").ParseFS(templateFiles, "templates/_*.html"))
	t := &templates{map[string]*template.Template{}}
	files, err := fs.Glob(templateFiles, "templates/[a-z]*.html")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		page := template.Must(template.Must(shared.Clone()).ParseFS(templateFiles, file))
		t.pages[strings.TrimSuffix(path.Base(file), ".html")] = page
	}
	return t
}

// page draws a whole page.
func (t *templates) page(w io.Writer, name string, f *frame) error {
	return t.fragment(w, name, "_layout.html", f)
}

// fragment draws what a page's template defines by a name.
func (t *templates) fragment(w io.Writer, page, name string, data any) error {
	p, ok := t.pages[page]
	if !ok {
		return fmt.Errorf("templates/%s.html: there is no such template", page)
	}
	return p.ExecuteTemplate(w, name, data)
}
