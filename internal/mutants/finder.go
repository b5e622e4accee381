package main

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// A finder finds where a file can be damaged.
type finder struct {
	file   *token.File
	source []byte
	in     string
	of     *function
	list   []*mutant
}

func (f *finder) find(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.in = functionName(d)
			if d.Body != nil {
				f.of = functionOf(d, f.file.Offset)
				ast.Inspect(d.Body, f.visit)
			}
		case *ast.GenDecl:
			f.of = nil
			for _, s := range d.Specs {
				f.in = d.Tok.String()
				if v, ok := s.(*ast.ValueSpec); ok {
					f.in += " " + v.Names[0].Name
					ast.Inspect(v, f.visit)
				}
			}
		}
	}
}

// functionName returns the name of a function, a method's behind that of its type.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

// swapped are the operators that stand for another one; a comparison has two.
var swapped = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.AND_NOT: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.INC: {token.DEC}, token.DEC: {token.INC},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN}, token.REM_ASSIGN: {token.MUL_ASSIGN},
	token.AND_ASSIGN: {token.OR_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN}, token.XOR_ASSIGN: {token.AND_ASSIGN},
	token.AND_NOT_ASSIGN: {token.AND_ASSIGN},
	token.SHL_ASSIGN:     {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN},
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.InterfaceType: // its | is of types
		return false
	case *ast.CallExpr:
		if made, ok := n.Fun.(*ast.Ident); ok && made.Name == "make" && len(n.Args) == 3 { // how much it has room for shows nowhere
			ast.Inspect(n.Args[1], f.visit)
			return false
		}
	case *ast.BinaryExpr:
		f.swap(n.OpPos, n.Op)
	case *ast.IncDecStmt:
		f.swap(n.TokPos, n.Tok)
	case *ast.AssignStmt:
		f.swap(n.TokPos, n.Tok)
		f.flip(n.Rhs)
	case *ast.ReturnStmt:
		f.flip(n.Results)
	case *ast.BasicLit:
		f.next(n)
	case *ast.IfStmt:
		f.negate(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					f.negate(e)
				}
			}
		}
	case *ast.BlockStmt:
		f.remove(n.List)
	case *ast.CaseClause:
		f.remove(n.Body)
	case *ast.CommClause:
		f.remove(n.Body)
	}
	return true
}

func (f *finder) put(start, end token.Pos, text string) {
	f.list = append(f.list, &mutant{start: f.file.Offset(start), end: f.file.Offset(end), text: text, line: f.file.Line(start), in: f.in, function: f.of})
}

func (f *finder) swap(at token.Pos, op token.Token) {
	for _, other := range swapped[op] {
		f.put(at, at+token.Pos(len(op.String())), other.String())
	}
}

// flip turns a true that is returned or assigned, and a false.
func (f *finder) flip(list []ast.Expr) {
	for _, e := range list {
		if name, ok := e.(*ast.Ident); ok && (name.Name == "true" || name.Name == "false") {
			f.put(e.Pos(), e.End(), strconv.FormatBool(name.Name == "false"))
		}
	}
}

// next puts the next number for a whole one, in the base in which it is written.
func (f *finder) next(n *ast.BasicLit) {
	value, err := strconv.ParseUint(n.Value, 0, 64)
	if n.Kind != token.INT || err != nil || value+1 == 0 {
		return
	}
	text := strconv.FormatUint(value+1, 10)
	if strings.HasPrefix(n.Value, "0x") {
		text = "0x" + strconv.FormatUint(value+1, 16)
	}
	f.put(n.Pos(), n.End(), text)
}

// negate turns a condition, unless it is a comparison, which swap turns.
func (f *finder) negate(cond ast.Expr) {
	switch c := cond.(type) {
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			f.put(c.Pos(), c.X.Pos(), "")
			return
		}
	case *ast.BinaryExpr:
		if c.Op != token.LAND && c.Op != token.LOR {
			return
		}
	}
	f.put(cond.Pos(), cond.End(), "!("+string(f.source[f.file.Offset(cond.Pos()):f.file.Offset(cond.End())])+")")
}
