"""The build of this project's package: a wheel with compiled code."""
