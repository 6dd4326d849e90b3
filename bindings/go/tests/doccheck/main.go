// Doccheck fails if something that a package exports has no documentation, or a doc link names
// nothing.
//
// usage: doccheck FOLDER
package main

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

var link = regexp.MustCompile(`\[\*?([A-Z]\w*(?:\.\w+)?)\]`)

func main() {
	files := token.NewFileSet()
	packages, err := parser.ParseDir(files, os.Args[1], func(f fs.FileInfo) bool {
		return !strings.HasSuffix(f.Name(), "_test.go")
	}, parser.ParseComments)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	wrong := 0
	for name, p := range packages {
		wrong += check(doc.New(p, name, doc.Mode(0)))
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// check looks at one package, and counts what is wrong.
func check(p *doc.Package) int {
	texts := map[string]string{"package " + p.Name: p.Doc}
	functions := func(prefix string, list []*doc.Func) {
		for _, f := range list {
			texts[prefix+f.Name] = f.Doc
		}
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, name := range v.Names {
				if ast.IsExported(name) {
					texts[name] = v.Doc
				}
			}
		}
	}
	functions("", p.Funcs)
	values(p.Consts)
	values(p.Vars)
	for _, t := range p.Types {
		texts[t.Name] = t.Doc
		functions("", t.Funcs)
		functions(t.Name+".", t.Methods)
		values(t.Consts)
		values(t.Vars)
	}
	wrong := 0
	for name, text := range texts {
		if text == "" {
			fmt.Printf("%s: no documentation\n", name)
			wrong++
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, ok := texts[m[1]]; !ok {
				fmt.Printf("%s: [%s] is nothing of the package\n", name, m[1])
				wrong++
			}
		}
	}
	return wrong
}
