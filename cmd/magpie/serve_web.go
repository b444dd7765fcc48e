package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/web"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/dashboard"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/guard"
	"github.com/magpie-crawl/magpie/store"
)

// defaultListen is where magpie serve listens, and where commands look for it.
const defaultListen = "127.0.0.1:8490"

// tokenVariable is the environment variable that holds the server's token,
// which other users see on a command line.
const tokenVariable = "MAGPIE_TOKEN"

// webServer is the part of magpie serve that answers HTTP.
type webServer struct {
	listen string
	token  string
	hosts  []string
	url    string
	off    bool

	listener net.Listener
	guard    *guard.Guard
}

// webSettings are what serve.yaml says of it: flags and the environment come
// first.
type webSettings struct {
	Listen, Token, URL string
	Hosts              []string
}

// define adds the flags.
func (s *webServer) define(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.listen, "listen", "", "the `address` at which the dashboard and the API are (default "+defaultListen+"); beyond this machine only with a token")
	f.StringVar(&s.token, "token", "", "what browsers and programs must know (default: the environment variable "+tokenVariable+", where other users don't see it)")
	f.StringArrayVar(&s.hosts, "host", nil, "a `name` that people reach the server by, such as that of a proxy in front of it")
	f.StringVar(&s.url, "url", "", "where people see the dashboard, such as https://magpie.example.com/")
	f.BoolVar(&s.off, "no-web", false, "no dashboard and no API")
}

// open begins to listen, so that what is wrong is told before anything runs.
func (s *webServer) open(cmd *cobra.Command, settings webSettings, log *slog.Logger) error {
	s.url = cmp.Or(s.url, settings.URL)
	if s.off {
		return nil
	}
	address := cmp.Or(s.listen, settings.Listen, defaultListen)
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("another program listens at %s, perhaps another magpie serve: --listen names another address, --no-web does without", address)
	case err != nil:
		return usagef(cmd, "--listen %s: %s; write an address and a port, such as %s", address, err, defaultListen)
	}
	s.guard, err = guard.New(guard.Options{
		Address: listener.Addr().String(), Asked: address, Hosts: append(s.hosts[:len(s.hosts):len(s.hosts)], settings.Hosts...),
		Token: cmp.Or(s.token, os.Getenv(tokenVariable), settings.Token), URL: s.url, Log: log,
	})
	if err != nil {
		listener.Close()
		return usagef(cmd, "%s", err)
	}
	s.listener = listener
	return nil
}

// close stops listening, also where nothing was started.
func (s *webServer) close() {
	if s.listener != nil {
		s.listener.Close()
	}
}

// strangers tells whether whoever reaches the server may use it.
func (s *webServer) strangers() bool { return !s.off && s.guard.Open() }

// address is where people find the dashboard; "": nowhere.
func (s *webServer) address() string {
	switch {
	case s.off:
		return ""
	case s.url != "":
		return s.url
	}
	return "http://" + s.listener.Addr().String() + "/"
}

// start answers requests until stop is called, which waits until it has ended.
func (s *webServer) start(d *daemon.Daemon, db *store.DB, dir string, alerts *serveAlerts, log *slog.Logger) (stop func()) {
	if s.off {
		return func() {}
	}
	if !s.guard.Open() && !strings.HasPrefix(s.address(), "https://") && !s.listener.Addr().(*net.TCPAddr).IP.IsLoopback() {
		log.Warn("what is sent over the network is not encrypted, the token included: put a proxy for HTTPS in front, and say --url https://…")
	}
	version := readVersion().Version
	pages := dashboard.New(dashboard.Options{DB: db, Daemon: d, Log: log, Token: s.guard.FormToken, LogOut: !s.guard.Open(), Version: version,
		Trial: alerts.trials.Send})
	handler := web.New(web.Options{DB: db, Daemon: d, Dir: dir, Guard: s.guard, Trials: alerts.trials, Dashboard: pages, Log: log, Version: version})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := web.Serve(ctx, s.listener, handler, log); err != nil {
			log.Error("the dashboard and the API have ended", "err", err)
		}
	}()
	return func() { cancel(); <-ended }
}
