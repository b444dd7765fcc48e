package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminal is what is known of the place that output goes to.
type terminal struct {
	fd     int
	people bool // it is a terminal, not a file or a pipe
	colour bool // it shows colours, and they are not unwanted: https://no-color.org
}

// terminalOf looks at what w writes to.
func terminalOf(w io.Writer) terminal {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return terminal{}
	}
	return terminal{
		fd:     int(f.Fd()),
		people: true,
		colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
}

// width is the terminal's present width in columns; 0 where there is none.
func (t terminal) width() int {
	if !t.people {
		return 0
	}
	if width, _, err := term.GetSize(t.fd); err == nil && width > 0 {
		return width
	}
	return 80
}

// Styles of text, as SGR parameters of ECMA-48.
const (
	bold = "1"
	dim  = "2"
	red  = "31"
)

// style returns s in a style where the terminal shows it.
func (t terminal) style(style, s string) string {
	if !t.colour {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}
