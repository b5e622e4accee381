package validate

import "github.com/perfblock/perfblock/layout"

// query is the PERF_DATA_HEADER and what is known of the whole.
type query struct {
	layout.QueryData
	end     int64 // where the last answer ends that could be found
	n       int64 // how many answers those are
	whole   bool  // they are all there are
	lengths []int64
}

func (q *query) path() layout.Path            { return layout.Path{} }
func (q *query) record() *layout.Record       { return &layout.PERF_DATA_HEADER }
func (q *query) start() int64                 { return 0 }
func (*query) stage(s *staged) *stage[*query] { return &s.query }

// answer is a PERF_COUNTER_HEADER and what is in it.
type answer struct {
	layout.Result // its header
	index         int
	off, end      int64
	wanted        int64 // the dwSize that leads to the next answer, 0 where its own may
	shape         shape
	plain         int64 // how many instances have been passed over when the shape was found
	plainEnd      int64 // where they end
	shaped        bool  // the shape is how things are
	content       int64 // where the content ends, -1 where that is not known
	lacking       int64 // bytes by which the sizes in it are less than multiples of 8
	short         bool  // bytes ended where a value was due
	identifier    *layout.CounterIdentifier
	set           *counterSet // of which the answer is, nil where that is not known
	widths        []int64     // of the values that belong together, 0 where that is not known
}

func (a *answer) path() layout.Path             { return layout.Path{}.At("result", a.index) }
func (a *answer) record() *layout.Record        { return &layout.PERF_COUNTER_HEADER }
func (a *answer) start() int64                  { return a.off }
func (*answer) stage(s *staged) *stage[*answer] { return &s.answer }

// idList is a PERF_MULTI_COUNTERS and its ids.
type idList struct {
	of      *answer
	off     int64
	n, size int64  // dwCounters and dwSize
	b       []byte // of the ids that there are
}

func (l *idList) path() layout.Path             { return l.of.path().Field("ids") }
func (l *idList) record() *layout.Record        { return &layout.PERF_MULTI_COUNTERS }
func (l *idList) start() int64                  { return l.off }
func (*idList) stage(s *staged) *stage[*idList] { return &s.idList }

// id returns one of the ids that there are.
func (l *idList) id(i int) uint32 { return le.Uint32(l.b[idSize*i:]) }

// table is a PERF_MULTI_INSTANCES and its instances.
type table struct {
	of       *answer
	off, end int64
	n, total int64 // dwInstances and dwTotalSize
	reached  int64 // where the last instance ends, -1 where that is not known
	lacking  int64 // bytes by which the sizes in it are less than multiples of 8
	count    int64 // how many instances there are
	short    bool  // bytes ended where a value was due, or an instance stands there
	next     bool  // an instance does
	extra    bool  // a value stands where an instance should
}

func (t *table) path() layout.Path            { return t.of.path().Field("instances") }
func (t *table) record() *layout.Record       { return &layout.PERF_MULTI_INSTANCES }
func (t *table) start() int64                 { return t.off }
func (*table) stage(s *staged) *stage[*table] { return &s.table }

// namedInstance is a PERF_INSTANCE_HEADER with its name, of an answer or of a list.
type namedInstance struct {
	of       *answer // nil in a list
	index    int
	off, end int64
	lim      int64 // where it has to end at the latest
	said     int64 // Size
	wrong    bool  // Size does not lead to the end
	ended    bool  // the name has a NUL
	text     []byte
}

func (in *namedInstance) path() layout.Path {
	var path layout.Path
	if in.of != nil {
		path = in.of.path()
	}
	return path.At("instance", in.index)
}
func (in *namedInstance) record() *layout.Record              { return &layout.PERF_INSTANCE_HEADER }
func (in *namedInstance) start() int64                        { return in.off }
func (*namedInstance) stage(s *staged) *stage[*namedInstance] { return &s.named }

// listTail is what a list ends in, where that is no instance.
type listTail struct{ *namedInstance }

func (*listTail) stage(s *staged) *stage[*listTail] { return &s.listTail }

// id returns InstanceId.
func (in *namedInstance) id(p *pass) uint32 { return le.Uint32(p.b[in.off+4:]) }

// rawValue is a PERF_COUNTER_DATA and its value.
type rawValue struct {
	of         *answer
	instance   int // -1 where there is none
	index      int
	off, end   int64
	lim        int64
	said, data int64 // dwSize and dwDataSize
	wrong      bool  // dwSize does not lead to the end
}

func (v *rawValue) path() layout.Path {
	path := v.of.path()
	if v.instance >= 0 {
		path = path.At("instance", v.instance)
	}
	return path.At("data", v.index)
}
func (v *rawValue) record() *layout.Record          { return &layout.PERF_COUNTER_DATA }
func (v *rawValue) start() int64                    { return v.off }
func (*rawValue) stage(s *staged) *stage[*rawValue] { return &s.raw }
