// Package client asks a running magpie serve by its API.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/api"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
)

// Client asks one server.
type Client struct {
	server string // without a slash at the end
	token  string
	http   *http.Client
}

// within bounds a request; the server gives up before.
const within = 30 * time.Second

// maxAnswer bounds what is read of an answer.
const maxAnswer = 64 << 20

// New returns a client of the server at a URL such as http://127.0.0.1:8490.
// token may be empty.
func New(server, token string) (*Client, error) {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q is no address of a server: write one such as http://127.0.0.1:8490", server)
	}
	return &Client{
		server: strings.TrimSuffix(u.String(), "/"), token: token,
		// A redirect would carry the token to somewhere else.
		http: &http.Client{Timeout: within, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}, nil
}

// Jobs lists the jobs by name.
func (c *Client) Jobs(ctx context.Context) ([]machine.Job, error) {
	var list api.List[machine.Job]
	err := c.ask(ctx, http.MethodGet, "/jobs", nil, &list)
	return list.Items, err
}

// Status tells how jobs stand by the database, or with a name how that one
// does, with so many hosts of each.
func (c *Client) Status(ctx context.Context, job string, hosts int) ([]machine.Status, error) {
	query := url.Values{"hosts": {fmt.Sprint(max(0, hosts))}}
	if job != "" {
		query.Set("job", job)
	}
	var list api.List[machine.Status]
	err := c.ask(ctx, http.MethodGet, "/status?"+query.Encode(), nil, &list)
	return list.Items, err
}

// Runs lists the runs of a job, the last first.
func (c *Client) Runs(ctx context.Context, job string) iter.Seq2[machine.Run, error] {
	return all[machine.Run](ctx, c, jobPath(job, "runs"))
}

// Due lists what became of the due times of a job, the last first.
func (c *Client) Due(ctx context.Context, job string) iter.Seq2[machine.Due, error] {
	return all[machine.Due](ctx, c, jobPath(job, "due"))
}

// Alerts lists the open problems of a job, or with "" of all jobs.
func (c *Client) Alerts(ctx context.Context, job string) ([]machine.Alert, error) {
	var list api.List[machine.Alert]
	err := c.ask(ctx, http.MethodGet, "/alerts?"+url.Values{"job": {job}}.Encode(), nil, &list)
	return list.Items, err
}

// AlertMessages lists the messages about a job, or with "" about any, that are
// to be sent or were given up.
func (c *Client) AlertMessages(ctx context.Context, job string) ([]machine.AlertMessage, error) {
	var list api.List[machine.AlertMessage]
	err := c.ask(ctx, http.MethodGet, "/alerts/messages?"+url.Values{"job": {job}, "limit": {"1000"}}.Encode(), nil, &list)
	return list.Items, err
}

// Settings tells how the server's settings stand.
func (c *Client) Settings(ctx context.Context) (s machine.Settings, err error) {
	err = c.ask(ctx, http.MethodGet, "/settings", nil, &s)
	return s, err
}

// TestNotify has a trial message sent each way that messages about a job go, or
// with "" about any.
func (c *Client) TestNotify(ctx context.Context, job string) ([]machine.Tried, error) {
	var list api.List[machine.Tried]
	err := c.ask(ctx, http.MethodPost, "/notify/test", api.NotifyTest{Job: job}, &list)
	return list.Items, err
}

// all reads a list part by part.
func all[T any](ctx context.Context, c *Client, path string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for cursor := ""; ; {
			var list api.List[T]
			if err := c.ask(ctx, http.MethodGet, path+"?"+url.Values{"cursor": {cursor}}.Encode(), nil, &list); err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, one := range list.Items {
				if !yield(one, nil) {
					return
				}
			}
			if cursor = list.Next; cursor == "" {
				return
			}
		}
	}
}

// Start starts a run of a job.
func (c *Client) Start(ctx context.Context, job string, how api.Start) (machine.Job, error) {
	return c.act(ctx, job, "start", how)
}

// Stop stops a job's run softly.
func (c *Client) Stop(ctx context.Context, job string) (machine.Job, error) {
	return c.act(ctx, job, "stop", nil)
}

// Pause turns a job's schedule off, or on again.
func (c *Client) Pause(ctx context.Context, job string, paused bool) (machine.Job, error) {
	if paused {
		return c.act(ctx, job, "pause", nil)
	}
	return c.act(ctx, job, "resume", nil)
}

func (c *Client) act(ctx context.Context, job, what string, body any) (j machine.Job, err error) {
	err = c.ask(ctx, http.MethodPost, jobPath(job, what), body, &j)
	return j, err
}

func jobPath(job, what string) string { return "/jobs/" + url.PathEscape(job) + "/" + what }

// ask asks for an operation and reads the answer into answer. What the server
// refuses is a *problem.Problem.
func (c *Client) ask(ctx context.Context, method, path string, body, answer any) error {
	var send io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		send = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.server+api.Base+path, send)
	if err != nil {
		return err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return c.unreachable(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return c.unreachable(err)
	}
	return c.read(resp, text, answer)
}

func (c *Client) unreachable(err error) error {
	if errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("nothing answers at %s: start it with magpie serve DIR, or say with --server where it is", c.server)
	}
	return fmt.Errorf("ask %s: %w", c.server, err)
}

func (c *Client) read(resp *http.Response, text []byte, answer any) error {
	media, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	switch {
	case media == problem.ContentType:
		p := &problem.Problem{}
		if err := json.Unmarshal(text, p); err != nil {
			return fmt.Errorf("ask %s: %w", c.server, err)
		}
		switch {
		case resp.StatusCode == http.StatusUnauthorized && c.token == "":
			p.Detail, p.Advice = c.server+" asks for a token", "set the environment variable MAGPIE_TOKEN, or --token, to the one that magpie serve has"
		case resp.StatusCode == http.StatusUnauthorized:
			p.Detail, p.Advice = c.server+" does not take the token", "MAGPIE_TOKEN, or --token, must be the one that magpie serve has"
		}
		return p
	case resp.StatusCode < 300 && media == "application/json":
		if err := json.Unmarshal(text, answer); err != nil {
			return fmt.Errorf("ask %s: %w", c.server, err)
		}
		return nil
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return fmt.Errorf("%s leads on to %s: give that as --server, if it is to be trusted", c.server, resp.Header.Get("Location"))
	}
	return fmt.Errorf("what answers at %s is not magpie serve: it says %s", c.server, resp.Status)
}
