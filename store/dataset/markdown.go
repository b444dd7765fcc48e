package dataset

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// IndexName is the file of a Markdown folder that lists the others.
const IndexName = "index.jsonl"

// MarkdownFolder writes one file for each record: its fields as YAML front
// matter, and below that the field that is Markdown, else the longest text.
type MarkdownFolder struct {
	folder string
	schema Schema
	member *members
	body   int // place of the field that is the text; -1: the longest
	file   *os.File
	index  *bufio.Writer
}

// NewMarkdown returns an encoder that writes to an empty folder.
func NewMarkdown(folder string, s Schema) (*MarkdownFolder, error) {
	f, err := os.OpenFile(filepath.Join(folder, IndexName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	e := &MarkdownFolder{folder: folder, schema: s, member: newMembers(s.fieldNames()...), body: -1, file: f, index: bufio.NewWriter(f)}
	for i, field := range s.Fields {
		if field.Type == MarkdownText && !field.List {
			e.body = i
			break
		}
	}
	return e, nil
}

// indexed is a line of the index.
type indexed struct {
	File   string `json:"file"`
	Job    string `json:"job"`
	Key    string `json:"key"`
	URL    string `json:"url"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// IndexFields describe the index.
var IndexFields = []Field{flat("file", Text), flat("job", Text), flat("key", Text), flat("url", URL), flat("bytes", Integer), flat("sha256", Text)}

func flat(name string, t Type) Field {
	return Field{Name: name, Type: t, Columns: []Column{{Name: name}}}
}

func (e *MarkdownFolder) Write(r *Record) error {
	if err := e.member.read(r.Data); err != nil {
		return recordError(r, err)
	}
	content := e.content(r)
	name, err := e.create(r, content)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	line, err := json.Marshal(indexed{File: name, Job: r.Job, Key: r.Key, URL: r.URL, Bytes: len(content), SHA256: hex.EncodeToString(sum[:])})
	if err != nil {
		return err
	}
	_, err = e.index.Write(append(line, '\n'))
	return err
}

// content is what a record's file says. A JSON value is one of YAML too, so
// that nothing in a page's text can end the front matter.
// https://yaml.org/spec/1.2.2/
func (e *MarkdownFolder) content(r *Record) []byte {
	at, text := e.text()
	var b strings.Builder
	b.WriteString("---\n")
	for i, f := range e.schema.Fields {
		switch value := e.member.values[i]; {
		case f.Meta:
			line(&b, f.Name, metaJSON(r.meta(f.Name)))
		case value != nil && i != at:
			line(&b, f.Name, value)
		}
	}
	for _, m := range []string{"_key", "_url"} {
		if !hasName(e.schema.Fields, m) {
			line(&b, m, metaJSON(r.meta(m)))
		}
	}
	b.WriteString("---\n\n")
	b.WriteString(strings.TrimRight(text, "\n"))
	b.WriteString("\n")
	return []byte(b.String())
}

func hasName(fields []Field, name string) bool {
	for _, f := range fields {
		if f.Name == name {
			return true
		}
	}
	return false
}

func metaJSON(v any) []byte {
	if s, ok := v.(string); ok {
		return quoted(s)
	}
	return fmt.Append(nil, v)
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func line(b *strings.Builder, name string, value []byte) {
	switch strings.ToLower(name) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null": // which YAML takes for other than text
		b.Write(quoted(name))
	default:
		if plainName.MatchString(name) {
			b.WriteString(name)
		} else {
			b.Write(quoted(name))
		}
	}
	b.WriteString(": ")
	// These end a line in YAML and not in JSON.
	b.WriteString(strings.NewReplacer("\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`, "\ufeff", `\ufeff`, "\x7f", `\u007f`).Replace(string(value)))
	b.WriteByte('\n')
}

// text finds what stands below the front matter, and its field's place.
func (e *MarkdownFolder) text() (at int, s string) {
	if e.body >= 0 {
		found, _ := text(e.member.values[e.body])
		return e.body, string(found)
	}
	at = -1
	for i, f := range e.schema.Fields {
		if found, ok := text(e.member.values[i]); ok && !f.Meta && f.Type == Text && len(found) > len(s) {
			at, s = i, string(found)
		}
	}
	return at, s
}

// create writes a record's file under a name that is made of its key.
func (e *MarkdownFolder) create(r *Record, content []byte) (name string, err error) {
	sum := sha256.Sum256([]byte(r.Job + "\x00" + r.Key))
	name = fileName(r.Key, hex.EncodeToString(sum[:4]), false)
	f, err := os.OpenFile(filepath.Join(e.folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) { // another job has that key
		name = fileName(r.Key, hex.EncodeToString(sum[:]), true)
		f, err = os.OpenFile(filepath.Join(e.folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	return name, errors.Join(err, f.Close())
}

// fileName makes a file's name of a key, for any file system: letters, digits
// and dashes, of which a key that has others, or may be taken for another
// where case does not count, gets a sum.
func fileName(key, sum string, always bool) string {
	const limit = 80
	name := strings.Trim(unsafeName.ReplaceAllString(strings.TrimPrefix(strings.TrimPrefix(key, "https://"), "http://"), "-"), "-.")
	for len(name) > limit || !utf8.ValidString(name) {
		name = name[:min(len(name)-1, limit)]
	}
	switch {
	case name == "":
		return sum + ".md"
	case always, name != key, name != strings.ToLower(name), deviceName.MatchString(name):
		return name + "-" + sum + ".md"
	}
	return name + ".md"
}

var (
	unsafeName = regexp.MustCompile(`[^A-Za-z0-9_]+`)
	// Names that Windows keeps for devices, whatever follows a dot; and that of the index.
	deviceName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9]|index)$`)
)

// Close ends the index.
func (e *MarkdownFolder) Close() error {
	return errors.Join(e.index.Flush(), e.file.Sync(), e.file.Close())
}

// Abort lets go of a folder that is thrown away.
func (e *MarkdownFolder) Abort() { _ = e.file.Close() }
