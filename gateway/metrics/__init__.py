"""The gateway's Prometheus metrics, each measured from the events that it counts."""
