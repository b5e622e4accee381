package report

import "github.com/perfblock/perfblock/internal/identity"

// The following types have the names of SARIF 2.1.0. Offsets, indexes and lists of results have no omitempty:
// SARIF distinguishes a missing member from 0 and from an empty list.

type sarifLog struct {
	Version string     `json:"version"`
	Schema  string     `json:"$schema"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool          `json:"tool"`
	Invocations []sarifInvocation  `json:"invocations"`
	Artifacts   []sarifArtifact    `json:"artifacts"`
	Results     []sarifResult      `json:"results"`
	ColumnKind  string             `json:"columnKind,omitempty"` // of the columns of texts
	Properties  sarifRunProperties `json:"properties"`
}

type sarifRunProperties struct {
	Profile string `json:"profile"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string              `json:"id"`
	Name                 string              `json:"name"`
	ShortDescription     sarifText           `json:"shortDescription"`
	FullDescription      sarifText           `json:"fullDescription"`
	Help                 sarifText           `json:"help"`
	HelpURI              string              `json:"helpUri,omitempty"`
	DefaultConfiguration sarifConfiguration  `json:"defaultConfiguration"`
	Properties           sarifRuleProperties `json:"properties"`
}

type sarifConfiguration struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

type sarifRuleProperties struct {
	Tags []string `json:"tags"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifInvocation struct {
	ExecutionSuccessful        bool                `json:"executionSuccessful"`
	ExitCode                   *int                `json:"exitCode,omitempty"`
	ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifArtifact struct {
	Location sarifArtifactLocation `json:"location"`
	Length   *int                  `json:"length,omitempty"`
	MimeType string                `json:"mimeType,omitempty"`
	Roles    []string              `json:"roles"`
}

type sarifResult struct {
	RuleID              string                `json:"ruleId"`
	RuleIndex           int                   `json:"ruleIndex"`
	Level               string                `json:"level"`
	Message             sarifText             `json:"message"`
	Locations           []sarifLocation       `json:"locations"`
	PartialFingerprints map[string]string     `json:"partialFingerprints"`
	Properties          sarifResultProperties `json:"properties,omitzero"`
}

type sarifResultProperties struct {
	PerflibEvent int    `json:"perflibEvent,omitempty"`
	Reason       string `json:"reason,omitempty"`

	Object  identity.Title `json:"object,omitzero"`
	Counter identity.Title `json:"counter,omitzero"`
}

type sarifLocation struct {
	PhysicalLocation sarifPhysicalLocation  `json:"physicalLocation"`
	LogicalLocations []sarifLogicalLocation `json:"logicalLocations,omitempty"`
}

type sarifPhysicalLocation struct {
	ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
	Region           *sarifRegion          `json:"region,omitempty"`
	Address          *sarifAddress         `json:"address,omitempty"`
}

type sarifArtifactLocation struct {
	URI   string `json:"uri"`
	Index int    `json:"index"`
}

type sarifRegion struct {
	StartLine   int    `json:"startLine"`
	StartColumn int    `json:"startColumn"`
	EndLine     int    `json:"endLine"`
	EndColumn   int    `json:"endColumn"`
	ByteOffset  *int64 `json:"byteOffset,omitempty"`
	ByteLength  *int   `json:"byteLength,omitempty"`
}

type sarifAddress struct {
	AbsoluteAddress int64  `json:"absoluteAddress"`
	Length          int    `json:"length"`
	Kind            string `json:"kind"`
}

type sarifLogicalLocation struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
}
