package api

import (
	"os"
	"testing"

	"github.com/magpie-crawl/magpie/internal/ramdisk"
)

func TestMain(m *testing.M) {
	ramdisk.Use()
	os.Exit(m.Run())
}
