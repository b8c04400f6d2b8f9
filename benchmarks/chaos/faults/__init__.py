"""The faults, a small class each."""
