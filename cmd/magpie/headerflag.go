package main

import (
	"fmt"
	"maps"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// headerFlag is a flag for header fields, as "Name: value".
type headerFlag map[string]string

// Set implements pflag.Value.
func (h *headerFlag) Set(s string) error {
	name, value, found := strings.Cut(s, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !found || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
		return fmt.Errorf("write a name, a colon and a value, such as 'Accept-Language: de'")
	}
	if *h == nil {
		*h = headerFlag{}
	}
	(*h)[name] = value
	return nil
}

// String implements pflag.Value: nothing is sent by default.
func (h *headerFlag) String() string { return "" }

// Type implements pflag.Value.
func (h *headerFlag) Type() string { return "field" }

// merged is a copy of a with the entries of b.
func merged(a, b map[string]string) map[string]string {
	m := maps.Clone(a)
	if m == nil {
		m = map[string]string{}
	}
	maps.Copy(m, b)
	return m
}
