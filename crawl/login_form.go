package crawl

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/magpie-crawl/magpie/weburl"
)

// fill makes the request that sends a form with the job's values.
// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm
func (l *login) fill(form *html.Node, base weburl.URL) (*filledForm, error) {
	entries := append(formEntries(form), defaultButton(form)...)
	names := map[string]bool{}
	for i, e := range entries {
		names[e.name] = true
		if value, ours := l.Fields[e.name]; ours {
			entries[i].value = value
		}
	}
	for name, value := range l.Fields {
		if !names[name] && !hasField(form, name) {
			return nil, fmt.Errorf("the form has no field %q, but %s", name, fieldNames(entries))
		} else if !names[name] {
			entries = append(entries, formEntry{name, value}) // a choice that was not made yet
		}
	}
	action, _ := attribute(form, "action")
	to, err := base.Resolve(action)
	if err != nil {
		return nil, fmt.Errorf("the form's action: %w", err)
	}
	out := &filledForm{to: to}
	if method, _ := attribute(form, "method"); !strings.EqualFold(method, "post") {
		path, _, _ := strings.Cut(to.String(), "?")
		out.to, err = weburl.Parse(path + "?" + encodeEntries(entries))
		return out, err
	}
	out.post = true
	out.body, out.header, err = encodeBody(form, entries)
	return out, err
}

// encodeBody encodes entries as the form wants them.
func encodeBody(form *html.Node, entries []formEntry) ([]byte, http.Header, error) {
	switch enctype, _ := attribute(form, "enctype"); strings.ToLower(enctype) {
	case "multipart/form-data":
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		for _, e := range entries {
			if err := w.WriteField(e.name, e.value); err != nil {
				return nil, nil, err
			}
		}
		err := w.Close()
		return b.Bytes(), http.Header{"Content-Type": {w.FormDataContentType()}}, err
	case "text/plain":
		var b strings.Builder
		for _, e := range entries {
			b.WriteString(e.name + "=" + e.value + "\r\n")
		}
		return []byte(b.String()), http.Header{"Content-Type": {"text/plain"}}, nil
	}
	return []byte(encodeEntries(entries)), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, nil
}

// defaultButton is the entry of the button that the Enter key presses, if it
// has a name.
// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission
func defaultButton(form *html.Node) []formEntry {
	for n := range elements(form) {
		kind, has := attribute(n, "type")
		submits := n.DataAtom == atom.Input && strings.EqualFold(kind, "submit") ||
			n.DataAtom == atom.Button && (!has || strings.EqualFold(kind, "submit"))
		if !submits {
			continue
		}
		name, _ := attribute(n, "name")
		value, _ := attribute(n, "value")
		if name == "" || isDisabled(n, form) {
			return nil
		}
		return []formEntry{{name, value}}
	}
	return nil
}

func hasField(form *html.Node, name string) bool {
	for n := range elements(form) {
		if v, ok := attribute(n, "name"); ok && v == name {
			return true
		}
	}
	return false
}

func fieldNames(entries []formEntry) string {
	var names []string
	for _, e := range entries {
		if !slices.Contains(names, e.name) {
			names = append(names, e.name)
		}
	}
	if len(names) == 0 {
		return "none at all"
	}
	return strings.Join(names, ", ")
}
