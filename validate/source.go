package validate

import "github.com/perfblock/perfblock/layout"

// Where rules are written, beside the pages of the structures.
const (
	learn  = "https://learn.microsoft.com/en-us/windows/win32/"
	github = "https://github.com/"
)

var (
	collect      = Source{"PM_COLLECT_PROC", learn + "api/winperf/nc-winperf-pm_collect_proc"}
	dataFormat   = Source{"Performance Data Format", learn + "perfctrs/performance-data-format"}
	registry     = Source{"Using the Registry Functions to Consume Counter Data", learn + "perfctrs/using-the-registry-functions-to-consume-counter-data"}
	titles       = Source{"Retrieving Counter Names and Help Text", learn + "perfctrs/retrieving-counter-names-and-help-text"}
	values       = Source{"Retrieving Counter Data", learn + "perfctrs/retrieving-counter-data"}
	calculating  = Source{"Calculating Counter Values", learn + "perfctrs/calculating-counter-values"}
	pathSyntax   = Source{"Specifying a Counter Path", learn + "perfctrs/specifying-a-counter-path"}
	duplicates   = Source{"Handling Duplicate Instance Names", learn + "perfctrs/handling-duplicate-instance-names"}
	otherEntries = Source{"Creating Other Registry Entries", learn + "perfctrs/creating-other-registry-entries"}
	titleIndexes = Source{"Adding Counter Names and Descriptions to the Registry", learn + "perfctrs/adding-counter-names-and-descriptions-to-the-registry"}
	baseTypes    = Source{"Base Counter Types", learn + "wmisdk/base-counter-types"}
	precision    = Source{"Precision Timer Algorithm Counter Types", learn + "wmisdk/precision-timer-algorithm-counter-types"}
	textType     = Source{"PERF_COUNTER_TEXT, Platform SDK of April 2000", "https://library.thedatadungeon.com/msdn-2000-04/perfmon/hh/pdh/perfdata_4yr8.content.htm"}
	codePages    = Source{"Code Page Identifiers", learn + "intl/code-page-identifiers"}
	eventPage    = Source{"Performance Library Availability", "https://technet.microsoft.com/en-us/library/dd315714(v=ws.10)"}
	event1016    = Source{"Event 1016", "https://technet.microsoft.com/en-us/library/cc727139"}
	eventTitles  = Source{"titles of the events of Microsoft-Windows-Perflib", "https://detection-wiki-dev.pages.dev/microsoft-windows-perflib"}
	alignment    = Source{"KB 262335, length of the data a provider returns", "http://ftp.zx.net.nz/pub/mirror/ftp.microsoft.com/MISC/KB/en-us/262/335.HTM"}
	dotnet       = Source{"dotnet/runtime, checks of block sizes (PR 108663)", github + "dotnet/runtime/pull/108663"}
	dotnetReader = Source{"dotnet/runtime, PerformanceCounterLib.cs", github + "dotnet/runtime/blob/main/src/libraries/System.Diagnostics.PerformanceCounter/src/System/Diagnostics/PerformanceCounterLib.cs"}
	netdata      = Source{"netdata, perflib.c", github + "netdata/netdata/blob/master/src/libnetdata/os/windows-perflib/perflib.c"}
	wine         = Source{"Wine, kernelbase/registry.c", github + "wine-mirror/wine/blob/master/dlls/kernelbase/registry.c"}
	headerFile   = Source{"winperf.h of mingw-w64", github + "mingw-w64/mingw-w64/blob/master/mingw-w64-headers/include/winperf.h"}
	pdhFile      = Source{"pdh.h of mingw-w64", github + "mingw-w64/mingw-w64/blob/master/mingw-w64-headers/include/pdh.h"}
)

// of is the page of a structure, at a field.
func of(r *layout.Record, field string) Source { return Source{r.C + ", " + field, r.Source} }
