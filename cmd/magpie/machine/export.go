package machine

import "time"

// ExportFile is a file that an export of a job has written, for programs.
type ExportFile struct {
	Export  int       `json:"export"` // place in the job file, from 1
	File    string    `json:"file"`
	Item    string    `json:"item,omitempty"`
	Format  string    `json:"format"` // of the file: that of the export; manifests are json, and what is gone is jsonl
	Bytes   int64     `json:"bytes"`
	Written time.Time `json:"written"`
}
