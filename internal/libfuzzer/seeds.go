package libfuzzer

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// Seeds encodes what the target's body added.
func (f *F) Seeds() (inputs [][]byte, err error) {
	for _, args := range f.seeds {
		input, err := f.encode(args)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, input)
	}
	return inputs, nil
}

// Kept encodes the inputs that "go test" keeps for the target in a folder, which need
// not exist.
func (f *F) Kept(folder string) (inputs [][]byte, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		args, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		input, err := f.encode(args)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		inputs = append(inputs, input)
	}
	return inputs, err
}

func (f *F) encode(args []any) ([]byte, error) {
	types := f.types()
	if len(args) != len(types) {
		return nil, fmt.Errorf("%d arguments for %d", len(args), len(types))
	}
	for i, arg := range args {
		if reflect.TypeOf(arg) != types[i] {
			return nil, fmt.Errorf("argument %d is of %T, not %v", i, arg, types[i])
		}
	}
	return Encode(args...)
}

// parse reads the text in which "go test" keeps arguments: a line that says so, and
// each argument on its own, as a conversion of a literal.
func parse(text string) (args []any, err error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] != "go test fuzz v1" {
		return nil, fmt.Errorf("%q is no corpus of go test", lines[0])
	}
	for _, line := range lines[1:] {
		arg, err := parseArgument(line)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	return args, nil
}

// kinds are the types that a target can take, by what stands before their values.
var kinds = map[string]reflect.Type{
	"[]byte": reflect.TypeFor[[]byte](), "string": reflect.TypeFor[string](), "bool": reflect.TypeFor[bool](),
	"byte": reflect.TypeFor[byte](), "rune": reflect.TypeFor[rune](),
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](), "int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
}

func parseArgument(line string) (any, error) {
	wrong := fmt.Errorf("%q is no argument", line)
	expr, err := parser.ParseExpr(line)
	if err != nil {
		return nil, err
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, wrong
	}
	name, _, _ := strings.Cut(line, "(")
	t, ok := kinds[name]
	if !ok {
		return nil, wrong
	}
	value := literal(call.Args[0])
	v := reflect.New(t).Elem()
	switch value.Kind() {
	case constant.String:
		if t.Kind() != reflect.String && t.Kind() != reflect.Slice {
			return nil, wrong
		}
		return reflect.ValueOf(constant.StringVal(value)).Convert(t).Interface(), nil
	case constant.Bool:
		if t.Kind() != reflect.Bool {
			return nil, wrong
		}
		v.SetBool(constant.BoolVal(value))
		return v.Interface(), nil
	}
	switch {
	case v.CanInt():
		n, exact := constant.Int64Val(constant.ToInt(value))
		if v.SetInt(n); exact && v.Int() == n {
			return v.Interface(), nil
		}
	case v.CanUint():
		n, exact := constant.Uint64Val(constant.ToInt(value))
		if v.SetUint(n); exact && v.Uint() == n {
			return v.Interface(), nil
		}
	case v.CanFloat():
		if value = constant.ToFloat(value); value.Kind() == constant.Float {
			n, _ := constant.Float64Val(value)
			v.SetFloat(n)
			return v.Interface(), nil
		}
	}
	return nil, wrong
}

// literal is the value of a literal, with a sign or without.
func literal(e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.UnaryExpr:
		if x := literal(e.X); e.Op == token.SUB && x.Kind() != constant.String && x.Kind() != constant.Bool {
			return constant.UnaryOp(token.SUB, x, 0)
		}
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return constant.MakeBool(e.Name == "true")
		}
	}
	return constant.MakeUnknown()
}
