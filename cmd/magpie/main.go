// Magpie crawls sites and turns their pages into typed records.
//
// Each command is a file, cmd_*.go; root.go lists them. What commands share
// is beside them: exit.go has the exit codes, terminal.go what is written to
// people, stop.go how work is ended from the keyboard.
package main

import (
	"io"
	"log"
	"os"
	_ "time/tzdata" // for zone: in jobs, where the system has no time zones
)

func main() {
	log.SetOutput(io.Discard) // net/http tells there what servers do wrong
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run does what args ask for and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := newRoot(a)
	root.SetArgs(args)
	err := root.Execute()
	a.report(err)
	return exitCode(err)
}
