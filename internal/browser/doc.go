// Package browser tests the pages of package validate/report/page in Chromium.
//
// It is a separate module, because only these tests need the driver of the browser. axe-core, which checks that
// pages are accessible, is an npm package with the version in package-lock.json. "npm ci" in this folder installs
// it.
package browser
