// Package api is what programs can ask of a running magpie: JSON over HTTP,
// below /api/v1/.
//
// routes.go is the table of all operations; a file each says what they do.
// openapi.json describes them. It is made from the table and the types of the
// answers, with their comments, by
//
//	go test ./cmd/magpie/web/api -run TestDescription -update
//
// and the tests hold the answers of a real server to it.
package api
