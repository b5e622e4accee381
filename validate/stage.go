package validate

// A check is how a rule looks at a block: one of the types below, and of those for V2 beside
// what they look at. Those named for bounds return false where what they guard cannot be
// trusted, which is then left: the rest of the input, the object, its body, the name. They
// run in the order of the rules and whether or not anyone wants to hear of it, until one
// returns false.
type check interface{ into(*staged, *grade) }

// A bound is a check with the grade under which it reports.
type bound[C any] struct {
	check C
	grade *grade
}

// look adds a check that guards nothing, if someone wants to hear of what it finds.
func look[C any](list []bound[C], c C, g *grade) []bound[C] {
	if g.severity == Off {
		return list
	}
	return append(list, bound[C]{c, g})
}

// staged has the rules by when they run. Rules that are off are left out, but for
// those that guard the bounds.
type staged struct {
	aligned        bool // lengths are to be multiples of 8
	dataBounds     []bound[dataBounds]
	data           []bound[dataCheck]
	dataEnd        []bound[dataEnd]
	objectBounds   []bound[objectBounds]
	object         []bound[objectCheck]
	counterBounds  []bound[counterBounds]
	counter        []bound[counterCheck]
	defined        []bound[definedCheck]
	bodyBounds     []bound[bodyBounds]
	instanceBounds []bound[instanceBounds]
	nameBounds     []bound[nameBounds]
	instance       []bound[instanceCheck]
	twin           []bound[twinCheck]
	blockBounds    []bound[blockBounds]
	block          []bound[blockCheck]
	value          []bound[valueCheck]
	objectEnd      []bound[objectEnd]

	// Of V2.
	buffer          stage[*buffer]
	gap             stage[*gap]
	query           stage[*query]
	answer          stage[*answer]
	idList          stage[*idList]
	table           stage[*table]
	named           stage[*namedInstance]
	raw             stage[*rawValue]
	twinName        stage[*twinName]
	listTail        stage[*listTail]
	registration    stage[*registration]
	regSet          stage[*regSet]
	regCounter      stage[*regCounter]
	detail          stage[*detail]
	template        stage[*template]
	templateCounter stage[*templateCounter]
	instanceBlock   stage[*instanceBlock]
	identifier      stage[*identifier]
	guid            stage[*guid]
	strings         stage[*stringBuffer]
	entry           stage[*entry]
}

func (s *staged) add(g *grade) {
	s.aligned = s.aligned || g.severity != Off && g.rule.Name == "blk-length-align"
	g.rule.check.into(s, g)
}

// The checks of V1.
type (
	dataBounds     func(*pass, *header) bool // false leaves the input
	dataCheck      func(*pass, *header)
	dataEnd        func(*pass, *header)                 // after the objects
	objectBounds   func(*pass, *object) bool            // false leaves the object
	objectCheck    func(*pass, *object)                 // lengths hold; counters and body are not read yet
	counterBounds  func(*pass, *object, *counter) bool  // false leaves the object
	counterCheck   func(*pass, *object, *counter)       // all definitions are read, the body is not
	definedCheck   func(*pass, *object)                 // as counterCheck, once
	bodyBounds     func(*pass, *object) bool            // false leaves the body, which is not read yet
	instanceBounds func(*pass, *object, *instance) bool // false leaves the body
	nameBounds     func(*pass, *object, *instance) bool // false leaves the name
	instanceCheck  func(*pass, *object, *instance)
	twinCheck      func(*pass, *object, twin)        // instances of an object with one full name, plain or not
	blockBounds    func(*pass, *object, *block) bool // false leaves the body
	blockCheck     func(*pass, *object, *block)
	valueCheck     func(*pass, *object) // counters and all blocks are read: once
	objectEnd      func(*pass, *object) // the body is read, in full or not at all
)

func (c dataBounds) into(s *staged, g *grade) {
	s.dataBounds = append(s.dataBounds, bound[dataBounds]{c, g})
}
func (c dataCheck) into(s *staged, g *grade) { s.data = look(s.data, c, g) }
func (c dataEnd) into(s *staged, g *grade)   { s.dataEnd = look(s.dataEnd, c, g) }
func (c objectBounds) into(s *staged, g *grade) {
	s.objectBounds = append(s.objectBounds, bound[objectBounds]{c, g})
}
func (c objectCheck) into(s *staged, g *grade) { s.object = look(s.object, c, g) }
func (c counterBounds) into(s *staged, g *grade) {
	s.counterBounds = append(s.counterBounds, bound[counterBounds]{c, g})
}
func (c counterCheck) into(s *staged, g *grade) { s.counter = look(s.counter, c, g) }
func (c definedCheck) into(s *staged, g *grade) { s.defined = look(s.defined, c, g) }
func (c bodyBounds) into(s *staged, g *grade) {
	s.bodyBounds = append(s.bodyBounds, bound[bodyBounds]{c, g})
}
func (c instanceBounds) into(s *staged, g *grade) {
	s.instanceBounds = append(s.instanceBounds, bound[instanceBounds]{c, g})
}
func (c nameBounds) into(s *staged, g *grade) {
	s.nameBounds = append(s.nameBounds, bound[nameBounds]{c, g})
}
func (c instanceCheck) into(s *staged, g *grade) { s.instance = look(s.instance, c, g) }
func (c twinCheck) into(s *staged, g *grade)     { s.twin = look(s.twin, c, g) }
func (c blockBounds) into(s *staged, g *grade) {
	s.blockBounds = append(s.blockBounds, bound[blockBounds]{c, g})
}
func (c blockCheck) into(s *staged, g *grade) { s.block = look(s.block, c, g) }
func (c valueCheck) into(s *staged, g *grade) { s.value = look(s.value, c, g) }
func (c objectEnd) into(s *staged, g *grade)  { s.objectEnd = look(s.objectEnd, c, g) }
