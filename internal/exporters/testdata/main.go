// Command reader queries HKEY_PERFORMANCE_DATA with the packages of two exporters. For each value it prints the
// exporter, the object, the counter, the instance or "-", and the value:
//
//	perflib_exporter 238 6 _Total 1234
package main

import (
	"fmt"
	"log"
	"os"

	// Package exporters copies the packages into these folders.
	newer "example.com/reader/newer"
	oldest "example.com/reader/oldest"
)

func main() {
	query := os.Args[1]
	first, err := oldest.QueryPerformanceData(query)
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range first {
		for _, in := range o.Instances {
			for _, c := range in.Counters {
				show("perflib_exporter", o.NameIndex, c.Def.NameIndex, in.Name, c.Value)
			}
		}
	}
	second, err := newer.QueryPerformanceData(query)
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range second {
		for _, in := range o.Instances {
			for _, c := range in.Counters {
				show("windows_exporter", o.NameIndex, c.Def.NameIndex, in.Name, c.Value)
			}
		}
	}
}

func show(reader string, object, counter uint, instance string, value int64) {
	if instance == "" {
		instance = "-"
	}
	fmt.Println(reader, object, counter, instance, value)
}
