"""Dashboards, alerts, and what shows them on this machine."""
