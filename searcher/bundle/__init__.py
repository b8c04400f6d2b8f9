"""The parts of a bundle: a folder with a snake, its Python, packages and compiled code."""
