package htmlparse

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestHTML5LibEncodingSuite(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(suiteDir(t, "encoding"), "*.dat"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of the suite: %v", err)
	}
	for _, file := range files {
		for i, c := range readEncodingSuite(t, file) {
			name := fmt.Sprintf("%s/%d", filepath.Base(file), i+1)
			t.Run(name, func(t *testing.T) {
				want, ok := EncodingName(c.encoding)
				if !ok {
					t.Fatalf("the suite wants the unknown encoding %q", c.encoding)
				}
				doc, err := ParseBytes(c.data, nil)
				if err != nil {
					t.Fatal(err)
				}
				if doc.Encoding.Name != want {
					t.Errorf("%.80q… is read as %+v, want %s", c.data, doc.Encoding, want)
				}
			})
		}
	}
}

type encodingCase struct {
	data     []byte
	encoding string
}

// readEncodingSuite reads blocks of "#data", lines, "#encoding", a label.
func readEncodingSuite(t *testing.T, file string) []encodingCase {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []encodingCase
	for block := range bytes.SplitSeq(append([]byte("\n"), src...), []byte("\n#data\n")) {
		if len(block) == 0 {
			continue
		}
		data, encoding, ok := bytes.Cut(block, []byte("\n#encoding\n"))
		if !ok {
			t.Fatalf("%s: a case without #encoding: %q", file, block)
		}
		cases = append(cases, encodingCase{data, string(bytes.TrimSpace(encoding))})
	}
	return cases
}
