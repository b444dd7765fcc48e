package api

import (
	"encoding/base64"
	"encoding/json"
)

// maxCursor bounds what is read of a cursor that somebody sends: keys of
// records may be long.
const maxCursor = 16 << 10

// encodeCursor writes a place in a list of an operation as a text that means
// nothing to who is to send it back.
func encodeCursor(operation string, place any) string {
	text, err := json.Marshal([]any{operation, place})
	if err != nil {
		panic(err) // numbers and texts alone
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// decodeCursor reads what encodeCursor wrote for the same operation into
// place. It may be anything that somebody sends: what it says is a place to go
// on from, and never more.
func decodeCursor(operation, cursor string, place any) error {
	wrong := refuse("take it from next of an answer, or leave it out to begin anew", "cursor is none of this list's")
	if len(cursor) > maxCursor {
		return wrong
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return wrong
	}
	var parts []json.RawMessage
	var name string
	if json.Unmarshal(text, &parts) != nil || len(parts) != 2 || json.Unmarshal(parts[0], &name) != nil || name != operation ||
		string(parts[1]) == "null" || json.Unmarshal(parts[1], place) != nil {
		return wrong
	}
	return nil
}

// after reads the call's cursor into place, if it has one.
func (c *call) after(place any) error {
	if cursor := c.text("cursor"); cursor != "" {
		return decodeCursor(c.route.id, cursor, place)
	}
	return nil
}

// cursor is the place to go on from.
func (c *call) cursor(place any) string { return encodeCursor(c.route.id, place) }
