package report

// URIOf is tested for the paths of systems that the tests do not run on.
var URIOf = uriOf
