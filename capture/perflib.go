package capture

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
)

// fill calls a function of Perflib with larger and larger buffers until the data fits, and returns the data. The first
// buffer has *size bytes. fill sets *size to the size of the last buffer.
func (r *run) fill(size *int, call func(buf []byte) (int, Status)) ([]byte, error) {
	for {
		buf := make([]byte, *size)
		n, status := call(buf)
		switch {
		case status == 0 && n > len(buf):
			return nil, fmt.Errorf("the system reports %d bytes in a buffer of %d", n, len(buf))
		case status == 0:
			return slices.Clone(buf[:n]), nil
		case status != notEnoughMemory:
			return nil, status
		case len(buf) >= maxSize:
			return nil, errTooLarge
		}
		// The data can grow before the next call, so the new size is larger than n.
		*size = min(maxSize, max(2*len(buf), n+n/8))
	}
}

// A counterSet is a registered counter set.
type counterSet struct {
	guid layout.GUID
	name string // in English
}

// prepareSets adds the registrations of the counter sets to the bundle, and opens a query for all counters of these
// sets.
func (r *run) prepareSets(ctx context.Context) error {
	sets, err := r.findSets(ctx)
	if err != nil {
		return err
	}
	var identifiers builder.Identifiers
	for _, set := range sets {
		instances, err := r.register(set)
		if err != nil {
			return err
		}
		name := ""
		if instances&layout.PERF_COUNTERSET_FLAG_MULTIPLE != 0 {
			name = layout.PERF_WILDCARD_INSTANCE
		}
		identifiers = append(identifiers, builder.AllCounters(set.guid, name))
	}
	ids, err := identifiers.MarshalBinary()
	if err != nil {
		return err
	}
	query, status := r.sys.openQuery()
	if status != 0 {
		return fmt.Errorf("PerfOpenQueryHandle: %w", status)
	}
	r.query = query
	if err := r.addCounters(sets, ids); err != nil {
		r.sys.closeQuery(query)
		return err
	}
	return nil
}

// addCounters adds the counters to the query, and the identifiers of the query to the bundle. ids has one encoded
// identifier for each counter set.
func (r *run) addCounters(sets []counterSet, ids []byte) error {
	if status := r.sys.addCounters(r.query, ids); status != 0 {
		return fmt.Errorf("PerfAddCounters: %w", status)
	}
	var added builder.Identifiers
	if err := added.UnmarshalBinary(ids); err != nil {
		return fmt.Errorf("the identifiers after PerfAddCounters: %w", err)
	}
	failed := 0
	for i, id := range added {
		status := Status(id.Status)
		if status == 0 {
			continue
		}
		err := fmt.Errorf("the counter set %s: %w", quote.Short(sets[i].name), status)
		if failed++; failed == len(sets) {
			return err
		}
		r.bundle.Notes = append(r.bundle.Notes, err.Error())
	}
	size, at := firstSize, r.sys.now()
	b, err := r.fill(&size, func(buf []byte) (int, Status) { return r.sys.queryCounterInfo(r.query, buf) })
	if err != nil {
		return fmt.Errorf("PerfQueryCounterInfo: %w", err)
	}
	kind := layout.IdentifiersKind
	r.add(Member{Name: memberName("v2/query", kind), Kind: kind.String(), Time: at, Bytes: b})
	return nil
}

// findSets returns the counter sets that r.Sets selects, in the order of r.Sets.
func (r *run) findSets(ctx context.Context) ([]counterSet, error) {
	found := make([]counterSet, len(r.Sets))
	for i, text := range r.Sets {
		if guid, err := layout.ParseGUID(text); err == nil {
			found[i] = counterSet{guid, text}
		}
	}
	if !slices.Contains(found, counterSet{}) {
		return found, nil
	}
	size := firstSize
	b, err := r.fill(&size, r.sys.enumerateCounterSet)
	if err != nil {
		return nil, fmt.Errorf("PerfEnumerateCounterSet: %w", err)
	}
	var names []string
	for guid, err := range layout.ReadGUIDs(b) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		for _, code := range []layout.PerfRegInfoType{layout.PERF_REG_COUNTERSET_ENGLISH_NAME, layout.PERF_REG_COUNTERSET_NAME_STRING} {
			name, err := r.setName(guid, code)
			if err != nil {
				continue // skip the name; the user can still select the set by its GUID
			}
			names = append(names, name)
			for i, text := range r.Sets {
				if found[i].name == "" && strings.EqualFold(name, text) {
					found[i] = counterSet{guid, name}
				}
			}
		}
	}
	for i, set := range found {
		if set.name == "" {
			return nil, fmt.Errorf("no counter set has the name %s; use the name of a registered counter set, or its GUID%s", quote.Short(r.Sets[i]), suggest.DidYouMean(r.Sets[i], names))
		}
	}
	return found, nil
}

func (r *run) setName(set layout.GUID, code layout.PerfRegInfoType) (string, error) {
	b, err := r.registration(set, code, 0)
	if err != nil {
		return "", err
	}
	return layout.ReadRegText(b).Text()
}

func (r *run) registration(set layout.GUID, code layout.PerfRegInfoType, language uint32) ([]byte, error) {
	size := 4 << 10
	return r.fill(&size, func(buf []byte) (int, Status) { return r.sys.queryRegistration(set, code, language, buf) })
}

// texts lists the names and help texts in the registration of a counter set. A localised text exists in each language.
var texts = []struct {
	code      layout.PerfRegInfoType
	name      string
	localised bool
}{
	{layout.PERF_REG_COUNTERSET_ENGLISH_NAME, "english-name", false},
	{layout.PERF_REG_COUNTER_ENGLISH_NAMES, "english-counters", false},
	{layout.PERF_REG_COUNTERSET_NAME_STRING, "name", true},
	{layout.PERF_REG_COUNTERSET_HELP_STRING, "help", true},
	{layout.PERF_REG_COUNTER_NAME_STRINGS, "counters", true},
	{layout.PERF_REG_COUNTER_HELP_STRINGS, "counter-help", true},
}

// register adds the registration of a counter set with its texts, and returns the InstanceType of the set.
func (r *run) register(set counterSet) (layout.InstanceType, error) {
	add := func(code layout.PerfRegInfoType, name string, language uint32) ([]byte, error) {
		at := r.sys.now()
		b, err := r.registration(set.guid, code, language)
		if err != nil {
			return nil, fmt.Errorf("the counter set %s: %v: %w", quote.Short(set.name), code, err)
		}
		kind, _ := code.Kind()
		r.add(Member{Name: memberName("v2/"+strings.Trim(set.guid.String(), "{}")+name, kind), Kind: kind.String(), Time: at, Set: set.name, Bytes: b})
		return b, nil
	}
	b, err := add(layout.PERF_REG_COUNTERSET_STRUCT, "", 0)
	if err != nil {
		return 0, err
	}
	info, err := layout.ReadCounterSetRegInfo(b)
	if err != nil {
		return 0, fmt.Errorf("the counter set %s: %w", quote.Short(set.name), err)
	}
	try := func(code layout.PerfRegInfoType, name string, language uint32) {
		if _, err := add(code, name, language); err != nil { // many sets have no help text
			r.bundle.Notes = append(r.bundle.Notes, err.Error())
		}
	}
	for _, text := range texts {
		if !text.localised {
			try(text.code, "."+text.name, 0)
			continue
		}
		for _, language := range r.languages {
			try(text.code, fmt.Sprintf(".%s.%03X", text.name, language), locale(language))
		}
	}
	return info.InstanceType(), nil
}

// locale returns the locale identifier of a language. A language without a region gets its default region.
func locale(language uint32) uint32 {
	const defaultRegion = 1 << 10
	if language < defaultRegion {
		return language | defaultRegion
	}
	return language
}
