package main

import (
	"go/ast"
	"go/token"
)

// remove leaves out one of the statements, of those that can be left out without what they declare.
func (f *finder) remove(list []ast.Stmt) {
	for _, s := range list {
		if f.removable(s) {
			f.put(s.Pos(), s.End(), "")
		}
	}
}

func (f *finder) removable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE && !allBlank(s.Lhs) // which is there for the compiler
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.ReturnStmt:
		return len(s.Results) == 0
	}
	return false
}

func allBlank(list []ast.Expr) bool {
	for _, e := range list {
		if name, ok := e.(*ast.Ident); !ok || name.Name != "_" {
			return false
		}
	}
	return true
}
