package report

// URIOf is exported so that tests of Windows paths run on all systems.
var URIOf = uriOf
