package store

import "github.com/magpie-crawl/magpie/crawl"

func (t *tx) putKeep(jobID int64, k crawl.Keep) error { return nil }
