package notify

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"text/template"
)

const (
	maxBody     = 1 << 20  // of what a template makes
	maxTemplate = 64 << 10 // of a template
)

// Template makes text of a Message, by Go's text/template with the functions
// json (a value as JSON, such as {{json .Text}}) and join ({{join .Jobs "; "}}).
type Template struct {
	source string
	t      *template.Template
}

// Compile reads a template and tries it on a message, so that what it names
// and there is not shows at once.
func Compile(source string) (*Template, error) {
	if len(source) > maxTemplate {
		return nil, fmt.Errorf("it is longer than %d KiB", maxTemplate>>10)
	}
	t, err := template.New("template").Funcs(templateFuncs(&effort{})).Parse(source)
	if err == nil {
		err = countSteps(t)
	}
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "template: "))
	}
	c := &Template{source, t}
	_, err = c.Make(Sample())
	return c, err
}

// Make makes text of a message.
func (t *Template) Make(m Message) (string, error) {
	var b limited
	made, err := t.t.Clone()
	if err == nil {
		err = made.Funcs(templateFuncs(&effort{})).Execute(&b, m)
	}
	if err != nil {
		return "", errors.New(strings.TrimPrefix(err.Error(), "template: "))
	}
	return b.String(), nil
}

// MarshalText returns the template as it was written.
func (t *Template) MarshalText() ([]byte, error) { return []byte(t.source), nil }

// limited is a buffer that does not grow without end.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxBody {
		return 0, fmt.Errorf("it makes more than %d MiB", maxBody>>20)
	}
	return l.Buffer.Write(p)
}
