package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/crawl"
)

// recrawlPolicies are the values of --recrawl, by crawl.RecrawlPolicy.
var recrawlPolicies = []string{crawl.RecrawlAll: "all", crawl.RecrawlAdaptive: "adaptive", crawl.RecrawlFull: "full"}

// recrawlVar defines --recrawl.
func recrawlVar(cmd *cobra.Command, p *crawl.RecrawlPolicy) {
	cmd.Flags().Var((*recrawlFlag)(p), "recrawl", "ask for pages fetched before: all, on condition that they changed; adaptive, those that are due; full, without condition")
	complete(cmd, "recrawl", cobra.FixedCompletions(recrawlPolicies, cobra.ShellCompDirectiveNoFileComp))
}

// recrawlFlag is a policy as a flag.
type recrawlFlag crawl.RecrawlPolicy

func (f *recrawlFlag) String() string { return recrawlPolicies[*f] }
func (f *recrawlFlag) Type() string   { return "policy" }

func (f *recrawlFlag) Set(s string) error {
	for i, name := range recrawlPolicies {
		if s == name {
			*f = recrawlFlag(i)
			return nil
		}
	}
	return fmt.Errorf("there are %s", strings.Join(recrawlPolicies, ", "))
}
