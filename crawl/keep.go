package crawl

// Keep says what is kept of the bodies of pages. What they brought (links,
// records, the response without its body) is kept in any case.
//
// A store applies KeepNone with each page, the rest when it is told to clean
// up; see store.DB.Trim.
type Keep struct {
	Bodies KeepPolicy // default: KeepAll
	Budget int64      // bytes that the stored bodies of the job may take, compressed; beyond it the oldest superseded ones go. Default: no limit
}

// KeepPolicy says which bodies of a URL are kept.
type KeepPolicy uint8

const (
	KeepAll  KeepPolicy = iota // of every run in which it answered otherwise
	KeepLast                   // the last one, and the last good one
	KeepNone                   // none: every visit has to fetch the page, and pages cannot be extracted again
)
