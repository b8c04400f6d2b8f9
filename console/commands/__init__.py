"""The console's command line: one file for each command, with few imports for a fast start."""
