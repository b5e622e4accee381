package builder

import "github.com/perfblock/perfblock/layout"

// keptClocks returns the clocks of a header as the model has them. s starts with the
// record whose fields they are.
func (d *decoder) keptClocks(s layout.Span, c clocks) (clocks, error) {
	err := firstError(
		func() error { return d.times(s, &c) },
		func() error { return d.ticks(s, &c) },
	)
	return c, err
}

// times keeps each of the two moments only where it is not computed from the other. One
// that is dropped is as it will be written, so that this decodes to the same.
func (d *decoder) times(s layout.Span, c *clocks) error {
	r, here := c.in.record, layout.Path{}
	if now := c.now; now <= 0 {
		c.now = 0
		if err := d.loseField(here, r, s, c.in.now, "%d is no moment after 1601", now); err != nil {
			return err
		}
	}
	if err := c.system.InRange(); err != nil {
		c.system = layout.SystemTime{}
		if err := d.loseField(here, r, s, "SystemTime", "%v", err); err != nil {
			return err
		}
	}
	system, now, err := c.times()
	if err != nil {
		// One of the two was to be computed from the other, which does not give it.
		c.system, c.now, d.now = layout.SystemTime{}, 0, DefaultTime
		return d.loseField(here, r, s, "SystemTime", "%v", err)
	}
	c.system, c.now, d.now = layout.SystemTime{}, 0, now
	only := clocks{in: c.in, now: now}
	if computed, _, err := only.times(); err != nil || computed != system {
		c.system = system
	}
	only = clocks{in: c.in, system: c.system}
	if _, computed, err := only.times(); err != nil || computed != now {
		c.now = now
	}
	return nil
}

func (d *decoder) ticks(s layout.Span, c *clocks) error {
	r, here := c.in.record, layout.Path{}
	if ticks := c.ticks; ticks < 0 {
		c.ticks = 0
		if err := d.loseField(here, r, s, c.in.ticks, "%d is below 0", ticks); err != nil {
			return err
		}
	}
	switch freq := c.freq; {
	case freq <= 0:
		c.freq = 0
		return d.loseField(here, r, s, "PerfFreq", "%d ticks in a second", freq)
	case freq == defaultFreq:
		c.freq = 0
	}
	return nil
}
