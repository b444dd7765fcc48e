package api

import (
	"os"
	"testing"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

func TestMain(m *testing.M) {
	steadytest.FilesInMemory()
	os.Exit(m.Run())
}
