package htmlparse

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

func TestClone(t *testing.T) {
	tests := []struct{ name, src string }{
		{"document", "<!DOCTYPE html PUBLIC a b><title>t</title><p id=a class='b c'>x<b>y</b><!--z--><p>é&amp;"},
		{"foreign", "<svg viewBox='0 0 1 1' xlink:href=a><foreignObject><p>x</foreignObject></svg><math><mi>x</math>"},
		{"template", "<template><tr><td>x</template>y"},
		{"deep", strings.Repeat("<div>", 200) + "x"},
		{"empty", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc, err := ParseString(test.src, nil)
			if err != nil {
				t.Fatal(err)
			}
			for n := range doc.Root.Descendants() {
				c := Clone(n)
				if diff := cmp.Diff(renderedForTest(t, n), renderedForTest(t, c)); diff != "" {
					t.Errorf("copy of %q (-want +got):\n%s", n.Data, diff)
				}
				checkTree(t, c)
			}
		})
	}
}

func renderedForTest(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	if err := Dump(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCloneLetsPageGo holds what Clone is for: the page is collected while the copy lives.
func TestCloneLetsPageGo(t *testing.T) {
	freed := make(chan struct{})
	piece := func() *html.Node {
		page := append([]byte("<p title=a>b</p>"), make([]byte, 64<<10)...)
		runtime.AddCleanup(&page[0], func(done chan struct{}) { close(done) }, freed)
		doc, err := ParseBytes(page, &Options{Charset: "utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		return Clone(doc.Root.LastChild.LastChild.FirstChild)
	}()
	for late := time.Now().Add(time.Minute); time.Now().Before(late); {
		runtime.GC()
		select {
		case <-freed:
			if got := renderedForTest(t, piece); !strings.Contains(got, `title="a"`) {
				t.Errorf("the copy is %q", got)
			}
			return
		case <-time.After(time.Millisecond): // whoever is told needs a turn
		}
	}
	t.Error("the page is still in memory")
}
