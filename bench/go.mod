module github.com/perfblock/perfblock/bench

go 1.26.0

tool golang.org/x/perf/cmd/benchstat

require (
	github.com/perfblock/perfblock v0.0.0
	go.yaml.in/yaml/v4 v4.0.0
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/fatih/color v1.19.0 // indirect
	github.com/google/go-cmp v0.7.0
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.22 // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/perfblock/perfblock => ../
