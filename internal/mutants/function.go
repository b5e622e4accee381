package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// A function can stand several times in one file, each time with another damage, and give way to the one that is asked for.
type function struct {
	start, name, body, end int    // offsets: of its declaration, behind its name, behind the brace of its body
	call                   string // what gives way, with a verb for the number
}

// functionOf returns nil for one that cannot give way: it has a parameter without a name.
func functionOf(d *ast.FuncDecl, at func(token.Pos) int) *function {
	callee := d.Name.Name + suffix
	if d.Recv != nil {
		if len(d.Recv.List[0].Names) == 0 || d.Recv.List[0].Names[0].Name == "_" {
			return nil
		}
		callee = d.Recv.List[0].Names[0].Name + "." + callee
	}
	if types := names(d.Type.TypeParams); types != nil {
		callee += "[" + strings.Join(types, ", ") + "]"
	}
	params := names(d.Type.Params)
	for i, p := range params {
		if p == "" || p == "_" {
			return nil
		}
		if list := d.Type.Params.List; i == len(params)-1 {
			if _, several := list[len(list)-1].Type.(*ast.Ellipsis); several {
				params[i] += "..."
			}
		}
	}
	call := callee + "(" + strings.Join(params, ", ") + ")"
	if d.Type.Results == nil {
		call += "; return"
	} else {
		call = "return " + call
	}
	return &function{at(d.Type.Pos()), at(d.Name.End()), at(d.Body.Lbrace) + 1, at(d.End()), call}
}

const suffix = "_mutant%[1]d"

// names returns the names of parameters, "" for those without one.
func names(list *ast.FieldList) (all []string) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		if len(f.Names) == 0 {
			all = append(all, "")
		}
		for _, n := range f.Names {
			all = append(all, n.Name)
		}
	}
	return all
}

// way gives way to the function with that number.
func (f *function) way(number int) string {
	return fmt.Sprintf("case %[1]d: "+f.call+"; ", number)
}

// copyOf returns the function with the damage, under a name of its own.
func (m *mutant) copyOf(number int) string {
	f := m.function
	return string(m.source[f.start:f.name]) + fmt.Sprintf(suffix, number) + string(m.source[f.name:m.start]) + m.text + string(m.source[m.end:f.end]) + "\n"
}
