// Package store keeps crawls in one SQLite file: the frontier, each response
// with its body, the records with their history, and what went wrong. [DB]
// implements crawl.Store. The database is the user's own: any SQLite tool can
// read it, and each item type is a view with one column a field.
//
// # What holds at any moment
//
// One commit stores a page, its links, its records and the counters, or
// nothing of them. A process killed at any point leaves a database that opens,
// and a run that goes on where it was; what was in flight is fetched again.
// A commit that was reported is on disk. One process at a time works on a job;
// others may read meanwhile.
//
// A crawl compresses bodies in a hurry. [DB.GC] does it again and well, host by
// host, where it pays with a dictionary of the host's; that, and dropping what
// a job does not keep ([DB.Trim]), are never in the way of a commit.
//
// The views magpie_health and magpie_drift tell of each finished run how its
// fields fared and what was worse than usual.
//
// Opening changes nothing in a file that is damaged, newer, or not magpie's:
// it is refused with one of this package's errors.
//
// # Where to change what
//
//	the schema                     migrations/, a new numbered file
//	how a file is opened, refused  open.go, open_*.go, check.go, create.go, errors.go
//	who may work on a job          hold.go; which process that is and if it lives: internal/process
//	the start of a run             run_begin.go
//	the frontier                   run.go (reading), links.go (adding), links_known.go (URLs met before)
//	a page's way to the disk       commit_prepare.go, commit.go, bodies.go; how bodies are packed: internal/body
//	what is kept of bodies         keep.go
//	cleaning up, compressing       gc.go, gc_compress.go; dictionaries: internal/body
//	damage, copies, sizes          verify.go, backup.go, sizes.go
//	record versions, duplicates    records.go; those that are likely new: records_new.go
//	the end of records             records_ended.go
//	what differs between runs      diff.go; in which fields: diff_fields.go
//	queries of the user            query.go; where they end: internal/sqltext
//	stored pages read again        reextract.go, reextract_*.go: pages → stage → compare, problems → apply
//	counters                       counters.go
//	what a run did by time, host   tally.go (adding up), read_run_detail.go
//	indexes of items' fields       record_indexes.go
//	pages of records               records_query.go (what is asked, which index), records_cursor.go, read_records_page.go
//	the log and those who read     read_gate.go
//	a run's figures, and drift     health.go, health_outlines.go, run_finish.go; what is computed: internal/health
//	messages about runs            outbox.go
//	what is wrong with jobs        alerts.go; whom to tell: alerts_messages.go
//	an item's view, CSV columns    views.go; what follows from an item's declaration: internal/itemtype
//	listings                       read_*.go, on read.go
//	the index for searching        search_*.go; what a word is and what can be asked: package search
//	what is exported               export.go, export_query.go and export_read.go (records), export_pages.go, export_gone.go
//	what manifests say of it       export_about.go; how they are written: package dataset
//	an export's files              internal/fileset; their temporary names and places: internal/place
//	export formats                 package dataset
//	records that are not stored    record_writer.go
//	connections, transactions      writer.go
package store
