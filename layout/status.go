package layout

import "iter"

// statuses are the errors that the documentation of perflib.h speaks of, by their names
// in winerror.h.
var statuses = enum[uint32]{
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

// Statuses yields the errors that have a [StatusName], in order of their numbers.
func Statuses() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, one := range statuses {
			if !yield(one.value) {
				return
			}
		}
	}
}

// StatusName returns the name that winerror.h has for the Win32 error of a dwStatus or
// Status, "" for one that the documentation of perflib.h does not speak of.
func StatusName(status uint32) string { return statuses.name(status) }

// ParseStatus reads a [StatusName]. The error wraps [ErrRange].
func ParseStatus(s string) (uint32, error) { return statuses.parse(s) }
