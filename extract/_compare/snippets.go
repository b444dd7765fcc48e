package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
)

// readNotedPages reads the pages that go-trafilatura compares readers with,
// and the notes to them, from its module. The notes are Go source: a map from
// URLs to structs. Pages that the module lacks are left out.
func readNotedPages() ([]page, error) {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/markusmobius/go-trafilatura").Output()
	if err != nil {
		return nil, fmt.Errorf("finding the module of go-trafilatura: %w", err)
	}
	module := strings.TrimSpace(string(folder))
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(module, "scripts", "comparison", "data.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	var pages []page
	ast.Inspect(file, func(n ast.Node) bool {
		entry, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		fields, ok := entry.Value.(*ast.CompositeLit)
		if !ok || fields.Type != nil {
			return true
		}
		name, p := note(entry, fields)
		if p.source, err = os.ReadFile(filepath.Join(module, "test-files", "comparison", name)); err == nil && p.url != nil {
			pages = append(pages, p)
		}
		return false
	})
	if len(pages) == 0 {
		return nil, fmt.Errorf("no pages in %s", module)
	}
	return pages, nil
}

// note reads an entry of the map: the name of the page's file, and what is noted.
func note(entry *ast.KeyValueExpr, fields *ast.CompositeLit) (file string, p page) {
	if key := texts(entry.Key); len(key) == 1 {
		p.url, _ = url.Parse(key[0]) // nil tells that it's none
	}
	for _, f := range fields.Elts {
		field, ok := f.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		values := texts(field.Value)
		switch fmt.Sprint(field.Key) {
		case "File":
			file = strings.Join(values, "")
		case "With":
			p.with = values
		case "Without":
			p.without = values
		}
	}
	return file, p
}

// texts lists the string literals in an expression.
func texts(e ast.Expr) []string {
	var list []string
	ast.Inspect(e, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil {
				list = append(list, s)
			}
		}
		return true
	})
	return list
}

// compareOnSnippets prints how much of what belongs to articles the readers
// find, and of what doesn't.
func compareOnSnippets(pages []page) {
	fmt.Printf("\n%d pages with noted parts\n", len(pages))
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "\tprecision\trecall\tF1\t")
	for _, r := range readers {
		var right, wrong, wanted int
		for _, p := range pages {
			text := " " + strings.Join(strings.Fields(textOf(r.read(p))), " ")
			right += countIn(text, p.with)
			wrong += countIn(text, p.without)
			wanted += len(p.with)
		}
		precision, recall := float64(right)/float64(max(1, right+wrong)), float64(right)/float64(max(1, wanted))
		fmt.Fprintf(out, "%s\t%.4f\t%.4f\t%.4f\t\n", r.name, precision, recall, 2*precision*recall/max(1e-9, precision+recall))
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

func countIn(text string, parts []string) int {
	n := 0
	for _, p := range parts {
		if strings.Contains(text, strings.Join(strings.Fields(p), " ")) {
			n++
		}
	}
	return n
}
