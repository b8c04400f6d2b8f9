"""Fuzzing: inputs that no test thought of, guided by the code that they reach."""
