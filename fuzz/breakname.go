package fuzz

const alphabet = "abcdefghijklmnopqrstuvwxyz"

// telling are the letters that tell names apart. Their numbers are odd: a letter and the NUL
// behind it are no length then, which would be a multiple of 8, where a damaged one leads to them.
const telling = "acegikmoqsuwy"

// characters returns how long a name is before what tells it from others. Names are of any
// length, as what a rule overlooks in those of some lengths would else not be found.
func (v *victim) characters() int { return v.upTo(min(v.MaxText, 100) + 1) }

// labels returns n names that differ, whatever the case, in their last letters, of which there
// are few. All are as long, least or more, so that none becomes another by a letter more or less.
func (v *victim) labels(n, least int, alphabet string) []string {
	letters, few := []rune(alphabet), 1
	for told := len(telling); told < n; told *= len(telling) {
		few++
	}
	stem, first := max(v.characters(), least-few), v.upTo(len(letters))
	list := make([]string, n)
	for i := range list {
		name := make([]rune, stem+few)
		for j := range stem {
			name[j] = letters[(first+j)%len(letters)]
		}
		for j, rest := len(name)-1, i; j >= stem; j, rest = j-1, rest/len(telling) {
			name[j] = rune(telling[rest%len(telling)])
		}
		list[i] = string(name)
	}
	return list
}
