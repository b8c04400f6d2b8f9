"""How this project becomes a package: a wheel with compiled code."""
