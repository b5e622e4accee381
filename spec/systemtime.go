package spec

import (
	"fmt"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// dateFormat is the form of a valid SystemTime up to the year 9999.
const dateFormat = "2006-01-02T15:04:05.000Z"

var timeForm = &form{
	name:   "a time such as 2020-05-01T12:34:56.789Z, or a mapping of SYSTEMTIME's fields",
	schema: anyOf(members{{"type", "string"}, {"pattern", `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3}0*)?(Z|[+-]\d\d:\d\d)$`}}, ref("systemTime")),
	read: func(n *yaml.Node, to any) error {
		out := to.(*layout.SystemTime)
		if n.Kind == yaml.MappingNode {
			return timeMapping.read(n, out)
		}
		if n.Kind != yaml.ScalarNode || yamltext.IsNull(n) {
			return yamltext.Want(n, "a time such as "+dateFormat)
		}
		t, err := time.Parse(time.RFC3339Nano, n.Value)
		if err != nil {
			return fmt.Errorf("is %s, must be a time such as %s", quote.Short(n.Value), dateFormat)
		}
		if t.Nanosecond()%1e6 != 0 {
			return fmt.Errorf("%s is more precise than SYSTEMTIME, which has only milliseconds", quote.Short(n.Value))
		}
		*out, err = layout.SystemTimeOf(t)
		return err
	},
	zero: func(from any) bool { return *from.(*layout.SystemTime) == layout.SystemTime{} },
	write: func(w *writer, from any, _ string) error {
		s := from.(*layout.SystemTime)
		if t, err := s.Time(); err == nil && t.Year() <= 9999 {
			w.b = t.AppendFormat(append(w.b, ' '), dateFormat)
			return nil
		}
		w.add(" ")
		return timeMapping.writeBraced(w, s)
	},
}

type timeKey = key[layout.SystemTime]

var timeMapping = mapping[layout.SystemTime]{
	name: "systemTime", what: "SystemTime", record: &layout.SYSTEMTIME,
	doc: "The fields of a SYSTEMTIME that is not a valid time, such as 30 February or a wrong day of the week. Missing fields are 0.",
	keys: []timeKey{
		{name: "wYear", form: wordForm, field: func(s *layout.SystemTime) any { return num(&s.WYear) }},
		{name: "wMonth", form: wordForm, field: func(s *layout.SystemTime) any { return num(&s.WMonth) }},
		{name: "wDayOfWeek", form: wordForm, field: func(s *layout.SystemTime) any { return num(&s.WDayOfWeek) }},
		{name: "wDay", form: wordForm, field: func(s *layout.SystemTime) any { return num(&s.WDay) }},
		{name: "wHour", form: wordForm, field: func(s *layout.SystemTime) any { return num(&s.WHour) }},
		{name: "wMinute", form: wordForm, field: func(s *layout.SystemTime) any { return num(&s.WMinute) }},
		{name: "wSecond", form: wordForm, field: func(s *layout.SystemTime) any { return num(&s.WSecond) }},
		{name: "wMilliseconds", form: wordForm, field: func(s *layout.SystemTime) any { return num(&s.WMilliseconds) }},
	},
}
