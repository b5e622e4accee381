package definition

import "github.com/perfblock/perfblock/layout"

// Names returns a function that maps a path, such as counterSet[0].counter[2], to the name of the counter set or
// counter. The function returns "" for other paths, and for a name that two sets, or two counters of one set, have. So
// a name identifies the same set or counter in a later version of the file.
func (f *File) Names() func(layout.Path) string {
	all := make(map[layout.Path]string)
	if f.Provider != nil {
		sets := f.Provider.CounterSets
		unique(all, layout.Path{}, "counterSet", len(sets), func(i int) string { return sets[i].Name.String() })
		for i := range sets {
			counters := sets[i].Counters
			unique(all, layout.Path{}.At("counterSet", i), "counter", len(counters), func(i int) string { return counters[i].Name.String() })
		}
	}
	return func(path layout.Path) string { return all[path] }
}

// unique adds the names of the n elements of a list to all, by path. It leaves out a name that two elements have.
func unique(all map[layout.Path]string, parent layout.Path, list string, n int, name func(i int) string) {
	count := make(map[string]int, n)
	for i := range n {
		count[name(i)]++
	}
	for i := range n {
		if text := name(i); text != "" && count[text] == 1 {
			all[parent.At(list, i)] = text
		}
	}
}
