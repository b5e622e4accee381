package kaitai

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
)

// TestWrongDescriptions makes one error at a time in the descriptions, and checks that the fixtures show the error.
func TestWrongDescriptions(t *testing.T) {
	t.Parallel()
	need(t)
	wrong := []struct{ file, from, to, reason string }{
		{"winperf", "pos: len_header - 88", "pos: len_header - 80", "objects are read at another offset"},
		{"winperf", "repeat-expr: num_objects", "repeat-expr: num_objects - 1", "the last object is not read"},
		{"winperf", "pos: ofs_system_name - 88", "pos: ofs_system_name - 86", "a name lacks its first letter"},
		{"winperf", "-orig-id: UniqueID\n        type: s4", "-orig-id: UniqueID\n        type: u4", "a LONG has no sign"},
		{"winperf", "-orig-id: NameOffset", "-orig-id: NameLength", "a field has the name of another"},
		{"winperf", "0x20410500: perf_counter_timer", "0x20410500: perf_counter_timers", "a type has another name"},
		{"winperf", "    0x30240500: perf_elapsed_time\n", "", "a type has no name"},
		{"winperf", "    -2:", "    -4:", "a kind of instances has no name"},
		{"winperf", "        pos: definition.ofs_value - 4\n        type:", "        pos: definition.ofs_value\n        type:", "values are read after their offset"},
		{"winperf", "            4: u4\n            8: u8", "            4: u4\n            8: u4", "values have half their size"},
		{"winperf", "type: strz\n        if: len_name", "type: str\n        if: len_name", "names include their terminator"},
		{"winperf", "      - id: month\n        -orig-id: wMonth\n        type: u2\n", "", "a field is missing"},
		{"winperf", "repeat-expr: num_instances", "repeat-expr: 1", "only the first instance is read"},
		{"perflib", "size: num_ids % 2 * 4", "size: 0", "an odd number of ids has no padding"},
		{"perflib", "type: multi_instances(1)", "type: multi_instances(0)", "instances have no value"},
		{"perflib", "repeat-until: _.is_low or rest", "repeat-until: rest", "offsets of texts count from another base"},
		{"perflib", "value: ofs_text != 0xffffffff", "value: ofs_text != 0xfffffff", "a missing text is read"},
		{"perflib", "-orig-id: Data2\n        type: u2", "-orig-id: Data2\n        type: u2be", "a part of a GUID is big-endian"},
		{"perflib", "      - id: perf_attrib_by_reference\n        type: b1\n", "", "flags are off by one"},
		{"perflib", "bit-endian: le", "bit-endian: be", "flags are in reverse order"},
		{"perflib", "-orig-id: Scale\n        type: s4", "-orig-id: Scale\n        type: u4", "a scale has no sign"},
		{"perflib", "4202: error_wmi_itemid_not_found", "4202: error_wmi_instance_not_found_", "a status has another name"},
		{"perflib", "(ofs_name - 32) / 8", "(ofs_name - 32) / 16", "half of the values are missing"},
		{"perflib", "if: len_identifier > 40", "if: len_identifier > 48", "an identifier has no name"},
	}
	step := long.Count(4, 1) // by default, every fourth error
	for i := range len(wrong) / step {
		wrong[i] = wrong[i*step]
	}
	wrong = wrong[:len(wrong)/step]
	var all []block
	for _, w := range wrong {
		folder := t.TempDir()
		for _, file := range []string{"winperf", "perflib"} {
			text := read(t, file)
			if file == w.file && strings.Count(text, w.from) != 1 {
				t.Fatalf("%q is %d times in %s, must be there once", w.from, strings.Count(text, w.from), file)
			} else if file == w.file {
				text = strings.Replace(text, w.from, w.to, 1)
			}
			if err := os.WriteFile(filepath.Join(folder, file+".ksy"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range golden(t) {
			b.folder = folder
			all = append(all, b)
		}
	}
	outputs, _ := walk(t, all)
	each := len(all) / len(wrong)
	for i, w := range wrong {
		seen := 0
		for j := i * each; j < (i+1)*each; j++ {
			seen += len(disagreements(all[j], outputs[j]))
		}
		if seen == 0 {
			t.Errorf("%s: %q for %q makes no difference: %s", w.file, w.to, w.from, w.reason)
		}
	}
}

// read returns the text of the description with the given name.
func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(formats, file+".ksy"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r", "")
}
