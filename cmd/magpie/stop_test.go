package main

import (
	"os"
	"testing"
)

func TestStopper(t *testing.T) {
	signals := make(chan os.Signal)
	ignored := make(chan struct{})
	var told []string
	s := stopOn(t.Context(), signals, func(text string) { told = append(told, text) }, func() { close(ignored) })
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
	if len(told) != 2 {
		t.Errorf("told %q", told)
	}
}

func TestStopperWithoutSignals(t *testing.T) {
	s := stopOn(t.Context(), make(chan os.Signal), func(string) {}, func() {})
	s.stop()
	if s.Soft.Err() == nil || s.Hard.Err() == nil {
		t.Error("stop must end both contexts")
	}
}
