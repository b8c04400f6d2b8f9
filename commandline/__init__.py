"""What the command lines of all packages share: options, errors about missing packages, and logs."""
