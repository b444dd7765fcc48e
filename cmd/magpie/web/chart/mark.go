package chart

import "html/template"

// marks are the shapes of states, each another one, so that colour is not what
// tells them apart.
var marks = map[string]template.HTML{
	"ok":      `<path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.4 5.1-4 4.4a.8.8 0 0 1-1.1 0L4.5 8.7l1.1-1.1 1.2 1.2 3.5-3.8Z"/>`,
	"warn":    `<path d="M7.1 1.6a1 1 0 0 1 1.8 0l6 11.4a1 1 0 0 1-.9 1.5H2a1 1 0 0 1-.9-1.5Zm.1 4.1v4h1.6v-4Zm0 5.2v1.7h1.6v-1.7Z"/>`,
	"bad":     `<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5Zm.9 3.8L4.8 5.9 6.9 8l-2.1 2.1 1.1 1.1L8 9.1l2.1 2.1 1.1-1.1L9.1 8l2.1-2.1-1.1-1.1L8 6.9Z"/>`,
	"running": `<path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1ZM6.2 4.6 11.6 8l-5.4 3.4Z"/>`,
	"queued":  `<path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6ZM7.2 4.5v4l3 1.8.8-1.3-2.3-1.3V4.5Z"/>`,
	"paused":  `<path d="M2.5 1.5h11a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1Zm2.7 3v7h2v-7Zm3.6 0v7h2v-7Z"/>`,
	"idle":    `<path d="M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Zm0 1.6a3.9 3.9 0 1 1 0 7.8 3.9 3.9 0 0 1 0-7.8Z"/>`,
	"stopped": `<path d="M3 3h10v10H3Z"/>`,
}

var drawnMarks = func() map[string]template.HTML {
	drawn := map[string]template.HTML{}
	for kind, path := range marks {
		drawn[kind] = template.HTML(`<svg class="mark mark-`+kind+`" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">`) + path + `</svg>`
	}
	return drawn
}()

// Mark returns the shape of a state: ok, warn, bad, running, queued, paused,
// stopped or idle, which others are shown as, too. A word has to stand beside
// it: it is hidden from screen readers. Classes: mark, mark-STATE.
func Mark(state string) template.HTML {
	if m, ok := drawnMarks[state]; ok {
		return m
	}
	return drawnMarks["idle"]
}
