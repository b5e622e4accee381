package spec

import (
	"fmt"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// dateFormat is the time layout of a valid SystemTime, up to the year 9999.
const dateFormat = "2006-01-02T15:04:05.000Z"

var timeForm = &form.Form{
	Name:   "a time such as 2020-05-01T12:34:56.789Z, or a mapping of SYSTEMTIME's fields",
	Schema: form.AnyOf(form.PatternSchema(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3}0*)?(Z|[+-]\d\d:\d\d)$`), form.Ref("systemTime")),
	Read: func(n *yaml.Node, to any) error {
		out := to.(*layout.SystemTime)
		if n.Kind == yaml.MappingNode {
			return timeMapping.Read(n, out)
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
	Zero: func(from any) bool { return *from.(*layout.SystemTime) == layout.SystemTime{} },
	Write: func(w *form.Writer, from any, _ string) error {
		s := from.(*layout.SystemTime)
		if t, err := s.Time(); err == nil && t.Year() <= 9999 {
			w.B = t.AppendFormat(append(w.B, ' '), dateFormat)
			return nil
		}
		w.Add(" ")
		return timeMapping.WriteBraced(w, s)
	},
}

var timeMapping = form.Mapping[layout.SystemTime]{
	Name: "systemTime", What: "SystemTime", Record: &layout.SYSTEMTIME,
	Doc: "The fields of a SYSTEMTIME that is not a valid time, such as 30 February or a wrong day of the week. Missing fields are 0.",
	Keys: []form.Key[layout.SystemTime]{
		{Name: "wYear", Form: wordForm, Field: func(s *layout.SystemTime) any { return form.Num(&s.WYear) }},
		{Name: "wMonth", Form: wordForm, Field: func(s *layout.SystemTime) any { return form.Num(&s.WMonth) }},
		{Name: "wDayOfWeek", Form: wordForm, Field: func(s *layout.SystemTime) any { return form.Num(&s.WDayOfWeek) }},
		{Name: "wDay", Form: wordForm, Field: func(s *layout.SystemTime) any { return form.Num(&s.WDay) }},
		{Name: "wHour", Form: wordForm, Field: func(s *layout.SystemTime) any { return form.Num(&s.WHour) }},
		{Name: "wMinute", Form: wordForm, Field: func(s *layout.SystemTime) any { return form.Num(&s.WMinute) }},
		{Name: "wSecond", Form: wordForm, Field: func(s *layout.SystemTime) any { return form.Num(&s.WSecond) }},
		{Name: "wMilliseconds", Form: wordForm, Field: func(s *layout.SystemTime) any { return form.Num(&s.WMilliseconds) }},
	},
}
