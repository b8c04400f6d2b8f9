"""Metrics and traces: what the services share to be seen."""
