package capture_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/capture"
	"github.com/perfblock/perfblock/layout"
)

// TestPseudonyms checks that Pseudonyms yields each replaced word once, and that the block has the pseudonym.
func TestPseudonyms(t *testing.T) {
	t.Parallel()
	object := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT)
	object.DuplicateNames = true
	for _, name := range []string{"orders/0", "orders/anna 😀", "Orders#1", "_Total", "7"} {
		object.Instance(name, 1)
	}
	narrow := builder.NewObject(6).Counter(8, layout.PERF_COUNTER_RAWCOUNT)
	narrow.CodePage = 1252
	narrow.Instance("caf\xe9", 1)
	data := builder.DataBlock{SystemName: "VM"}
	b, err := data.Add(object).Add(narrow).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	bundle := bundleOf(layout.DataBlockKind, b)
	for word := range bundle.Pseudonyms() {
		t.Errorf("%q is in the list before Anonymise", word)
	}
	if _, err := bundle.Anonymise(key); err != nil {
		t.Fatal(err)
	}
	var words []string
	for word, pseudonym := range bundle.Pseudonyms() {
		words = append(words, word)
		wide, err := layout.AppendUTF16(nil, pseudonym)
		if err != nil {
			t.Fatal(err)
		}
		if block := bundle.Members[0].Bytes; !bytes.Contains(block, wide) && !bytes.Contains(block, []byte(pseudonym)) {
			t.Errorf("%q has the pseudonym %q, which the block does not have", word, pseudonym)
		}
	}
	if diff := cmp.Diff([]string{"Orders", "VM", "anna 😀", "caf\xe9", "orders"}, words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	for word := range bundle.Pseudonyms() {
		if word != "Orders" {
			t.Errorf("the first word is %q", word)
		}
		break // the caller may end the iteration early
	}
	// Write must not write the replaced words.
	var file bytes.Buffer
	if err := bundle.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := capture.Read(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for word := range read.Pseudonyms() {
		t.Errorf("the bundle has the word %q", word)
	}
	if text := strings.ToLower(fmt.Sprintf("%+v", read)); strings.Contains(text, "orders") {
		t.Errorf("the manifest has a word: %s", text)
	}
}
