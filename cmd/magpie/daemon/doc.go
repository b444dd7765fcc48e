// Package daemon runs the jobs of a folder by their schedules.
//
// Each job file in the folder is a job; it is read again when it changes. A
// run is recorded in the database before it begins, and linked to the crawl by
// the crawl's first transaction: however the process ends, each due time has
// run once or is listed as skipped, with the reason.
package daemon
