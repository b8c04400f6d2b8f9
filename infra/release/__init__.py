"""The tools of a release."""
