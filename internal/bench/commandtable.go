package main

import "strconv"

// commandTable is the table of whole commands. It has no column of memory where the system does not tell it.
func commandTable(list []commandFigure) *table {
	t := &table{columns: []column{{"command", false}, {"runs", true}, {"time, ms", true}, {"processor, ms", true}}}
	memory := false
	for _, f := range list {
		memory = memory || f.peak.most > 0
	}
	if memory {
		t.columns = append(t.columns, column{"peak, MiB", true})
	}
	t.columns = append(t.columns, column{"to cat and start", true})
	for _, f := range list {
		cells := []string{"`" + f.line + "`", strconv.Itoa(f.rounds), f.time.String(), f.cpu.String()}
		if memory {
			cells = append(cells, digits(f.peak.most/(1<<20)))
		}
		if f.absent != "" {
			for i := range cells[1:] {
				cells[1+i] = ""
			}
			cells[1] = "0"
			cells[2] = f.absent
		}
		last := ""
		if f.toReading.median > 0 {
			last = f.toReading.String()
		}
		t.add(append(cells, last)...)
	}
	return t
}
