// Package browser tests the pages of package validate/report/page in Chromium.
//
// The package is a separate module, because only these tests need the driver of the browser. "npm ci" in this folder
// installs axe-core, which checks that pages are accessible.
package browser
