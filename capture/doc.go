// Package capture reads performance counters from Windows and keeps them in one file, a bundle, which perfblock and this
// package read on any system.
//
//	query := capture.Query{Objects: []string{"Processor"}, Sets: []string{"Processor Information"}, Count: 2}
//	bundle, err := query.Run(ctx)
//	if err != nil {
//		return err
//	}
//	err = bundle.Write(file)
//
// V1 is a query of HKEY_PERFORMANCE_DATA: each sample is a data block. V2 is a query of Perflib: each sample is query
// data, and the bundle also has the identifiers of the query and the registrations of its counter sets. A bundle is a
// zip with a manifest and a member for each buffer. The name of a member has the kind of the buffer, so the commands of
// perfblock read a bundle as any other archive.
//
// [Bundle.Anonymise] replaces the names in a bundle, on any system.
//
// Only system_windows.go calls Windows. On other systems [Query.Run] returns [ErrNotWindows]. The calls were run under
// Wine, which has those of V1 only, and not yet on Windows.
package capture
