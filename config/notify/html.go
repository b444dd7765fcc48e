package notify

import (
	"html/template"
	"strings"
)

// page is a message as HTML that mail programs show: no style sheet, no image,
// nothing fetched.
var page = template.Must(template.New("message").Parse(`<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{{.Subject}}</title></head>
<body style="font-family: sans-serif; line-height: 1.4">
{{- range .Events}}
<p><strong>{{.Text}}</strong>
{{- if gt (len .Drift) 1}}
<ul>{{range .Drift}}<li>{{.What}}: {{.Detail}}</li>{{end}}</ul>
{{- end}}
<br>{{if .URL}}<a href="{{.URL}}">{{.Place}}</a>{{else}}{{.Place}}{{end}}</p>
{{- end}}
{{- if .More}}
<p>and {{.More}} more</p>
{{- end}}
{{- if .URL}}
<p><a href="{{.URL}}">{{.URL}}</a></p>
{{- end}}
</body></html>
`))

// HTML is the message as an HTML document.
func (m Message) HTML() (string, error) {
	var b strings.Builder
	err := page.Execute(&b, m)
	return b.String(), err
}
