package main

import (
	"cmp"
	"os"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/client"
)

// serverVariable is the environment variable that says where magpie serve is.
const serverVariable = "MAGPIE_SERVER"

// serverFlags say which running magpie serve is asked.
type serverFlags struct {
	url, token string
}

// define adds the flags. other says what happens without --server.
func (s *serverFlags) define(cmd *cobra.Command, other string) {
	cmd.Flags().StringVar(&s.url, "server", "", "ask the magpie serve at this `URL`, such as http://"+defaultListen+" ("+other+")")
	cmd.Flags().StringVar(&s.token, "token", "", "the server's token (default: the environment variable "+tokenVariable+")")
}

// wanted tells whether a server is to be asked, not a database.
func (s *serverFlags) wanted() bool { return s.url != "" }

// client returns what asks the server, which has a database of its own.
func (s *serverFlags) client(cmd *cobra.Command) (*client.Client, error) {
	if cmd.Flags().Changed("db") {
		return nil, usagef(cmd, "--db does not go with a magpie serve, which has a database of its own: leave it out")
	}
	c, err := client.New(cmp.Or(s.url, os.Getenv(serverVariable), "http://"+defaultListen), cmp.Or(s.token, os.Getenv(tokenVariable)))
	if err != nil {
		return nil, usagef(cmd, "--server: %s", err)
	}
	return c, nil
}
