package spec

import (
	"regexp"
	"strings"
)

// A namedError is an error of the builder in which what the model alone has, such as
// DuplicateNames, has the name that the text has for it.
type namedError struct {
	text string
	err  error
}

func (e *namedError) Error() string { return e.text }
func (e *namedError) Unwrap() error { return e.err }

// They find the names at the end of the path, before any text of the block's own, and
// in what the builder says behind it.
var (
	pathName   = regexp.MustCompile(`^([A-Za-z0-9.\[\]]*\b(BlockLength|ShortIDs|FromEntries|Counters|Instances|Values|Texts)):`)
	adviceName = regexp.MustCompile(`; DuplicateNames allows it$|, although None is set$|\bof Bytes\b|, the field is nil$`)
)

// textNames are what they are in the text. The values of both sorts are in one list.
var textNames = strings.NewReplacer("BlockLength:", "blockLength:", "ShortIDs:", "shortIDs:", "FromEntries:", "fromEntries:", "Counters:", "counters:", "Instances:", "instances:",
	"Values:", "values:", "Texts:", "values:", "DuplicateNames", "duplicateNames", "Bytes", "bytes", "None is", "none is", "the field is nil", "it is none")

// named returns the error of the builder in the words of the text; a Spec without
// a text has those of the model.
func (s *Spec) named(err error) error {
	if s.root == nil {
		return err
	}
	text := pathName.ReplaceAllStringFunc(err.Error(), textNames.Replace)
	text = adviceName.ReplaceAllStringFunc(text, textNames.Replace)
	if text == err.Error() {
		return err
	}
	return &namedError{text, err}
}
