package dump

// wait keeps a line until the name or value comes that stands in it.
func (t *perflibTree) wait(line []byte, before, without string) {
	t.text, t.waiting, t.before, t.without, t.behind = line, true, before, without, t.behind[:0]
}

// release shows the line that waits, if any, with what it waited for if that is there.
// Findings in it come after it.
func (t *perflibTree) release(with []byte) {
	if !t.waiting {
		return
	}
	b := t.text
	if len(with) > 0 {
		b = append(append(b, t.before...), with...)
	} else {
		b = append(b, t.without...)
	}
	t.waiting = false
	t.finish(append(b, t.behind...))
	for _, text := range t.held {
		t.fault(t.depth+1, text)
	}
	t.held = t.held[:0]
}
