package validate

// What rules of V2 look at knows what it is in, so their checks take one argument, and
// all stages are alike.

// A part is a subject of V2: a pointer to a query, an answer, an instance and so on.
type part[S any] interface {
	subject
	// stage returns where the checks of such subjects are. It is called of nil.
	stage(*staged) *stage[S]
}

// A stage is the checks of one sort of subject.
type stage[S any] struct {
	bounds []bound[func(*pass, S) bool]
	checks []bound[func(*pass, S)]
	ends   []bound[func(*pass, S)]
}

// guards is a check that returns false where what is left of the subject cannot be read.
func guards[S part[S]](f func(*pass, S) bool) check { return boundsOf[S](f) }

// checks is a check of what can be read, before what is in it is judged.
func checks[S part[S]](f func(*pass, S)) check { return checkOf[S](f) }

// ends is a check of a subject when all that is in it has been judged.
func ends[S part[S]](f func(*pass, S)) check { return endOf[S](f) }

type (
	boundsOf[S part[S]] func(*pass, S) bool
	checkOf[S part[S]]  func(*pass, S)
	endOf[S part[S]]    func(*pass, S)
)

func (c boundsOf[S]) into(s *staged, g *grade) {
	var none S
	at := none.stage(s)
	at.bounds = append(at.bounds, bound[func(*pass, S) bool]{c, g})
}

func (c checkOf[S]) into(s *staged, g *grade) {
	var none S
	at := none.stage(s)
	at.checks = look[func(*pass, S)](at.checks, c, g)
}

func (c endOf[S]) into(s *staged, g *grade) {
	var none S
	at := none.stage(s)
	at.ends = look[func(*pass, S)](at.ends, c, g)
}

// holds runs the checks of the subject, those that guard its bounds first, and reports
// whether those hold.
func (st *stage[S]) holds(p *pass, s S) bool {
	for _, r := range st.bounds {
		if p.grade = r.grade; !r.check(p, s) {
			return false
		}
	}
	for _, r := range st.checks {
		p.grade = r.grade
		r.check(p, s)
	}
	return true
}

// end runs the checks for when all that is in the subject has been judged.
func (st *stage[S]) end(p *pass, s S) {
	for _, r := range st.ends {
		p.grade = r.grade
		r.check(p, s)
	}
}
