package demo

import (
	_ "embed"
	"strings"
)

// Job is the job file that crawls the shop. Its start URL, JobStart, stands
// for the address where the shop is served.
//
//go:embed job.yaml
var Job string

// JobStart is the start URL of Job.
const JobStart = "http://127.0.0.1:8080/"

// JobAt returns Job for a shop served at start, such as
// "http://127.0.0.1:41234/".
func JobAt(start string) string {
	return strings.ReplaceAll(Job, JobStart, start)
}
