package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

func newDBCommand(a *app) *cobra.Command {
	hosts := 10
	cmd := &cobra.Command{
		Use:   "db",
		Short: "Tell what takes the room in the database; check it for damage",
		Example: `  magpie db
  magpie db --hosts 50 --json
  magpie db check`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if hosts < 0 {
				return usagef(cmd, "--hosts must be at least 0")
			}
			db, err := a.openReadOnly()
			if err != nil {
				return err
			}
			defer db.Close()
			s, err := db.Sizes(cmd.Context(), hosts)
			if err != nil {
				return err
			}
			return a.writeSizes(s)
		},

		SuggestionsMinimumDistance: 2,
	}
	cmd.Flags().IntVar(&hosts, "hosts", hosts, "list this many hosts, those whose bodies take the most first")
	cmd.AddCommand(newDBCheckCommand(a))
	return cmd
}

// writeSizes tells what takes the room.
func (a *app) writeSizes(s *store.Sizes) error {
	if a.json {
		return a.writeJSON(machineSizesOf(s))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s of it free\n", a.db, words.Bytes(s.File), words.Bytes(s.Free))
	fmt.Fprintf(&b, "  bodies        %s\n", bodiesText(s.Bodies))
	if s.Dictionaries.Count > 0 {
		fmt.Fprintf(&b, "  dictionaries  %d, %s stored as %s\n", s.Dictionaries.Count, words.Bytes(s.Dictionaries.Raw), words.Bytes(s.Dictionaries.Stored))
	}
	if s.Bodies.Fresh > 0 {
		fmt.Fprintf(&b, "  %s not compressed as small as can be yet: magpie gc does that\n", countedBodies(s.Bodies.Fresh))
	}
	fmt.Fprint(a.stdout, b.String())
	t := terminalOf(a.stdout)
	tables := &table{header: []string{"TABLE", "ROWS", "DATA"}, right: []bool{false, true, true}}
	for _, size := range s.Tables {
		tables.rows = append(tables.rows, []string{size.Name, fmt.Sprint(size.Rows), words.Bytes(size.Data)})
	}
	if err := tables.write(a.stdout, t); err != nil || len(s.Hosts) == 0 {
		return err
	}
	hosts := &table{header: []string{"HOST", "BODIES", "RAW", "STORED", "SMALLER", "DICTIONARY", "DROPPED"}, right: []bool{false, true, true, true, true, false, true}}
	for _, h := range s.Hosts {
		dictionary := ""
		if h.Dictionary {
			dictionary = "yes"
		}
		hosts.rows = append(hosts.rows, []string{h.Host, fmt.Sprint(h.Count), words.Bytes(h.Raw), words.Bytes(h.Stored), ratioText(h.BodySizes), dictionary, fmt.Sprint(h.Dropped)})
	}
	if err := hosts.write(a.stdout, t); err != nil {
		return err
	}
	if n := s.AllHosts - len(s.Hosts); n > 0 {
		_, err := fmt.Fprintf(a.stdout, "and %s more\n", words.Counted(int64(n), "host"))
		return err
	}
	return nil
}

func bodiesText(s store.BodySizes) string {
	text := fmt.Sprintf("%d, %s stored as %s", s.Count, words.Bytes(s.Raw), words.Bytes(s.Stored))
	if ratio := ratioText(s); ratio != "" {
		text += ", " + ratio + " smaller"
	}
	return text + more("; %d dropped", s.Dropped)
}

func ratioText(s store.BodySizes) string {
	if s.Ratio() == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f×", s.Ratio())
}

// machineSizes are sizes for programs.
type machineSizes struct {
	File         int64              `json:"file"`
	Free         int64              `json:"free"`
	Bodies       machineBodies      `json:"bodies"`
	Dictionaries machineBodies      `json:"dictionaries"`
	Tables       []machineTableSize `json:"tables"`
	AllHosts     int                `json:"all_hosts"`
	Hosts        []machineHostSizes `json:"hosts"`
}

type machineBodies struct {
	Count   int64   `json:"count"`
	Raw     int64   `json:"raw"`
	Stored  int64   `json:"stored"`
	Ratio   float64 `json:"ratio"`
	Dropped int64   `json:"dropped"`
	Fresh   int64   `json:"fresh"`
}

type machineTableSize struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
	Data int64  `json:"data"`
}

type machineHostSizes struct {
	Host string `json:"host"`
	machineBodies
	Dictionary bool `json:"dictionary"`
}

func machineBodiesOf(s store.BodySizes) machineBodies {
	return machineBodies{s.Count, s.Raw, s.Stored, s.Ratio(), s.Dropped, s.Fresh}
}

func machineSizesOf(s *store.Sizes) machineSizes {
	m := machineSizes{File: s.File, Free: s.Free, Bodies: machineBodiesOf(s.Bodies), Dictionaries: machineBodiesOf(s.Dictionaries),
		Tables: []machineTableSize{}, AllHosts: s.AllHosts, Hosts: []machineHostSizes{}}
	for _, t := range s.Tables {
		m.Tables = append(m.Tables, machineTableSize(t))
	}
	for _, h := range s.Hosts {
		m.Hosts = append(m.Hosts, machineHostSizes{h.Host, machineBodiesOf(h.BodySizes), h.Dictionary})
	}
	return m
}

func newDBCheckCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check the database for damage: its structure, its references, every body",
		Long: `Check reads the whole database: SQLite's own structures and indexes, references
between rows, and every stored body, which must unpack to what its hash says.
It works while crawls go on, and changes nothing.

It exits with 1 if anything is not as it must be. Then go on with the last
backup (magpie backup makes one), or export what can still be read.`,
		Example: `  magpie db check
  magpie db check --db books-monday.db --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.checkDatabase(cmd) },
	}
}

func (a *app) checkDatabase(cmd *cobra.Command) error {
	db, err := store.OpenReadOnly(a.db, store.Options{NoCheck: true})
	if errors.Is(err, fs.ErrNotExist) {
		return a.noDatabase()
	} else if err != nil {
		return err
	}
	defer db.Close()
	var done, total atomic.Int64
	work := a.startWork(cmd.Context(), func() []stat {
		d, t := done.Load(), total.Load()
		return []stat{{"bodies", d, countedBodies(d)}, {"of", t, fmt.Sprintf("of %d", t)}}
	})
	defer work.stop()
	faults := []string{}
	r, err := db.Verify(work.ctx, func(fault string) {
		if len(faults) < maxFaultsTold {
			faults = append(faults, fault)
		}
	}, func(d, t int64) { done.Store(d); total.Store(t) })
	work.stop()
	switch {
	case err != nil && work.interrupted && errors.Is(err, context.Canceled):
		return errInterrupted
	case err != nil:
		return err
	}
	return a.writeVerdict(r, faults)
}

// maxFaultsTold is how many faults are told, the others are counted.
const maxFaultsTold = 200

func (a *app) writeVerdict(r store.VerifyResult, faults []string) error {
	if a.json {
		err := a.writeJSON(map[string]any{"faults": r.Faults, "first": faults, "bodies": r.Bodies, "bytes": r.Bytes, "dropped": r.Dropped})
		if err == nil && r.Faults > 0 {
			err = errFailed
		}
		return err
	}
	for _, f := range faults {
		fmt.Fprintln(a.stdout, harmless.Text(f))
	}
	if n := r.Faults - int64(len(faults)); n > 0 {
		fmt.Fprintf(a.stdout, "and %s more\n", words.Counted(n, "fault"))
	}
	if r.Faults > 0 {
		return fmt.Errorf("%s is damaged: %s found (%s are whole)", a.db, words.Counted(r.Faults, "fault"), countedBodies(r.Bodies))
	}
	_, err := fmt.Fprintf(a.stdout, "%s is whole: its structure, its references, and %s (%s)%s.\n",
		a.db, countedBodies(r.Bodies), words.Bytes(r.Bytes), more("; %d more were not kept", r.Dropped))
	return err
}
