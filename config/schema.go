package config

import (
	_ "embed"
	"slices"
)

//go:embed job.schema.json
var schema []byte

// Schema returns the JSON Schema of job files, for editors that complete and
// check what is typed. It knows every key and what its value looks like; that
// selectors and expressions can be read, and that what is named exists, is
// for Parse to tell.
//
// https://json-schema.org/draft/2020-12/json-schema-core
func Schema() []byte { return slices.Clone(schema) }
