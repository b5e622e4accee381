package config

var Schema = fileSchema
