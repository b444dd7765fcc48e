package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/store"
)

// complete tells shells how to complete the values of a flag.
func complete(cmd *cobra.Command, flag string, by cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, by); err != nil {
		panic(err) // the flag does not exist or has a completion already
	}
}

// completeNoFiles keeps shells from offering files where none can stand: for
// arguments and values of flags that are not called file or folder, of a
// command and those below it.
func completeNoFiles(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil && !cmd.HasSubCommands() && !strings.Contains(cmd.Use, "FILE") {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		name, _ := pflag.UnquoteUsage(f)
		if _, has := cmd.GetFlagCompletionFunc(f.Name); !has && name != "" && name != "file" && name != "folder" {
			complete(cmd, f.Name, cobra.NoFileCompletions)
		}
	})
	for _, below := range cmd.Commands() {
		completeNoFiles(below)
	}
}

// jobFiles completes the names of job files.
func jobFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// jobThenPages completes the name of a job file, and behind it those of pages.
func jobThenPages(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return jobFiles(cmd, args, begun)
}

// jobItems completes the items of the job file that --job names, or else the
// first argument.
func jobItems(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	file := flagText(cmd, "job")
	if file == "" && len(args) > 0 {
		file = args[0]
	}
	job, err := config.LoadOffline(file)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, item := range job.Items.Items {
		names = append(names, item.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeNames has shells complete the names of jobs, item types and fields,
// and the numbers of runs, by what is in the database.
func (a *app) completeNames(cmd *cobra.Command) {
	for flag, names := range map[string]func(*cobra.Command, *store.DB) ([]string, error){
		"job": completeJobs, "item": completeItems, "fields": completeFields,
		"run": completeRuns, "since": completeRuns, "at": completeRuns,
	} {
		if cmd.Flags().Lookup(flag) != nil {
			complete(cmd, flag, a.completion(names))
		}
	}
}

// completion asks the database for what may stand in a place. One that cannot
// be read completes nothing: the command itself will say why.
func (a *app) completion(names func(*cobra.Command, *store.DB) ([]string, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		db, err := store.OpenReadOnly(a.db, store.Options{NoCheck: true})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer db.Close()
		list, err := names(cmd, db)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		before := begun[:strings.LastIndexByte(begun, ',')+1] // of a list with commas
		var completions []string
		for _, name := range list {
			if slices.Contains(strings.Split(before, ","), name) {
				continue
			}
			if name = before + name; strings.HasPrefix(name, begun) {
				completions = append(completions, name)
			}
		}
		return completions, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// flagText is what a flag was given so far; "": nothing, or there is no such
// flag.
func flagText(cmd *cobra.Command, name string) string {
	if f := cmd.Flags().Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

func completeJobs(cmd *cobra.Command, db *store.DB) ([]string, error) {
	return db.JobNames(cmd.Context())
}

func completeItems(cmd *cobra.Command, db *store.DB) ([]string, error) {
	types, err := db.ItemTypes(cmd.Context(), flagText(cmd, "job"))
	return itemNames(types), err
}

func completeFields(cmd *cobra.Command, db *store.DB) ([]string, error) {
	types, err := db.ItemTypes(cmd.Context(), flagText(cmd, "job"))
	var fields []string
	for _, t := range types {
		if item := flagText(cmd, "item"); item != "" && item != t.Name {
			continue
		}
		for _, f := range t.Fields {
			if !slices.Contains(fields, f) {
				fields = append(fields, f)
			}
		}
	}
	return fields, err
}

// completedRuns is how many runs are offered, the last first.
const completedRuns = 20

func completeRuns(cmd *cobra.Command, db *store.DB) ([]string, error) {
	var numbers []string
	for run, err := range db.Runs(cmd.Context(), flagText(cmd, "job")) {
		if err != nil {
			return nil, err
		}
		if n := fmt.Sprint(run.Number); !slices.Contains(numbers[max(0, len(numbers)-completedRuns):], n) {
			numbers = append(numbers, n)
		}
	}
	slices.Reverse(numbers)
	return numbers[:min(len(numbers), completedRuns)], nil
}
