"""Dashboards, alerts, and the programs that show them on this machine."""
