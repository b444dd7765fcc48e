package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// app is what all commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	db             string       // --db
	json           bool         // --json
	errors         *slog.Logger // where errors are told in place of text; nil: text
}

// newRoot builds the command line.
func newRoot(a *app) *cobra.Command {
	showVersion := false
	root := &cobra.Command{
		Use:   "magpie",
		Short: "Crawl sites and turn their pages into typed records",
		Long: `Magpie crawls sites, reads their HTML exactly as browsers do, turns pages into
typed records and keeps them in a database that you can query.

With --json the commands that list something write a JSON object a line. Those of
runs, status, pages, health and search are in the shapes of the HTTP API, which
/api/v1/openapi.json describes where magpie serve listens.

The exit code is 0 when all went well, 1 when it failed, 2 for wrong usage or a
wrong job file, 3 when some of it failed, such as pages of a crawl, and 130 after
Ctrl-C. What a command means by it stands in its help.`,
		Example: `  magpie demo
  magpie crawl books.yaml
  magpie extract https://books.toscrape.com/ --each article --css 'title=h3 a@title' --css 'price=.price_color|price'
  magpie check books.yaml
  magpie help extract`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				return a.writeVersion()
			}
			return cmd.Help()
		},
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return noEmptyFlags(cmd) }
	root.PersistentFlags().StringVar(&a.db, "db", defaultDB, "the database `file`")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "write for machines: JSON instead of text")
	root.AddCommand(
		newDemoCommand(a),
		newCrawlCommand(a),
		newServeCommand(a),
		newExtractCommand(a),
		newTryCommand(a),
		newParseCommand(a),
		newReextractCommand(a),
		newExportCommand(a),
		newStartCommand(a),
		newStopCommand(a),
		newPauseCommand(a),
		newResumeCommand(a),
		newStatusCommand(a),
		newRunsCommand(a),
		newNotifyCommand(a),
		newHealthCommand(a),
		newPagesCommand(a),
		newRecordsCommand(a),
		newDiffCommand(a),
		newSQLCommand(a),
		newGCCommand(a),
		newBackupCommand(a),
		newDBCommand(a),
		newSearchCommand(a),
		newCheckCommand(a),
		newInitCommand(a),
		newSchemaCommand(a),
		newVersionCommand(a),
	)
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	refuseUnknownTopics(root)
	completeNoFiles(root)
	return root
}

// refuseUnknownTopics has the commands that cobra adds, help and completion,
// refuse what they do not know.
func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				if asked, rest, err := root.Find(args); err != nil || len(rest) > 0 {
					return unknownCommand(asked, rest)
				}
				return nil
			}
		case "completion":
			cmd.Args = unknownCommand
			cmd.SuggestionsMinimumDistance = 2
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// unknownCommand refuses the arguments of a command that has only commands of
// its own.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usagef(cmd, "unknown command %q: did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return usagef(cmd, "unknown command %q", args[0])
}

// flagError makes a mistake in a flag an error of usage, with the nearest
// flag where one is unknown.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return usagef(cmd, "%s", valueText(invalid))
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usagef(cmd, "%s", err)
	}
	// Cobra finds the nearest command for a word. Commands named like the
	// flags let it find the nearest flag.
	flags := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	if near := flags.SuggestionsFor(unknown.GetSpecifiedName()); len(near) > 0 {
		return usagef(cmd, "%s: did you mean --%s?", err, strings.Join(near, " or --"))
	}
	return usagef(cmd, "%s", err)
}

// valueText says what a flag can be that was given something else.
func valueText(err *pflag.InvalidValueError) string {
	want := map[string]string{
		"int": "a whole number", "duration": "a time such as 30s or 2h", "bool": "true or false",
	}[err.GetFlag().Value.Type()]
	if want == "" { // a flag of ours, which says it itself
		return err.Error()
	}
	return fmt.Sprintf("--%s must be %s, not %q", err.GetFlag().Name, want, err.GetValue())
}

// noEmptyFlags refuses flags of text with nothing in them: they come of
// variables of the shell that are not set, and would count as left out.
func noEmptyFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			err = usagef(cmd, "--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	return err
}

// atLeastOne asks for one or more arguments, which what names.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef(cmd, "%s needs %s", cmd.Name(), what)
		}
		return nil
	}
}

// oneArgument asks for one argument, which what names.
func oneArgument(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usagef(cmd, "%s needs %s", cmd.Name(), what)
		case len(args) > 1:
			return usagef(cmd, "%s takes one argument, %s, not also %q", cmd.Name(), what, args[1])
		}
		return nil
	}
}

// atMostOne takes one argument, which what names, or none.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef(cmd, "%s takes one argument, %s, not also %q", cmd.Name(), what, args[1])
		}
		return nil
	}
}

// apart refuses flags that do not go together.
func apart(cmd *cobra.Command, flags ...string) error {
	var given []string
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return usagef(cmd, "%s do not go together: use one", strings.Join(given, " and "))
	}
	return nil
}

// onlyJSON makes a --format JSON where --json asks for it, and refuses one that
// says otherwise.
func (a *app) onlyJSON(cmd *cobra.Command, format *choiceFlag) error {
	if !a.json {
		return nil
	}
	if cmd.Flags().Changed("format") && format.value != "json" {
		return usagef(cmd, "--json and --format %s do not go together: use one", format.value)
	}
	format.value = "json"
	return nil
}

// checkLimit refuses a --limit below 0, which means all.
func checkLimit(cmd *cobra.Command, limit int) error {
	if limit < 0 {
		return usagef(cmd, "--limit cannot be less than 0, which means all")
	}
	return nil
}

// noArguments refuses all arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef(cmd, "%s takes no arguments, not %q", cmd.Name(), args[0])
	}
	return nil
}

// choiceFlag is a flag whose value is one of a few words.
type choiceFlag struct {
	value   string
	choices []string
}

func (f *choiceFlag) String() string { return f.value }
func (f *choiceFlag) Type() string   { return "name" }

func (f *choiceFlag) Set(s string) error {
	if !slices.Contains(f.choices, s) {
		return errors.New("must be one of " + strings.Join(f.choices, ", "))
	}
	f.value = s
	return nil
}

// addChoice adds a flag whose value is one of choices, by default the first.
func addChoice(cmd *cobra.Command, name, usage string, choices ...string) *choiceFlag {
	f := &choiceFlag{value: choices[0], choices: choices}
	cmd.Flags().Var(f, name, usage+": "+strings.Join(choices, ", "))
	complete(cmd, name, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
	return f
}
