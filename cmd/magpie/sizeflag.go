package main

import (
	"errors"
	"strconv"

	"github.com/magpie-crawl/magpie/config"
)

// sizeFlag is a flag whose value is a number of bytes, such as 500MB.
type sizeFlag int64

func (f *sizeFlag) String() string {
	if *f == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*f), 10)
}

func (f *sizeFlag) Type() string { return "size" }

func (f *sizeFlag) Set(s string) error {
	n, ok := config.ParseSize(s)
	if !ok || n <= 0 {
		return errors.New("must be a size above 0, such as 500MB or 2GiB")
	}
	*f = sizeFlag(n)
	return nil
}
