// Package cname has the C names of special numbers, such as PERF_NO_INSTANCES for -1. In package layout, these numbers
// are plain integers.
package cname

// Instances returns the name of a negative number of instances, such as PERF_NO_INSTANCES. It returns "" if winperf.h
// has no name for the number.
func Instances(n int32) string {
	switch n {
	case -1:
		return "PERF_NO_INSTANCES"
	case -2:
		return "PERF_METADATA_MULTIPLE_INSTANCES"
	case -3:
		return "PERF_METADATA_NO_INSTANCES"
	}
	return ""
}

// Statuses has the errors that the documentation of perflib.h mentions, in ascending order,
// with their names in winerror.h.
var Statuses = []struct {
	Value uint32
	Name  string
}{
	{3, "ERROR_PATH_NOT_FOUND"},
	{5, "ERROR_ACCESS_DENIED"},
	{8, "ERROR_NOT_ENOUGH_MEMORY"},
	{14, "ERROR_OUTOFMEMORY"},
	{87, "ERROR_INVALID_PARAMETER"},
	{183, "ERROR_ALREADY_EXISTS"},
	{232, "ERROR_NO_DATA"},
	{1168, "ERROR_NOT_FOUND"},
	{1450, "ERROR_NO_SYSTEM_RESOURCES"},
	{4200, "ERROR_WMI_GUID_NOT_FOUND"},
	{4201, "ERROR_WMI_INSTANCE_NOT_FOUND"},
	{4202, "ERROR_WMI_ITEMID_NOT_FOUND"},
	{4211, "ERROR_WMI_INVALID_REGINFO"},
}
