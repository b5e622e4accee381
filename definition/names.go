package definition

import "github.com/perfblock/perfblock/layout"

// Names returns a function that returns the name of the counter set or the counter at a path such as
// counterSet[0].counter[2]. The function returns "" for other paths. It also returns "" if two sets, or two counters of
// one set, have the name. A name that it returns therefore identifies the same set or counter in a later version of the
// file.
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

// unique adds to all the names that only one of the n elements of a list has, by path.
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
