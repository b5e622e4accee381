# Writes a line for each event of Perflib, of the bridge and of the test in the Application log since a time, such as
# 2026-11-24T04:00:00.
$ErrorActionPreference = 'Stop'
Get-WinEvent -FilterHashtable @{ LogName = 'Application'; StartTime = [datetime]$args[0] } |
    Where-Object { $_.ProviderName -match 'Perflib|^perfblock' } |
    ForEach-Object { '{0} {1}: {2}' -f $_.ProviderName, $_.Id, ($_.Message -replace '\s+', ' ') }
