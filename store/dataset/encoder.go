package dataset

import "io"

// Encoder writes records in one format.
type Encoder interface {
	Write(*Record) error
	Close() error // writes what is left; what was written to stays open
}

// NewEncoder returns an encoder of a format that is a stream of records.
// formulas is that of NewCSV.
func NewEncoder(w io.Writer, f Format, s Schema, formulas bool) (Encoder, error) {
	switch f {
	case CSV:
		return NewCSV(w, s, formulas)
	case Parquet:
		return NewParquet(w, s), nil
	default:
		return NewJSONL(w, s), nil
	}
}
