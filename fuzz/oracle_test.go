//go:build !race

// These tests run C programs, which the race detector cannot check.

package fuzz_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// TestOracle compares the results of layout and builder with those of a C program that is compiled with winperf.h and
// perflib.h.
func TestOracle(t *testing.T) {
	t.Parallel()
	walker := oracle.Need(t)
	t.Run("valid blocks", func(t *testing.T) { t.Parallel(); oracleAgrees(t, walker) })
	t.Run("damaged blocks", func(t *testing.T) { t.Parallel(); oracleAgreesOnDamage(t, walker) })
}

// oracleAgrees reads generated blocks and workloads with layout, with builder, and with the C program. All three must
// read the same values.
func oracleAgrees(t *testing.T, walker *oracle.Walker) {
	t.Helper()
	compared := map[string]bool{}
	for _, kind := range layout.Kinds() {
		var blocks [][]byte
		for seed := range uint64(long.Count(25, coverageSeeds)) {
			blocks = append(blocks, valid(t, fuzz.Seed(seed), kind))
		}
		if kind == layout.DataBlockKind {
			workloads := []string{"tiny", "cpu", "process-300"}
			if long.Enabled() {
				workloads = append(workloads, "process-2775", "server")
			}
			for _, name := range workloads {
				w, err := fuzz.FindWorkload(name)
				fatal(t, err)
				b, err := w.Block().MarshalBinary()
				fatal(t, err)
				blocks = append(blocks, b)
			}
		}
		results, err := walker.WalkAll(t.Context(), kind.String(), blocks)
		fatal(t, err)
		for i, r := range results {
			if r.Err != nil {
				t.Fatalf("%v %d: the C program refuses a valid block: %v", kind, i, r.Err)
			}
			for _, line := range oracle.Disagreements(kind, blocks[i], r.Entries) {
				t.Error(line)
			}
			m := empty(t, kind)
			fatal(t, m.UnmarshalBinary(blocks[i]))
			newComparison(t, r.Entries, compared).model(m)
			if t.Failed() {
				t.Fatalf("these errors are in block %[2]d of kind %[1]v", kind, i)
			}
		}
	}
	never := slices.DeleteFunc(slices.Sorted(maps.Keys(compared)), func(field string) bool { return compared[field] })
	if diff := cmp.Diff(notInC, never); diff != "" {
		t.Errorf("fields that C does not have (-want +never compared):\n%s", diff)
	}
}

// oracleAgreesOnDamage checks that layout and the C program read the same values if both can read a damaged block.
func oracleAgreesOnDamage(t *testing.T, walker *oracle.Walker) {
	t.Helper()
	seeds := long.Count(60, coverageSeeds)
	for _, kind := range layout.Kinds() {
		var blocks [][]byte
		for seed := range uint64(seeds) {
			blocks = append(blocks, fuzz.Damage(fuzz.Seed(seed), valid(t, fuzz.Seed(seed), kind)))
		}
		results, err := walker.WalkAll(t.Context(), kind.String(), blocks)
		fatal(t, err)
		followed := 0
		for i, r := range results {
			if r.Err != nil || refused(kind, blocks[i]) {
				continue
			}
			followed++
			for _, line := range oracle.Disagreements(kind, blocks[i], r.Entries) {
				t.Errorf("%v %d: %s", kind, i, line)
			}
		}
		if followed < seeds/4 || followed == seeds {
			t.Errorf("%v: the C program reads %d of %d damaged blocks, which tests little", kind, followed, seeds)
		}
	}
}

// refused reports whether layout refuses a block for a reason that the C program does not check.
func refused(kind layout.Kind, b []byte) bool {
	if kind == layout.DataBlockKind && !layout.HasSignature(b) {
		return true
	}
	for p := range layout.Walk(kind, b) {
		if e, ok := errors.AsType[*layout.Error](p.Err); ok && (strings.HasSuffix(e.Path.String(), "NameOffset") || strings.HasSuffix(e.Path.String(), "CounterOffset")) {
			return true
		}
	}
	return false
}

// notInC lists the model fields that are not fields of a C record. Other methods compare some of these fields. For
// example, compareNumbers compares Object.Values.
var notInC = []string{
	"Counter.Name", "Counter.NoHelp", "CounterSetInstance.Values",
	"Instance.BlockLength", "Instance.Texts", "Instance.Values",
	"Object.BlockLength", "Object.DuplicateNames", "Object.Name", "Object.NoHelp", "Object.Texts", "Object.Values",
	"QueryInstance.Texts", "QueryInstance.Values", "Result.Counters", "Result.ShortIDs", "Result.Texts", "Result.Values",
	"StringBuffer.FromEntries", "StringCounter.None",
}

// elementNames maps the Go type of list elements to the name of an element in a path.
var elementNames = map[string]string{
	"Object": "object", "Counter": "counter", "CounterRegInfo": "counter", "CounterInfo": "counter",
	"Instance": "instance", "QueryInstance": "instance", "InstanceHeader": "instance",
	"Result": "result", "CounterIdentifier": "identifier", "StringCounter": "entry", "GUID": "guid",
}

// A comparison compares a decoded model with the values that the C program reads in the same block. The fields of the
// models have the same names as in C.
type comparison struct {
	t        *testing.T
	values   map[string]string // what the C program reads, by path
	records  map[string]bool   // the paths of the records that have a value
	compared map[string]bool   // by model field, such as "Counter.Name": whether the C program has a value for it
}

func newComparison(t *testing.T, entries []oracle.Entry, compared map[string]bool) comparison {
	c := comparison{t, map[string]string{}, map[string]bool{}, compared}
	for _, e := range entries {
		c.values[e.Path] = e.Value
		for path := e.Path; path != ""; path = path[:max(strings.LastIndexByte(path, '.'), 0)] {
			c.records[path] = true
		}
	}
	return c
}

func (c comparison) model(m builder.Model) {
	c.t.Helper()
	switch v := reflect.ValueOf(m).Elem(); {
	case m.Kind() == layout.RegCounterKind:
		c.record("counter[0].", v)
	case m.Kind() == layout.RegGUIDKind:
		c.agree("guid[0]", v)
	case m.Kind() == layout.RegStringKind:
		c.agree("Text", v)
	case v.Kind() == reflect.Slice:
		c.list("", v)
	default:
		c.record("", v)
	}
}

// list compares the elements of a list, and their number.
func (c comparison) list(path string, list reflect.Value) {
	c.t.Helper()
	element := func(i int) string { return fmt.Sprintf("%s%s[%d]", path, elementNames[list.Type().Elem().Name()], i) }
	if n := list.Len(); n > 0 && !c.records[element(n-1)] || c.records[element(n)] {
		c.t.Errorf("the model has %d records before %s, the C program has more or fewer", n, element(n))
	}
	for i := range list.Len() {
		if v := list.Index(i); isGUID(v) {
			c.agree(element(i), v)
		} else {
			c.record(element(i)+".", v)
		}
	}
}

// record compares the fields of a record. It skips a zero field that the encoder computes.
func (c comparison) record(path string, v reflect.Value) {
	c.t.Helper()
	for f, field := range v.Fields() {
		owner, name := v.Type().Name()+"."+f.Name, path+f.Name
		for _, other := range []string{path + "dw" + f.Name, path + strings.ToLower(f.Name[:1]) + f.Name[1:]} {
			if !c.records[name] && c.records[other] {
				name = other
			}
		}
		switch isList := f.Type.Kind() == reflect.Slice && elementNames[f.Type.Elem().Name()] != ""; {
		case isList:
			c.list(path, field)
		case !c.records[name] && (field.Kind() != reflect.String || field.IsZero()):
			if !c.compared[owner] { // an empty name can be absent
				c.compared[owner] = false
			}
			continue
		case f.Name == "SystemTime":
			if !field.IsZero() {
				c.record(name+".", field)
			}
		case !field.IsZero() || !isComputed(owner, field):
			c.agree(name, field)
		}
		c.compared[owner] = true
	}
	switch m := v.Interface().(type) {
	case builder.Object:
		c.compareNumbers(path+"block.value", m.Values)
	case builder.Instance:
		c.compareNumbers(path+"block.value", m.Values)
	case builder.CounterSetInstance:
		c.compareNumbers(path+"slot", m.Values)
	case builder.Result:
		c.result(path, m)
	}
}

// isComputed reports whether the zero value of a field means that the encoder computes the field.
func isComputed(owner string, v reflect.Value) bool {
	_, name, _ := strings.Cut(owner, ".")
	return slices.Contains(overrides, owner) || slices.Contains([]string{"NumInstances", "DetailLevel", "PerfTime100nSec", "PerfTime100NSec"}, name)
}

// agree compares a field or a name of a model with the value that the C program reads at the path.
func (c comparison) agree(path string, v reflect.Value) {
	c.t.Helper()
	decoded := ""
	switch {
	case isGUID(v):
		decoded = "hex:" + hex.EncodeToString(wire.GUID(v.Convert(reflect.TypeFor[layout.GUID]()).Interface().(layout.GUID)).Append(nil))
	case v.Kind() == reflect.Pointer && v.IsNil(): // nil means no id
		decoded = map[reflect.Kind]string{reflect.Int32: "-1", reflect.Uint32: "4294967295"}[v.Type().Elem().Kind()]
	case v.Kind() == reflect.Pointer:
		c.agree(path, v.Elem())
		return
	case v.Kind() == reflect.String:
		text := []byte(v.String() + "\x00")
		if object, _, _ := strings.Cut(path, "."); c.values[object+".CodePage"] == "" || c.values[object+".CodePage"] == "0" {
			var err error
			text, err = layout.AppendUTF16(nil, string(text))
			fatal(c.t, err)
		}
		decoded = "hex:" + hex.EncodeToString(text)
	case v.CanInt():
		decoded = strconv.FormatInt(v.Int(), 10)
	default:
		decoded = strconv.FormatUint(v.Uint(), 10)
	}
	c.same(path, decoded)
}

func (c comparison) same(path, decoded string) {
	c.t.Helper()
	if read := c.values[path]; read != decoded {
		c.t.Errorf("%s: C reads %q, the model has %q", path, read, decoded)
	}
}

func isGUID(v reflect.Value) bool { return v.CanConvert(reflect.TypeFor[layout.GUID]()) }

// compareNumbers compares the values of a counter block, or the slots of a PERF_COUNTERSET_INSTANCE. It skips zeros,
// because the model has a 0 in place of each text.
func (c comparison) compareNumbers(path string, values []uint64) {
	c.t.Helper()
	for i, n := range values {
		if n != 0 {
			c.same(fmt.Sprintf("%s[%d]", path, i), fmt.Sprint(n))
		}
	}
	c.same(fmt.Sprintf("%s[%d]", path, len(values)), "")
}

// result compares the ids and values of a result in the model with those that the C program reads.
func (c comparison) result(path string, r builder.Result) {
	c.t.Helper()
	if r.Type == layout.PERF_MULTIPLE_COUNTERS || r.Type == layout.PERF_COUNTERSET {
		for i, counter := range r.Counters {
			c.same(fmt.Sprintf("%sids.id[%d]", path, i), fmt.Sprint(counter.CounterId))
		}
		c.same(fmt.Sprintf("%sids.id[%d]", path, len(r.Counters)), "")
	}
	c.row(path, r.Counters, r.Values, r.Texts)
	for i, in := range r.Instances {
		c.row(fmt.Sprintf("%sinstance[%d].", path, i), r.Counters, in.Values, in.Texts)
	}
}

// row compares the values of an instance, or the values of a result without instances, with those that the C program
// reads.
func (c comparison) row(path string, counters []builder.QueryCounter, numbers []uint64, texts []string) {
	c.t.Helper()
	for i, n := range numbers {
		want := fmt.Sprint(n)
		if counters[i].Bytes {
			switch b := []byte(texts[0]); len(b) {
			case 0:
				want = ""
			case 4:
				want = fmt.Sprint(binary.LittleEndian.Uint32(b))
			case 8:
				want = fmt.Sprint(binary.LittleEndian.Uint64(b))
			default:
				want = "hex:" + hex.EncodeToString(b)
			}
			texts = texts[1:]
		}
		c.same(fmt.Sprintf("%sdata[%d].value", path, i), want)
	}
	c.same(fmt.Sprintf("%sdata[%d].dwSize", path, len(numbers)), "")
}
