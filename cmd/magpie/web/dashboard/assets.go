package dashboard

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed static
var staticFiles embed.FS

// assets are the files that pages need. Each is served under a name with the
// hash of its content, so that browsers may keep it for ever.
type assets struct {
	paths map[string]string // by the name of the file
	files map[string]asset  // by the name it is served under
}

type asset struct {
	content     []byte
	contentType string
}

var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// loadAssets reads what was built into the program.
func loadAssets() *assets {
	a := &assets{map[string]string{}, map[string]asset{}}
	entries, err := fs.ReadDir(staticFiles, "static")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		content, err := staticFiles.ReadFile("static/" + e.Name())
		if err != nil {
			panic(err)
		}
		ext := path.Ext(e.Name())
		sum := sha256.Sum256(content)
		hashed := strings.TrimSuffix(e.Name(), ext) + "." + hex.EncodeToString(sum[:6]) + ext
		a.paths[e.Name()] = "/static/" + hashed
		a.files[hashed] = asset{content, contentTypes[ext]}
	}
	return a
}

// path is where a page finds a file.
func (a *assets) path(name string) (string, error) {
	if p, ok := a.paths[name]; ok {
		return p, nil
	}
	return "", fmt.Errorf("static/%s: there is no such file", name)
}

func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := a.files[r.PathValue("name")]
	if !ok {
		http.Error(w, "There is no such file. Reload the page that asked for it.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", f.contentType)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.content))
}
