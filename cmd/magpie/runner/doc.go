// Package runner does what a job file asks for: it crawls, drops the bodies
// that are kept no longer, writes the exports and tells the webhooks. It
// prints nothing; `magpie crawl` and the daemon show what it returns.
package runner
