package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/magpie-crawl/magpie"

// rooms are the module's folders in the order of the house: a package
// imports only from its own room and from those before it.
var rooms = []string{"internal", "weburl", "htmlparse", "extract", "crawl", "store", "config", "cmd"}

// goPackage is what `go list -json` tells of a package.
type goPackage struct {
	ImportPath string
	Dir        string
	Imports    []string
	Deps       []string // imports of imports too
	GoFiles    []string
	CgoFiles   []string
}

// listPackages returns the module's packages.
func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Dir,Imports,Deps,GoFiles,CgoFiles", module+"/...").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if _, ours := strings.CutPrefix(p.ImportPath, module+"/"); ours {
			packages = append(packages, p)
		}
	}
	if len(packages) < len(rooms) {
		t.Fatalf("only %d packages found", len(packages))
	}
	return packages
}

// roomOf is the place in rooms of one of our packages; -1 for others.
func roomOf(path string) int {
	rest, ours := strings.CutPrefix(path, module+"/")
	if !ours {
		return -1
	}
	top, _, _ := strings.Cut(rest, "/")
	return slices.Index(rooms, top)
}

// TestImportLadder holds the drawing in the README: who imports whom.
func TestImportLadder(t *testing.T) {
	for _, p := range listPackages(t) {
		t.Run(strings.TrimPrefix(p.ImportPath, module+"/"), func(t *testing.T) {
			room := roomOf(p.ImportPath)
			if room < 0 {
				t.Fatalf("stands in none of the folders %s", strings.Join(rooms, ", "))
			}
			for _, dep := range p.Deps {
				if roomOf(dep) > room {
					t.Errorf("imports %s, which stands below it", dep)
				}
			}
			for _, imported := range p.Imports {
				if why := forbiddenImport(rooms[room], p.ImportPath, imported); why != "" {
					t.Errorf("imports %s: %s", imported, why)
				}
			}
		})
	}
}

// configurationPackages are for those who read configuration: config and cmd.
var configurationPackages = []string{"flag", "github.com/goccy/go-yaml", "github.com/spf13/cobra", "github.com/spf13/pflag"}

// forbiddenImport says why a package of a room must not import another
// directly; "" where it may.
func forbiddenImport(room, importer, imported string) string {
	switch {
	case forTests(imported) && !forTests(importer):
		return "only tests and packages for tests do"
	case room != "config" && room != "cmd" && slices.ContainsFunc(configurationPackages, func(p string) bool {
		return imported == p || strings.HasPrefix(imported, p+"/")
	}):
		return "only config and cmd read configuration"
	case room != "store" && (imported == "database/sql" || imported == "github.com/mattn/go-sqlite3"):
		return "SQL stays in store"
	}
	return ""
}

// forTests tells packages that tests alone use: ours are called so.
func forTests(path string) bool {
	return path == "testing" || strings.HasPrefix(path, module+"/") && strings.HasSuffix(path, "test")
}

// TestOneParser finds calls of x/net/html's parser and tokenizer, which are
// not what pages are read with.
func TestOneParser(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	parsed := 0
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed++
		file, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		checkOneParser(t, file, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if parsed < 10 {
		t.Errorf("only %d files found in %s", parsed, root)
	}
}

func checkOneParser(t *testing.T, file, path string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, nil, 0)
	if err != nil {
		t.Error(err)
		return
	}
	for _, use := range xnetParsing(f) {
		t.Errorf("%s:%d: x/net/html's %s is for tests alone", file, fset.Position(use.Pos()).Line, use.Sel.Name)
	}
}

// xnetParsing returns the uses of the functions of x/net/html that parse.
func xnetParsing(f *ast.File) []*ast.SelectorExpr {
	name := ""
	for _, spec := range f.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != "golang.org/x/net/html" {
			continue
		}
		if name = "html"; spec.Name != nil {
			name = spec.Name.Name
		}
	}
	if name == "" {
		return nil
	}
	parsing := []string{"Parse", "ParseFragment", "ParseWithOptions", "ParseFragmentWithOptions", "NewTokenizer", "NewTokenizerFragment"}
	var uses []*ast.SelectorExpr
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == name && slices.Contains(parsing, sel.Sel.Name) {
				uses = append(uses, sel)
			}
		}
		return true
	})
	return uses
}

// TestXNetParsing checks the check: it must find what it looks for.
func TestXNetParsing(t *testing.T) {
	tests := []struct {
		name, src string
		want      int
	}{
		{"parse", `package a; import "golang.org/x/net/html"; var _, _ = html.Parse(nil)`, 1},
		{"renamed", `package a; import x "golang.org/x/net/html"; var z = x.NewTokenizer(nil)`, 1},
		{"as a value", `package a; import "golang.org/x/net/html"; var f = html.ParseFragment`, 1},
		{"render", `package a; import "golang.org/x/net/html"; var f = html.Render`, 0},
		{"another html", `package a; import "html/template"; var f = template.New("").Parse`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := parser.ParseFile(token.NewFileSet(), "a.go", tt.src, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(xnetParsing(f)); got != tt.want {
				t.Errorf("found %d uses, want %d", got, tt.want)
			}
		})
	}
}
