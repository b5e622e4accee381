# Writes the values of the counters in the arguments, two times, one second apart: a line with the path, "=" and the value.
$ErrorActionPreference = 'Stop'
(Get-Counter -Counter $args -MaxSamples 2).CounterSamples | ForEach-Object {
    $_.Path + '=' + $_.CookedValue.ToString([cultureinfo]::InvariantCulture)
}
