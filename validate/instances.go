package validate

import "github.com/perfblock/perfblock/layout"

// This file finds the end of each instance of an object, and runs the rules on the instances in their
// order.

// checkInstances checks the instances of an object and their counter blocks.
func (p *pass) checkInstances(o *object) {
	n := int(o.NumInstances())
	if !p.noScan && (n > fewNames || p.collectNames) && len(onDuplicate.stageIn(p.rules).checks) > 0 {
		object, found, listed := *o, p.found, len(p.listed.findings)
		p.collected.begin(n)
		p.checkEachInstance(o)
		if p.findEqual(o); len(p.collected.equal) == 0 || p.reportEqual(o, n) {
			return
		}
		// The instances are checked a second time, so undo the first check.
		*o, p.found = object, found
		clear(p.listed.findings[listed:])
		p.listed.findings = p.listed.findings[:listed]
	}
	p.checkEachInstance(o)
}

func (p *pass) checkEachInstance(o *object) {
	p.names.reset(int(o.NumInstances()))
	p.ids.reset(int(o.NumInstances()))
	at := o.body()
	for k, n := 0, int(o.NumInstances()); k < n; k++ {
		if at, k = p.skipPlain(o, at, k); k == n {
			break
		}
		in := &p.instance
		*in = instance{of: o, index: k, off: at, end: o.end}
		if left := o.end - at; left >= instanceDefinitionSize {
			in.end = at + min(left, max(instanceDefinitionSize, instanceRecord.declared(p.b, at)))
			if next := p.distance(&instanceRecord, at, o.end, follower{&counterBlockRecord, -1}); next.wrong {
				in.required, in.end = next.n, at+next.n
			}
			in.Instance = layout.Instance{Span: span(p.b, at, in.end)}
		}
		if !onInstance.runGuards(p, in) {
			return
		}
		p.checkInstance(o, in)
		end, ok := p.checkBlock(o, in.end, k)
		if !ok {
			return
		}
		at = end
	}
	o.contentEnd = at
}

func (p *pass) checkInstance(o *object, in *instance) {
	if in.index == 0 {
		o.firstID = in.UniqueID()
	}
	p.readName(o, in)
	onInstance.runChecks(p, in)
	if len(in.text) > 0 {
		p.checkName(o, in)
	}
}

// readName sets the fields that describe the name of the instance. If the name is not inside the
// instance, it sets no field.
func (p *pass) readName(o *object, in *instance) {
	if !onName.runGuards(p, instanceName{in}) {
		return
	}
	in.placed = true
	from, n := int(in.NameOffset()), int(in.NameLength())
	if n == 0 {
		return
	}
	b := in.Bytes()[from : from+n : from+n]
	in.name = layout.Name{Span: layout.NewSpan(b, in.off+int64(from)), CodePage: o.CodePage()}
	unit := in.name.Unit()
	in.sound = n%unit == 0
	in.ended = in.name.Terminated()
	in.text = b
	if in.ended {
		in.text = b[:n-unit]
	}
}

var instanceRecord = recordType{
	field: layout.PERF_INSTANCE_DEFINITION.Field("ByteLength").At, least: instanceDefinitionSize,
	plausible: plausibleInstance,
	required: func(p *pass, at, _ int64) (int64, int64) {
		in := instanceAt(p.b, at)
		switch from, n := int64(in.NameOffset()), int64(in.NameLength()); {
		case n == 0:
			return instanceDefinitionSize, 0
		case from >= instanceDefinitionSize:
			return aligned(from + n), 0
		}
		return 0, 0
	},
}

func plausibleInstance(b []byte, at, lim int64) bool {
	if lim-at < instanceDefinitionSize+counterBlockSize {
		return false
	}
	in := instanceAt(b, at)
	length, from, n := int64(in.ByteLength()), int64(in.NameOffset()), int64(in.NameLength())
	return length >= instanceDefinitionSize && length <= lim-at-counterBlockSize && from+n <= length && (n == 0 || from >= instanceDefinitionSize)
}

// followerOf returns what must follow the counter block of instance k.
func (o *object) followerOf(k int) follower {
	if k+1 < int(o.NumInstances()) {
		return follower{&instanceRecord, -1}
	}
	return endFollows(o.end)
}
