package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/demo"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

func newDemoCommand(a *app) *cobra.Command {
	c := &demoCommand{app: a}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Crawl a small shop on this machine and show what came of it",
		Long: `Demo opens a small shop in many languages and encodings on this machine, with
the faults of the real web, crawls it over HTTP as it would any site, and
checks every record against what the shop sells. Nothing leaves the machine.

Run it a second time: it finds nothing changed.`,
		Example: `  magpie demo
  magpie demo --serve          # and keep the shop open, to look at it in a browser
  magpie demo --job > job.yaml # the job file that it runs; works while the shop is open`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	f := cmd.Flags()
	f.IntVar(&c.port, "port", 8421, "the shop's `port`; the next free one is taken when it is not free")
	f.BoolVar(&c.serve, "serve", false, "keep the shop open until Ctrl-C")
	f.BoolVar(&c.printJob, "job", false, "print the job file and do nothing")
	return cmd
}

// demoCommand is one call of magpie demo.
type demoCommand struct {
	*app
	port     int
	serve    bool
	printJob bool
}

// demoDB is where the demo keeps what it crawled, unless --db says otherwise.
const demoDB = "demo.db"

func (c *demoCommand) run(cmd *cobra.Command) error {
	if c.port < 1 || c.port > 65535 {
		return usagef(cmd, "--port must be 1 to 65535")
	}
	if c.printJob {
		_, err := fmt.Fprint(c.stdout, demo.JobAt(shopAddress(c.port)))
		return err
	}
	if !cmd.Flags().Changed("db") {
		c.db = demoDB
	}
	site := demo.New()
	address, closeShop, err := c.open(site)
	if err != nil {
		return err
	}
	defer closeShop()
	job, err := config.Parse("demo.yaml", []byte(demo.JobAt(address)))
	if err != nil {
		return err
	}
	crawling, err := c.newCrawling(job, watch{})
	if err != nil {
		return err
	}
	db, err := store.Open(c.db, store.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := calmFor(cmd.Context(), site, db, job.Name); err != nil {
		return err
	}
	if !c.json {
		fmt.Fprintf(c.stdout, "A shop of %d products is open at %s\n", len(site.Products()), address)
	}
	sum, err := crawling.run(cmd.Context(), crawling.work(db, crawl.Job{}))
	if err != nil {
		return err
	}
	if !sum.crawled.Finished {
		return errInterrupted
	}
	report := &demoReport{app: c.app, site: site, address: address}
	if err := report.run(cmd.Context(), db, job.Name); err != nil {
		return err
	}
	if c.serve {
		c.keepOpen(cmd.Context(), address)
	}
	return nil
}

// calmFor spares an unfinished run of the job the shop's faults, which happen
// anew in each process.
func calmFor(ctx context.Context, site *demo.Site, db *store.DB, job string) error {
	run, err := db.Run(ctx, job, 0)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil && run.State != store.RunFinished {
		site.Calm()
	}
	return err
}

// shopAddress is where the shop is that is served at a port.
func shopAddress(port int) string { return fmt.Sprintf("http://127.0.0.1:%d/", port) }

// triedPorts is how many ports are tried from --port on. The address of the
// shop is part of its records, so that the same port is taken where it can.
const triedPorts = 20

// open serves the shop on loopback and returns its address.
func (c *demoCommand) open(site *demo.Site) (address string, closeShop func(), err error) {
	var listener net.Listener
	for port := c.port; port < c.port+triedPorts; port++ {
		listener, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(port)))
		if err == nil {
			break
		}
	}
	if err != nil {
		return "", nil, fmt.Errorf("open the shop: %w: choose another with --port", err)
	}
	server := &http.Server{Handler: site, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	return "http://" + listener.Addr().String() + "/", func() { server.Close() }, nil
}

// keepOpen waits for Ctrl-C.
func (c *demoCommand) keepOpen(ctx context.Context, address string) {
	stop := onSignals(ctx, func(text string) { fmt.Fprintln(c.stderr, text) })
	defer stop.stop()
	fmt.Fprintf(c.stdout, "The shop stays open at %s. Ctrl-C closes it.\n", address)
	<-stop.Soft.Done()
}
