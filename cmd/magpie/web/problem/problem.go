// Package problem writes the errors of the HTTP server: as JSON for programs,
// as a line of text for people.
package problem

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// ContentType is the media type of a Problem.
const ContentType = "application/problem+json"

// Problem is why a request was refused or failed.
// https://www.rfc-editor.org/rfc/rfc9457
type Problem struct {
	Status   int             `json:"status"`             // HTTP status
	Title    string          `json:"title"`              // the kind of problem; the status in words
	Detail   string          `json:"detail"`             // what is wrong
	Advice   string          `json:"advice,omitempty"`   // what to do about it
	Instance string          `json:"instance,omitempty"` // names this one in the log of the server
	Mistakes config.Mistakes `json:"mistakes,omitempty"` // of a job file, with their places
}

func (p *Problem) Error() string {
	if p.Advice == "" {
		return p.Detail
	}
	return p.Detail + ": " + p.Advice
}

// New returns a problem; advice, which may be empty, says what to do.
func New(status int, advice, format string, args ...any) *Problem {
	return &Problem{Status: status, Title: http.StatusText(status), Detail: fmt.Sprintf(format, args...), Advice: advice}
}

// Bare is the text of an error without the place of the database, which is
// nothing to who asks over a network.
func Bare(err error, db *store.DB) string {
	return strings.ReplaceAll(err.Error(), db.Path(), "the database")
}

// Write answers with a problem: in JSON to programs, which are all that ask
// for the API, and in plain text to browsers.
func Write(w http.ResponseWriter, r *http.Request, p *Problem) {
	if !ForPrograms(r) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(p.Status)
		if r.Method != http.MethodHead {
			fmt.Fprintf(w, "%d %s\n\n%s\n", p.Status, p.Title, words.Sentence(p.Detail))
			if p.Advice != "" {
				fmt.Fprintln(w, words.Sentence(p.Advice))
			}
			if p.Instance != "" {
				fmt.Fprintf(w, "In the log it is %s.\n", p.Instance)
			}
		}
		return
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // texts and numbers alone
	}
	w.Header().Set("Content-Type", ContentType)
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		w.Write(append(harmless.JSON(text), '\n')) // it may be shown on a terminal
	}
}

// ForPrograms tells whether who asks expects JSON.
func ForPrograms(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/")
}
