# Runs a program under another account, and writes its output. The exit status is that of the program.
$ErrorActionPreference = 'Stop'
$password = ConvertTo-SecureString $env:TEST_PASSWORD -AsPlainText -Force
$account = New-Object System.Management.Automation.PSCredential $env:TEST_ACCOUNT, $password
$process = Start-Process -FilePath $env:TEST_PROGRAM -ArgumentList $env:TEST_ARGUMENTS -Credential $account `
    -WorkingDirectory $env:TEST_FOLDER -Wait -PassThru -RedirectStandardOutput out.txt -RedirectStandardError err.txt
Get-Content out.txt, err.txt
exit $process.ExitCode
