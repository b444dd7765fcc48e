package main

import (
	"bytes"
	"os"
	"testing"
)

func TestStopper(t *testing.T) {
	signals := make(chan os.Signal)
	ignored := make(chan struct{})
	var out bytes.Buffer
	s := stopOn(t.Context(), signals, &out, func() { close(ignored) })
	if s.interrupted() {
		t.Fatal("interrupted from the start")
	}
	signals <- os.Interrupt
	<-s.Soft.Done()
	if s.Hard.Err() != nil || !s.interrupted() {
		t.Fatal("the first signal must stop softly")
	}
	signals <- os.Interrupt
	<-s.Hard.Done()
	<-ignored
	s.stop()
	if got := bytes.Count(out.Bytes(), []byte("\n")); got != 2 {
		t.Errorf("told %q", out.String())
	}
}

func TestStopperWithoutSignals(t *testing.T) {
	s := stopOn(t.Context(), make(chan os.Signal), &bytes.Buffer{}, func() {})
	s.stop()
	if s.Soft.Err() == nil || s.Hard.Err() == nil {
		t.Error("stop must end both contexts")
	}
}
