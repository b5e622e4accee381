package layout

// Instance is a view of a PERF_INSTANCE_DEFINITION and everything in its ByteLength. The
// counter block of the instance starts directly after the view: see [Instance.Block].
type Instance struct {
	Span
	rest          Span // the bytes of the object after this definition
	codePage      uint32
	object, index int
}

func readInstance(s Span, codePage uint32, object, index int) (in Instance, err error) {
	in = Instance{codePage: codePage, object: object, index: index}
	if in.Span, err = s.recordAt(&PERF_INSTANCE_DEFINITION, in.Path); err == nil {
		in.rest = s.skipBytes(uint64(in.Len()))
	}
	return in, err
}

// Path returns the instance's path, object[i].instance[j].
func (in Instance) Path() Path { return Path{}.At("object", in.object).At("instance", in.index) }

// Name returns the bytes of the name. The length is 0 if the instance has no name. The error
// is an [*Error] that wraps [ErrBounds] if the name overlaps the structure or ends after
// ByteLength.
func (in Instance) Name() (Name, error) {
	if in.NameLength() == 0 {
		return Name{NewSpan(nil, in.off+SizeofInstanceDefinition), in.codePage}, nil
	}
	at := in.NameOffset()
	if name, err := in.Sub(uint64(at), uint64(in.NameLength())); err == nil && at >= SizeofInstanceDefinition {
		return Name{name, in.codePage}, nil // the name is valid; Span.name would look up the fields by name, which is slow
	}
	return in.Span.name(&PERF_INSTANCE_DEFINITION, in.Path(), "NameOffset", "NameLength") // returns an error, because the name is not valid
}

// Block returns the counter block of the instance. The block starts after the ByteLength bytes of the instance. The
// error is an [*Error] that wraps [ErrShort] or [ErrBounds].
func (in Instance) Block() (CounterBlock, error) { return readBlock(in.rest, in.object, in.index) }

// instances walks the instances with their counter blocks and returns the bytes after the last counter block. It
// returns false if w.done is true after an instance, or if an instance or a counter block has no valid length.
func (w *walker) instances(o Object, s Span, slots slots) (Span, bool) {
	return w.list(&PERF_INSTANCE_DEFINITION, s, o.Path(), uint64(o.NumInstances()), func(one, after Span, i int) (Span, bool) {
		in := Instance{one, after, o.CodePage(), o.index, i}
		path := in.Path()
		if w.record(&PERF_INSTANCE_DEFINITION, one, path) {
			tail := one.skipBytes(SizeofInstanceDefinition)
			if name, err := in.Name(); err != nil {
				w.yieldBytes(tail, UnreadPart, path.Field("padding"), err)
			} else {
				w.name(tail, name, path, "Name")
			}
		}
		return w.counterBlock(after, o.index, i, slots)
	})
}
