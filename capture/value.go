package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
)

const (
	firstSize = 64 << 10  // bytes of the first buffer
	maxSize   = 256 << 20 // bytes of the largest buffer
	maxBytes  = 1 << 30   // bytes of all buffers of a bundle

	maxTries  = 8                     // of the same call while the system is busy
	firstWait = 50 * time.Millisecond // before the second try; each further wait is twice as long
)

var errTooLarge = fmt.Errorf("has more than %d MiB; select fewer objects", maxSize>>20)

// readValue returns the bytes of a value of HKEY_PERFORMANCE_DATA.
func (r *run) readValue(ctx context.Context, name string) ([]byte, error) {
	delay := firstWait
	for tries := 1; ; {
		buf := make([]byte, r.size)
		n, status := r.sys.queryValue(name, buf)
		switch {
		case status == 0 && n > len(buf):
			return nil, fmt.Errorf("the system reports %d bytes in a buffer of %d", n, len(buf))
		case status == 0 && n == 0:
			return nil, errors.New("the system returned no bytes")
		case status == 0:
			return slices.Clone(buf[:n]), nil
		case status == moreData && r.size >= maxSize:
			return nil, errTooLarge
		case status == moreData:
			r.size *= 2 // Windows does not return the required size
		case status.retry() && tries < maxTries:
			tries++
			if err := r.sys.wait(ctx, delay); err != nil {
				return nil, err
			}
			delay *= 2
		default:
			return nil, status
		}
	}
}

// prepareObjects reads the title tables, and sets r.values to the queries for the objects.
func (r *run) prepareObjects(ctx context.Context) error {
	for _, language := range r.languages {
		err := r.titles(ctx, language)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // a query with indexes does not require titles
			r.bundle.Notes = append(r.bundle.Notes, err.Error())
		}
	}
	var indexes []string
	for _, object := range r.Objects {
		if i := slices.IndexFunc(Words(), func(w string) bool { return strings.EqualFold(w, object) }); i >= 0 {
			r.values = append(r.values, Words()[i])
			continue
		}
		if number, err := strconv.ParseUint(object, 10, 32); err == nil {
			indexes = append(indexes, strconv.FormatUint(number, 10))
			continue
		}
		found, err := r.bundle.indexes(object)
		if err != nil {
			return err
		}
		indexes = append(indexes, found...)
	}
	if len(indexes) > 0 {
		r.values = append(r.values, strings.Join(indexes, " "))
	}
	return nil
}

// titles adds the title tables of a language to the bundle.
func (r *run) titles(ctx context.Context, language uint32) error {
	for _, kind := range []titles.Kind{titles.Counter, titles.Help} {
		value := fmt.Sprintf("%v %03X", kind, language)
		at := r.sys.now()
		b, err := r.readValue(ctx, value)
		if err != nil {
			return fmt.Errorf("the titles %q: %w", value, err)
		}
		r.add(Member{Name: "titles/" + value + ".bin", Kind: TitlesKind, Time: at, Query: value, Bytes: b})
	}
	return nil
}

// indexes returns the title indexes of a name, in decimal.
func (b *Bundle) indexes(name string) ([]string, error) {
	db, err := b.Titles()
	if err != nil {
		return nil, err
	}
	var found, names []string
	for _, table := range db.Tables {
		if table.Kind != titles.Counter {
			continue
		}
		for _, pair := range table.Pairs {
			index, ok := pair.Index()
			if !ok || index == 1 { // the first pair has the highest index of the system in place of a name
				continue
			}
			names = append(names, pair.Name)
			if text := strconv.FormatUint(uint64(index), 10); strings.EqualFold(pair.Name, name) && !slices.Contains(found, text) {
				found = append(found, text)
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no title table has the name %s; use the name of an object in a selected language, or its title index%s", quote.Short(name), suggest.DidYouMean(name, names))
	}
	return found, nil
}
