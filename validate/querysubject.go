package validate

import "github.com/perfblock/perfblock/layout"

// queryData is the PERF_DATA_HEADER and what is known of the whole.
type queryData struct {
	layout.QueryData
	end     int64 // where the last answer ends that could be found
	n       int64 // how many answers those are
	whole   bool  // they are all there are
	lengths []int64
}

var onQueryData = subjectsIn[*queryData](layout.QueryDataKind)

func (q *queryData) path() layout.Path      { return layout.Path{} }
func (q *queryData) record() *layout.Record { return &layout.PERF_DATA_HEADER }
func (q *queryData) start() int64           { return 0 }

// result is a PERF_COUNTER_HEADER and what is in it.
type result struct {
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

var onResult = subjectsIn[*result](layout.QueryDataKind)

func (a *result) path() layout.Path      { return layout.Path{}.At("result", a.index) }
func (a *result) record() *layout.Record { return &layout.PERF_COUNTER_HEADER }
func (a *result) start() int64           { return a.off }

// multiCounters is a PERF_MULTI_COUNTERS and its ids.
type multiCounters struct {
	of      *result
	off     int64
	n, size int64  // dwCounters and dwSize
	b       []byte // of the ids that there are
}

var onMultiCounters = subjectsIn[*multiCounters](layout.QueryDataKind)

func (l *multiCounters) path() layout.Path      { return l.of.path().Field("ids") }
func (l *multiCounters) record() *layout.Record { return &layout.PERF_MULTI_COUNTERS }
func (l *multiCounters) start() int64           { return l.off }

// id returns one of the ids that there are.
func (l *multiCounters) id(i int) uint32 { return le.Uint32(l.b[idSize*i:]) }

// multiInstances is a PERF_MULTI_INSTANCES and its instances.
type multiInstances struct {
	of       *result
	off, end int64
	n, total int64 // dwInstances and dwTotalSize
	reached  int64 // where the last instance ends, -1 where that is not known
	lacking  int64 // bytes by which the sizes in it are less than multiples of 8
	count    int64 // how many instances there are
	short    bool  // bytes ended where a value was due, or an instance stands there
	next     bool  // an instance does
	extra    bool  // a value stands where an instance should
}

var onMultiInstances = subjectsIn[*multiInstances](layout.QueryDataKind)

func (t *multiInstances) path() layout.Path      { return t.of.path().Field("instances") }
func (t *multiInstances) record() *layout.Record { return &layout.PERF_MULTI_INSTANCES }
func (t *multiInstances) start() int64           { return t.off }

// instanceHeader is a PERF_INSTANCE_HEADER with its name, of an answer or of a list.
type instanceHeader struct {
	of       *result // nil in a list
	index    int
	off, end int64
	lim      int64 // where it has to end at the latest
	said     int64 // Size
	wrong    bool  // Size does not lead to the end
	ended    bool  // the name has a NUL
	text     []byte
}

var onInstanceHeader = subjectsIn[*instanceHeader](layout.QueryDataKind, layout.InstancesKind)

func (in *instanceHeader) path() layout.Path {
	var path layout.Path
	if in.of != nil {
		path = in.of.path()
	}
	return path.At("instance", in.index)
}
func (in *instanceHeader) record() *layout.Record { return &layout.PERF_INSTANCE_HEADER }
func (in *instanceHeader) start() int64           { return in.off }

// listTail is what a list ends in, where that is no instance.
type listTail struct{ *instanceHeader }

var onListTail = subjectsIn[*listTail](layout.InstancesKind)

// id returns InstanceId.
func (in *instanceHeader) id(p *pass) uint32 { return le.Uint32(p.b[in.off+4:]) }

// counterData is a PERF_COUNTER_DATA and its value.
type counterData struct {
	of         *result
	instance   int // -1 where there is none
	index      int
	off, end   int64
	lim        int64
	said, data int64 // dwSize and dwDataSize
	wrong      bool  // dwSize does not lead to the end
}

var onCounterData = subjectsIn[*counterData](layout.QueryDataKind)

func (v *counterData) path() layout.Path {
	path := v.of.path()
	if v.instance >= 0 {
		path = path.At("instance", v.instance)
	}
	return path.At("data", v.index)
}
func (v *counterData) record() *layout.Record { return &layout.PERF_COUNTER_DATA }
func (v *counterData) start() int64           { return v.off }
