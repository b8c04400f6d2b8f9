"""What the command lines of all packages share: options, files in TOML, errors about missing packages."""
