package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// Limits of fetching one page for a command.
const (
	fetchTimeout = time.Minute
	maxFetched   = crawl.DefaultBody
)

// input is a page that a command was given.
type input struct {
	name        string // as the user wrote it
	body        []byte // after content-coding
	contentType string // the Content-Type field as sent; "" for files
	language    string // BCP 47 tag of the Content-Language field; "" where it has none or several
	header      http.Header
	url         *url.URL // where it was found in the end; nil for standard input
	status      string   // of the answer when it says that this is not the page, such as "404 Not Found"
}

// open reads a file, a URL, or for "-" the standard input.
func (a *app) open(ctx context.Context, name string) (*input, error) {
	switch {
	case name == "-":
		body, err := io.ReadAll(a.stdin)
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		return &input{name: name, body: body}, nil
	case isURL(name):
		return fetch(ctx, name)
	}
	body, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && maybeHost(name) {
		return nil, fmt.Errorf("%w (a URL begins with https://)", err)
	}
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	return &input{name: name, body: body, url: &url.URL{Scheme: "file", Path: filepath.ToSlash(path)}}, nil
}

// maybeHost tells whether a name that no file has may be meant as that of a site.
func maybeHost(name string) bool {
	return strings.Contains(name, ".") && !strings.ContainsAny(name, `/\`) && !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name))
}

// isURL tells a URL from a file's name.
func isURL(name string) bool {
	scheme, _, found := strings.Cut(name, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// fetch gets one page as it is: no robots.txt is asked, as the user named
// this very page.
func fetch(ctx context.Context, address string) (*input, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("%q is no URL: %w", address, errors.Unwrap(err))
	}
	if req.URL.Host == "" {
		return nil, fmt.Errorf("%q is no URL: it has no host", address)
	}
	req.Header.Set("User-Agent", crawl.DefaultUserAgent)
	req.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.5")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", address, errors.Unwrap(err))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxFetched+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("fetch %s: read body: %w", address, err)
	case len(body) > maxFetched:
		return nil, fmt.Errorf("fetch %s: the body has more than %d MiB", address, maxFetched>>20)
	}
	in := &input{name: address, body: body, contentType: resp.Header.Get("Content-Type"), header: resp.Header, url: resp.Request.URL}
	if lang := strings.TrimSpace(resp.Header.Get("Content-Language")); !strings.Contains(lang, ",") {
		in.language = lang
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		in.status = resp.Status
	}
	return in, nil
}
