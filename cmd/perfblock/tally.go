package main

import (
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate/report"
)

// A tally has the results of lint so far.
type tally struct {
	end           error // the error that the command ends with
	kinds         map[layout.Kind]bool
	texts         bool   // there are definitions
	files, others int    // blocks, and files that are not blocks
	excluded      int    // files and folders that the configuration excludes
	pairs         int    // blocks that were compared with an older one
	again         string // the path of the first file that the user has named again, or ""

	faults   []configFault  // the first fault with each text
	faultyBy map[string]int // the number of blocks, by the text of the fault
}

// complain prints why a block was not validated. It prints a fault of a configuration only once, even for thousands
// of files.
func (t *tally) complain(err error) {
	if fault, is := errors.AsType[configFault](err); is {
		t.faultyBy[fault.Error()]++
		if t.faultyBy[fault.Error()] > 1 {
			return
		}
		t.faults = append(t.faults, fault)
	}
	complain(err)
}

func (t *tally) complainRest() {
	for _, fault := range t.faults {
		if n := t.faultyBy[fault.Error()]; n > 1 {
			complain(fmt.Errorf("%s: not validated: %w", quote.Count(n-1, "other file"), fault))
		}
	}
}

// notRead returns a text with the number of files that are not blocks, and the number of excluded files and folders.
func (t *tally) notRead() (text string) {
	if t.others > 0 {
		text = "; " + quote.Count(t.others, "file") + " skipped (not a block, or not a regular file)"
	}
	if t.excluded > 0 {
		text += "; " + quote.Count(t.excluded, "path") + " excluded (key exclude of the configuration)"
	}
	return text
}

func (t *tally) add(b block.Result[lintResult], w *reportWriter) error {
	if b.Err != nil {
		t.complain(b.Err)
		t.end = errFailed
		return w.unchecked(report.Unchecked{Path: b.Path, Order: b.Value.file.Order, Err: b.Err})
	}
	if b.Value.file.Failed() && t.end == nil {
		t.end = errFaulty
	}
	if b.Value.file.Form == "" {
		t.kinds[b.Value.file.Kind] = true
	} else {
		t.texts = true
	}
	return w.file(b.Value.file)
}
