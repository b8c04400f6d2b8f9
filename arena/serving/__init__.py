"""The matches and reports of a folder over HTTP. Imports arena.report and the packages below it."""
