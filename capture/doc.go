// Package capture reads performance counters from Windows into one file, a bundle. The commands of perfblock and this
// package read a bundle on any system.
//
//	query := capture.Query{Objects: []string{"Processor"}, Sets: []string{"Processor Information"}, Count: 2}
//	bundle, err := query.Run(ctx)
//	if err != nil {
//		return err
//	}
//	err = bundle.Write(file)
//
// V1 is a query of HKEY_PERFORMANCE_DATA: each sample has one or more data blocks. V2 is a query of Perflib: each
// sample has query data, and the bundle also has the identifiers of the query and the registrations of its counter
// sets. A bundle is a zip with a manifest and a member for each buffer. The name of a member contains the kind of the
// buffer, so the commands of perfblock read a bundle like any other archive.
//
// [Bundle.Anonymise] replaces the names in a bundle, on any system.
//
// Only system_windows.go calls Windows. On other systems [Query.Run] returns [ErrNotWindows]. The calls of V1 have run
// under Wine. Wine does not have the calls of V2. No call has run on Windows yet.
package capture
